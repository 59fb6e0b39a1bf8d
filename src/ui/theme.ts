import { Store } from '../lib/store.ts'
import { storedText } from '../lib/stored-text.ts'

export type Theme = 'system' | 'light' | 'dark'

/** Read by public/theme.js too, before anything is painted. */
const KEY = 'rowhouse-theme'

const kept = storedText(KEY, () => localStorage)

function stored(): Theme {
  const value = kept.read()
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** The theme of this browser; `applyTheme` begins to follow the other tabs. */
export const theme = new Store<Theme>(stored())

/** Sets the theme for this browser, and for the other tabs that are open. */
export function setTheme(next: Theme): void {
  kept.write(next === 'system' ? null : next)
  show(next)
}

/** Puts the theme on the document, now and when another tab changes it. */
export function applyTheme(): void {
  show(stored())
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show(stored())
  })
}

/** `system` leaves it to the browser. */
function show(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
  theme.set(next)
}
