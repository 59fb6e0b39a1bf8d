import '../ui/styles/index.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createEngineClient } from '../engine/client.ts'
import { createConvertServices } from '../features/convert/index.ts'
import { applyTheme } from '../ui/theme.ts'
import { App } from './App.tsx'
import { basePath } from './base-path.ts'
import { afterPaint, openSession } from './session.ts'
import { holdEarlyCalls } from './stand-in/early-calls.ts'
import { toast } from '../ui/overlays/toasts.ts'
import { takeUpdate, updateWaiting } from './stand-in/registration.ts'

// The `<base>` element is no longer needed, and would resolve addresses of parts of the page to the start page. These
// links are loaded later, so make their addresses absolute first.
for (const link of document.querySelectorAll<HTMLLinkElement>('link[rel=icon], link[rel=manifest]')) {
  link.setAttribute('href', link.href)
}
document.querySelector('base')?.remove()
applyTheme()
// Prevents clickjacking on hosts that can't send headers against framing.
if (window.top !== window.self) {
  document.body.textContent = 'Rowhouse doesn’t run inside another page. Open it by its own address.'
  throw new Error('framed')
}

const base = basePath(import.meta.url, import.meta.env.PROD)
holdEarlyCalls(window, new URL(base.endsWith('/') ? base : `${base}/`, location.origin))

const root = document.querySelector('#root')
if (!root) throw new Error('the page has no #root')

const engine = createEngineClient()
const services = createConvertServices(engine, () => session.ready())
const session = openSession({ base, engine, making: services.making, recipes: services.recipesBackup })

createRoot(root).render(
  <StrictMode>
    <App base={base} engine={engine} services={services} session={session} />
  </StrictMode>,
)

// The first paint doesn't wait for it. Screens that need the session report its errors.
afterPaint(() => void session.ready().catch(() => undefined))
announceUpdates()

/** Offers a newer version. The person decides, because reloading ends what this page is doing. */
function announceUpdates(): void {
  void updateWaiting.then(() =>
    toast({
      title: 'A new version of Rowhouse is ready',
      description: 'Reload when nothing is running here, or close all of its tabs.',
      action: { label: 'Reload', run: takeUpdate },
    }),
  )
}
