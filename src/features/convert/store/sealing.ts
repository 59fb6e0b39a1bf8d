import type { EngineClient, Output } from '../../../engine/client.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import type { Job, JobResult } from '../model/job.ts'

/** Of the files of a conversion. */
interface Hashes {
  /** Of what was converted, in order; undefined where a file isn't at hand. */
  readonly sources: readonly (string | undefined)[]
  /** Of what was made, by the outputs' ids. */
  readonly outputs: ReadonlyMap<string, string>
}

type Hashing = Pick<EngineClient, 'hash' | 'outputs'>

/** What a job's receipts speak of. */
export const filesOf = ({ file, combination }: Pick<Job, 'file' | 'combination'>): readonly File[] =>
  combination ? (combination.matched?.files ?? []) : [file]

/**
 * The hashes that receipts lack.
 * @param sources the files that were converted, as far as they're at hand
 * @throws {EngineError} when one of them can't be read any more
 */
export async function hashesOf(
  { outputs }: Pick<JobResult, 'outputs'>,
  sources: readonly File[],
  client: Hashing,
  signal?: AbortSignal,
): Promise<Hashes> {
  const options = signal ? { signal } : {}
  const receipts = outputs.flatMap((output) => output.receipts)
  const known = new Map<File, string>()
  if (receipts.some((receipt) => sourcesOf(receipt).some(({ sha256 }) => sha256 === undefined))) {
    // Several sheets of a workbook can be combined: it's hashed once.
    for (const file of new Set(sources)) known.set(file, await client.hash(file, options))
  }
  const made = new Map<string, string>()
  for (const output of outputs) {
    if (placesOf(output, receipts).every(({ sha256 }) => sha256 !== undefined)) continue
    made.set(output.id, await client.hash(await client.outputs.file(output), options))
  }
  return { sources: sources.map((file) => known.get(file)), outputs: made }
}

const sourcesOf = ({ source, sources }: Receipt): readonly { readonly sha256?: string }[] => sources ?? [source]

/** Where the output is on receipts: a file that a table was split into is one of several on one of them. */
function placesOf({ name, receipts: own }: Output, all: readonly Receipt[]): readonly { readonly sha256?: string }[] {
  const parts = all.flatMap((receipt) => receipt.parts ?? []).filter((part) => part.name === name)
  return [...parts, ...own.filter((receipt) => !receipt.parts).map((receipt) => receipt.output)]
}

/** A result with hashes on its receipts. */
export function withHashes(result: JobResult, { sources, outputs }: Hashes): JobResult {
  const byName = new Map(result.outputs.map(({ id, name }) => [name, outputs.get(id)]))
  return {
    ...result,
    outputs: result.outputs.map((output) => ({
      ...output,
      receipts: output.receipts.map((receipt) => ({
        ...receipt,
        ...(receipt.sources
          ? { sources: receipt.sources.map((source, i) => sealed(source, sources[i])) }
          : { source: sealed(receipt.source, sources[0]) }),
        ...(receipt.parts
          ? { parts: receipt.parts.map((part) => sealed(part, byName.get(part.name))) }
          : { output: sealed(receipt.output, outputs.get(output.id)) }),
      })),
    })),
  }
}

const sealed = <T extends object>(file: T, sha256: string | undefined): T => (sha256 ? { ...file, sha256 } : file)

interface Unsealed extends Pick<JobResult, 'outputs'> {
  readonly id: string
  readonly sources: readonly File[]
}

/** Whether a result is of that conversion, and not of a later one. */
const madeBy = ({ outputs }: Unsealed, result: JobResult): boolean => outputs[0]?.id === result.outputs[0]?.id

interface Jobs {
  update(id: string, change: (job: Job) => Job): void
  keep(id: string): void
}

/** Hashes the files of finished conversions, one after another, while nobody waits for anything else. */
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

  /** What is being hashed is hashed anew, later. */
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
          this.jobs.keep(next.id)
        }
      } catch {
        if (running.signal.aborted) return
        // A file that is gone has no hash; the receipt is good without.
      }
      if (this.waiting.get(next.id) === next) this.waiting.delete(next.id)
    }
    if (this.running === running) this.running = null
  }
}
