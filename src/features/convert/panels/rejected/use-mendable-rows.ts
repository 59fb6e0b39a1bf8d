import { useEffect, useMemo, useState } from 'react'
import type { TriedRow } from '../../../../engine/client.ts'
import { mendOf, replaceIn, replaceInText, type Mends } from '../../../../tables/mends.ts'
import type { ImportPlan, RejectedRow, TablePlan } from '../../../../tables/plan.ts'
import { useConvert } from '../../context.tsx'
import type { Job } from '../../model/job.ts'

export type Cells = readonly (string | null)[]

/** A rejected row with what became of it so far. */
export interface MendableRow {
  readonly rejected: RejectedRow
  /** As the file has it, by the file's columns; null where its text can't be taken apart. */
  readonly cells: Cells | null
  /** As it's mended. */
  readonly mended: Cells | null
  /** Whether cells were changed, which can be undone for this row alone. */
  readonly changed: boolean
  /** What is wrong with it now; null when it fits, undefined while that is being found out. */
  readonly problem: TriedRow['problem'] | undefined
}

/** The columns' names in the file, by where they stand there. */
export function sourcesOf({ columns }: TablePlan): string[] {
  const sources: string[] = []
  for (const { index, source } of columns) sources[index] = source
  return sources
}

/** The rows with their cells, tried as they're mended: again with every change. Null until the cells are known. */
export function useMendableRows(
  job: Job,
  table: number,
  rows: readonly RejectedRow[],
  { rows: own, replacements }: Mends,
): readonly MendableRow[] | null {
  const found = useTriedRows(job, table, rows)
  const planned = useReading(job)?.tables[table]
  const sources = useMemo(() => planned && sourcesOf(planned), [planned])
  // Where rows go changes nothing of what they come to.
  const changes = useMemo(() => {
    const mends = { rows: own, replacements }
    return found && sources && rows.map((row, i) => changeOf(row, found[i]?.cells ?? null, mends, sources))
  }, [found, sources, rows, own, replacements])
  const pending = useMemo(() => changes?.filter((change) => change !== null) ?? NONE, [changes])
  const tried = useTriedRows(job, table, pending)
  return useMemo(() => (found && changes ? joined(rows, found, changes, tried) : null), [found, changes, tried, rows])
}

/** What a row is to be tried as, once it's mended; null where nothing was changed. */
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

/** @param tried what the rows that were changed come to, in their order */
function joined(
  rows: readonly RejectedRow[],
  found: readonly TriedRow[],
  changes: readonly (RejectedRow | Cells | null)[],
  tried: readonly TriedRow[] | null,
): MendableRow[] {
  let next = 0
  return rows.map((rejected, i) => {
    const cells = found[i]?.cells ?? null
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

const NOTHING: readonly TriedRow[] = []

/** What rows come to by the plan of now; null until that is known. */
export function useTriedRows(
  job: Job,
  table: number,
  rows: readonly (RejectedRow | Cells)[],
): readonly TriedRow[] | null {
  const { client } = useConvert()
  const [tried, setTried] = useState<{ readonly of: typeof rows; readonly result: readonly TriedRow[] } | null>(null)
  const plan = useReading(job)
  useEffect(() => {
    if (!plan || rows.length === 0) return
    const stopping = new AbortController()
    client.tryRows({ plan, table, rows }, { signal: stopping.signal }).then(
      // One that was no longer wanted may be answered all the same, and later than the next.
      (result) => stopping.signal.aborted || setTried({ of: rows, result }),
      // A plan that can't be run is reported where it's made.
      () => undefined,
    )
    return () => stopping.abort()
  }, [client, plan, table, rows])
  if (rows.length === 0) return NOTHING
  return tried?.of === rows ? tried.result : null
}

/** How the file is read: the same one as long as only mends are changed, which don't change what a row comes to. */
function useReading({ plan }: Job): ImportPlan | null {
  const text = useMemo(() => plan && JSON.stringify(withoutMends(plan)), [plan])
  return useMemo(() => (text ? (JSON.parse(text) as ImportPlan) : null), [text])
}

const withoutMends = (plan: ImportPlan): ImportPlan => ({
  ...plan,
  tables: plan.tables.map(({ name, include, columns }) => ({ name, include, columns })),
})
