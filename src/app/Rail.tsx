import Search from 'lucide-react/icons/search'
import { lazy, Suspense, useRef } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { prepare, screenAt, SCREENS, type Screen } from './screens.ts'
import Monitor from 'lucide-react/icons/monitor'
import Moon from 'lucide-react/icons/moon'
import Sun from 'lucide-react/icons/sun'
import { useSessionState } from '../session/context.tsx'
import { announce } from '../ui/overlays/announce.tsx'
import { setTheme, theme, type Theme } from '../ui/theme.ts'
import { PALETTE_NAME } from '../ui/commands.ts'
import { useStore } from '../ui/hooks/use-store.ts'
import css from './Shell.module.css'

const WorkspaceMenu = lazy(() => import('./WorkspaceMenu.tsx'))

/**
 * Navigation between screens: at the left, or on a phone at the top and (if there's more than one screen) at the
 * bottom.
 * @param idle whether to render what the first paint doesn't need
 */
export function Rail({ onPalette, idle }: { readonly onPalette: () => void; readonly idle: boolean }) {
  return (
    <header className={css.rail}>
      <NavLink to="/" className={css.brand} aria-label="Rowhouse, home">
        <Logo />
        <span className={css.brandName}>Rowhouse</span>
      </NavLink>
      <nav aria-label="Screens" className={css.nav} data-count={SCREENS.length}>
        {SCREENS.map((screen) => (
          <ScreenLink key={screen.path} screen={screen} />
        ))}
      </nav>
      <div className={css.foot}>
        <Suspense>{idle ? <WorkspaceMenu className={css.item} /> : null}</Suspense>
        <button
          type="button"
          className={css.item}
          onClick={onPalette}
          title={`${PALETTE_NAME} (Ctrl K)`}
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Search aria-hidden />
          Search
        </button>
        <ThemeSwitch className={css.item} />
      </div>
    </header>
  )
}

/** Milliseconds on a link after which somebody doesn't only pass by. What is prepared may take up much memory. */
const STAYS = 80

/** A link that prepares its screen when it stays hovered or focused. */
function ScreenLink({ screen }: { readonly screen: Screen }) {
  const { path, label, icon: Icon } = screen
  const { pathname } = useLocation()
  const state = useSessionState()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const leave = (): void => clearTimeout(timer.current)
  const come = (): void => {
    leave()
    timer.current = setTimeout(() => prepare(screen, state), STAYS)
  }
  return (
    <Link
      to={path}
      className={css.item}
      aria-current={screenAt(pathname)?.path === path ? 'page' : undefined}
      onPointerEnter={come}
      onPointerLeave={leave}
      onFocus={come}
      onBlur={leave}
    >
      <Icon aria-hidden />
      {label}
    </Link>
  )
}

/** Three houses in a row whose windows are the cells of a table. */
function Logo() {
  return (
    <svg viewBox="0 0 32 32" width="30" height="30" aria-hidden>
      <path fill="#b8573a" d="M2 13 7 7.5 12 13v15H2z" />
      <path fill="#2b7b70" d="M11 10.500 16 4l5 6.500V28H11z" />
      <path fill="#c9a35c" d="M20 13l5-5.500L30 13v15H20z" />
      <path
        fill="#fff"
        fillOpacity=".94"
        d="M5.300 15h3.400v3.200H5.300zm0 5.600h3.400v3.200H5.300zM14.300 12.500h3.400v3.200h-3.400zm0 5.600h3.400v3.200h-3.400zm0 5.600h3.400V28h-3.400zM23.300 15h3.400v3.200h-3.400zm0 5.600h3.400v3.200h-3.400z"
      />
    </svg>
  )
}

const NEXT: Readonly<Record<Theme, Theme>> = { system: 'light', light: 'dark', dark: 'system' }
const LABELS: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }
const ICONS = { system: Monitor, light: Sun, dark: Moon } as const

/** Switches between the themes: the system's, light, dark. */
function ThemeSwitch({ className }: { readonly className?: string | undefined }) {
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
