import X from 'lucide-react/icons/x'
import { useCallback, useMemo, useState } from 'react'
import { Grid, type Cell, type GridColumn, type GridProps, type GridRange } from '../../../../ui/grid/Grid.tsx'
import { cellText, drawCell } from '../../../shared/value/Cell.tsx'
import type { ResultColumn, ResultSet } from '../../../../engine/client.ts'
import { isNumeric } from '../../../../tables/types.ts'
import { copyText } from '../../../../ui/overlays/copy-text.ts'
import { announce } from '../../../../ui/overlays/announce.tsx'
import { toast } from '../../../../ui/overlays/toasts.ts'
import { sidesOf, type Sides } from '../../../../ui/grid/places.ts'
import type { Span } from '../../../../ui/table/use-span.ts'
import { ColumnHead } from './ColumnHead.tsx'
import { useFind, WithFind } from './Find.tsx'
import { Hint } from './Hint.tsx'
import { cannotWrap, isAbout, nextSort, sorted, takeApart, without } from './statement.ts'
import { Overlays, type Over } from './Overlays.tsx'
import { ResultBar } from './ResultBar.tsx'
import { useCopy, useResult, useSettledColumns, useStats, useTools } from './use-result.ts'
import { saveReport } from '../report/save-report.ts'
import { WithDetails } from './Inspector.tsx'
import { headWidth, useFittingWidths, useLayout, type Layout } from './layout.ts'
import css from './Result.module.css'
import type { HeldRun } from '../types.ts'

export interface ResultPanelProps {
  readonly run: HeldRun
  /** Replaces the statement by a sorted or filtered one, which runs at once. */
  readonly onStatement?: (statement: string) => void
  /** Name for exported files: the tab's title. */
  readonly title: string
  /** Accessible name, if there are several panels. */
  readonly label?: string
  /** Why the result can't be sorted and filtered although its statement could be; used without `onStatement`. */
  readonly fixed?: string
  /** Marks rows that another result doesn't have. */
  readonly marked?: GridProps['marked']
}

const HEAD = 76
/** Longest text that a cell needs, to draw a value and show that it was cut. */
const DRAWN = 400

/** A statement's result with its actions. */
export default function ResultPanel(props: ResultPanelProps) {
  const { run, onStatement = nothing, title } = props
  const { result: set } = run
  const state = useResult(set)
  const tools = useTools()
  const { layout, change, reset, plain } = useLayout(set.columns)
  const [over, setOver] = useOf<Over | null>(set, null)
  const [active, setActive] = useActive(set)
  const [details, setDetails] = useState(false)
  const { find, revealed } = useFind(setActive)
  const [selection, setSelection] = useOf<GridRange | null>(set, null)
  const refusal = useRefusal(props.fixed, run.statement, set)
  const wrapped = useMemo(() => takeApart(run.statement), [run.statement])
  const { stats, want } = useStats(set, state.status !== 'running', tools)
  const { columns, shown } = useColumns(set, state.rowCount > 0, layout, { ...wrapped, stats })
  const { onShown, renderCell } = useCells(set, layout, want)
  const { copy, copied } = useCopy(set, tools)

  const { sides, cells } = useMemo(() => cellsOf(selection, active, shown), [selection, active, shown])
  const copyName = (column: number): void => {
    void copyText(set.columns[column]?.name ?? '')
  }
  const copyChosen = (): void =>
    cells ? copy(cells, 'tsv', false) : active ? copyName(shown[active.column] ?? -1) : undefined
  const open = ({ row, column }: Cell): void => {
    const own = shown[column]
    const name = own === undefined ? undefined : set.columns[own]?.name
    if (own === undefined || name === undefined) return
    if (row >= 0) {
      setDetails(true)
      if (!details) announce('Details are beside the rows. Escape closes them.')
    } else if (refusal) toast({ title: 'This result can’t be sorted', description: refusal, tone: 'bad' })
    else onStatement(sorted(run.statement, nextSort(wrapped.sort, name)))
  }
  return (
    <WithFind {...{ set, tools, shown, active, find }} running={state.status === 'running'}>
      <ResultBar
        {...{ set, title, layout, plain, reset, change, cells, copy, find }}
        bar={<Hint {...{ set, tools, state, copied }} chosen={selection ? cells : null} />}
        running={state.status === 'running'}
        onExport={(format) => setOver({ kind: 'export', format })}
        onReport={() => void saveReport({ run, title })}
      />
      <Conditions
        where={props.fixed ? [] : wrapped.where}
        onRemove={(own) => onStatement(without(run.statement, own))}
      />
      <WithDetails
        {...{ set, active, shown, copy }}
        onActive={setActive}
        open={details}
        onClose={() => setDetails(false)}
      >
        <Grid
          {...{ columns, active, selection, onShown, renderCell, revealed }}
          label={props.label ?? 'Result'}
          scrollKey={set}
          className={css.grid ?? ''}
          headHeight={HEAD}
          pinned={layout.pinned}
          rowCount={state.rowCount}
          busy={state.status === 'running'}
          onActive={setActive}
          marked={props.marked ?? null}
          onSelection={setSelection}
          onOpen={open}
          onCopy={copyChosen}
          onResize={(column, width) => change({ type: 'resize', column: shown[column] ?? -1, width })}
          onMove={(from, to) => change({ type: 'move', from, to })}
          onMenu={(cell, at) => {
            const column = shown[cell.column] ?? -1
            if (cell.row >= 0 && !isWithin(cell, sides)) setSelection(null)
            setActive(cell)
            setOver(cell.row < 0 ? { kind: 'menu', column, at } : { kind: 'cell-menu', row: cell.row, column, at })
          }}
          textOf={(row, column) => set.text(row, shown[column] ?? -1)}
        />
      </WithDetails>
      <Overlays
        {...{
          set,
          over,
          setOver,
          title,
          onStatement,
          refusal,
          layout,
          change,
          copyName,
          copyChosen,
          stats,
          active,
        }}
        statement={run.statement}
        onInspect={() => setDetails(true)}
        several={selection !== null}
        partial={run.summary?.leftOut === true || state.status !== 'complete'}
      />
    </WithFind>
  )
}

/** Provides the grid with cells, and requests statistics of visible columns. */
function useCells(set: ResultSet, { shown, pinned }: Layout, want: ReturnType<typeof useStats>['want']) {
  const settled = useSettledColumns(shown, want)
  const onShown = useCallback((rows: Span, across: Span) => settled(rows, across, pinned), [settled, pinned])
  const renderCell = useCallback(
    (row: number, column: number) => drawCell(set.text(row, shown[column] ?? -1, DRAWN), 'NULL'),
    [set, shown],
  )
  return { onShown, renderCell }
}

/** The selected cells, or else the active one: in the grid's columns and in the result's. */
function cellsOf(selection: GridRange | null, active: Cell | null, shown: readonly number[]) {
  const range = selection ?? (active && active.row >= 0 ? { anchor: active, end: active } : null)
  const sides = range && sidesOf(range)
  const cells = sides && {
    rows: { from: sides.top, to: sides.bottom + 1 },
    columns: shown.slice(sides.left, sides.right + 1),
  }
  return { sides, cells }
}

function useRefusal(fixed: string | undefined, statement: string, set: ResultSet): string | null {
  return useMemo(() => fixed ?? cannotWrap(statement, set.columns), [fixed, statement, set])
}

const nothing = (): void => undefined
const NO_COLUMN: ResultColumn = { name: '', type: '' }

const isWithin = ({ row, column }: Cell, sides: Sides | null): boolean =>
  sides !== null && row >= sides.top && row <= sides.bottom && column >= sides.left && column <= sides.right

/** State that is reset for another result. */
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

/** The active cell. It is reset for another result, except in the header, so that sorting keeps it. */
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
        const column = set.columns[index] ?? NO_COLUMN
        const direction = sort?.column === column.name ? sort.direction : null
        const isFiltered = where.some((own) => isAbout(own, column.name))
        const signs = (direction ? 1 : 0) + (isFiltered ? 1 : 0)
        return {
          key: String(index),
          name: column.name,
          width: layout.widths.get(index) ?? Math.max(widths[index] ?? 120, headWidth(column.name, signs)),
          align: isNumeric(column.type) ? 'end' : 'start',
          ...(direction ? { sort: direction } : {}),
          header: (
            <ColumnHead column={column} sort={direction} filtered={isFiltered} stats={stats.get(index) ?? null} />
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
  if (where.length === 0) return null
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
