import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import Settings from 'lucide-react/icons/settings'
import type { LucideIcon } from 'lucide-react'
import type { Session, SessionState } from '../session/session.ts'

export interface Screen {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Another path that leads to it. */
  readonly also?: string
  /** Loads what the screen needs when somebody is about to open it. @param session null if there's none yet */
  readonly prepare?: (session: Session | null) => Promise<void>
}

/** The screens in the order of the rail. */
export const SCREENS: readonly Screen[] = [
  { path: '/convert', label: 'Convert', icon: ArrowLeftRight },
  {
    path: '/datasets',
    label: 'Datasets',
    icon: Database,
    prepare: async (session) => (await import('../features/datasets/index.ts')).prepareDatasets(session),
  },
  {
    path: '/sql',
    label: 'SQL',
    icon: SquareTerminal,
    prepare: async () => (await import('../features/sql/index.ts')).prepareSql(),
  },
  { path: '/settings', label: 'Settings', icon: Settings, also: '/reference' },
]

/** Prepares a screen. If that fails, the screen reports it when opened. */
export const prepare = (screen: Screen | undefined, state: SessionState): void =>
  void screen?.prepare?.(state.status === 'ready' ? state.session : null).catch(() => undefined)

/** The screen at an address. */
export function screenAt(pathname: string): Screen | undefined {
  const isIn = (path: string | undefined): boolean => path !== undefined && `${pathname}/`.startsWith(`${path}/`)
  return SCREENS.find(({ path, also }) => isIn(path) || isIn(also))
}
