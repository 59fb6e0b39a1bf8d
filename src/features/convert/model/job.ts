import type { FormatId } from '../../../contract/formats.ts'
import type {
  CheckedTable,
  ConvertProgress,
  InspectProgress,
  InspectRequest,
  Output,
  Preview,
} from '../../../engine/client.ts'
import {
  defaultOptions,
  type ImportPlan,
  type Inspection,
  type RejectedRow,
  type WriteOptions,
} from '../../../tables/plan.ts'
import { type Pace } from '../../shared/pace.ts'
import { failedChecks } from '../../../tables/outputs.ts'
import { editsForOthers, type Edits, NO_EDITS } from '../../../tables/edits.ts'
import { readAsFound } from '../../../tables/verbatim.ts'
import type { AppliedStep } from '../../../tables/proposals.ts'
import type { RowCountCheck } from '../../../tables/checks.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import { extensionOf, unpackedName } from '../../../tables/names.ts'
import {
  createCombination,
  isConvertible,
  type Combination,
  type CombinationSettings,
  type KeptFile,
} from '../../../tables/combine/combination.ts'
import { mistakesIn, type Mistyped } from '../../../ui/fields/mistyped.ts'
import { isUnreadable, type Failure } from './failure.ts'
import type { JobSettings, OptionsByFormat } from '../../../tables/recipes/recipe.ts'
import { sameSignature, type Signature, signatureOf } from '../../../tables/recipes/signature.ts'

/** Where a conversion runs. */
export type Where = 'browser' | 'service'

/** Steps of a conversion through the service, in order. `prepare` only if the service can't take the file itself. */
export type ServicePhase = 'prepare' | 'sign' | 'upload' | 'convert' | 'download' | 'verify'

export interface ServiceProgress {
  readonly phase: ServicePhase
  readonly bytes: number
  /** Null if it isn't known. */
  readonly totalBytes: number | null
}

export type Stage =
  | { readonly kind: 'reading'; readonly progress: InspectProgress | null }
  | { readonly kind: 'ready'; readonly cancelled?: boolean }
  | { readonly kind: 'queued' }
  | {
      readonly kind: 'converting'
      readonly progress: ConvertProgress | null
      readonly pace: Pace
      /** How far it is, when it goes through the service. */
      readonly service?: ServiceProgress
    }
  | { readonly kind: 'done' }
  | { readonly kind: 'failed'; readonly during: 'reading' | 'converting'; readonly failure: Failure }

/** The result of a conversion, stored in the job's record too. */
export interface JobResult {
  readonly target: FormatId
  readonly outputs: readonly Output[]
  readonly rejectedCount: number
  readonly rejected: readonly RejectedRow[]
  readonly rejectedFile: Output | null
  /** The person has seen that rows are missing and accepts the file without them. */
  readonly agreed: boolean
  /** Ids of the outputs that were downloaded. */
  readonly saved?: readonly string[]
  readonly finishedAt: number
  /** The service that made it; absent when it was made in this browser. */
  readonly service?: string
}

/** `reading` how the file is read, `output` how new ones are written, `columns` and a number the columns of that table. */
export type FieldsPanel = 'reading' | 'output' | 'split' | `columns ${number}`

export interface Draft {
  /** The editor's text. */
  readonly sql: string
  /** What applying it would set; null if that changes nothing. */
  readonly shape: Shape | null
}

/**
 * A file in the queue, or several that are combined, with all that is known and decided about it. Plain data, but for the
 * file.
 */
export interface Job {
  readonly id: string
  /** Empty if several files are combined. */
  readonly file: File
  /** Which other files in the queue it combines; it then has no file, inspection or plan of its own. */
  readonly combination?: Combination
  readonly addedAt: number
  readonly stage: Stage
  /** Convert as soon as it's read. */
  readonly wanted: boolean
  /** The person's settings for reading it. */
  readonly request: InspectRequest
  /** What the file looked like before the person changed any setting. */
  readonly detected: Signature | null
  readonly inspection: Inspection | null
  readonly previews: readonly Preview[]
  /** Why a table's preview can't be shown with the current columns. */
  readonly previewFailure: Failure | null
  /** By table: the rows that don't fit, if more is known about them than the inspection found. */
  readonly checked: Readonly<Record<number, CheckedTable>>
  readonly edits: Edits
  /** The proposals that were applied, the latest last; emptied when something else changes. */
  readonly applied: readonly AppliedStep[]
  readonly plan: ImportPlan | null
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** The id of the recipe that was applied last, or that it was saved as. */
  readonly recipe?: string | undefined
  /** How each table is split into several files; absent if it isn't. */
  readonly split?: Split
  readonly rowCount?: RowCountCheck
  /** The statement that shapes what is read; absent if all rows are written as they are. */
  readonly shape?: Shape
  /** A statement that was typed but not applied; absent if the editor shows what is in force. */
  readonly draft?: Draft
  /** Invalid input in the fields of each panel. */
  readonly mistyped?: { readonly [panel in FieldsPanel]?: Mistyped }
  readonly where: Where
  readonly result: JobResult | null
}

/** @param target the format to convert to, if no settings say */
export function createJob(
  id: string,
  file: File,
  addedAt: number,
  settings?: JobSettings & Pick<Job, 'recipe'>,
  target: FormatId = targetFor(file.name),
): Job {
  return {
    id,
    file,
    addedAt,
    stage: { kind: 'reading', progress: null },
    wanted: false,
    request: settings?.request ?? {},
    detected: null,
    inspection: null,
    previews: [],
    previewFailure: null,
    checked: {},
    edits: settings?.edits ?? NO_EDITS,
    applied: [],
    plan: null,
    target: settings?.target ?? target,
    options: settings?.options ?? {},
    recipe: settings?.recipe,
    ...(settings?.split ? { split: settings.split } : {}),
    ...(settings?.rowCount ? { rowCount: settings.rowCount } : {}),
    ...(settings?.shape ? { shape: settings.shape } : {}),
    where: 'browser',
    result: null,
  }
}

/** A job that makes one table of several files. */
export function combinationJob(
  id: string,
  combination: CombinationSettings,
  addedAt: number,
  settings?: JobSettings,
): Job {
  const job = createJob(id, new File([], ''), addedAt, settings, settings?.target ?? 'parquet')
  return { ...job, combination: createCombination(combination), stage: { kind: 'ready' } }
}

/** A job's name: that of its file, or of the table that several become. */
export function nameOf(job: Pick<Job, 'file' | 'combination' | 'target' | 'options'>): string {
  const { file, combination, target } = job
  return combination ? `${combination.name}.${extensionOf({ target, options: optionsOf(job) })}` : file.name
}

/** The format that a file is most likely to be converted to, by its name. */
export function targetFor(name: string): FormatId {
  return /\.(csv|tsv|tab|txt|psv)$/i.test(unpackedName(name)) ? 'parquet' : 'csv'
}

export function optionsOf(job: Pick<Job, 'options' | 'target'>): WriteOptions {
  return job.options[job.target] ?? defaultOptions(job.target)
}

/** Whether a recipe may be offered: nothing was changed by hand, and nothing was made yet. */
export function isUntouched({ edits, request, shape, draft, result }: Job): boolean {
  return edits.length === 0 && Object.keys(request).length === 0 && !shape && !draft && !result
}

/** Whether a job already has these settings, so that applying the recipe would change nothing. */
export function hasSettings(job: Job, settings: JobSettings): boolean {
  return JSON.stringify(settingsOf(job)) === JSON.stringify(settingsOf(settings))
}

export function settingsOf(settings: JobSettings): JobSettings {
  const { request, edits, target, options, split, shape, rowCount } = settings
  return {
    request,
    edits,
    target,
    options,
    ...(split ? { split } : {}),
    ...(shape ? { shape } : {}),
    ...(rowCount ? { rowCount } : {}),
  }
}

/** How a file was read and what it looks like, for the next files of its kind; null until it has been read. */
export function keptForOthers({ detected, inspection, request, edits }: Job): KeptFile | null {
  if (!inspection) return null
  const now = signatureOf(inspection)
  const before = detected ?? now
  return { matches: sameSignature(now, before) ? [now] : [before, now], request, edits: editsForOthers(edits) }
}

/** How many tables are made of a file. */
export const tablesOf = ({ plan }: Job): number => plan?.tables.filter(({ include }) => include).length ?? 0

/** How many data rows a job's tables have, including rejected ones. */
export function rowCountsOf({ plan, combination }: Pick<Job, 'plan' | 'combination'>): RowCountCheck['last'] {
  if (combination) {
    const inputs = combination.matched?.matching.inputs ?? []
    return [{ table: null, rows: inputs.reduce((sum, { rows }) => sum + rows, 0) }]
  }
  const tables = plan?.tables.filter(({ include }) => include) ?? []
  return tables.flatMap(({ name, found }) => (found ? [{ table: name, rows: found.rows }] : []))
}

/** The jobs that "Convert all" converts: combined files become files of their own only on request. */
export function convertedTogether(jobs: readonly Job[]): readonly Job[] {
  const combined = new Set(jobs.flatMap(({ combination }) => combination?.parts.map(({ job }) => job) ?? []))
  return jobs.filter(({ id }) => !combined.has(id))
}

/** Whether the engine works on it or it's waiting: it can't be changed, only cancelled. */
export function isBusy(job: Job): boolean {
  return job.stage.kind === 'queued' || job.stage.kind === 'converting'
}

/** Whether the inspection belongs to the current settings. */
export function isRead({ stage }: Job): boolean {
  return stage.kind !== 'reading' && !(stage.kind === 'failed' && stage.during === 'reading')
}

/** Files that were added again because they, or what they're combined to, couldn't be read any more, with the jobs whose settings they keep. */
export function addedAgain(files: readonly File[], jobs: readonly Job[]): ReadonlyMap<File, string> {
  const stopped = jobs.filter(({ stage }) => stage.kind === 'failed' && isUnreadable(stage.failure))
  const ids = new Set(stopped.flatMap(({ id, combination }) => combination?.parts.map(({ job }) => job) ?? [id]))
  const lost = new Map(jobs.flatMap(({ id, file }) => (ids.has(id) ? [[file.name, id] as const] : [])))
  const again = new Map<File, string>()
  for (const file of files) {
    const id = lost.get(file.name)
    if (id === undefined) continue
    again.set(file, id)
    lost.delete(file.name)
  }
  return again
}

/** The mistakes in a job's fields. */
export const mistakesOf = ({ mistyped = {} }: Pick<Job, 'mistyped'>): string[] =>
  Object.values(mistyped).flatMap((fields) => (fields ? mistakesIn(fields) : []))

export function canConvert(job: Job): boolean {
  const { stage, plan, combination } = job
  if (mistakesOf(job).length > 0) return false
  if (stage.kind !== 'ready' && !(stage.kind === 'failed' && stage.during === 'converting')) return false
  return combination ? isConvertible(combination) : plan !== null
}

/** Those that "Convert all" converts, now or as soon as they have been read. */
export const jobsToConvert = (jobs: readonly Job[]): Job[] =>
  convertedTogether(jobs).filter((job) => canConvert(job) || (job.stage.kind === 'reading' && !job.wanted))

/** Those that "Cancel all" cancels. */
export const jobsToCancel = (jobs: readonly Job[]): Job[] => jobs.filter((job) => isBusy(job) || job.wanted)

/** Rows are missing from the result, or checks failed, and the person hasn't agreed to it yet. */
export function isHeld(result: JobResult): boolean {
  return !result.agreed && (result.rejectedCount > 0 || failedChecks(result).length > 0)
}

/** The rows of a table that don't fit, ignoring fixes: the first of them, and how many there are. */
export function rejectedOf(
  { checked, inspection }: Pick<Job, 'checked' | 'inspection'>,
  table: number,
): { readonly rows: readonly RejectedRow[]; readonly count: number } {
  const found = checked[table] ?? inspection?.tables[table]
  return { rows: found?.rejected ?? NO_ROWS, count: found?.rejectedCount ?? 0 }
}

/** How many rows don't fit in all tables, ignoring fixes. */
export function rejectedCountOf(job: Pick<Job, 'checked' | 'inspection'>): number {
  return job.inspection?.tables.reduce((sum, _, table) => sum + rejectedOf(job, table).count, 0) ?? 0
}

/** How many of those rows are left out: all except those that are fixed and put back. */
export function leftOutCountOf({ checked, inspection, plan }: Pick<Job, 'checked' | 'inspection' | 'plan'>): number {
  return (inspection?.tables ?? []).reduce((sum, _, table) => {
    const isPutBack = plan?.tables[table]?.mends?.putBack ?? false
    const { count } = rejectedOf({ checked, inspection }, table)
    return sum + (isPutBack ? (checked[table]?.leftOut ?? count) : count)
  }, 0)
}

const NO_ROWS: readonly RejectedRow[] = []

/** Whether the person chose types, for which the inspection couldn't find the rows that don't fit. */
export function hasOwnTypes({ plan }: Pick<Job, 'plan'>, index: number): boolean {
  const table = plan?.tables[index]
  return table?.columns.some((column) => column.include && !readAsFound(table, column)) ?? false
}

/** Whether all outputs were downloaded. */
export function isSaved(result: JobResult): boolean {
  const ids = new Set(result.saved)
  return result.outputs.every((output) => ids.has(output.id))
}

/**
 * Whether leaving the page would lose something: a conversion under way, or a file that is being read and can't be
 * opened again by itself.
 * @param canReopen whether a job's file can be
 */
export function losesOnLeaving(jobs: readonly Job[], canReopen: (id: string) => boolean = () => true): boolean {
  return jobs.some((job) => isBusy(job) || (job.stage.kind === 'reading' && !canReopen(job.id)))
}
