import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { announce } from '../ui/announce.ts'
import { setTheme, theme, type Theme } from '../ui/theme.ts'
import { useStore } from '../ui/use-store.ts'

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const LABELS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const

/** Goes through the themes: the system's, light, dark. */
export function ThemeSwitch({ className }: { readonly className?: string | undefined }) {
  const current = useStore(theme)
  const Icon = ICONS[current]
  return (
    <button
      type="button"
      className={className}
      aria-label={`Theme: ${LABELS[current]}`}
      title={`Theme: ${LABELS[current]}. Press for ${LABELS[NEXT[current]].toLowerCase()}.`}
      onClick={() => {
        setTheme(NEXT[current])
        announce(`Theme: ${LABELS[NEXT[current]]}`)
      }}
    >
      <Icon aria-hidden />
      Theme
    </button>
  )
}
