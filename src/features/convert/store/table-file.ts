import type { ConvertProgress, EngineClient } from '../../../engine/client.ts'
import { whyHeld } from '../../../tables/outputs.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import type { Job } from '../model/job.ts'
import { makeHere } from './make.ts'

interface Making {
  readonly client: EngineClient
  /** Protects outputs without a record from the sweep while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  readonly newId: () => string
}

export interface TableFile {
  /** What it was made from. */
  readonly source: TableSource
  /** Parquet. It has no record, so it exists only as long as the page. */
  readonly file: File
  /** Its problems: rows that don't fit, failed checks; empty if there are none. */
  readonly held: string
}

/** What a job's table is made from; a different object after changes. */
type TableSource = Pick<Job, 'combination' | 'plan' | 'shape'>

export const isSameSource = (a: TableSource, b: TableSource): boolean =>
  a.combination === b.combination && a.plan === b.plan && a.shape === b.shape

/**
 * A job's combined or shaped table as a file that keeps all its types: its output if that is Parquet, or else a new
 * one.
 * @throws the conversion's errors
 */
export async function tableFile(
  job: Job,
  { client, making, newId }: Making,
  context: { readonly signal: AbortSignal; readonly onProgress: (progress: ConvertProgress) => void },
): Promise<TableFile> {
  const { result, stage, split, shape, combination, plan } = job
  const source: TableSource = { combination, plan, shape }
  const [output] = result?.outputs ?? []
  if (stage.kind === 'done' && result?.target === 'parquet' && output && !split) {
    return { source, file: await client.outputs.file(output), held: result.agreed ? '' : whyHeld(result) }
  }
  return making(async () => {
    const parquet = { target: 'parquet', options: defaultOptions('parquet') } as const
    const request = { jobId: newId(), ...parquet, ...(shape ? { shape } : {}) }
    const made = await makeHere(job, request, client, context)
    const [table] = made.outputs
    if (!table) throw new Error('a table is one file')
    if (made.rejectedFile) await client.outputs.remove(made.rejectedFile.id)
    client.outputs.hold(table.id)
    return { source, file: await client.outputs.file(table), held: whyHeld(made) }
  })
}
