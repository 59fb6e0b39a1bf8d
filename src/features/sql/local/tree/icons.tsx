import Binary from 'lucide-react/icons/binary'
import Braces from 'lucide-react/icons/braces'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Clock from 'lucide-react/icons/clock'
import Database from 'lucide-react/icons/database'
import Eye from 'lucide-react/icons/eye'
import HardDrive from 'lucide-react/icons/hard-drive'
import Hash from 'lucide-react/icons/hash'
import Hourglass from 'lucide-react/icons/hourglass'
import Table2 from 'lucide-react/icons/table-2'
import ToggleLeft from 'lucide-react/icons/toggle-left'
import Type from 'lucide-react/icons/type'
import Warehouse from 'lucide-react/icons/warehouse'
import type { LucideIcon } from 'lucide-react'
import type { TreeNode } from './nodes.ts'

const KINDS = {
  'local-files': HardDrive,
  temporary: Hourglass,
  workspace: Warehouse,
  dataset: Database,
  table: Table2,
} as const satisfies Readonly<Partial<Record<TreeNode['kind'], LucideIcon>>>

const COLUMNS = {
  nested: Braces,
  number: Hash,
  date: CalendarDays,
  time: Clock,
  boolean: ToggleLeft,
  bytes: Binary,
  text: Type,
} as const satisfies Readonly<Record<string, LucideIcon>>

/** What kind of thing a line is, and of a column what kind of values. */
export function NodeIcon({ node }: { readonly node: TreeNode }) {
  const Icon =
    node.kind === 'column' ? COLUMNS[valuesOf(node.column?.type ?? '')] : node.isView ? Eye : KINDS[node.kind]
  return <Icon aria-hidden />
}

function valuesOf(type: string): keyof typeof COLUMNS {
  if (/\[\d*\]$|^(?:STRUCT|MAP|LIST|UNION|JSON)/.test(type)) return 'nested'
  if (/^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL)/.test(type)) return 'number'
  if (/^(?:DATE|TIMESTAMP)/.test(type)) return 'date'
  if (/^(?:TIME|INTERVAL)/.test(type)) return 'time'
  if (type === 'BOOLEAN') return 'boolean'
  return type === 'BLOB' || type === 'BIT' ? 'bytes' : 'text'
}
