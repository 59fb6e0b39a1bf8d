import ArrowDown from 'lucide-react/icons/arrow-down'
import ArrowUp from 'lucide-react/icons/arrow-up'
import Copy from 'lucide-react/icons/copy'
import Expand from 'lucide-react/icons/expand'
import EyeOff from 'lucide-react/icons/eye-off'
import Filter from 'lucide-react/icons/funnel'
import FilterX from 'lucide-react/icons/funnel-x'
import ListFilter from 'lucide-react/icons/list-filter'
import MoveHorizontal from 'lucide-react/icons/move-horizontal'
import Pin from 'lucide-react/icons/pin'
import PinOff from 'lucide-react/icons/pin-off'
import X from 'lucide-react/icons/x'
import { lazy, Suspense } from 'react'
import type { ColumnStats, ResultColumn, ResultSet } from '../../../../engine/client.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { MOD, PlacedMenu, type MenuEntry } from '../../../../ui/overlays/Menu.tsx'
import { cellText } from '../../../shared/value/Cell.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import type { ExportFormat } from './export.ts'
import type { Layout, LayoutChange } from './layout.ts'
import { conditionOfCell, filtered, sorted, takeApart, unfiltered } from './statement.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))

/** The open menu or dialog. Columns are indexes in the result. */
export type Over =
  | { readonly kind: 'menu'; readonly column: number; readonly at: Element }
  | { readonly kind: 'cell-menu'; readonly row: number; readonly column: number; readonly at: Element }
  | { readonly kind: 'filter'; readonly column: number }
  | { readonly kind: 'export'; readonly format: ExportFormat }

interface Props {
  /** Name for exported files. */
  readonly title: string
  /** Replaces the statement that was run. */
  readonly onStatement: (statement: string) => void
  readonly set: ResultSet
  readonly over: Over | null
  readonly setOver: (next: Over | null | ((now: Over | null) => Over | null)) => void
  readonly statement: string
  /** Why the result can't be sorted and filtered. */
  readonly refusal: string | null
  readonly layout: Layout
  readonly change: (change: LayoutChange) => void
  readonly copyName: (column: number) => void
  readonly copyChosen: () => void
  /** Opens the inspector. */
  readonly onInspect: () => void
  /** Whether more than the active cell is selected. */
  readonly several: boolean
  /** Statistics of the columns that have been visible. */
  readonly stats: ReadonlyMap<number, ColumnStats>
  readonly active: Cell | null
  /** Whether the page lacks rows of the result. */
  readonly partial: boolean
}

/** The grid's menus and dialogs. */
export function Overlays(props: Props) {
  const { set, over, setOver, title, partial } = props
  if (!over) return null
  if (over.kind === 'export') {
    return (
      <Suspense fallback={null}>
        <ExportDialog {...{ set, title, partial }} format={over.format} onClose={() => setOver(null)} />
      </Suspense>
    )
  }
  const column = set.columns[over.column]
  if (!column) return null
  if (over.kind === 'filter') return <ColumnFilter {...props} index={over.column} />
  const isHead = over.kind === 'menu'
  return (
    <PlacedMenu
      open
      label={`${isHead ? 'Column' : 'Cell of'} ${column.name}`}
      anchor={over.at}
      align={isHead ? 'end' : 'start'}
      items={
        isHead ? columnItems(props, column, over.column) : cellItems(props, column, set.text(over.row, over.column))
      }
      focus={() => over.at.closest<HTMLElement>('[role=grid]')}
      // Closing the menu must not close a dialog that one of its items has opened.
      onClose={() => setOver((now) => (now?.kind === over.kind ? null : now))}
    />
  )
}

function ColumnFilter({
  set,
  index,
  setOver,
  statement,
  stats,
  active,
  layout,
  onStatement,
}: Props & { readonly index: number }) {
  const at = active && active.row >= 0 && layout.shown[active.column] === index ? active.row : null
  return (
    <FilterDialog
      set={set}
      column={index}
      suggestion={at === null ? null : set.text(at, index)}
      stats={stats.get(index) ?? null}
      onClose={() => setOver(null)}
      onFilter={(conditions) => {
        setOver(null)
        onStatement(conditions.reduce(filtered, statement))
      }}
    />
  )
}

/** The menu of a column. */
function columnItems(props: Props, { name }: ResultColumn, column: number): readonly MenuEntry[] {
  const { statement, refusal, layout, change, onStatement, setOver } = props
  const { sort, where } = takeApart(statement)
  const direction = sort?.column === name ? sort.direction : null
  const isPinned = layout.shown.indexOf(column) < layout.pinned
  const sortBy = (next: 'ascending' | 'descending'): MenuEntry => ({
    key: next,
    icon: next === 'ascending' ? <ArrowUp aria-hidden /> : <ArrowDown aria-hidden />,
    label: `Sort ${next}`,
    disabled: refusal !== null || direction === next,
    onSelect: () => onStatement(sorted(statement, { column: name, direction: next })),
  })
  const unsort: MenuEntry = {
    key: 'unsort',
    icon: <X aria-hidden />,
    label: 'Don’t sort',
    onSelect: () => onStatement(sorted(statement, null)),
  }
  const unfilter: MenuEntry = {
    key: 'unfilter',
    icon: <X aria-hidden />,
    label: 'Remove all filters',
    onSelect: () => onStatement(unfiltered(statement)),
  }
  return [
    sortBy('ascending'),
    sortBy('descending'),
    ...(direction ? [unsort] : []),
    'line',
    {
      key: 'filter',
      icon: <ListFilter aria-hidden />,
      label: 'Filter…',
      disabled: refusal !== null,
      onSelect: () => setOver({ kind: 'filter', column }),
    },
    ...(where.length > 0 ? [unfilter] : []),
    ...(refusal ? [{ note: refusal }] : []),
    'line',
    {
      key: 'pin',
      icon: isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />,
      label: isPinned ? 'Unpin' : 'Pin at the left',
      onSelect: () => change({ type: isPinned ? 'unpin' : 'pin', column }),
    },
    {
      key: 'hide',
      icon: <EyeOff aria-hidden />,
      label: 'Hide',
      disabled: layout.shown.length === 1,
      onSelect: () => change({ type: 'hide', column }),
    },
    {
      key: 'fit',
      icon: <MoveHorizontal aria-hidden />,
      label: 'Fit width',
      onSelect: () => change({ type: 'resize', column, width: null }),
    },
    'line',
    { key: 'copy', icon: <Copy aria-hidden />, label: 'Copy name', onSelect: () => props.copyName(column) },
  ]
}

/** Longest value in the menu, in characters. */
const SHOWN = 32

/** The menu of a cell. */
function cellItems(props: Props, column: ResultColumn, text: string | null): readonly MenuEntry[] {
  const { statement, refusal, onStatement } = props
  const cut = text !== null && text.length > SHOWN
  const value = text === null ? 'NULL' : `“${cellText(text.slice(0, SHOWN))}${cut ? '…' : ''}”`
  const filter = (keep: boolean): MenuEntry => {
    const condition = conditionOfCell(column, text, keep)
    return {
      key: keep ? 'keep' : 'exclude',
      icon: keep ? <Filter aria-hidden /> : <FilterX aria-hidden />,
      label: keep ? `Keep only rows with ${value}` : `Exclude rows with ${value}`,
      disabled: refusal !== null || condition === null,
      onSelect: () => (condition === null ? undefined : onStatement(filtered(statement, condition))),
    }
  }
  return [
    {
      key: 'copy',
      icon: <Copy aria-hidden />,
      label: props.several ? 'Copy cells' : 'Copy',
      keys: `${MOD}C`,
      onSelect: props.copyChosen,
    },
    { key: 'open', icon: <Expand aria-hidden />, label: 'Show details', keys: 'Enter', onSelect: props.onInspect },
    'line',
    filter(true),
    filter(false),
    ...(refusal ? [{ note: refusal }] : []),
  ]
}
