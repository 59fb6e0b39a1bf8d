import { useEffect, useMemo, useState } from 'react'
import type { TriedRow } from '../../../../engine/client.ts'
import { mendOf, replaceIn, replaceInText } from '../../../../tables/mends.ts'
import type { Mends, ImportPlan, RejectedRow, TablePlan } from '../../../../tables/plan.ts'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'

export type Cells = readonly (string | null)[]

/** A rejected row with its corrections so far. */
export interface MendableRow {
  readonly rejected: RejectedRow
  /** As in the file, by the file's columns; null if its text can't be split into cells. */
  readonly cells: Cells | null
  /** With its corrections. */
  readonly mended: Cells | null
  /** Whether its cells were changed by hand, which can be undone for this row. */
  readonly changed: boolean
  /** What is wrong with it now; null if it fits, undefined until that's known. */
  readonly problem: TriedRow['problem'] | undefined
}

/** The columns' names in the file, by their positions there. */
export function sourcesOf({ columns }: TablePlan): string[] {
  const sources: string[] = []
  for (const { index, source } of columns) sources[index] = source
  return sources
}

/**
 * The rows with their cells, checked again after every change. Null until the cells are known; while others are read,
 * the earlier rows stay, since somebody may be editing them.
 */
export function useMendableRows(
  job: Job,
  table: number,
  rows: readonly RejectedRow[],
  { rows: own, replacements }: Mends,
): readonly MendableRow[] | null {
  const found = useLastTried(job, table, rows)
  const planned = useReading(job)?.tables[table]
  const sources = useMemo(() => planned && sourcesOf(planned), [planned])
  // Where rows are put back doesn't affect whether they fit.
  const changes = useMemo(() => {
    const mends = { rows: own, replacements }
    return found && sources && found.rows.map((row, i) => changeOf(row, cellsOf(found, i), mends, sources))
  }, [found, sources, own, replacements])
  const pending = useMemo(() => changes?.filter((change) => change !== null) ?? NONE, [changes])
  const tried = useTriedRows(job, table, pending)
  return useMemo(() => (found && changes ? joined(found, changes, tried) : null), [found, changes, tried])
}

const cellsOf = ({ results }: Tried<RejectedRow>, row: number): Cells | null => results[row]?.cells ?? null

/** The corrected row to check; null if nothing was changed. */
function changeOf(
  row: RejectedRow,
  cells: Cells | null,
  mends: Pick<Mends, 'rows' | 'replacements'>,
  sources: readonly string[],
): RejectedRow | Cells | null {
  const own = mendOf(mends, row)?.cells ?? (cells && replaceIn(cells, sources, mends.replacements))
  if (own) return sameCells(own, cells) ? null : own
  const raw = replaceInText(row.raw, mends.replacements)
  return raw === row.raw ? null : { ...row, raw }
}

/** @param tried results of checking the changed rows, in order */
function joined(
  found: Tried<RejectedRow>,
  changes: readonly (RejectedRow | Cells | null)[],
  tried: readonly TriedRow[] | null,
): MendableRow[] {
  let next = 0
  return found.rows.map((rejected, i) => {
    const cells = cellsOf(found, i)
    const change = changes[i] ?? null
    if (!change) return { rejected, cells, mended: cells, changed: false, problem: rejected }
    const result = tried?.[next++]
    const changed = !('raw' in change)
    return { rejected, cells, mended: changed ? change : (result?.cells ?? null), changed, problem: result?.problem }
  })
}

const NONE: readonly (RejectedRow | Cells)[] = []

export function sameCells(a: Cells, b: Cells | null): boolean {
  return b !== null && a.every((cell, i) => cell === (b[i] ?? null))
}

/** Rows, and what checking them gave, in order. */
interface Tried<Row> {
  readonly table: number
  readonly rows: readonly Row[]
  readonly results: readonly TriedRow[]
}

/** Results of checking rows by the current plan; null until they're known. */
export function useTriedRows(
  job: Job,
  table: number,
  rows: readonly (RejectedRow | Cells)[],
): readonly TriedRow[] | null {
  const tried = useLastTried(job, table, rows)
  return tried?.rows === rows ? tried.results : null
}

/** The rows of the table that were last checked; null before the first are. */
function useLastTried<Row extends RejectedRow | Cells>(
  job: Job,
  table: number,
  rows: readonly Row[],
): Tried<Row> | null {
  const { client } = useConvert()
  const [tried, setTried] = useState<Tried<Row> | null>(null)
  const none = useMemo(() => (rows.length === 0 ? { table, rows, results: [] } : null), [table, rows])
  const plan = useReading(job)
  useEffect(() => {
    if (!plan || rows.length === 0) return
    const stopping = new AbortController()
    client.tryRows({ plan, table, rows }, { signal: stopping.signal }).then(
      // An aborted check may still answer, after the next one.
      (results) => stopping.signal.aborted || setTried({ table, rows, results }),
      // An invalid plan is reported where it's edited.
      () => undefined,
    )
    return () => stopping.abort()
  }, [client, plan, table, rows])
  return none ?? (tried?.table === table ? tried : null)
}

/**
 * How to read the file. Keeps its identity while only corrections change, since these don't affect how rows are
 * checked.
 */
function useReading({ plan }: Job): ImportPlan | null {
  const text = useMemo(() => plan && JSON.stringify(withoutMends(plan)), [plan])
  return useMemo(() => (text ? (JSON.parse(text) as ImportPlan) : null), [text])
}

const withoutMends = (plan: ImportPlan): ImportPlan => ({
  ...plan,
  tables: plan.tables.map(({ name, include, columns }) => ({ name, include, columns })),
})
