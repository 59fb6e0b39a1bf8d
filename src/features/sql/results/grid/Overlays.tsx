import { lazy, Suspense } from 'react'
import type { ColumnStats, EngineClient, ResultSet } from '../../../../engine/client.ts'
import type { Cell } from '../../../../ui/grid/Grid.tsx'
import { CellMenu } from './CellMenu.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { HeadMenu } from './HeadMenu.tsx'
import type { ExportFormat } from './export.ts'
import type { useLayout } from './layout.ts'
import { filtered, sorted, takeApart, unfiltered } from './statement.ts'

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))

/** What is open over the grid; columns are those of the result. */
export type Over =
  | { readonly kind: 'menu'; readonly column: number; readonly at: Element }
  | { readonly kind: 'cell-menu'; readonly row: number; readonly column: number; readonly at: Element }
  | { readonly kind: 'filter'; readonly column: number }
  | { readonly kind: 'export'; readonly format: ExportFormat }

type Of<K extends Over['kind']> = Extract<Over, { kind: K }>

interface Props {
  readonly engine: EngineClient
  /** Names files of exports. */
  readonly title: string
  /** Another statement in place of the one that was run. */
  readonly onStatement: (statement: string) => void
  readonly set: ResultSet
  readonly over: Over | null
  readonly setOver: (next: Over | null | ((now: Over | null) => Over | null)) => void
  readonly statement: string
  /** Why the result can't be sorted and filtered. */
  readonly refusal: string | null
  readonly layout: ReturnType<typeof useLayout>['layout']
  readonly change: ReturnType<typeof useLayout>['change']
  readonly copyName: (column: number) => void
  readonly copyChosen: () => void
  /** The active cell is to be looked at. */
  readonly onInspect: () => void
  /** Is more chosen than the active cell? */
  readonly several: boolean
  /** What the columns that were in view hold. */
  readonly stats: ReadonlyMap<number, ColumnStats>
  readonly active: Cell | null
  /** The result's columns in the order in which they're shown. */
  readonly shown: readonly number[]
  /** Are there more rows than those that are here? */
  readonly partial: boolean
}

/** The menus and dialogs of a result. */
export function Overlays(props: Props) {
  const { set, over, setOver, engine, title, partial } = props
  const close = (): void => setOver(null)
  switch (over?.kind) {
    case undefined:
      return null
    case 'menu':
      return <ColumnMenu {...props} over={over} />
    case 'cell-menu':
      return <MenuOfCell {...props} over={over} />
    case 'export':
      return (
        <Suspense fallback={null}>
          <ExportDialog {...{ set, engine, title, partial }} format={over.format} onClose={close} />
        </Suspense>
      )
    case 'filter':
      return <Filter {...props} over={over} />
  }
}

function Filter({
  set,
  over,
  setOver,
  statement,
  stats,
  active,
  shown,
  onStatement,
}: Props & { readonly over: Of<'filter'> }) {
  if (!set.columns[over.column]) return null
  const at = active && active.row >= 0 && shown[active.column] === over.column ? active.row : null
  return (
    <FilterDialog
      set={set}
      column={over.column}
      suggestion={at === null ? null : set.text(at, over.column)}
      stats={stats.get(over.column) ?? null}
      onClose={() => setOver(null)}
      onFilter={(conditions) => {
        setOver(null)
        onStatement(conditions.reduce(filtered, statement))
      }}
    />
  )
}

function MenuOfCell({ set, over, setOver, ...props }: Props & { readonly over: Of<'cell-menu'> }) {
  const { row, column } = over
  const own = set.columns[column]
  if (!own) return null
  return (
    <CellMenu
      column={own}
      text={set.text(row, column)}
      several={props.several}
      at={over.at}
      refusal={props.refusal}
      onClose={() => setOver((now) => (now?.kind === 'cell-menu' ? null : now))}
      onCopy={props.copyChosen}
      onFilter={(condition) => props.onStatement(filtered(props.statement, condition))}
      onOpen={props.onInspect}
    />
  )
}

function ColumnMenu(props: Props & { readonly over: Of<'menu'> }) {
  const { set, over, setOver, statement, refusal, layout, change, onStatement } = props
  const { column } = over
  const own = set.columns[column]
  if (!own) return null
  const { sort, where } = takeApart(statement)
  const isPinned = layout.shown.indexOf(column) < layout.pinned
  return (
    <HeadMenu
      column={own}
      at={over.at}
      pinned={isPinned}
      last={layout.shown.length === 1}
      sort={sort?.column === own.name ? sort.direction : null}
      filtered={where.length > 0}
      refusal={refusal}
      onClose={() => setOver((now) => (now?.kind === 'menu' ? null : now))}
      onSort={(direction) => onStatement(sorted(statement, direction ? { column: own.name, direction } : null))}
      onFilter={() => setOver({ kind: 'filter', column })}
      onUnfilter={() => onStatement(unfiltered(statement))}
      onPin={() => change({ type: isPinned ? 'unpin' : 'pin', column })}
      onHide={() => change({ type: 'hide', column })}
      onFit={() => change({ type: 'resize', column, width: null })}
      onCopyName={() => props.copyName(column)}
    />
  )
}
