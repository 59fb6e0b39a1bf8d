import { FORMATS, type FormatId } from '../../../contract/formats.ts'
import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { Output } from '../../../engine/client.ts'
import type { Failure } from './failure.ts'
import { kept, type CombinationSettings } from '../../../tables/combine/combination.ts'
import { nameOf, settingsOf, type Job, type JobResult } from './job.ts'

/** What is kept of a job when the page goes away. Plain data, under a version. */
export interface JobRecord extends JobSettings, Pick<Job, 'recipe'> {
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
  /** What went wrong, when that is where it stands. */
  readonly failure?: Failure | null
  readonly result: JobResult | null
  /** What is combined, where it's no file. */
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

/** What the person cancelled didn't fail. */
function failureOf({ stage }: Job): Failure | null {
  return stage.kind === 'failed' && stage.failure.code !== 'cancelled' ? stage.failure : null
}

/** `finished` its files are there; `elsewhere` another tab has it; `failed` and `interrupted` nobody has. */
export type StoredState = 'finished' | 'elsewhere' | 'failed' | 'interrupted'

/** @param alive tabs that are open */
export function stateOf(record: JobRecord, alive: ReadonlySet<string>): StoredState {
  if (record.settled) return 'finished'
  if (alive.has(record.tab)) return 'elsewhere'
  return record.failure ? 'failed' : 'interrupted'
}

/**
 * Files of an earlier visit that became one table, which is there: nobody has to go on with them. They're kept for as long as
 * the table is, so that their settings are there when they're added again.
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

/** The job that a file, added again, belongs to: one that was interrupted, or failed. */
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

/** The format of what a record is named after: the file that was added, or the table that several became. */
export function formatOf({ combination, target, result }: JobRecord): FormatId | null {
  if (combination) return target
  const source = result?.outputs[0]?.receipts[0]?.source.format
  return FORMATS.find(({ id }) => id === source)?.id ?? null
}

export function filesOf(result: JobResult | null): Output[] {
  if (!result) return []
  return result.rejectedFile ? [...result.outputs, result.rejectedFile] : [...result.outputs]
}

/** Ids of all files that records name. */
export function keptFiles(records: readonly JobRecord[]): Set<string> {
  return new Set(records.flatMap((record) => filesOf(record.result).map((output) => output.id)))
}
