import { explain, problem, type Problem } from '../../shared/problem.ts'
import type {
  AddedTables,
  ApiClient,
  CreatedDataset,
  CreatedTable,
  NewDataset,
  UploadTarget,
} from '../../../api/client.ts'
import { ApiError, mayBeDone } from '../../../api/errors.ts'
import { formatInfo } from '../../../contract/formats.ts'
import type { EngineClient } from '../../../engine/client.ts'
import { abortedAfter } from '../../../lib/abort.ts'
import { Semaphore } from '../../../lib/semaphore.ts'
import { type ImportPlan } from '../../../tables/plan.ts'
import { failuresIn, lostUploads } from './answers.ts'
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

/* Publishing: prepare, sign, upload, load. Independent of React; reports progress to `report`. */

export interface PublishTable {
  readonly id: string
  readonly name: string
  readonly file: File
  /** For this table only. */
  readonly plan: ImportPlan
  readonly publication: Publication
  /** Whether to add its rows to the dataset's table with that name. */
  readonly append: boolean
  /** Whether the person accepts it without the rows that don't fit. */
  readonly agreed: boolean
}

export const STEPS = ['prepare', 'sign', 'upload', 'load'] as const
export type Step = (typeof STEPS)[number]

/** A table's progress. */
export type TableRun =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'running'; readonly step: Step; readonly progress: number | null }
  | { readonly kind: 'done'; readonly rows: number; readonly notes: readonly string[] }
  | { readonly kind: 'failed'; readonly step: Step; readonly problem: Problem }

/** The results worth showing after an attempt: only failures. */
export function onlyFailed(runs: ReadonlyMap<string, TableRun>): ReadonlyMap<string, TableRun> {
  return new Map([...runs].filter(([, run]) => run.kind === 'failed' || run.kind === 'done'))
}

interface PublishDeps {
  readonly api: ApiClient
  readonly engine: Pick<EngineClient, 'convert' | 'outputs'>
  readonly newId: () => string
  readonly report: (table: string, run: TableRun) => void
}

/** How publishing ended. The tables' own results were reported. */
export type Outcome =
  | { readonly kind: 'created'; readonly dataset: CreatedDataset }
  /** Rows didn't fit, by table. Nothing was sent. */
  | { readonly kind: 'held'; readonly held: ReadonlyMap<string, Held> }
  /** Tables couldn't be written or uploaded. Nothing was created. */
  | { readonly kind: 'unsent' }
  /** No table was loaded or, in a retry, not all of them. Nothing was created or changed. */
  | { readonly kind: 'none-loaded' }
  /** A retry created the complete dataset, but it still has its temporary name. */
  | { readonly kind: 'misnamed'; readonly dataset: CreatedDataset; readonly problem: Problem }
  /** The request to create or add had no answer, so its outcome is unknown. */
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

/** Simultaneous uploads. */
const AT_ONCE = 3
/** Milliseconds: URLs that expire sooner aren't used any more. */
const TOO_SHORT = 60_000
/** Milliseconds to wait for the answer of a cancelled request, in order to remove what it created. */
const PATIENCE = 20_000

/**
 * Publishes a dataset. It remembers what was written and uploaded, so that another attempt continues where the last one
 * ended. Calls reject with `ApiError` for errors of the whole dataset, or with the signal's reason.
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
   * Completes a partial dataset: creates a new one with all tables under a temporary name, deletes the partial one, and
   * renames the new one. At every moment, all loaded tables are in a dataset that exists.
   * @param partial what was created earlier; it stays unless the outcome is `created`
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
        // After the partial one was deleted, only the complete one is left.
        const said = explain(error, `“${dataset.name}” may still be there, incomplete`)
        return { kind: 'misnamed', dataset: whole, problem: said }
      }
      await api.deleteDataset(whole.id).catch(() => undefined)
      throw error
    }
    try {
      await api.updateDataset(whole.id, { name: dataset.name })
    } catch (error) {
      return { kind: 'misnamed', dataset: whole, problem: explain(error, 'It didn’t get its name back') }
    }
    return { kind: 'created', dataset: { ...whole, name: dataset.name } }
  }

  /** Adds tables and rows to an existing dataset: all or nothing. */
  async add(into: Into, tables: readonly PublishTable[], signal: AbortSignal): Promise<Outcome> {
    const unsent = await this.send(tables, signal)
    if (unsent) return unsent
    return this.load(tables, (named, own) => this.deps.api.addTables(into.id, named, { signal: own }), signal)
  }

  /** Writes and uploads what is still missing; null if everything is uploaded. */
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

  /** Returns the rows that don't fit, unless the person accepts to leave them out. */
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
      // The URL expired while waiting for other uploads. Get a new one, once.
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
   * After cancelling a request, only its answer tells whether the service has carried it out, so wait for that a while.
   * @param ask receives a signal that's aborted some time after cancelling
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
    // Loaded uploads belong to the dataset now; the others must be sent again.
    if (error) this.uploaded.delete(table.id)
    const said = error
      ? problem(error.message, table.append ? OTHERWISE : null)
      : problem('Nothing was added, as another table didn’t load.')
    this.deps.report(table.id, { kind: 'failed', step: 'load', problem: said })
  }
}

/** What to do about rows that don't fit the table to which they should be added. */
const OTHERWISE = 'Change names and types under “Columns”, or choose “A new table” for its rows.'
const EXPIRED = { status: 403, requestId: null }
const noAnswer = (reason: string) => ({ status: 0, requestId: null, details: { reason } })

/** Identifies an upload: another plan or file needs another upload. */
function keyOf({ file, plan, publication, agreed }: PublishTable): string {
  return JSON.stringify([file.name, file.size, file.lastModified, plan, publication, agreed])
}

// oxlint-disable-next-line no-control-regex -- control characters are what it takes out
const REFUSED = /[\u0000-\u001f\u007f-\u009f/\\]/g

/** A file name for an upload that the service accepts, with the right extension. */
export function uploadName(name: string, extension: string): string {
  const clean = name.replaceAll(REFUSED, '_').slice(0, 200)
  return clean.toLowerCase().endsWith(`.${extension}`) ? clean : `${clean || 'table'}.${extension}`
}

/** Reports columns that the service typed differently than planned. */
function schemaNotes(plan: ImportPlan, schema: CreatedTable['schema']): string[] {
  const columns = plan.tables.find((table) => table.include)?.columns.filter((column) => column.include) ?? []
  if (schema.length === 0) return []
  if (schema.length !== columns.length)
    return [`The service created ${schema.length} columns instead of ${columns.length}.`]
  return columns.flatMap((column, i) => {
    const made = schema[i]
    if (!made || made.type === column.type) return []
    return [`“${made.name}” is ${made.type} at the service, not ${column.type}.`]
  })
}

/** The draft's tables that can be published, as planned. */
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
