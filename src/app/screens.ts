import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import Settings from 'lucide-react/icons/settings'
import type { LucideIcon } from 'lucide-react'

export interface Screen {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
  /** Another address that it leads to. */
  readonly also?: string
  /** Gets ready what the screen needs, once somebody is about to open it. */
  readonly prepare?: () => Promise<void>
}

/** The screens that there are, in the order of the rail. One that isn't built yet isn't here. */
export const SCREENS: readonly Screen[] = [
  { path: '/convert', label: 'Convert', icon: ArrowLeftRight },
  {
    path: '/datasets',
    label: 'Datasets',
    icon: Database,
    prepare: async () => void (await import('../features/datasets/index.ts')),
  },
  {
    path: '/sql',
    label: 'SQL',
    icon: SquareTerminal,
    prepare: async () => (await import('../features/sql/index.ts')).prepareSql(),
  },
  { path: '/settings', label: 'Settings', icon: Settings, also: '/reference' },
]

/** Gets a screen ready. What goes wrong, the screen says when it opens. */
export const prepare = (screen: Screen | undefined): void => void screen?.prepare?.().catch(() => undefined)

/** The screen that an address belongs to. */
export function screenAt(pathname: string): Screen | undefined {
  const isIn = (path: string | undefined): boolean => path !== undefined && `${pathname}/`.startsWith(`${path}/`)
  return SCREENS.find(({ path, also }) => isIn(path) || isIn(also))
}
