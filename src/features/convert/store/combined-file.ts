import type { ConvertProgress, EngineClient } from '../../../engine/client.ts'
import { whyHeld } from '../../../tables/outputs.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import type { Combination } from '../model/combination.ts'
import type { Job } from '../model/job.ts'
import { combineRequest } from './combining.ts'

interface Making {
  readonly client: EngineClient
  /** Keeps outputs that no record names yet from being swept while `work` runs. */
  readonly making: <T>(work: () => Promise<T>) => Promise<T>
  readonly newId: () => string
}

export interface CombinedFile {
  /** What it was made of. */
  readonly combination: Combination
  /** Parquet. No record names it: it's there as long as the page is. */
  readonly file: File
  /** What speaks against it: rows that don't fit, checks that failed. Empty where nothing does. */
  readonly held: string
}

/**
 * A combined table, shaped where a statement shapes it, as a file that holds all its types: the one that it was converted to, if that is Parquet, else another.
 * @throws what the conversion does
 */
export async function combinedFile(
  job: Job,
  combination: Combination,
  { client, making, newId }: Making,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (progress: ConvertProgress) => void },
): Promise<CombinedFile> {
  const { result, stage, split, shape } = job
  const [output] = result?.outputs ?? []
  if (stage.kind === 'done' && result?.target === 'parquet' && output && !split) {
    return { combination, file: await client.outputs.file(output), held: result.agreed ? '' : whyHeld(result) }
  }
  return making(async () => {
    const { files, ...what } = combineRequest(combination)
    const parquet = { target: 'parquet', options: defaultOptions('parquet') } as const
    const request = { ...what, ...parquet, jobId: newId(), ...(shape ? { shape } : {}) }
    const made = await client.combine(files, request, { signal, onProgress })
    const [combined] = made.outputs
    if (!combined) throw new Error('a combination is one file')
    if (made.rejectedFile) await client.outputs.remove(made.rejectedFile.id)
    client.outputs.hold(combined.id)
    return { combination, file: await client.outputs.file(combined), held: whyHeld(made) }
  })
}
