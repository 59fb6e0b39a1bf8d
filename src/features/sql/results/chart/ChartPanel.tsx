import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { formatCount, plural } from '../../../../ui/format.ts'
import { Button } from '../../../../ui/Button.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { Notice } from '../../../../ui/Notice.tsx'
import { Segments } from '../../../../ui/fields/Segments.tsx'
import type { SqlSession } from '../../../../engine/client.ts'
import type { ChartSpec } from '../../types.ts'
import type { HeldRun } from '../types.ts'
import type { ChartData } from './data/chart-data.ts'
import { paletteStyle } from './draw/palette.ts'
import { fittingChart, sampleOf } from './model/suggest.ts'
import { fieldsOf, type Field } from './model/fields.ts'
import { onOneScale, rampOf } from './data/color-range.ts'
import { styled } from './data/styled.ts'
import { SaveButton, StyleButton } from './buttons.tsx'
import { Encodings } from './Encodings.tsx'
import { Style } from './Style.tsx'
import { useChart, type ChartState } from './use-chart.ts'
import type { Beside } from './use-ramps.ts'
import css from './ChartPanel.module.css'
import { DataTable } from '../../../../ui/table/DataTable.tsx'
import { tableOf } from './data/words.ts'

interface ChartPanelProps {
  readonly run: HeldRun
  readonly session: SqlSession | null
  /** Null lets the panel suggest a chart, which it reports by `onSpec`. */
  readonly spec: ChartSpec | null
  readonly onSpec: (spec: ChartSpec) => void
  readonly title: string
  readonly beside?: Beside
}

const Drawn = lazy(async () => ({ default: (await import('./Drawn.tsx')).Drawn }))
const Pictures = lazy(async () => ({ default: (await import('./Pictures.tsx')).Pictures }))

type View = 'chart' | 'table'

const ALONE: Beside['ramps'] = []

/** A chart of a result: a suggested one first, which the person can change. */
export function ChartPanel({ run, session, spec, onSpec, title, beside }: ChartPanelProps) {
  const { result, summary } = run
  const ready = summary !== null || result.status !== 'running'
  const sample = useMemo(() => (ready ? sampleOf(result) : []), [ready, result])
  const fields = useMemo(() => fieldsOf(result.columns, sample), [result, sample])
  const rows = ready ? result.rowCount : 0
  const shown = useMemo(
    () => (ready ? fittingChart(spec, fields, result, sample) : null),
    [ready, result, spec, fields, sample],
  )
  useEffect(() => {
    if (shown && !isSame(shown, spec)) onSpec(shown)
  }, [shown, spec, onSpec])
  const [view, setView] = useState<View>('chart')
  const { state, stop, retry } = useChart(run, session, shown, fields)
  const plain = state.status === 'ready' || state.status === 'loading' ? state.data : null
  const ramps = beside?.ramps ?? ALONE
  const data = useMemo(() => plain && shown && onOneScale(styled(plain, shown.style), ramps), [plain, shown, ramps])
  useOwnRamp(plain, beside)
  if (!ready) return <EmptyState>The chart is drawn once all rows are here.</EmptyState>
  if (!shown) return <EmptyState>{whyNothing(fields, rows)}</EmptyState>
  const named = shown.style?.title || title
  return (
    <section aria-label="Chart" className={css.panel} style={paletteStyle()}>
      <div className={css.settings}>
        <Encodings spec={shown} fields={fields} rows={rows} onSpec={onSpec} />
        <div className={css.actions}>
          <Segments<View>
            label="Show as"
            value={view}
            onChange={setView}
            items={[
              { value: 'chart', label: 'Chart' },
              { value: 'table', label: 'Show as table' },
            ]}
          />
          {plain ? <Style spec={shown} data={plain} onSpec={onSpec} /> : <StyleButton disabled />}
          <Suspense fallback={<SaveButton disabled />}>
            {data ? <Pictures data={data} title={named} run={run} /> : <SaveButton disabled />}
          </Suspense>
        </div>
      </div>
      <State state={state} onStop={stop} onRetry={retry} />
      {data ? (
        <figure className={css.figure} aria-busy={state.status === 'loading'}>
          {shown.style?.title ? <p className={css.title}>{shown.style.title}</p> : null}
          {view === 'table' ? (
            <DrawnTable data={data} />
          ) : (
            <Suspense fallback={<EmptyState busy>Drawing…</EmptyState>}>
              <Drawn data={data} title={named} />
            </Suspense>
          )}
          <Caption data={data} isCut={summary?.leftOut === true} isCancelled={summary === null} />
        </figure>
      ) : null}
    </section>
  )
}

/** Tells the charts beside it what this heat map's colors mean, as long as it's shown. */
function useOwnRamp(data: ChartData | null, beside: Beside | undefined): void {
  const onRamp = beside?.onRamp
  useEffect(() => {
    if (!data || !onRamp) return
    onRamp(rampOf(data))
    return () => onRamp(null)
  }, [data, onRamp])
}

interface StateProps {
  readonly state: ChartState
  readonly onStop: () => void
  readonly onRetry: () => void
}

function State({ state, onStop, onRetry }: StateProps) {
  const retry = (
    <Button size="small" onClick={onRetry}>
      Draw again
    </Button>
  )
  switch (state.status) {
    case 'loading':
      return (
        <div aria-live="polite" className={css.working}>
          Counting for the chart…
          <Button size="small" look="quiet" onClick={onStop}>
            Stop
          </Button>
        </div>
      )
    case 'failed':
      return (
        <Notice flush tone="bad" live="alert" actions={retry}>
          The chart couldn’t be drawn. {state.error.message}
        </Notice>
      )
    case 'stopped':
      return (
        <Notice flush tone="info" live="status" actions={retry}>
          Drawing was stopped.
        </Notice>
      )
    case 'ready':
      return null
  }
}

interface CaptionProps {
  readonly data: ChartData
  /** Whether the page lacks rows of the result. */
  readonly isCut: boolean
  readonly isCancelled: boolean
}

function Caption({ data, isCut, isCancelled }: CaptionProps) {
  const where = data.place === 'engine' ? ', counted by the engine' : ''
  return (
    <figcaption className={css.caption}>
      <span>{`${formatCount(data.drawn)} of ${plural(data.rows, 'row')}${where}.`}</span>
      {isCut && data.place === 'page' ? (
        <span>The result is longer: these are the rows that fit into memory.</span>
      ) : null}
      {isCancelled ? <span>The statement didn’t run to its end: these are the rows that came.</span> : null}
      {data.notes.map((note) => (
        <span key={note}>{note}</span>
      ))}
    </figcaption>
  )
}

function isSame(one: ChartSpec, other: ChartSpec | null): boolean {
  if (!other) return false
  return JSON.stringify(one) === JSON.stringify(other)
}

function whyNothing(fields: readonly Field[], rows: number): string {
  if (fields.length === 0) return 'This statement returns no rows, so there’s nothing to draw.'
  if (rows === 0) return 'The result has no rows to draw.'
  return 'None of the columns can be drawn: charts take numbers, dates, times and text. Unnest lists and structs in the statement.'
}

/** The chart's data as a table. */
function DrawnTable({ data }: { readonly data: ChartData }) {
  const table = useMemo(() => tableOf(data), [data])
  const columns = useMemo(
    () =>
      table.columns.map(({ label, isNumber }, i) => {
        const longest = table.rows
          .slice(0, 200)
          .reduce((most, row) => Math.max(most, row[i]?.length ?? 0), label.length)
        return {
          key: `${i}`,
          header: label,
          width: Math.min(320, Math.max(96, 32 + longest * 7.4)),
          align: isNumber ? ('end' as const) : ('start' as const),
        }
      }),
    [table],
  )
  return (
    <DataTable
      label="What the chart shows"
      columns={columns}
      rowCount={table.rows.length}
      renderCell={(row, column) => table.rows[row]?.[column] ?? ''}
      maxHeight={420}
    />
  )
}
