import type { FormatId } from '../../../contract/formats.ts'
import type { CheckedTable, ConvertProgress, InspectProgress, Output, Preview } from '../../../engine/client.ts'
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
import { readAsFound } from '../../../tables/changes/verbatim.ts'
import type { AppliedStep } from '../../../tables/proposals.ts'
import type { RowCountCheck } from '../../../tables/checks.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import {
  createCombination,
  isConvertible,
  type Combination,
  type CombinationSettings,
  type KeptFile,
} from '../../../tables/combine/combination.ts'
import { isAside } from '../../../tables/combine/asides.ts'
import { mistakesIn, type Mistyped } from '../../../ui/fields/mistyped.ts'
import { isUnreadable, type Failure } from './failure.ts'
import type { JobSettings, OptionsByFormat } from '../../../tables/recipes/recipe.ts'
import { sameSignature, type Signature, signatureOf } from '../../../tables/recipes/signature.ts'
import { extensionOf, unpackedName } from '../../../tables/file-names.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

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
      /** Progress of a conversion through the service. */
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
  /** Whether the person has accepted the file although rows are missing. */
  readonly agreed: boolean
  /** Ids of the outputs that were downloaded. */
  readonly saved?: readonly string[]
  readonly finishedAt: number
  /** The service that converted it; absent if it was this browser. */
  readonly service?: string
}

/**
 * `reading`: how to read the file; `output`: how to write new ones; `columns` and a number: the columns of that table.
 */
export type FieldsPanel = 'reading' | 'output' | 'split' | `columns ${number}`

export interface Draft {
  /** The editor's text. */
  readonly sql: string
  /** What applying it would set; null if that changes nothing. */
  readonly shape: Shape | null
}

/**
 * A file in the queue, or several that are combined, with everything known and decided about it. Plain data, except for
 * the file.
 */
export interface Job {
  readonly id: string
  /** Empty if several files are combined. */
  readonly file: File
  /** The files in the queue that it combines. Then it has no file, inspection or plan of its own. */
  readonly combination?: Combination
  readonly addedAt: number
  readonly stage: Stage
  /** Whether to convert it as soon as it's read. */
  readonly wanted: boolean
  /** The person's settings for reading it. */
  readonly request: InspectRequest
  /** The file's signature before the person changed any setting. */
  readonly detected: Signature | null
  readonly inspection: Inspection | null
  readonly previews: readonly Preview[]
  /** Why a table's preview can't be shown with the current columns. */
  readonly previewFailure: Failure | null
  /** By table: rows that don't fit, if more is known about them than from the inspection. */
  readonly checked: Readonly<Record<number, CheckedTable>>
  readonly edits: Edits
  /** The proposals that were applied, the latest last; cleared when something else changes. */
  readonly applied: readonly AppliedStep[]
  readonly plan: ImportPlan | null
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** Id of the recipe last applied, or as which the settings were saved. */
  readonly recipe?: string | undefined
  /** How to split each table into several files; absent for no split. */
  readonly split?: Split
  readonly rowCount?: RowCountCheck
  /** A statement between reading and writing; absent if all rows are written as read. */
  readonly shape?: Shape
  /** A typed statement that isn't applied yet; absent if the editor shows the current one. */
  readonly draft?: Draft
  /** Invalid input in the fields of each panel. */
  readonly mistyped?: { readonly [panel in FieldsPanel]?: Mistyped }
  readonly where: Where
  readonly result: JobResult | null
}

/** @param target the format to convert to, unless settings state one */
export function createJob(
  id: string,
  file: File,
  addedAt: number,
  settings?: Partial<JobSettings> & Pick<Job, 'recipe'>,
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

/** A job that combines several files into one table. */
export function combinationJob(
  id: string,
  combination: CombinationSettings,
  addedAt: number,
  settings?: JobSettings,
): Job {
  const job = createJob(id, new File([], ''), addedAt, settings, settings?.target ?? 'parquet')
  return { ...job, combination: createCombination(combination), stage: { kind: 'ready' } }
}

/** A job's name: that of its file, or of the combined table. */
export function nameOf(job: Pick<Job, 'file' | 'combination' | 'target' | 'options'>): string {
  const { file, combination, target } = job
  return combination ? `${combination.name}.${extensionOf({ target, options: optionsOf(job) })}` : file.name
}

/** The most likely target format for a file, by its name. */
export function targetFor(name: string): FormatId {
  return /\.(csv|tsv|tab|txt|psv)$/i.test(unpackedName(name)) ? 'parquet' : 'csv'
}

export function optionsOf(job: Pick<Job, 'options' | 'target'>): WriteOptions {
  return job.options[job.target] ?? defaultOptions(job.target)
}

/** Whether a recipe may be offered: nothing was changed by hand, and nothing was converted yet. */
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

/** How a file was read, and its signature, for the next files of its kind; null until it's read. */
export function keptForOthers({ detected, inspection, request, edits }: Job): KeptFile | null {
  if (!inspection) return null
  const now = signatureOf(inspection)
  const before = detected ?? now
  return { matches: sameSignature(now, before) ? [now] : [before, now], request, edits: editsForOthers(edits) }
}

/** Number of tables to convert. */
export const tablesOf = ({ plan }: Job): number => plan?.tables.filter(({ include }) => include).length ?? 0

/** The tables' numbers of data rows, including rejected ones. */
export function rowCountsOf({ plan, combination }: Pick<Job, 'plan' | 'combination'>): RowCountCheck['last'] {
  if (combination) {
    const inputs = combination.matched?.matching.inputs ?? []
    return [{ table: null, rows: inputs.reduce((sum, { rows }) => sum + rows, 0) }]
  }
  const tables = plan?.tables.filter(({ include }) => include) ?? []
  return tables.flatMap(({ name, found }) => (found ? [{ table: name, rows: found.rows }] : []))
}

/**
 * The jobs that "Convert all" converts. Files that are part of a combination, and texts about the others, are only
 * converted on their own on request.
 */
export function convertedTogether(jobs: readonly Job[]): readonly Job[] {
  const combined = new Set(jobs.flatMap(({ combination }) => combination?.parts.map(({ job }) => job) ?? []))
  return jobs.filter((job) => !combined.has(job.id) && !isAside(job, jobs))
}

/** Whether it's waiting or the engine is working on it: then it can only be cancelled, not changed. */
export function isBusy(job: Job): boolean {
  return job.stage.kind === 'queued' || job.stage.kind === 'converting'
}

/** Whether the inspection is up to date with the settings. */
export function isRead({ stage }: Job): boolean {
  return stage.kind !== 'reading' && !(stage.kind === 'failed' && stage.during === 'reading')
}

/**
 * Added files that replace files which can't be read any more, with the jobs whose settings apply to them. They may
 * also be parts of a combination.
 */
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

/** Invalid input in a job's fields. */
export const mistakesOf = ({ mistyped = {} }: Pick<Job, 'mistyped'>): string[] =>
  Object.values(mistyped).flatMap((fields) => (fields ? mistakesIn(fields) : []))

export function canConvert(job: Job): boolean {
  const { stage, plan, combination } = job
  if (mistakesOf(job).length > 0) return false
  if (stage.kind !== 'ready' && !(stage.kind === 'failed' && stage.during === 'converting')) return false
  return combination ? isConvertible(combination) : plan !== null
}

/** The jobs that "Convert all" converts, now or once they're read. */
export const jobsToConvert = (jobs: readonly Job[]): Job[] =>
  convertedTogether(jobs).filter((job) => canConvert(job) || (job.stage.kind === 'reading' && !job.wanted))

/** The jobs that "Cancel all" cancels. */
export const jobsToCancel = (jobs: readonly Job[]): Job[] => jobs.filter((job) => isBusy(job) || job.wanted)

/** Whether the result needs confirmation: rows are missing or checks failed, and the person hasn't accepted that. */
export function isHeld(result: JobResult): boolean {
  return !result.agreed && (result.rejectedCount > 0 || failedChecks(result).length > 0)
}

/** The rows of a table that don't fit, ignoring corrections: the first ones, and their number. */
export function rejectedOf(
  { checked, inspection }: Pick<Job, 'checked' | 'inspection'>,
  table: number,
): { readonly rows: readonly RejectedRow[]; readonly count: number } {
  const found = checked[table] ?? inspection?.tables[table]
  return { rows: found?.rejected ?? NO_ROWS, count: found?.rejectedCount ?? 0 }
}

/** Number of rows in the file, with those that don't fit. */
export function rowsIn({ tables }: Inspection): number {
  return tables.reduce((sum, { rows, rejectedCount }) => sum + rows + rejectedCount, 0)
}

/** Number of rows in all tables that don't fit, ignoring corrections. */
export function rejectedCountOf(job: Pick<Job, 'checked' | 'inspection'>): number {
  return job.inspection?.tables.reduce((sum, _, table) => sum + rejectedOf(job, table).count, 0) ?? 0
}

/** Number of those rows that are left out: all except those corrected and put back. */
export function leftOutCountOf({ checked, inspection, plan }: Pick<Job, 'checked' | 'inspection' | 'plan'>): number {
  return (inspection?.tables ?? []).reduce((sum, _, table) => {
    const isPutBack = plan?.tables[table]?.mends?.putBack ?? false
    const { count } = rejectedOf({ checked, inspection }, table)
    return sum + (isPutBack ? (checked[table]?.leftOut ?? count) : count)
  }, 0)
}

const NO_ROWS: readonly RejectedRow[] = []

/** Whether the person chose types, for which the inspection couldn't check the rows. */
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
 * Whether leaving the page would lose something: a running conversion, or a file being read that can't be opened again
 * automatically.
 * @param canReopen whether a job's file can be opened again
 */
export function losesOnLeaving(jobs: readonly Job[], canReopen: (id: string) => boolean = () => true): boolean {
  return jobs.some((job) => isBusy(job) || (job.stage.kind === 'reading' && !canReopen(job.id)))
}
