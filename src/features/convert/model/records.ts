import { FORMATS, type FormatId } from '../../../contract/formats.ts'
import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { Output } from '../../../engine/client.ts'
import type { Failure } from './failure.ts'
import { kept, type CombinationSettings } from '../../../tables/combine/combination.ts'
import { nameOf, settingsOf, type Job, type JobResult } from './job.ts'

/** What is stored of a job when the page is closed. Plain data, with a version. */
export interface JobRecord extends JobSettings, Pick<Job, 'recipe'> {
  readonly version: 1
  readonly id: string
  readonly fileName: string
  readonly size: number
  readonly addedAt: number
  readonly updatedAt: number
  /** The tab that works on it. */
  readonly tab: string
  /** Whether it's finished: nothing is under way. */
  readonly settled: boolean
  /** What went wrong, if it failed. */
  readonly failure?: Failure | null
  readonly result: JobResult | null
  /** The combination, unless it's a single file. */
  readonly combination?: CombinationSettings
}

export function toRecord(job: Job, tab: string, now: number): JobRecord {
  const { combination } = job
  return {
    version: 1,
    id: job.id,
    fileName: nameOf(job),
    size: combination ? combination.parts.reduce((sum, { size }) => sum + size, 0) : job.file.size,
    addedAt: job.addedAt,
    updatedAt: now,
    tab,
    settled: job.stage.kind === 'done',
    failure: failureOf(job),
    result: job.result,
    ...(job.recipe === undefined ? {} : { recipe: job.recipe }),
    ...(combination ? { combination: kept(combination) } : {}),
    ...settingsOf(job),
  }
}

/** Cancelling isn't a failure. */
function failureOf({ stage }: Job): Failure | null {
  return stage.kind === 'failed' && stage.failure.code !== 'cancelled' ? stage.failure : null
}

/** `finished`: its outputs are stored; `elsewhere`: it's in another tab; `failed` and `interrupted`: it's in no tab. */
export type StoredState = 'finished' | 'elsewhere' | 'failed' | 'interrupted'

/** @param alive ids of the open tabs */
export function stateOf(record: JobRecord, alive: ReadonlySet<string>): StoredState {
  if (record.settled) return 'finished'
  if (alive.has(record.tab)) return 'elsewhere'
  return record.failure ? 'failed' : 'interrupted'
}

/**
 * Files of an earlier visit that were combined to a table which is still stored, so nobody has to continue them.
 * They're kept as long as the table, so that their settings apply when they're added again.
 * @param tables the finished combinations
 */
export function partsOf(
  tables: readonly JobRecord[],
  records: readonly JobRecord[],
  alive: ReadonlySet<string>,
): JobRecord[] {
  const combined = new Set(
    tables.flatMap(({ settled, combination }) =>
      settled && combination ? combination.parts.map(({ job }) => job) : [],
    ),
  )
  return records.filter(
    (record) => combined.has(record.id) && !record.result && stateOf(record, alive) === 'interrupted',
  )
}

/** The failed or interrupted job that an added file continues. */
export function interruptedJob(
  records: readonly JobRecord[],
  file: { readonly name: string; readonly size: number },
  alive: ReadonlySet<string>,
  taken: ReadonlySet<string>,
): JobRecord | null {
  const fits = records.filter(
    (record) =>
      !record.combination &&
      record.fileName === file.name &&
      record.size === file.size &&
      !taken.has(record.id) &&
      ['interrupted', 'failed'].includes(stateOf(record, alive)),
  )
  return fits.sort((a, b) => b.updatedAt - a.updatedAt)[0] ?? null
}

/** The format of the record's name: that of the added file, or of the combined table. */
export function formatOf({ combination, target, result }: JobRecord): FormatId | null {
  if (combination) return target
  const source = result?.outputs[0]?.receipts[0]?.source.format
  return FORMATS.find(({ id }) => id === source)?.id ?? null
}

export function filesOf(result: JobResult | null): Output[] {
  if (!result) return []
  return result.rejectedFile ? [...result.outputs, result.rejectedFile] : [...result.outputs]
}

/** Ids of all files in records. */
export function keptFiles(records: readonly JobRecord[]): Set<string> {
  return new Set(records.flatMap((record) => filesOf(record.result).map((output) => output.id)))
}
