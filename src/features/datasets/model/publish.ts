import { explain, problem, type Problem } from '../../shared/problem.ts'
import type {
  AddedTables,
  ApiClient,
  CreatedDataset,
  CreatedTable,
  NewDataset,
  UploadTarget,
} from '../../../api/client.ts'
import { ApiError } from '../../../api/errors.ts'
import { formatInfo } from '../../../contract/formats.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { abortedAfter } from '../../../lib/abort.ts'
import { Semaphore } from '../../../lib/semaphore.ts'
import { type ImportPlan } from '../../../tables/plan.ts'
import { failuresIn, lostUploads, mayBeDone } from './answers.ts'
import {
  fileOf,
  foundTable,
  planOf,
  publicationOf,
  type DatasetValues,
  type Draft,
  type Into,
  type Publication,
} from './draft.ts'
import { ontoOf } from './adding.ts'
import { retryName } from './names.ts'
import { toParquet, type Held } from './parquet.ts'

/* Publishing: prepare, sign, upload, load. Nothing of React; what it says, it says through `report`. */

export interface PublishTable {
  readonly id: string
  readonly name: string
  readonly file: File
  /** Of this table alone. */
  readonly plan: ImportPlan
  readonly publication: Publication
  /** The dataset has a table of that name, which takes its rows. */
  readonly append: boolean
  /** The person takes it without the rows that don't fit. */
  readonly agreed: boolean
}

export const STEPS = ['prepare', 'sign', 'upload', 'load'] as const
export type Step = (typeof STEPS)[number]

/** What a table is at. */
export type TableRun =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly step: Step; readonly progress: number | null }
  | { readonly kind: 'done'; readonly rows: number; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly step: Step; readonly problem: Problem }

/** What there's left to say of a try that has ended. */
export function onlyFailed(runs: ReadonlyMap<string, TableRun>): ReadonlyMap<string, TableRun> {
  return new Map([...runs].filter(([, run]) => run.kind === 'failed' || run.kind === 'done'))
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
  /** The service was asked to create or add, and whether it did wasn't heard. */
  | { readonly kind: 'unheard'; readonly error: unknown }

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
/** So long a service is waited for that loads what was cancelled: what it made can then be removed. Milliseconds. */
const PATIENCE = 20_000

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

  async create(dataset: DatasetValues, tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome> {
    const unsent = await this.send(tables, signal)
    return (
      unsent ?? this.load(tables, (uploads, own) => this.made({ ...dataset, tables: uploads }, signal, own), signal)
    )
  }

  /**
   * Makes a partial dataset whole: a new one with all tables under a name of its own, then the partial one is removed,
   * then the new one gets its name. At no moment is a loaded table only in what was removed.
   * @param partial what was created before; it stays as it is unless the outcome is `created`
   */
  async retry(
    partial: { readonly id: string },
    dataset: DatasetValues,
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
    const outcome = await this.load(
      tables,
      (uploads, own) => this.made({ ...dataset, name, tables: uploads }, signal, own),
      signal,
    )
    if (outcome.kind !== 'created') return outcome
    const whole = outcome.dataset
    if (whole.tables.some((table) => table.error)) {
      return api.deleteDataset(whole.id).then(
        () => ({ kind: 'none-loaded' }),
        (error: unknown) => ({ kind: 'unheard', error }),
      )
    }
    try {
      await api.deleteDataset(partial.id)
    } catch (error) {
      if (mayBeDone(error)) {
        // Without the partial one, the whole one is all that there is.
        const said = explain(error, `“${dataset.name}” may still be there, incomplete`)
        return { kind: 'misnamed', dataset: whole, problem: said }
      }
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

  /** Adds tables, and rows of tables, to a dataset that there is: all of them, or nothing. */
  async add(into: Into, tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome> {
    const unsent = await this.send(tables, signal)
    if (unsent) return unsent
    return this.load(tables, (named, own) => this.deps.api.addTables(into.id, named, { signal: own }), signal)
  }

  /** Prepares and uploads what isn't there yet; null when all of it is. */
  private async send(tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome | null> {
    for (const { id } of tables) this.deps.report(id, { kind: 'waiting' })
    const held = new Map<string, Held>()
    let failed = false
    const prepare = async (table: PublishTable): Promise<void> => {
      try {
        const rows = await this.prepare(table, signal)
        if (rows) held.set(table.id, rows)
      } catch (error) {
        failed = this.fail(table, 'prepare', error, signal)
      }
    }
    const preparing = new Semaphore(2)
    await Promise.all(tables.map((table) => preparing.run(() => prepare(table), signal)))
    if (held.size > 0) return { kind: 'held', held }
    if (failed) return { kind: 'unsent' }
    const missing = tables.filter((table) => !this.isUploaded(table))
    if (missing.length === 0) return null
    const targets = await this.sign(missing, signal)
    const upload = async (table: PublishTable, target: UploadTarget | undefined): Promise<void> => {
      try {
        await this.upload(table, target, signal)
      } catch (error) {
        failed = this.fail(table, 'upload', error, signal)
      }
    }
    const uploading = new Semaphore(AT_ONCE)
    await Promise.all(missing.map((table, i) => uploading.run(() => upload(table, targets[i]), signal)))
    return failed ? { kind: 'unsent' } : null
  }

  private fail(table: PublishTable, step: Step, error: unknown, signal: AbortSignal): true {
    signal.throwIfAborted()
    const said = explain(error, null)
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

  /**
   * Once it's asked, whether the service does it can't be told from an answer that isn't waited for.
   * @param ask gets a signal that ends it some time after it was cancelled
   */
  private async load(
    tables: readonly PublishTable[],
    ask: (uploads: AddedTables, signal: AbortSignal) => Promise<CreatedDataset>,
    signal: AbortSignal,
    again = true,
  ): Promise<Outcome> {
    signal.throwIfAborted()
    for (const { id } of tables) this.deps.report(id, { kind: 'running', step: 'load', progress: null })
    const uploads = tables.map(({ id, name, append }) => ({
      name,
      description: '',
      signedUrl: this.uploaded.get(id)?.signedUrl ?? '',
      append,
    }))
    const left = (): ApiError => new ApiError('unreachable', 'It was cancelled.', noAnswer('cancelled'))
    const patience = abortedAfter(signal, PATIENCE, left)
    try {
      const made = await ask(uploads, patience.signal)
      for (const [i, table] of tables.entries()) this.reportLoaded(table, made.tables[i])
      return { kind: 'created', dataset: made }
    } catch (error) {
      if (mayBeDone(error)) return { kind: 'unheard', error }
      const lost = again ? lostUploads(error, tables) : []
      if (lost.length > 0) {
        for (const { id } of lost) this.uploaded.delete(id)
        const unsent = await this.send(tables, signal)
        return unsent ?? this.load(tables, ask, signal, false)
      }
      const failures = failuresIn(error)
      if (failures.length === 0) throw error
      for (const [i, table] of tables.entries()) this.reportFailed(table, failures[i])
      return { kind: 'none-loaded' }
    } finally {
      patience.end()
    }
  }

  private async made(dataset: NewDataset, signal: AbortSignal, own: AbortSignal): Promise<CreatedDataset> {
    const created = await this.deps.api.createDataset(dataset, { signal: own })
    if (!signal.aborted) return created
    await this.deps.api.deleteDataset(created.id).catch((cause: unknown) => {
      throw new ApiError('unreachable', 'It couldn’t be removed.', { ...noAnswer('kept'), cause })
    })
    throw signal.reason
  }

  private reportLoaded(table: PublishTable, result: CreatedTable | undefined): void {
    const { error = null, rows = 0, schema = [] } = result ?? {}
    if (error) this.reportFailed(table, result)
    else this.deps.report(table.id, { kind: 'done', rows, notes: table.append ? [] : schemaNotes(table.plan, schema) })
  }

  private reportFailed(table: PublishTable, result: CreatedTable | undefined): void {
    const error = result?.error
    // What was loaded is the dataset's now; what wasn't has to be sent again.
    if (error) this.uploaded.delete(table.id)
    const said = error
      ? problem(error.message, table.append ? OTHERWISE : null)
      : problem('Nothing was added, as another table didn’t load.')
    this.deps.report(table.id, { kind: 'failed', step: 'load', problem: said })
  }
}

/** What to do about rows that don't fit the table that they were to be added to. */
const OTHERWISE = 'Change names and types under “Columns”, or choose “A new table” for its rows.'
const EXPIRED = { status: 403, requestId: null }
const noAnswer = (reason: string) => ({ status: 0, requestId: null, details: { reason } })

/** What an upload is of: another plan or another file is another upload. */
function keyOf({ file, plan, publication, agreed }: PublishTable): string {
  return JSON.stringify([file.name, file.size, file.lastModified, plan, publication, agreed])
}

// oxlint-disable-next-line no-control-regex -- control characters are what it takes out
const REFUSED = /[\u0000-\u001f\u007f-\u009f/\\]/g

/** A name that the service takes for an upload, with the extension of what it is. */
export function uploadName(name: string, extension: string): string {
  const clean = name.replaceAll(REFUSED, '_').slice(0, 200)
  return clean.toLowerCase().endsWith(`.${extension}`) ? clean : `${clean || 'table'}.${extension}`
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

/** The draft's tables that can be published, as they are to be. */
export function publishTables(draft: Draft): PublishTable[] {
  return draft.tables.flatMap((table): PublishTable[] => {
    const file = fileOf(draft, table)
    const publication = file && publicationOf(file, table)
    if (file?.state.kind !== 'read' || !publication || !foundTable(file, table)) return []
    const plan = planOf(file.state.plan, table.index)
    const onto = ontoOf(draft, table)
    const name = onto ?? table.name.trim()
    return [{ id: table.id, name, append: onto !== null, file: file.file, plan, publication, agreed: table.agreed }]
  })
}
