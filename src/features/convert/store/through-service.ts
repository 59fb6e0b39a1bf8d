import { formatCount } from '../../../lib/counts.ts'
import type { ApiClient } from '../../../api/client.ts'
import { isServiceFormat, MAX_FILE_BYTES } from '../../../contract/limits.ts'
import { EngineError, type ConvertResult, type EngineClient } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { defaultOptions } from '../../../tables/plan.ts'
import { textPlan } from '../../../tables/changes/verbatim.ts'
import { optionsOf, type Job, type ServicePhase, type ServiceProgress } from '../model/job.ts'
import { needsParquet } from '../model/service.ts'
import { stemOf } from '../../../tables/file-names.ts'

interface ServiceParts {
  readonly client: EngineClient
  readonly api: Pick<ApiClient, 'conversionUrls' | 'upload' | 'convert' | 'download'>
  readonly newId: () => string
}

export interface ServiceContext {
  readonly signal: AbortSignal
  readonly onProgress: (progress: ServiceProgress) => void
}

/**
 * Converts a file through the service: signs upload and download URLs, uploads, converts, downloads. The result is
 * compared with the source and stored, like a file converted here.
 * @throws {ApiError}, {EngineError}; the signal's reason
 */
export async function convertThroughService(
  job: Job,
  parts: ServiceParts,
  context: ServiceContext,
): Promise<ConvertResult> {
  const { plan, inspection, target } = job
  if (!plan || !inspection || !isServiceFormat(target)) throw new Error('the job can’t go through the service')
  if (needsParquet(job)) {
    return withPlannedTable(job, parts, context, (file) => send(job, { file, from: 'parquet' }, parts, context))
  }
  if (!isServiceFormat(inspection.format)) throw new Error(`the service doesn’t read ${inspection.format}`)
  return send(job, { file: job.file, from: inspection.format }, parts, context)
}

async function send(
  job: Job,
  { file, from }: { readonly file: File; readonly from: Parameters<ApiClient['convert']>[1] },
  { client, api, newId }: ServiceParts,
  { signal, onProgress }: ServiceContext,
): Promise<ConvertResult> {
  const { plan, target } = job
  if (!plan || !isServiceFormat(target)) throw new Error('the job can’t go through the service')
  const step = (phase: ServicePhase, bytes = 0, totalBytes: number | null = null): void =>
    onProgress({ phase, bytes, totalBytes })
  refuseLarge(file)
  const name = stemOf(job.file.name)
    .slice(0, 200)
    .replace(/[/\\\p{Cc}]/gu, '_')
  step('sign')
  const { source } = await api.conversionUrls(from, target, name, { signal })
  step('upload', 0, file.size)
  await api.upload(source.upload_url, file, {
    contentType: source.content_type,
    signal,
    onProgress: (sent) => step('upload', Math.min(sent, file.size), file.size),
  })
  step('convert')
  const { download_url: url } = await api.convert(source.file_path, from, target, name, { signal })
  step('download')
  const made = await api.download(url, { signal, onProgress: (received, total) => step('download', received, total) })
  step('verify')
  return client.adopt(
    job.file,
    { jobId: newId(), plan, target, options: optionsOf(job), made },
    { signal, onProgress: ({ bytes, totalBytes }) => step('verify', bytes, totalBytes) },
  )
}

/** Calls `use` with the planned table as a temporary Parquet file. */
async function withPlannedTable<T>(
  job: Job,
  { client, newId }: ServiceParts,
  { signal, onProgress }: ServiceContext,
  work: (table: File) => Promise<T>,
): Promise<T> {
  const { file, plan } = job
  if (!plan) throw new Error('the job has no plan')
  const { outputs, rejectedFile, rejectedCount } = await client.convert(
    file,
    { jobId: newId(), plan: textPlan(plan, optionsOf(job)), target: 'parquet', options: defaultOptions('parquet') },
    { signal, onProgress: ({ bytes, totalBytes }) => onProgress({ phase: 'prepare', bytes, totalBytes }) },
  )
  try {
    if (rejectedCount > 0) throw rowsDontFit(rejectedCount)
    const [output] = outputs
    if (!output) throw new Error('the plan made no table')
    return await work(await client.outputs.file(output))
  } finally {
    const made = rejectedFile ? [...outputs, rejectedFile] : outputs
    await Promise.allSettled(made.map(({ id }) => client.outputs.remove(id)))
  }
}

function refuseLarge(file: File): void {
  if (file.size <= MAX_FILE_BYTES) return
  throw new EngineError(
    'too-large',
    `The service takes files of up to 50 MB; what is to be sent has ${formatBytes(file.size)}.`,
    {
      remedy: 'Convert it in this browser.',
    },
  )
}

function rowsDontFit(count: number): EngineError {
  const rows = count === 1 ? 'A row doesn’t' : `${formatCount(count)} rows don’t`
  return new EngineError(
    'invalid-plan',
    `${rows} fit the types that you chose, and the service takes whole tables only.`,
    {
      remedy: 'Change the types, or convert it in this browser.',
    },
  )
}
