import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSyncExternalStore } from 'react'
import { announce } from '../ui/announce.ts'
import { getTheme, onTheme, setTheme, type Theme } from '../ui/theme.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const LABELS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const

/** Goes through the themes: the system's, light, dark. */
export function ThemeSwitch({ className }: { readonly className?: string | undefined }) {
  const theme = useSyncExternalStore(onTheme, getTheme)
  const Icon = ICONS[theme]
  return (
    <button
      type="button"
      className={className}
      aria-label={`Theme: ${LABELS[theme]}`}
      title={`Theme: ${LABELS[theme]}. Press for ${LABELS[NEXT[theme]].toLowerCase()}.`}
      onClick={() => {
        setTheme(NEXT[theme])
        announce(`Theme: ${LABELS[NEXT[theme]]}`)
      }}
    >
      <Icon aria-hidden />
      Theme
    </button>
  )
}
