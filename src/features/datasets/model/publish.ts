import { explain, problem, type Problem } from '../../shared/problem.ts'
import { z } from 'zod'
import type { ApiClient, CreatedDataset, CreatedTable, UploadTarget } from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { formatInfo } from '../../../contract/formats.ts'
import { MAX_FILE_BYTES } from '../../../contract/limits.ts'
import type { Visibility } from '../../../contract/schemas.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { defaultOptions, type ImportPlan, type RejectedRow } from '../../../tables/plan.ts'
import type { Publication } from './draft.ts'
import { retryName } from './names.ts'

/* Publishing: prepare, sign, upload, load. Nothing of React; what it says, it says through `report`. */

export interface PublishTable {
  readonly id: string
  readonly name: string
  readonly file: File
  /** Of this table alone. */
  readonly plan: ImportPlan
  readonly publication: Publication
  /** The person takes it without the rows that don't fit. */
  readonly agreed: boolean
}

interface PublishDataset {
  readonly name: string
  readonly description: string
  readonly visibility: Visibility
  readonly tags: readonly string[]
}

export const STEPS = ['prepare', 'sign', 'upload', 'load'] as const
export type Step = (typeof STEPS)[number]

/** What a table is at. */
export type TableRun =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly step: Step; readonly progress: number | null }
  | { readonly kind: 'done'; readonly rows: number; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly step: Step; readonly problem: Problem }

interface Held {
  readonly count: number
  readonly first: readonly RejectedRow[]
}

interface PublishDeps {
  readonly api: ApiClient
  readonly engine: Pick<EngineClient, 'convert' | 'outputs'>
  readonly newId: () => string
  readonly report: (table: string, run: TableRun) => void
}

/** How a publication ended. Its tables' own ends were reported. */
export type Outcome =
  | { readonly kind: 'created'; readonly dataset: CreatedDataset }
  /** Rows were found not to fit: nothing was sent. By table. */
  | { readonly kind: 'held'; readonly held: ReadonlyMap<string, Held> }
  /** Tables couldn't be made or sent: nothing was created. */
  | { readonly kind: 'unsent' }
  /** None of the tables was loaded, or (of a retry) not all of them: nothing was created or changed. */
  | { readonly kind: 'none-loaded' }
  /** A retry made the dataset whole, and it still has the name that it had meanwhile. */
  | { readonly kind: 'misnamed'; readonly dataset: CreatedDataset; readonly problem: Problem }

interface Prepared {
  readonly key: string
  readonly body: Blob
  readonly filename: string
  readonly contentType: string
}

interface Uploaded extends UploadTarget {
  readonly key: string
}

/** Uploads at a time. */
const AT_ONCE = 3
/** An address that ends sooner than this isn't used any more. Milliseconds. */
const TOO_SHORT = 60_000

/**
 * One dataset on its way to the service. It remembers what was made and uploaded, so that another try begins where the
 * last one ended. Calls reject with `ApiError` for what concerns the dataset as a whole, or with the signal's reason.
 */
export class Publisher {
  private readonly prepared = new Map<string, Prepared>()
  private readonly uploaded = new Map<string, Uploaded>()
  private readonly deps: PublishDeps

  constructor(deps: PublishDeps) {
    this.deps = deps
  }

  async create(dataset: PublishDataset, tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome> {
    const unsent = await this.send(tables, signal)
    return unsent ?? this.load(dataset, tables, signal)
  }

  /**
   * Makes a partial dataset whole: a new one with all tables under a name of its own, then the partial one is removed,
   * then the new one gets its name. At no moment is a loaded table only in what was removed.
   * @param partial what was created before; it stays as it is unless the outcome is `created`
   */
  async retry(
    partial: { readonly id: string },
    dataset: PublishDataset,
    tables: readonly PublishTable[],
    signal: AbortSignal,
  ): Promise<Outcome> {
    const unsent = await this.send(tables, signal)
    if (unsent) return unsent
    const { api, newId } = this.deps
    const name = retryName(
      dataset.name,
      newId()
        .replaceAll(/[^a-z0-9]/g, '')
        .slice(-6)
        .padStart(6, '0'),
    )
    const outcome = await this.load({ ...dataset, name }, tables, signal)
    if (outcome.kind !== 'created') return outcome
    const whole = outcome.dataset
    if (whole.tables.some((table) => table.error)) {
      await api.deleteDataset(whole.id)
      return { kind: 'none-loaded' }
    }
    try {
      await api.deleteDataset(partial.id)
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'NOT_FOUND')) {
        await api.deleteDataset(whole.id).catch(() => undefined)
        throw error
      }
    }
    try {
      await api.updateDataset(whole.id, { name: dataset.name })
    } catch (error) {
      return { kind: 'misnamed', dataset: whole, problem: explain(error, 'It didn’t get its name back') }
    }
    return { kind: 'created', dataset: { ...whole, name: dataset.name } }
  }

  /** Prepares and uploads what isn't there yet; null when all of it is. */
  private async send(tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome | null> {
    for (const { id } of tables) this.deps.report(id, { kind: 'waiting' })
    const held = new Map<string, Held>()
    let failed = false
    await inParallel(tables, 2, signal, async (table) => {
      try {
        const rows = await this.prepare(table, signal)
        if (rows) held.set(table.id, rows)
      } catch (error) {
        failed = this.fail(table, 'prepare', error, signal)
      }
    })
    if (held.size > 0) return { kind: 'held', held }
    if (failed) return { kind: 'unsent' }
    const missing = tables.filter((table) => !this.isUploaded(table))
    if (missing.length === 0) return null
    const targets = await this.sign(missing, signal)
    await inParallel(missing, AT_ONCE, signal, async (table, i) => {
      try {
        await this.upload(table, targets[i], signal)
      } catch (error) {
        failed = this.fail(table, 'upload', error, signal)
      }
    })
    return failed ? { kind: 'unsent' } : null
  }

  private fail(table: PublishTable, step: Step, error: unknown, signal: AbortSignal): true {
    signal.throwIfAborted()
    const said = explain(error, step === 'upload' ? 'It wasn’t uploaded' : 'It couldn’t be prepared')
    this.deps.report(table.id, { kind: 'failed', step, problem: said })
    return true
  }

  /** Gives the rows that don't fit, where the person hasn't agreed to leave them out. */
  private async prepare(table: PublishTable, signal: AbortSignal): Promise<Held | null> {
    const key = keyOf(table)
    if (this.prepared.get(table.id)?.key === key) return null
    const { file, publication } = table
    if (publication.how === 'file') {
      const { mimeType, extensions } = formatInfo(publication.format)
      const filename = uploadName(file.name, extensions[0])
      this.prepared.set(table.id, { key, body: file, filename, contentType: mimeType })
      return null
    }
    const report = (progress: number | null): void =>
      this.deps.report(table.id, { kind: 'running', step: 'prepare', progress })
    report(null)
    const { body, rejected } = await toParquet(this.deps, table, signal, report)
    if (rejected.count > 0 && !table.agreed) return rejected
    if (!body) throw new TypeError('a Parquet file was to be made')
    const { mimeType } = formatInfo('parquet')
    this.prepared.set(table.id, { key, body, filename: uploadName(file.name, 'parquet'), contentType: mimeType })
    return null
  }

  private isUploaded(table: PublishTable): boolean {
    const found = this.uploaded.get(table.id)
    return found?.key === keyOf(table)
  }

  private async sign(tables: readonly PublishTable[], signal: AbortSignal): Promise<UploadTarget[]> {
    for (const { id } of tables) this.deps.report(id, { kind: 'running', step: 'sign', progress: null })
    const files = tables.map(({ id }) => {
      const made = this.prepared.get(id)
      return { filename: made?.filename ?? '', contentType: made?.contentType ?? '' }
    })
    return this.deps.api.signUploads(files, { signal })
  }

  private async upload(table: PublishTable, target: UploadTarget | undefined, signal: AbortSignal): Promise<void> {
    const made = this.prepared.get(table.id)
    if (!made || !target) throw new TypeError('the service gave no address to upload to')
    const { api, report } = this.deps
    const put = (to: UploadTarget): Promise<void> =>
      api.upload(to.signedUrl, made.body, {
        contentType: made.contentType,
        signal,
        onProgress: (sent) =>
          report(table.id, { kind: 'running', step: 'upload', progress: sent / Math.max(1, made.body.size) }),
      })
    report(table.id, { kind: 'running', step: 'upload', progress: 0 })
    let used = target
    try {
      if (target.expiresAt.getTime() - Date.now() < TOO_SHORT) throw new ApiError('FORBIDDEN', 'expired', EXPIRED)
      await put(target)
    } catch (error) {
      // It waited for others for too long: a new address, once.
      if (!(error instanceof ApiError && error.status === 403)) throw error
      const [fresh] = await this.sign([table], signal)
      if (!fresh) throw error
      used = fresh
      await put(fresh)
    }
    this.uploaded.set(table.id, { ...used, key: keyOf(table) })
    report(table.id, { kind: 'running', step: 'upload', progress: 1 })
  }

  private async load(
    dataset: PublishDataset,
    tables: readonly PublishTable[],
    signal: AbortSignal,
    again = true,
  ): Promise<Outcome> {
    signal.throwIfAborted()
    for (const { id } of tables) this.deps.report(id, { kind: 'running', step: 'load', progress: null })
    const body = {
      ...dataset,
      tables: tables.map(({ id, name }) => ({
        name,
        description: '',
        signedUrl: this.uploaded.get(id)?.signedUrl ?? '',
      })),
    }
    try {
      // Once it's asked, whether the service makes it can't be told from an answer that isn't waited for.
      const created = await this.deps.api.createDataset(body)
      await this.undoneWhenCancelled(created, signal)
      for (const [i, table] of tables.entries()) this.reportLoaded(table, created.tables[i])
      return { kind: 'created', dataset: created }
    } catch (error) {
      const lost = again ? lostUploads(error, tables) : []
      if (lost.length > 0) {
        for (const { id } of lost) this.uploaded.delete(id)
        const unsent = await this.send(tables, signal)
        return unsent ?? this.load(dataset, tables, signal, false)
      }
      const failures = failuresIn(error)
      if (failures.length === 0) throw error
      for (const [i, table] of tables.entries()) this.reportLoaded(table, failures[i])
      return { kind: 'none-loaded' }
    }
  }

  private async undoneWhenCancelled(created: CreatedDataset, signal: AbortSignal): Promise<void> {
    if (!signal.aborted) return
    await this.deps.api.deleteDataset(created.id)
    signal.throwIfAborted()
  }

  private reportLoaded(table: PublishTable, result: CreatedTable | undefined): void {
    const { error = null, rows = 0, schema = [] } = result ?? {}
    // What was loaded is the dataset's now; what wasn't has to be sent again.
    if (error) this.uploaded.delete(table.id)
    const run: TableRun = error
      ? { kind: 'failed', step: 'load', problem: problem(error.message) }
      : { kind: 'done', rows, notes: schemaNotes(table.plan, schema) }
    this.deps.report(table.id, run)
  }
}

const EXPIRED = { status: 403, requestId: null }

/** What an upload is of: another plan or another file is another upload. */
function keyOf({ file, plan, publication, agreed }: PublishTable): string {
  return JSON.stringify([file.name, file.size, file.lastModified, plan, publication, agreed])
}

interface Made {
  /** Null where it's beyond the limit and only its size was asked for. */
  readonly body: Blob | null
  readonly bytes: number
  readonly rejected: Held
}

/**
 * A table as Parquet, verified against what was read, in the page's memory.
 * @throws {EngineError} and {RangeError} when it's beyond the service's limit, unless `measure` is set
 */
export async function toParquet(
  { engine, newId }: Pick<PublishDeps, 'engine' | 'newId'>,
  { file, plan }: Pick<PublishTable, 'file' | 'plan'>,
  signal: AbortSignal,
  onProgress: (share: number | null) => void,
  measure = false,
): Promise<Made> {
  const request = { jobId: newId(), plan, target: 'parquet', options: defaultOptions('parquet') } as const
  const result = await engine.convert(file, request, {
    signal,
    onProgress: ({ phase, bytes, totalBytes }) => {
      const share = totalBytes > 0 ? bytes / totalBytes : 0
      onProgress(phase === 'convert' ? share * 0.7 : 0.7 + share * 0.3)
    },
  })
  const [output] = result.outputs
  try {
    const rejected = { count: result.rejectedCount, first: result.rejected }
    if (!output) return { body: null, bytes: 0, rejected }
    if (output.size > MAX_FILE_BYTES) {
      if (measure) return { body: null, bytes: output.size, rejected }
      throw new RangeError(`as Parquet it’s ${formatBytes(output.size)}, and the service takes 50 MB`)
    }
    // A copy: no record names the output, and another tab's sweep takes what none does.
    const made = await engine.outputs.file(output)
    return { body: new Blob([await made.arrayBuffer()], { type: output.mimeType }), bytes: output.size, rejected }
  } finally {
    for (const { id } of [...result.outputs, ...(result.rejectedFile ? [result.rejectedFile] : [])]) {
      await engine.outputs.remove(id)
    }
  }
}

// oxlint-disable-next-line no-control-regex -- control characters are what it takes out
const REFUSED = /[\u0000-\u001f\u007f-\u009f/\\]/g

/** A name that the service takes for an upload, with the extension of what it is. */
export function uploadName(name: string, extension: string): string {
  const clean = name.replaceAll(REFUSED, '_').slice(0, 200)
  return clean.toLowerCase().endsWith(`.${extension}`) ? clean : `${clean || 'table'}.${extension}`
}

/** Of the tables, those whose upload the service doesn't know any more. */
function lostUploads(error: unknown, tables: readonly PublishTable[]): PublishTable[] {
  if (!(error instanceof ApiError)) return []
  return error.issues.flatMap(({ path }) => {
    const table = tables[Number(/^tables\[(\d+)\]\.signed_url$/.exec(path)?.[1] ?? -1)]
    return table ? [table] : []
  })
}

const failedTables = z.array(
  z.object({ table_name: z.string(), error: z.object({ code: z.string(), message: z.string() }) }),
)

/** Why no table was loaded, one by one, where the service says so. */
function failuresIn(error: unknown): CreatedTable[] {
  if (!(error instanceof ApiError)) return []
  const { data = [] } = failedTables.safeParse(error.details['tables'])
  return data.map((table) => ({ name: table.table_name, rows: 0, schema: [], error: table.error }))
}

/** Where the service made something else of the columns than the plan says. */
function schemaNotes(plan: ImportPlan, schema: CreatedTable['schema']): string[] {
  const columns = plan.tables.find((table) => table.include)?.columns.filter((column) => column.include) ?? []
  if (schema.length === 0) return []
  if (schema.length !== columns.length) return [`The service made ${schema.length} columns of ${columns.length}.`]
  return columns.flatMap((column, i) => {
    const made = schema[i]
    if (!made || made.type === column.type) return []
    return [`“${made.name}” is ${made.type} at the service, not ${column.type}.`]
  })
}

/** Runs work for each item, so many at a time. */
async function inParallel<T>(
  items: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const queue = items.entries()
  await Promise.all(
    Array.from({ length: Math.min(atOnce, items.length) }, async () => {
      for (const [index, item] of queue) {
        signal.throwIfAborted()
        await work(item, index)
      }
    }),
  )
}
