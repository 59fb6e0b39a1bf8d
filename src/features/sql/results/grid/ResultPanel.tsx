import X from 'lucide-react/icons/x'
import { lazy, Suspense, useCallback, useMemo, useState, type ReactNode } from 'react'
import { Grid, type Cell, type GridColumn, type GridRange } from '../../../../ui/grid/Grid.tsx'
import { cellText, drawCell } from './Cell.tsx'
import type { ResultColumn, ResultSet, EngineClient, SqlSession } from '../../../../engine/client.ts'
import { isNumeric } from '../../../../tables/labels.ts'
import { announce } from '../../../../ui/overlays/announce.ts'
import { plural } from '../../../../ui/format.ts'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { sidesOf, type Sides } from '../../../../ui/grid/places.ts'
import type { Span } from '../../../../ui/table/use-span.ts'
import { ColumnHead } from './ColumnHead.tsx'
import { FilterDialog } from './FilterDialog.tsx'
import { HeadMenu } from './HeadMenu.tsx'
import { Inspector } from './Inspector.tsx'
import type { ExportFormat } from './export.ts'
import { cannotWrap, filtered, isAbout, nextSort, sorted, takeApart, unfiltered, without } from './statement.ts'
import { ResultBar } from './ResultBar.tsx'
import { useCopy, useResult, useSettledColumns, useStats, useTools, type ResultState } from './use-result.ts'
import { useFittingWidths, useLayout } from './layout.ts'
import css from './Result.module.css'
import type { IncomingTable } from '../../../../session/handover.ts'
import type { TabRun } from '../../types.ts'

export interface ResultPanelProps {
  /** Its `result` isn't null. */
  readonly run: TabRun
  /** For header summaries; null for results of the service. Summaries mustn't hold up the next statement. */
  readonly session: SqlSession | null
  readonly engine: EngineClient
  /** Another statement in place of the one that was run (sort, filter), in the editor too; it's run at once. */
  readonly onStatement: (statement: string) => void
  /** "Save as dataset". */
  readonly onPublish: (tables: readonly IncomingTable[]) => void
  /** Names files of exports: the tab's title. */
  readonly title: string
  /** Stands at the left of the panel's own bar (which has "Export" at its right). */
  readonly bar: ReactNode
}

const ExportDialog = lazy(() => import('./ExportDialog.tsx'))

const HEAD = 76
/** Characters that a cell needs at most, to draw a value and to tell that there's more. */
const DRAWN = 400

/** What is open over the grid. */
type Over =
  | { readonly kind: 'menu'; readonly column: number; readonly at: Element }
  | { readonly kind: 'filter'; readonly column: number }
  | { readonly kind: 'cell'; readonly row: number; readonly column: number }
  | { readonly kind: 'export'; readonly format: ExportFormat }

/** A statement's result: its rows, and what can be done with them. */
export function ResultPanel(props: ResultPanelProps) {
  const { result } = props.run
  return result ? <Panel {...props} set={result} /> : null
}

export default ResultPanel

function Panel({ set, ...props }: ResultPanelProps & { readonly set: ResultSet }) {
  const { run, engine, onStatement, title } = props
  const state = useResult(set)
  const tools = useTools()
  const { layout, change, reset, plain } = useLayout(set.columns)
  const [over, setOver] = useOf<Over | null>(set, null)
  const [active, setActive] = useActive(set)
  const [selection, setSelection] = useOf<GridRange | null>(set, null)
  const refusal = useMemo(() => cannotWrap(run.statement, set.columns), [run.statement, set])
  const wrapped = useMemo(() => takeApart(run.statement), [run.statement])
  const { stats, want } = useStats(set, state.status !== 'running', tools)
  const { columns, shown } = useColumns(set, state.rowCount > 0, layout, { ...wrapped, stats })
  const settled = useSettledColumns(shown, want)
  const onShown = useCallback(
    (rows: Span, across: Span) => settled(rows, across, layout.pinned),
    [settled, layout.pinned],
  )
  const renderCell = useCallback(
    (row: number, column: number) => drawCell(set.text(row, shown[column] ?? -1, DRAWN)),
    [set, shown],
  )
  const { copy, copied } = useCopy(set, tools)
  const close = useCallback(() => setOver(null), [setOver])

  const chosen = selection
    ? sidesOf(selection)
    : active && active.row >= 0
      ? sidesOf({ anchor: active, end: active })
      : null
  const cells = chosen && {
    rows: { from: chosen.top, to: chosen.bottom + 1 },
    columns: shown.slice(chosen.left, chosen.right + 1),
  }
  const copyName = (column: number): void => {
    void navigator.clipboard.writeText(set.columns[column]?.name ?? '').then(() => announce('Copied'))
  }
  const open = ({ row, column }: Cell): void => {
    const own = shown[column]
    const name = own === undefined ? undefined : set.columns[own]?.name
    if (own === undefined || name === undefined) return
    if (row >= 0) setOver({ kind: 'cell', row, column: own })
    else if (refusal) toast({ title: 'This result can’t be sorted', description: refusal, tone: 'bad' })
    else onStatement(sorted(run.statement, nextSort(wrapped.sort, name)))
  }
  return (
    <div className={css.panel}>
      <ResultBar
        {...{ set, engine, title, layout, plain, reset, change, cells, copy }}
        bar={props.bar ?? <Hint {...{ state, copied }} chosen={selection ? chosen : null} />}
        running={state.status === 'running'}
        onExport={(format) => setOver({ kind: 'export', format })}
        onPublish={props.onPublish}
      />
      {wrapped.where.length > 0 ? (
        <Conditions where={wrapped.where} onRemove={(own) => onStatement(without(run.statement, own))} />
      ) : null}
      <Grid
        label="Result"
        scrollKey={set}
        className={css.grid ?? ''}
        headHeight={HEAD}
        columns={columns}
        pinned={layout.pinned}
        rowCount={state.rowCount}
        busy={state.status === 'running'}
        active={active}
        onActive={setActive}
        selection={selection}
        onSelection={setSelection}
        onOpen={open}
        onShown={onShown}
        onCopy={() => (cells ? copy(cells, 'tsv', false) : active ? copyName(shown[active.column] ?? -1) : undefined)}
        onResize={(column, width) => change({ type: 'resize', column: shown[column] ?? -1, width })}
        onMove={(from, to) => change({ type: 'move', from, to })}
        onMenu={(column, at) => {
          setActive({ row: -1, column })
          setOver({ kind: 'menu', column: shown[column] ?? -1, at })
        }}
        textOf={(row, column) => set.text(row, shown[column] ?? -1)}
        renderCell={renderCell}
      />
      {over?.kind === 'menu' ? (
        <ColumnMenu
          {...{ set, over, refusal, layout, change, onStatement, copyName }}
          statement={run.statement}
          onFilter={() => setOver({ kind: 'filter', column: over.column })}
          onClose={() => setOver((now) => (now?.kind === 'menu' ? null : now))}
        />
      ) : null}
      <Dialogs
        {...{ set, over, close, engine, title, onStatement }}
        statement={run.statement}
        active={active}
        shown={shown}
        partial={run.summary?.leftOut === true || state.status !== 'complete'}
      />
    </div>
  )
}

interface HintProps {
  readonly state: ResultState
  readonly copied: string | null
  readonly chosen: Sides | null
}

/** What is chosen, or how to go on. */
function Hint({ state, copied, chosen }: HintProps) {
  if (copied !== null) return <p className={css.chosen}>{copied}</p>
  if (state.rowCount === 0) return state.status === 'running' ? null : <p className={css.hint}>No rows</p>
  if (!chosen) return <p className={css.hint}>Enter shows all of a value</p>
  const { top, bottom, left, right } = chosen
  return (
    <p className={css.chosen}>
      {plural(bottom - top + 1, 'row')} × {plural(right - left + 1, 'column')} chosen
    </p>
  )
}

/** State that begins anew with another result. */
function useOf<T>(set: ResultSet, initial: T): readonly [T, (next: T | ((now: T) => T)) => void] {
  const [state, setState] = useState({ set, value: initial })
  const change = useCallback(
    (next: T | ((now: T) => T)) =>
      setState((old) => {
        const now = old.set === set ? old.value : initial
        return { set, value: typeof next === 'function' ? (next as (now: T) => T)(now) : next }
      }),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the initial value is the caller's constant
    [set],
  )
  return [state.set === set ? state.value : initial, change]
}

/** The cell that the keyboard is at. With another result it begins anew, but whoever sorts by a head stays there. */
function useActive(set: ResultSet): readonly [Cell | null, (cell: Cell) => void] {
  const [state, setState] = useState<{ set: ResultSet; cell: Cell | null }>({ set, cell: null })
  const change = useCallback((cell: Cell) => setState({ set, cell }), [set])
  return [state.set === set || state.cell?.row === -1 ? state.cell : null, change]
}

interface HeadState extends Pick<ReturnType<typeof takeApart>, 'sort' | 'where'> {
  readonly stats: ReturnType<typeof useStats>['stats']
}

function useColumns(
  set: ResultSet,
  hasRows: boolean,
  layout: ReturnType<typeof useLayout>['layout'],
  { sort, where, stats }: HeadState,
): { readonly columns: readonly GridColumn[]; readonly shown: readonly number[] } {
  const widths = useFittingWidths(set, hasRows)
  const { shown } = layout
  const columns = useMemo(
    () =>
      shown.map((index): GridColumn => {
        const column: ResultColumn = set.columns[index] ?? { name: '', type: '' }
        const direction = sort?.column === column.name ? sort.direction : null
        return {
          key: String(index),
          name: column.name,
          width: layout.widths.get(index) ?? widths[index] ?? 120,
          align: isNumeric(column.type) ? 'end' : 'start',
          ...(direction ? { sort: direction } : {}),
          header: (
            <ColumnHead
              column={column}
              sort={direction}
              filtered={where.some((own) => isAbout(own, column.name))}
              stats={stats.get(index) ?? null}
            />
          ),
        }
      }),
    [set, shown, layout.widths, widths, sort, where, stats],
  )
  return { columns, shown }
}

function Conditions({
  where,
  onRemove,
}: {
  readonly where: readonly string[]
  readonly onRemove: (own: string) => void
}) {
  return (
    <ul className={css.conditions} aria-label="Filters">
      {where.map((own) => (
        <li key={own} className={css.condition}>
          <code title={own}>{cellText(own)}</code>
          <button type="button" aria-label={`Remove the filter ${own}`} onClick={() => onRemove(own)}>
            <X aria-hidden />
          </button>
        </li>
      ))}
    </ul>
  )
}

interface ColumnMenuProps {
  readonly set: ResultSet
  readonly over: Extract<Over, { kind: 'menu' }>
  readonly statement: string
  readonly refusal: string | null
  readonly layout: ReturnType<typeof useLayout>['layout']
  readonly change: ReturnType<typeof useLayout>['change']
  readonly onStatement: (statement: string) => void
  readonly onFilter: () => void
  readonly onClose: () => void
  readonly copyName: (column: number) => void
}

function ColumnMenu(props: ColumnMenuProps) {
  const { set, over, statement, refusal, layout, change, onStatement } = props
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
      onClose={props.onClose}
      onSort={(direction) => onStatement(sorted(statement, direction ? { column: own.name, direction } : null))}
      onFilter={props.onFilter}
      onUnfilter={() => onStatement(unfiltered(statement))}
      onPin={() => change({ type: isPinned ? 'unpin' : 'pin', column })}
      onHide={() => change({ type: 'hide', column })}
      onFit={() => change({ type: 'resize', column, width: null })}
      onCopyName={() => props.copyName(column)}
    />
  )
}

interface DialogsProps {
  readonly set: ResultSet
  readonly over: Over | null
  readonly close: () => void
  readonly engine: ResultPanelProps['engine']
  readonly title: string
  readonly statement: string
  readonly active: Cell | null
  readonly shown: readonly number[]
  readonly partial: boolean
  readonly onStatement: (statement: string) => void
}

function Dialogs({ set, over, close, engine, title, statement, active, shown, partial, onStatement }: DialogsProps) {
  if (over?.kind === 'cell') return <Inspector set={set} row={over.row} column={over.column} onClose={close} />
  if (over?.kind === 'export') {
    return (
      <Suspense fallback={null}>
        <ExportDialog {...{ set, engine, title, partial }} format={over.format} onClose={close} />
      </Suspense>
    )
  }
  const column = over?.kind === 'filter' ? set.columns[over.column] : undefined
  if (over?.kind !== 'filter' || !column) return null
  const at = active && active.row >= 0 && shown[active.column] === over.column ? active.row : null
  return (
    <FilterDialog
      column={column}
      suggestion={at === null ? null : set.text(at, over.column)}
      onClose={close}
      onFilter={(own) => {
        close()
        onStatement(filtered(statement, own))
      }}
    />
  )
}
