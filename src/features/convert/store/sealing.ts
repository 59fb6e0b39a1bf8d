import type { EngineClient, Output } from '../../../engine/client.ts'
import { hashesOf as receiptHashes, withHashes, type Hashes } from '../../../tables/outputs.ts'
import type { Job, JobResult } from '../model/job.ts'

type Hashing = Pick<EngineClient, 'hash' | 'outputs'>

/** The source files in a job's receipts. */
export const filesOf = ({ file, combination }: Pick<Job, 'file' | 'combination'>): readonly File[] =>
  combination ? (combination.matched?.files ?? []) : [file]

/**
 * Computes hashes that receipts lack.
 * @param sources the converted files, if they're available
 * @throws {EngineError} if one of them can't be read any more
 */
export function hashesOf(
  result: Pick<JobResult, 'outputs'>,
  sources: readonly File[],
  client: Hashing,
  signal?: AbortSignal,
): Promise<Hashes> {
  const options = signal ? { signal } : {}
  return receiptHashes<File, Output>(result, sources, {
    source: (file) => client.hash(file, options),
    output: async (output) => client.hash(await client.outputs.file(output), options),
  })
}

interface Unsealed extends Pick<JobResult, 'outputs'> {
  readonly id: string
  readonly sources: readonly File[]
}

/** Whether a result is of that conversion, not of a later one. */
const madeBy = ({ outputs }: Unsealed, result: JobResult): boolean => outputs[0]?.id === result.outputs[0]?.id

interface Jobs {
  update(id: string, change: (job: Job) => Job): void
  keep(id: string): unknown
}

/** Computes hashes for the receipts of finished conversions, one after another, while nothing else is running. */
export class Sealing {
  private readonly waiting = new Map<string, Unsealed>()
  private readonly client: Hashing
  private readonly jobs: Jobs
  private running: AbortController | null = null

  constructor(client: Hashing, jobs: Jobs) {
    this.client = client
    this.jobs = jobs
  }

  add(unsealed: Unsealed): void {
    this.waiting.set(unsealed.id, unsealed)
  }

  /** Hashing starts over when it's resumed. */
  pause(): void {
    this.running?.abort()
    this.running = null
  }

  async resume(): Promise<void> {
    if (this.running) return
    const running = (this.running = new AbortController())
    for (const next of this.waiting.values()) {
      try {
        const hashes = await hashesOf(next, next.sources, this.client, running.signal)
        if (running.signal.aborted) return
        if (hashes.outputs.size + hashes.sources.filter(Boolean).length > 0) {
          this.jobs.update(next.id, (job) =>
            job.result && madeBy(next, job.result) ? { ...job, result: withHashes(job.result, hashes) } : job,
          )
          void this.jobs.keep(next.id)
        }
      } catch {
        if (running.signal.aborted) return
        // A missing file has no hash; the receipt is valid without it.
      }
      if (this.waiting.get(next.id) === next) this.waiting.delete(next.id)
    }
    if (this.running === running) this.running = null
  }
}
