import { Store } from '../lib/store.ts'
import { storedText } from '../lib/stored-text.ts'

export type Theme = 'system' | 'light' | 'dark'

/** Also read by public/theme.js, before the first paint. */
const KEY = 'rowhouse-theme'

const kept = storedText(KEY, () => localStorage)

function stored(): Theme {
  const value = kept.read()
  return value === 'light' || value === 'dark' ? value : 'system'
}

/** This browser's theme. `applyTheme` makes it follow other tabs. */
export const theme = new Store<Theme>(stored())

/** Sets the theme for this browser and its other open tabs. */
export function setTheme(next: Theme): void {
  kept.write(next === 'system' ? null : next)
  show(next)
}

/** Applies the theme to the document, now and when another tab changes it. */
export function applyTheme(): void {
  show(stored())
  addEventListener('storage', ({ key }) => {
    if (key === KEY || key === null) show(stored())
  })
}

/** For `system`, the browser decides. */
function show(next: Theme): void {
  if (next === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = next
  theme.set(next)
}
