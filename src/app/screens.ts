import ArrowLeftRight from 'lucide-react/icons/arrow-left-right'
import Database from 'lucide-react/icons/database'
import SquareTerminal from 'lucide-react/icons/square-terminal'
import Settings from 'lucide-react/icons/settings'
import type { LucideIcon } from 'lucide-react'

interface Screen {
  readonly path: string
  readonly label: string
  readonly icon: LucideIcon
}

/** The screens that there are, in the order of the rail. One that isn't built yet isn't here. */
export const SCREENS: readonly Screen[] = [
  { path: '/convert', label: 'Convert', icon: ArrowLeftRight },
  { path: '/datasets', label: 'Datasets', icon: Database },
  { path: '/sql', label: 'SQL', icon: SquareTerminal },
  { path: '/settings', label: 'Settings', icon: Settings },
]
