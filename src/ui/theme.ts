export type Theme = 'system' | 'light' | 'dark'

/** Read by public/theme.js too, before anything is painted. */
const KEY = 'rowhouse-theme'
const listeners = new Set<() => void>()

function stored(): Theme {
  try {
    const value = localStorage.getItem(KEY)
    return value === 'light' || value === 'dark' ? value : 'system'
  } catch {
    // Storage can be forbidden; the system's theme then does.
    return 'system'
  }
}

let current: Theme | null = null

export function getTheme(): Theme {
  current ??= stored()
  return current
}

/** Sets the theme for this browser, and for the other tabs that are open. */
export function setTheme(theme: Theme): void {
  current = theme
  try {
    if (theme === 'system') localStorage.removeItem(KEY)
    else localStorage.setItem(KEY, theme)
  } catch {
    // It then holds for this page alone.
  }
  applyTheme()
  for (const listener of listeners) listener()
}

/** Puts the theme on the document: `system` leaves it to the browser. */
export function applyTheme(): void {
  const theme = getTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

/** Calls back when the theme changes, in this tab or another. */
export function onTheme(listener: () => void): () => void {
  const elsewhere = (event: StorageEvent): void => {
    if (event.key !== KEY && event.key !== null) return
    current = stored()
    applyTheme()
    listener()
  }
  listeners.add(listener)
  addEventListener('storage', elsewhere)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', elsewhere)
  }
}
