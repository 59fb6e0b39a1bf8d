import { useEffect, useState } from 'react'
import type { EngineClient } from '../../../../engine/client.ts'
import { useConvert } from '../../context.tsx'
import { type Job } from '../../model/job.ts'
import { withDraftApplied } from '../../model/changes.ts'
import { shapableOf } from '../../model/shaping.ts'
import { columnsOfAll, datesOfAll, type FewValues, type StatementColumns, valuesAhead } from '../../model/splitting.ts'
import type { SplitColumn } from '../../../../tables/reshape/split.ts'
import { sessionOver } from '../../panels/shape/use-sample.ts'

/** What tables can be split by. */
export interface Splitting {
  readonly columns: readonly string[]
  /** Of these, the ones of dates. */
  readonly dates: readonly string[]
  /** What the first rows tell of them; null where none are shown. */
  readonly ahead: readonly FewValues[] | null
}

/**
 * What these jobs' tables can be split by. The columns that a statement gives are asked of the engine: there are none
 * until it has answered, or where the statement can't be run.
 */
export function useSplitting(jobs: readonly Job[]): Splitting {
  const { client } = useConvert()
  const [given, setGiven] = useState<StatementColumns>(new Map())
  const drafted = jobs.map(withDraftApplied)
  const unknown = drafted.find(({ shape }) => shape && !given.has(shape))
  useEffect(() => {
    if (!unknown) return undefined
    const cancelling = new AbortController()
    const { signal } = cancelling
    const tell = (columns: readonly SplitColumn[]): void => {
      const { shape } = unknown
      if (shape && !signal.aborted) setGiven((old) => new Map(old).set(shape, columns))
    }
    columnsGiven(unknown, client, signal).then(tell, () => tell([]))
    return () => cancelling.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a job changes with all that happens to it, its statement doesn't
  }, [client, unknown?.shape])
  const columns = columnsOfAll(drafted, given)
  return { columns, dates: datesOfAll(drafted, given), ahead: valuesAhead(jobs, columns) }
}

/** The columns that a job's statement gives, by the first rows of what it reads. */
async function columnsGiven(job: Job, client: EngineClient, signal: AbortSignal): Promise<readonly SplitColumn[]> {
  const shapable = shapableOf(job)
  if (!shapable || !job.shape) return []
  const { files, what, tables } = shapable
  const session = sessionOver(await client.sample(files, { tables, what }, { signal }))
  try {
    return (await session.describe(job.shape.sql, { signal })) ?? []
  } finally {
    session.close()
  }
}
