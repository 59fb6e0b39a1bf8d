import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { Reading } from '../../../session/handover.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult, EngineClient } from '../../../engine/client.ts'
import { optionsOf, type Job } from '../model/job.ts'
import { progressed, serviceProgressed } from '../model/changes.ts'
import { combineRequest } from '../../../tables/combine/combination.ts'
import type { Targets } from './targets.ts'
import type { ServiceContext } from './through-service.ts'

/** What conversions need. */
export interface Making {
  readonly client: EngineClient
  /** Converts through the service; returns which one it was. */
  readonly throughService: (job: Job, context: ServiceContext) => Promise<{ result: ConvertResult; service: string }>
  readonly now: () => number
  readonly newId: () => string
}

/** What the queue depends on. */
export interface StoreDependencies extends Making {
  /** Called when a part of jobs to be stored has changed. */
  readonly keep: (...jobs: readonly Job[]) => Promise<void>
  /** Protects a conversion's files from the sweep until they're recorded. */
  readonly making: (work: () => Promise<void>) => Promise<void>
  /** Called when the person accepts a job's result. */
  readonly agreed: (job: Job) => void
  /** Called when a job has ended, successfully or not. */
  readonly ended: (job: Job) => void
  /** The last target formats of files by kind. */
  readonly targets: Targets
}

export interface Added {
  readonly file: File
  /** The settings that another screen made for reading it. */
  readonly reading?: Reading
  /** An interrupted job that the file continues. */
  readonly earlier?: (JobSettings & { readonly id: string }) | null
}

/** Work that runs for a job, other than its conversion. */
export interface Running {
  reading?: AbortController
  timer?: ReturnType<typeof setTimeout>
  keeping?: ReturnType<typeof setTimeout>
}

/** A removed job, with its position. */
export interface Taken {
  readonly job: Job
  readonly at: number
}

interface MakeContext {
  readonly signal: AbortSignal
  /** Called with progress. */
  readonly report: (change: (job: Job) => Job) => void
}

/** Converts a job by the engine or the service. */
export async function makeOf(
  job: Job,
  { client, throughService, now, newId }: Making,
  { signal, report }: MakeContext,
): Promise<{ readonly result: ConvertResult; readonly service?: string }> {
  if (job.where === 'service') {
    return throughService(job, {
      signal,
      onProgress: (progress) => report((old) => serviceProgressed(old, progress, now())),
    })
  }
  const { split, shape, rowCount } = job
  const request = {
    jobId: newId(),
    target: job.target,
    options: optionsOf(job),
    ...(split ? { split } : {}),
    ...(rowCount ? { rowCount } : {}),
    ...(shape ? { shape } : {}),
  }
  const options = {
    signal,
    onProgress: (progress: ConvertProgress) => report((old) => progressed(old, progress, now())),
  }
  return { result: await makeHere(job, request, client, options) }
}

/** Converts a job's table or tables by the engine. */
export async function makeHere(
  { file, plan, combination }: Pick<Job, 'file' | 'plan' | 'combination'>,
  request: Omit<ConvertRequest, 'plan'>,
  client: Pick<EngineClient, 'combine' | 'convert'>,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: ConvertProgress) => void },
): Promise<ConvertResult> {
  if (combination) {
    const { files, ...what } = combineRequest(combination)
    return client.combine(files, { ...request, ...what }, options)
  }
  if (!plan) throw new Error('the job has no plan')
  return client.convert(file, { ...request, plan }, options)
}
