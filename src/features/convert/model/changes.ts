import type { FormatId } from '../../../contract/formats.ts'
import type {
  CheckedTable,
  ConvertProgress,
  ConvertResult,
  InspectProgress,
  InspectResult,
  Preview,
} from '../../../engine/client.ts'
import type { ImportPlan, WriteOptions } from '../../../tables/plan.ts'
import { type Mistyped, NONE_MISTYPED } from '../../../ui/fields/mistyped.ts'
import { nextPace, startPace } from '../../shared/pace.ts'
import { applyEdits, type Edits } from '../../../tables/edits.ts'
import { neededEdits } from '../../../tables/proposals.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import { withSources, type Combination, type PartSource } from '../../../tables/combine/combination.ts'
import { READING_CANCELLED, type Failure } from './failure.ts'
import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import { signatureOf } from '../../../tables/recipes/signature.ts'
import {
  canConvert,
  convertedTogether,
  isBusy,
  isRead,
  mistakesOf,
  type Draft,
  type FieldsPanel,
  type Job,
  type JobResult,
  type ServiceProgress,
  type Stage,
  type Where,
} from './job.ts'
import type { InspectRequest } from '../../../tables/inspect-request.ts'

/* Each function returns a job after one change. */

/** The job with a changed combination; the earlier result stays until it's converted again. */
export function withCombination(job: Job, combination: Combination): Job {
  return combination === job.combination ? job : reopened({ ...job, combination })
}

/** The jobs, with combinations updated to their files' current plans; those that are busy stay as they began. */
export function withCombinations(jobs: readonly Job[]): readonly Job[] {
  if (!jobs.some(({ combination }) => combination)) return jobs
  const byId = new Map(jobs.map((job) => [job.id, job]))
  const find = (id: string): PartSource | undefined => {
    const job = byId.get(id)
    return job && { id, file: job.file, plan: isRead(job) ? job.plan : null }
  }
  return jobs.map((job) =>
    job.combination && !isBusy(job) ? withCombination(job, withSources(job.combination, find)) : job,
  )
}

/** The job with other settings for writing. */
export function withWriteSettings(job: Job, settings: Omit<JobSettings, 'request'>): Job {
  const { edits, options, target, split, shape, rowCount } = settings
  const { rowCount: _, mistyped: __, ...others } = job
  const counted = rowCount ? { ...others, rowCount } : others
  return withTarget(withShape(withSplit({ ...counted, edits, options }, split ?? null), shape ?? null), target)
}

/** @param shape null if all rows are written as read */
export function withShape(job: Job, shape: Shape | null): Job {
  const { shape: _, draft: __, ...plain } = job
  return reopened(shape ? { ...plain, shape } : plain)
}

/** @param draft null if no typed statement is waiting to be applied */
export function withDraft(job: Job, draft: Draft | null): Job {
  const { draft: _, ...plain } = job
  return draft ? { ...plain, draft } : plain
}

/** The job with other invalid texts in a panel's fields. */
export function withMistyped(job: Job, panel: FieldsPanel, change: (old: Mistyped) => Mistyped): Job {
  const { mistyped: old = {} } = job
  return { ...job, mistyped: { ...old, [panel]: change(old[panel] ?? NONE_MISTYPED) } }
}

/** The job after applying the typed statement, when the person goes on. */
export function withDraftApplied(job: Job): Job {
  return job.draft?.shape ? withShape(job, job.draft.shape) : job
}

/** @param split null for no split */
export function withSplit(job: Job, split: Split | null): Job {
  const { split: _, mistyped: { split: __, ...others } = {}, ...rest } = job
  const whole = { ...rest, mistyped: others }
  return reopened(split ? { ...whole, split } : whole)
}

export function read(job: Job, { inspection, previews }: InspectResult): Job {
  const edits = neededEdits(inspection, job)
  return {
    ...job,
    edits,
    stage: job.wanted ? { kind: 'queued' } : { kind: 'ready' },
    wanted: false,
    detected: job.detected ?? signatureOf(inspection),
    inspection,
    previews,
    previewFailure: null,
    checked: {},
    plan: applyEdits(inspection, edits),
  }
}

export function readingAgain(job: Job, request: InspectRequest): Job {
  const isReset = Object.keys(request).length === 0
  const { mistyped: { reading: _, ...others } = {} } = job
  const next: Job = { ...job, request, applied: [], stage: { kind: 'reading', progress: null } }
  return withoutMistypedChecks(isReset ? { ...next, mistyped: others } : next)
}

export function readingProgressed(job: Job, progress: InspectProgress): Job {
  return job.stage.kind === 'reading' ? { ...job, stage: { kind: 'reading', progress } } : job
}

/** Edits made while the file is read again apply to what is found then, by the columns' names. */
export function withEdits(job: Job, edits: Edits): Job {
  if (!job.inspection) return { ...job, edits, applied: [] }
  const stage: Stage = isRead(job) ? { kind: 'ready' } : job.stage
  const plan = applyEdits(job.inspection, edits)
  const next: Job = { ...job, edits, applied: [], plan, stage }
  return job.plan && hasSameTypes(job.plan, plan) ? next : withoutMistypedChecks(next)
}

/** Columns with another type, and excluded ones, have other fields. */
function hasSameTypes(old: ImportPlan, plan: ImportPlan): boolean {
  const types = ({ tables }: ImportPlan): string =>
    JSON.stringify(tables.map(({ include, columns }) => [include, columns.map((each) => [each.include, each.type])]))
  return types(old) === types(plan)
}

function withoutMistypedChecks(job: Job): Job {
  if (!job.mistyped) return job
  const others = Object.entries(job.mistyped).filter(([panel]) => !panel.startsWith('columns '))
  return { ...job, mistyped: Object.fromEntries(others) }
}

export function withPreview(job: Job, table: number, preview: Preview): Job {
  return { ...job, previewFailure: null, previews: job.previews.map((old, i) => (i === table ? preview : old)) }
}

/** @param found null if reading the file found everything */
export function withChecked(job: Job, table: number, found: CheckedTable | null): Job {
  const { [table]: _, ...others } = job.checked
  return { ...job, checked: found ? { ...others, [table]: found } : others }
}

export function withTarget(job: Job, target: FormatId): Job {
  // Another format's options have other fields.
  const { mistyped: { output: _, ...others } = {} } = job
  return job.target === target ? job : reopened({ ...job, target, mistyped: others })
}

export function withPlace(job: Job, where: Where): Job {
  return job.where === where ? job : reopened({ ...job, where })
}

export function withOptions(job: Job, options: WriteOptions): Job {
  return reopened({ ...job, options: { ...job.options, [job.target]: options } })
}

/** A finished job whose settings changed can be converted again; the old result stays until then. */
function reopened(job: Job): Job {
  const { stage } = job
  if (stage.kind === 'done' || (stage.kind === 'failed' && stage.during === 'converting')) {
    return { ...job, stage: { kind: 'ready' } }
  }
  return job
}

/** Queues a job. If it's still being read, it's converted after that. */
export function queued(job: Job): Job {
  if (canConvert(job)) return { ...withDraftApplied(job), stage: { kind: 'queued' } }
  if (mistakesOf(job).length > 0) return job
  return job.stage.kind === 'reading' ? { ...withDraftApplied(job), wanted: true } : job
}

/** Queues all jobs that "Convert all" converts. */
export function queuedTogether(jobs: readonly Job[]): readonly Job[] {
  const together = new Set(convertedTogether(jobs))
  return jobs.map((job) => (together.has(job) ? queued(job) : job))
}

export function started(job: Job, now: number): Job {
  return { ...job, stage: { kind: 'converting', progress: null, pace: startPace(now) } }
}

export function progressed(job: Job, progress: ConvertProgress, now: number): Job {
  if (job.stage.kind !== 'converting') return job
  const old = job.stage.progress
  const goesOn = old?.phase === progress.phase && old.table === progress.table && old.bytes <= progress.bytes
  // The time before the first bytes, in which a worker starts, doesn't show how fast the rest will be.
  const pace = goesOn ? nextPace(job.stage.pace, progress.bytes, now) : startPace(now, progress.bytes)
  return { ...job, stage: { kind: 'converting', progress, pace } }
}

export function serviceProgressed(job: Job, service: ServiceProgress, now: number): Job {
  if (job.stage.kind !== 'converting') return job
  const same = job.stage.service?.phase === service.phase
  const pace = same ? nextPace(job.stage.pace, service.bytes, now) : startPace(now, service.bytes)
  return { ...job, stage: { ...job.stage, service, pace } }
}

/** @param service the service that converted it, unless it was this browser */
export function converted(job: Job, result: ConvertResult, now: number, service?: string): Job {
  const { outputs, rejectedCount, rejected, rejectedFile } = result
  return {
    ...job,
    stage: { kind: 'done' },
    result: {
      target: job.target,
      outputs,
      rejectedCount,
      rejected,
      rejectedFile,
      agreed: false,
      finishedAt: now,
      ...(service === undefined ? {} : { service }),
    },
  }
}

export function cancelled(job: Job): Job {
  // During the first reading there's no earlier state to go back to.
  if (job.stage.kind === 'reading' && !job.inspection) return failed(job, 'reading', READING_CANCELLED)
  return { ...job, wanted: false, stage: { kind: 'ready', cancelled: true } }
}

export function failed(job: Job, during: 'reading' | 'converting', failure: Failure): Job {
  return { ...job, wanted: false, stage: { kind: 'failed', during, failure } }
}

export function agreed(result: JobResult): JobResult {
  return { ...result, agreed: true }
}

/** Marks outputs as downloaded; returns the same result if it has none of them. */
export function saved(result: JobResult, ids: ReadonlySet<string>): JobResult {
  const all = new Set(result.saved)
  const before = all.size
  for (const { id } of result.outputs) if (ids.has(id)) all.add(id)
  return all.size === before ? result : { ...result, saved: [...all] }
}

/** A removed job that is put back. What was running was cancelled. */
export function restored(job: Job): Job {
  return isBusy(job) ? cancelled(job) : job
}
