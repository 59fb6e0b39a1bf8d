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

/** Where a conversion is done. */
export type Where = 'browser' | 'service'

/** Steps of a conversion through the service, in order. `prepare` only where the service can't have the file itself. */
export type ServicePhase = 'prepare' | 'sign' | 'upload' | 'convert' | 'download' | 'verify'

export interface ServiceProgress {
  readonly phase: ServicePhase
  readonly bytes: number
  /** Null where nothing tells. */
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

/** What a conversion left behind; kept in the job's record too. */
export interface JobResult {
  readonly target: FormatId
  readonly outputs: readonly Output[]
  readonly rejectedCount: number
  readonly rejected: readonly RejectedRow[]
  readonly rejectedFile: Output | null
  /** The person has seen that rows are missing and takes the file without them. */
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
  /** As it stands in the editor. */
  readonly sql: string
  /** What it would be applied as; null where that changes nothing. */
  readonly shape: Shape | null
}

/**
 * A file in the queue, or several that are combined, with all that is known and decided about it. Plain data, but for the
 * file.
 */
export interface Job {
  readonly id: string
  /** Empty where several are combined. */
  readonly file: File
  /** What is combined of other files in the queue; none of what is known of a file is there then. */
  readonly combination?: Combination
  readonly addedAt: number
  readonly stage: Stage
  /** Convert as soon as it's read. */
  readonly wanted: boolean
  /** What the person said of how to read it. */
  readonly request: InspectRequest
  /** What the file looked like before the person said anything. */
  readonly detected: Signature | null
  readonly inspection: Inspection | null
  readonly previews: readonly Preview[]
  /** Why a table's preview can't be shown with the columns as they're now chosen. */
  readonly previewFailure: Failure | null
  /** By table: the rows that don't fit, where more is known of them than reading the file found. */
  readonly checked: Readonly<Record<number, CheckedTable>>
  readonly edits: Edits
  /** The proposals that were applied, the last ones last: until something else is changed. */
  readonly applied: readonly AppliedStep[]
  readonly plan: ImportPlan | null
  readonly target: FormatId
  readonly options: OptionsByFormat
  /** The id of the recipe that was applied last, or that it was saved as. */
  readonly recipe?: string | undefined
  /** How each table becomes several files; absent where it becomes one. */
  readonly split?: Split
  readonly rowCount?: RowCountCheck
  /** The statement that shapes what is read; absent where all rows are written as they are. */
  readonly shape?: Shape
  /** A statement that was typed and isn't applied; absent where the editor says what is in force. */
  readonly draft?: Draft
  /** What can't be taken over of what was typed in the fields of a panel. */
  readonly mistyped?: { readonly [panel in FieldsPanel]?: Mistyped }
  readonly where: Where
  readonly result: JobResult | null
}

/** @param target what it's converted to, where no settings say so */
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

/** What a job is called: its file, or what is made of several. */
export function nameOf(job: Pick<Job, 'file' | 'combination' | 'target' | 'options'>): string {
  const { file, combination, target } = job
  return combination ? `${combination.name}.${extensionOf({ target, options: optionsOf(job) })}` : file.name
}

/** The format that a file most likely should become, by its name. */
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

/** Whether a job is read and written just so: a recipe that was applied has nothing more to change. */
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

/** How a file was read and what it looks like, for the next ones of its kind; null as long as it isn't read. */
export function keptForOthers({ detected, inspection, request, edits }: Job): KeptFile | null {
  if (!inspection) return null
  const now = signatureOf(inspection)
  const before = detected ?? now
  return { matches: sameSignature(now, before) ? [now] : [before, now], request, edits: editsForOthers(edits) }
}

/** How many tables a file is to become. */
export const tablesOf = ({ plan }: Job): number => plan?.tables.filter(({ include }) => include).length ?? 0

/** How many data rows the tables have that a job is about, rejected ones counted. */
export function rowCountsOf({ plan, combination }: Pick<Job, 'plan' | 'combination'>): RowCountCheck['last'] {
  if (combination) {
    const inputs = combination.matched?.matching.inputs ?? []
    return [{ table: null, rows: inputs.reduce((sum, { rows }) => sum + rows, 0) }]
  }
  const tables = plan?.tables.filter(({ include }) => include) ?? []
  return tables.flatMap(({ name, found }) => (found ? [{ table: name, rows: found.rows }] : []))
}

/** The jobs that "Convert all" is about: files that are combined become files of their own only where that's asked of them. */
export function convertedTogether(jobs: readonly Job[]): readonly Job[] {
  const combined = new Set(jobs.flatMap(({ combination }) => combination?.parts.map(({ job }) => job) ?? []))
  return jobs.filter(({ id }) => !combined.has(id))
}

/** In the hands of the engine or next in line: not to be changed, but to be cancelled. */
export function isBusy(job: Job): boolean {
  return job.stage.kind === 'queued' || job.stage.kind === 'converting'
}

/** Whether what is known of the file is of how it's to be read now. */
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

/** What has to be corrected in a job's fields. */
export const mistakesOf = ({ mistyped = {} }: Pick<Job, 'mistyped'>): string[] =>
  Object.values(mistyped).flatMap((fields) => (fields ? mistakesIn(fields) : []))

export function canConvert(job: Job): boolean {
  const { stage, plan, combination } = job
  if (mistakesOf(job).length > 0) return false
  if (stage.kind !== 'ready' && !(stage.kind === 'failed' && stage.during === 'converting')) return false
  return combination ? isConvertible(combination) : plan !== null
}

/** Rows are missing from the result, or checks failed, and the person hasn't agreed to it yet. */
export function isHeld(result: JobResult): boolean {
  return !result.agreed && (result.rejectedCount > 0 || failedChecks(result).length > 0)
}

/** The rows of a table that don't fit, mends left aside: the first of them, and how many there are. */
export function rejectedOf(
  { checked, inspection }: Pick<Job, 'checked' | 'inspection'>,
  table: number,
): { readonly rows: readonly RejectedRow[]; readonly count: number } {
  const found = checked[table] ?? inspection?.tables[table]
  return { rows: found?.rejected ?? NO_ROWS, count: found?.rejectedCount ?? 0 }
}

/** As `rejectedOf`, how many rows there are in all tables. */
export function rejectedCountOf(job: Pick<Job, 'checked' | 'inspection'>): number {
  return job.inspection?.tables.reduce((sum, _, table) => sum + rejectedOf(job, table).count, 0) ?? 0
}

/** How many of those rows are left out: all of them, but for those that are mended and put back. */
export function leftOutCountOf({ checked, inspection, plan }: Pick<Job, 'checked' | 'inspection' | 'plan'>): number {
  return (inspection?.tables ?? []).reduce((sum, _, table) => {
    const isPutBack = plan?.tables[table]?.mends?.putBack ?? false
    const { count } = rejectedOf({ checked, inspection }, table)
    return sum + (isPutBack ? (checked[table]?.leftOut ?? count) : count)
  }, 0)
}

const NO_ROWS: readonly RejectedRow[] = []

/** Whether the person chose types, of which reading the file couldn't know the rows that don't fit. */
export function hasOwnTypes({ plan }: Pick<Job, 'plan'>, index: number): boolean {
  const table = plan?.tables[index]
  return table?.columns.some((column) => column.include && !readAsFound(table, column)) ?? false
}

/** Whether all that was made is out of this browser too. */
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
