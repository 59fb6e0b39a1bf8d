import type { Output } from '../../../engine/client.ts'
import { settingsOf, type Job, type JobResult, type JobSettings } from './job.ts'

/** What is kept of a job when the page goes away. Plain data, under a version. */
export interface JobRecord extends JobSettings {
  readonly version: 1
  readonly id: string
  readonly fileName: string
  readonly size: number
  readonly addedAt: number
  readonly updatedAt: number
  /** The tab that works on it. */
  readonly tab: string
  /** Nothing is under way: what was wanted of it is done. */
  readonly settled: boolean
  readonly result: JobResult | null
}

export function toRecord(job: Job, tab: string, now: number): JobRecord {
  return {
    version: 1,
    id: job.id,
    fileName: job.file.name,
    size: job.file.size,
    addedAt: job.addedAt,
    updatedAt: now,
    tab,
    settled: job.stage.kind === 'done',
    result: job.result,
    ...settingsOf(job),
  }
}

/** `finished` its files are there; `elsewhere` another tab has it; `interrupted` nobody has. */
export type StoredState = 'finished' | 'elsewhere' | 'interrupted'

/** @param alive tabs that are open */
export function stateOf(record: JobRecord, alive: ReadonlySet<string>): StoredState {
  if (record.settled) return 'finished'
  return alive.has(record.tab) ? 'elsewhere' : 'interrupted'
}

/** The interrupted job that a file, added again, belongs to. */
export function interruptedJob(
  records: readonly JobRecord[],
  file: { readonly name: string; readonly size: number },
  alive: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): JobRecord | null {
  const fits = records.filter(
    (record) =>
      record.fileName === file.name &&
      record.size === file.size &&
      !taken.has(record.id) &&
      stateOf(record, alive) === 'interrupted',
  )
  return fits.sort((a, b) => b.updatedAt - a.updatedAt)[0] ?? null
}

export function filesOf(result: JobResult | null): Output[] {
  if (!result) return []
  return result.quarantine ? [...result.outputs, result.quarantine] : [...result.outputs]
}

/** Ids of all files that records name. */
export function keptFiles(records: readonly JobRecord[]): Set<string> {
  return new Set(records.flatMap((record) => filesOf(record.result).map((output) => output.id)))
}
