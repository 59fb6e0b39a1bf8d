import { letCallsGo } from './early-calls.ts'
import { isWorkerMessage, type Answering, type PageMessage } from '../../sw/protocol.ts'

let answering: Answering | null = null
let listens = false

/** Tells the service worker who answers this page's calls of the service: now, and whenever it asks. */
export function setAnswering(value: Answering): void {
  answering = value
  tell()
  letCallsGo()
  if (listens) return
  listens = true
  const { serviceWorker } = navigator
  serviceWorker.addEventListener('message', (event: MessageEvent<unknown>) => {
    if (isWorkerMessage(event.data) && event.data.type === 'rowhouse:who-answers') tell(event.source)
  })
  serviceWorker.addEventListener('controllerchange', () => tell())
}

function tell(to: MessageEventSource | null = navigator.serviceWorker.controller): void {
  if (answering === null || !(to instanceof ServiceWorker)) return
  to.postMessage({ type: 'rowhouse:answering', answering } satisfies PageMessage)
}
