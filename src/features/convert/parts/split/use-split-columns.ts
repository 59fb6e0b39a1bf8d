import { useEffect, useState } from 'react'
import type { EngineClient } from '../../../../engine/client.ts'
import { useConvert } from '../../context.tsx'
import { type Job } from '../../model/job.ts'
import { meant } from '../../model/changes.ts'
import { shapableOf } from '../../model/shaping.ts'
import { columnsOfAll, type StatementColumns } from '../../model/splitting.ts'
import { sessionOver } from '../../panels/shape/use-sample.ts'

/**
 * Names of the columns that these jobs' tables can be split by. What a statement gives is asked of the engine: there are none
 * until it has answered, or where the statement can't be run.
 */
export function useSplitColumns(jobs: readonly Job[]): readonly string[] {
  const { client } = useConvert()
  const [given, setGiven] = useState<StatementColumns>(new Map())
  const asMeant = jobs.map(meant)
  const unknown = asMeant.find(({ shape }) => shape && !given.has(shape))
  useEffect(() => {
    if (!unknown) return undefined
    const cancelling = new AbortController()
    const { signal } = cancelling
    const tell = (names: readonly string[]): void => {
      const { shape } = unknown
      if (shape && !signal.aborted) setGiven((old) => new Map(old).set(shape, names))
    }
    columnsGiven(unknown, client, signal).then(tell, () => tell([]))
    return () => cancelling.abort()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- a job changes with all that happens to it, its statement doesn't
  }, [client, unknown?.shape])
  return columnsOfAll(asMeant, given)
}

/** The columns that a job's statement gives, by the first rows of what it reads. */
async function columnsGiven(job: Job, client: EngineClient, signal: AbortSignal): Promise<readonly string[]> {
  const shapable = shapableOf(job)
  if (!shapable || !job.shape) return []
  const { files, what, tables } = shapable
  const session = sessionOver(await client.sample(files, { tables, what }, { signal }))
  try {
    const columns = await session.describe(job.shape.sql, { signal })
    return columns?.map(({ name }) => name) ?? []
  } finally {
    session.close()
  }
}
