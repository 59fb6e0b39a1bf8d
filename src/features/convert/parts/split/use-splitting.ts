import { useEffect, useState } from 'react'
import type { EngineClient } from '../../../../engine/client.ts'
import { useConvert } from '../../context.tsx'
import { type Job } from '../../model/job.ts'
import { withDraftApplied } from '../../model/changes.ts'
import { shapableOf } from '../../model/shaping.ts'
import { columnsOfAll, datesOfAll, type FewValues, type StatementColumns, valuesAhead } from '../../model/splitting.ts'
import type { SplitColumn } from '../../../../tables/reshape/split.ts'
import { sessionOver } from '../../panels/shape/use-sample.ts'

/** Columns to split tables by. */
export interface Splitting {
  readonly columns: readonly string[]
  /** Those with dates. */
  readonly dates: readonly string[]
  /** The values in the first rows; null without a preview. */
  readonly ahead: readonly FewValues[] | null
}

/**
 * The columns by which these jobs' tables can be split. The engine provides those of statements: there are none until
 * it has answered, or if the statement fails.
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

/** The columns of a job's statement, run over the first rows. */
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
