import ChevronRight from 'lucide-react/icons/chevron-right'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { memo, type CSSProperties } from 'react'
import { formatCount, plural } from '../../../../ui/format.ts'
import { hasMenu, highlight, isDragged, type TreeRow, type TreeNode } from './nodes.ts'
import css from './Tree.module.css'
import Binary from 'lucide-react/icons/binary'
import Braces from 'lucide-react/icons/braces'
import CalendarDays from 'lucide-react/icons/calendar-days'
import Clock from 'lucide-react/icons/clock'
import Database from 'lucide-react/icons/database'
import Eye from 'lucide-react/icons/eye'
import HardDrive from 'lucide-react/icons/hard-drive'
import Hash from 'lucide-react/icons/hash'
import Hourglass from 'lucide-react/icons/hourglass'
import TableProperties from 'lucide-react/icons/table-properties'
import Table2 from 'lucide-react/icons/table-2'
import ToggleLeft from 'lucide-react/icons/toggle-left'
import Type from 'lucide-react/icons/type'
import Warehouse from 'lucide-react/icons/warehouse'
import type { LucideIcon } from 'lucide-react'

const COMPACT = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 })

interface Props {
  readonly row: TreeRow
  readonly index: number
  readonly top: number
  readonly height: number
  /** Whether it's the row in the tab order. */
  readonly active: boolean
  readonly words: readonly string[]
}

/** A row of the tree. Its events are handled by the tree, by `data-index`. */
export const Row = memo(function Row({ row, index, top, height, active, words }: Props) {
  const { kind, label, level, expanded, position, size, table, column } = row
  return (
    <div
      role="treeitem"
      aria-level={level}
      aria-posinset={position}
      aria-setsize={size}
      aria-expanded={expanded ?? undefined}
      aria-selected={active}
      aria-label={nameOf(row)}
      tabIndex={active ? 0 : -1}
      draggable={isDragged(row)}
      data-index={index}
      data-kind={kind}
      className={css.row}
      style={{ height, transform: `translateY(${top}px)`, '--level': level } as CSSProperties}
    >
      <span className={css.chevron} data-expanded={expanded ?? 'none'}>
        {expanded === null ? null : <ChevronRight aria-hidden />}
      </span>
      <span className={css.icon}>
        <NodeIcon node={row} />
      </span>
      <span className={css.label} title={kind === 'table' ? undefined : label}>
        {highlight(label, words).map(([text, hit], i) =>
          // oxlint-disable-next-line react/no-array-index-key -- parts of a text have no other name than their place
          hit ? <mark key={i}>{text}</mark> : text,
        )}
      </span>
      {column ? (
        <span className={css.type} title={column.type}>
          {column.type}
        </span>
      ) : null}
      {kind === 'table' && table && table.rowCount !== null ? (
        <span className={css.count} title={plural(table.rowCount, 'row')}>
          {COMPACT.format(table.rowCount)}
        </span>
      ) : null}
      {hasMenu(row) ? (
        <button
          type="button"
          tabIndex={-1}
          aria-label={`More for ${label}`}
          title="More"
          data-more
          className={css.more}
        >
          <Ellipsis aria-hidden />
        </button>
      ) : null}
    </div>
  )
})

/** Accessible name, including what is shown beside the label. */
function nameOf({ kind, label, table, column, isView }: TreeRow): string {
  if (column) return `${label}, ${column.type}`
  if (kind !== 'table' || !table) return label
  const rows =
    table.rowCount === null ? '' : `, ${formatCount(table.rowCount)} ${table.rowCount === 1 ? 'row' : 'rows'}`
  return `${label}${isView ? ', view' : ''}${rows}`
}

const KINDS = {
  'local-files': HardDrive,
  kept: TableProperties,
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

/** Icon for the kind of node, or for a column's type. */
function NodeIcon({ node }: { readonly node: TreeNode }) {
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
