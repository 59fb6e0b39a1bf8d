import CircleHelp from 'lucide-react/icons/circle-question-mark'
import ChartColumn from 'lucide-react/icons/chart-column'
import DatabaseBackup from 'lucide-react/icons/database-backup'
import Key from 'lucide-react/icons/key-round'
import LayoutGrid from 'lucide-react/icons/layout-grid'
import Plug from 'lucide-react/icons/plug'
import SunMoon from 'lucide-react/icons/sun-moon'
import type { LucideIcon } from 'lucide-react'

interface SettingsSection {
  /** Last segment of its address. */
  readonly id: SectionId
  readonly label: string
  readonly icon: LucideIcon
  readonly description: string
  /** Other words by which it's found. */
  readonly keywords?: readonly string[]
}

export type SectionId = 'connection' | 'keys' | 'usage' | 'workspaces' | 'backup' | 'appearance' | 'about'

export const SECTIONS: readonly SettingsSection[] = [
  {
    id: 'connection',
    label: 'Connection',
    icon: Plug,
    description: 'Which service Rowhouse talks to, and as whom.',
    keywords: ['service', 'url'],
  },
  {
    id: 'keys',
    label: 'API keys',
    icon: Key,
    description: 'What programs use to reach this workspace’s datasets.',
    keywords: ['scopes'],
  },
  {
    id: 'usage',
    label: 'Usage',
    icon: ChartColumn,
    description: 'How much of the rate limits and of this disk is used.',
    keywords: ['limits', 'storage', 'quota'],
  },
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
    keywords: ['restore', 'export', 'erase'],
  },
  { id: 'appearance', label: 'Appearance', icon: SunMoon, description: 'How Rowhouse looks in this browser.' },
  {
    id: 'about',
    label: 'Help',
    icon: CircleHelp,
    description: 'Where to begin, keyboard shortcuts, and what’s new.',
    keywords: ['version', 'shortcuts', 'about', 'what’s new'],
  },
]
