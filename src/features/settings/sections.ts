import CircleHelp from 'lucide-react/icons/circle-question-mark'
import ChartColumn from 'lucide-react/icons/chart-column'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import Key from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Plug from 'lucide-react/icons/plug'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { LucideIcon } from 'lucide-react'

interface SettingsSection {
  /** Last part of its address. */
  readonly id: SectionId
  readonly label: string
  readonly icon: LucideIcon
  readonly description: string
}

export type SectionId = 'connection' | 'keys' | 'usage' | 'workspaces' | 'backup' | 'appearance' | 'about'

export const SECTIONS: readonly SettingsSection[] = [
  { id: 'connection', label: 'Connection', icon: Plug, description: 'Which service Rowhouse talks to, and as whom.' },
  { id: 'keys', label: 'API keys', icon: Key, description: 'What programs use to get at this workspace’s datasets.' },
  { id: 'usage', label: 'Usage', icon: ChartColumn, description: 'What is used of rate limits and of this disk.' },
  {
    id: 'workspaces',
    label: 'Workspaces',
    icon: LayoutGrid,
    description: 'Each has datasets, keys and limits of its own.',
  },
  {
    id: 'backup',
    label: 'Backup',
    icon: DatabaseBackup,
    description: 'Everything as one file: to keep, to move to another browser, to put back.',
  },
  { id: 'appearance', label: 'Appearance', icon: SunMoon, description: 'How Rowhouse looks in this browser.' },
  { id: 'about', label: 'Help', icon: CircleHelp, description: 'Where to begin, the keys, and what’s new.' },
]
