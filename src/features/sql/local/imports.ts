import type { CallOptions, DatabaseTables, EngineClient, IngestProgress } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import { Store } from '../../../lib/store.ts'
import type { ImportPlan, Inspection, Note } from '../../../tables/plan.ts'
import { csvTable, type CsvSettings } from '../../../tables/settings.ts'
import { pathOf } from '../../../ui/overlays/files-dropped.ts'
import { explain, isDiskFull, problem, type Problem } from '../../shared/problem.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import type { LocalSource, LocalTableRecord } from '../types.ts'
import { foldName } from '../../../lib/names.ts'
import { proposeName, uniqueNames } from '../../../tables/names.ts'
import { namesOf } from '../../../lib/duckdb-sql/index.ts'
import { paceAt, type ImportStage, type LocalImport, type RejectedRows } from './import-stages.ts'
import { makeSample } from './samples.ts'
import type { LocalFiles, LocalTables } from './tables.ts'
import { planFrom } from '../../../tables/edits.ts'

interface ImportsDeps {
  readonly engine: Pick<EngineClient, 'inspect' | 'database'>
  readonly files: Pick<LocalFiles, 'ingest'>
  readonly tables: Pick<
    LocalTables,
    'create' | 'createInPlace' | 'createDatabase' | 'copyIn' | 'open' | 'find' | 'publication'
  >
  readonly newId: () => string
  readonly now: () => number
  /**
   * Called when all of a file's tables are loaded.
   * @param missing messages about what couldn't be imported
   */
  readonly onDone: (file: File, made: readonly LocalTableRecord[], leftOut: number, missing: readonly string[]) => void
}

interface Running {
  readonly abort: AbortController
  /** Accepts that rejected rows are left out. */
  answer: (() => void) | null
}

/**
 * The imports of this window, in the order in which they were added, without those that are done. Each file is read
 * twice: to inspect it, and to load it.
 */
export class Imports extends Store<readonly LocalImport[]> {
  private readonly deps: ImportsDeps
  private readonly running = new Map<string, Running>()

  constructor(deps: ImportsDeps) {
    super([])
    this.deps = deps
  }

  /** Whether leaving the page would stop an import. */
  readonly isBusy = (): boolean => this.running.size > 0

  /**
   * Resolves when all are done, failed or cancelled.
   * @param plans how to read the files that were set up elsewhere
   */
  async add(files: readonly File[], plans: ReadonlyMap<File, ImportPlan> = new Map()): Promise<void> {
    const added = files.map((file): LocalImport => ({
      id: this.deps.newId(),
      file,
      plan: plans.get(file) ?? null,
      copies: null,
      stage: { kind: 'reading', share: null },
      pace: null,
    }))
    this.set([...this.state, ...added])
    await Promise.all(added.map((each) => this.run(each)))
  }

  /**
   * Copies the rows of a table queried in place into this browser. Resolves as `add` does.
   * @throws {EngineError} `file-changed` if the file can't be read
   */
  async copyIn(tableId: string): Promise<void> {
    const file = await this.deps.tables.open(tableId)
    const stage = { kind: 'loading', table: 0, tables: 1, share: null, rows: 0 } as const
    const copying: LocalImport = { id: this.deps.newId(), file, plan: null, copies: tableId, stage, pace: null }
    this.set([...this.state, copying])
    await this.run(copying)
  }

  /** The import that a name or path in a statement refers to; null if there's none. */
  arriving(written: string): LocalImport | null {
    const file = foldName(written.split(/[/\\]/).at(-1) ?? '')
    const names = namesOf(written)?.map(foldName) ?? []
    const isLocal = names.length === 1 || (names.length === 2 && names[0] === 'local')
    const found = this.state.find(({ file: { name }, stage, copies }) => {
      if (stage.kind === 'failed' || copies !== null) return false
      const proposed = foldName(proposeName(name, null))
      // Tables are named after their file, with a number if the name is taken.
      return foldName(name) === file || (isLocal && `${names.at(-1)}_`.startsWith(`${proposed}_`))
    })
    return found ?? null
  }

  /** Resolves when a file's tables are loaded, or its import has ended without them. */
  whenOver(id: string): Promise<void> {
    return new Promise((resolve) => {
      const look = (): void => {
        if (this.state.some((each) => each.id === id && each.stage.kind !== 'failed')) return
        stop()
        resolve()
      }
      const stop = this.subscribe(look)
      look()
    })
  }

  /**
   * Makes a table of a file's first rows while the rest loads; null if it isn't wanted any more.
   * @throws {EngineError | Error} if they can't be read
   */
  async sample(id: string): Promise<LocalTableRecord | null> {
    const found = this.state.find((each) => each.id === id)
    const signal = this.running.get(id)?.abort.signal
    if (!found || !signal || found.sampled || found.plan || found.copies !== null) return null
    this.change(id, { sampled: 'making' })
    try {
      const made = await makeSample(found.file, (plan) => sourceOf(found.file, plan, null), this.deps, signal)
      this.change(id, { sampled: 'made' })
      return made
    } catch (error) {
      this.change(id, { sampled: undefined })
      if (signal.aborted) return null
      throw error
    }
  }

  /** Continues without the rejected rows. */
  agree(id: string): void {
    this.running.get(id)?.answer?.()
  }

  /** Cancels an import, or removes a failed one from the list. Its finished tables stay. */
  cancel(id: string): void {
    this.running.get(id)?.abort.abort()
    this.drop(id)
  }

  /** Retries a failed import. */
  async retry(id: string): Promise<void> {
    const failed = this.state.find((each) => each.id === id)
    if (failed?.stage.kind === 'failed') await this.run(failed)
  }

  private async run({ id, file, plan: given, copies, stage }: LocalImport): Promise<void> {
    const running: Running = { abort: new AbortController(), answer: null }
    const { signal } = running.abort
    this.running.set(id, running)
    // From an earlier try.
    const made = stage.kind === 'failed' ? [...stage.made] : []
    try {
      this.stage(id, { kind: 'reading', share: null })
      if (copies !== null) {
        const planned = await this.plannedIn(file, copies, signal)
        const options = this.loading(id, { table: 0, tables: 1 }, signal)
        const copied = await this.deps.tables.copyIn(copies, options, planned ?? undefined)
        this.drop(id)
        this.deps.onDone(file, [copied], 0, [])
        return
      }
      const database = given ? null : await this.deps.engine.database(file, { signal })
      signal.throwIfAborted()
      if (database) {
        const all = await this.deps.tables.createDatabase(file, tablesOf(file, database), signal)
        this.drop(id)
        this.deps.onDone(file, all, 0, messagesOf(database.notes))
        return
      }
      const { plan, rejectedRows, missing } = given
        ? { plan: given, rejectedRows: [], missing: [] }
        : await this.look(id, file, signal)
      if (rejectedRows.length > 0) await this.ask(id, rejectedRows, running)
      const chosen = plan.tables.flatMap(({ include }, index) => (include ? [index] : []))
      for (const [i, index] of chosen.entries()) {
        if (i < made.length) continue
        const at = {
          id,
          table: i,
          tables: chosen.length,
          withoutRejected: rejectedRows.length > 0,
          given: given !== null,
        }
        made.push(await this.load(file, plan, index, at, signal))
      }
      this.drop(id)
      const leftOut = rejectedRows.reduce((sum, { count }) => sum + count, 0)
      this.deps.onDone(file, made, leftOut, missing)
    } catch (error) {
      if (isAbort(error) || signal.aborted) this.drop(id)
      else this.stage(id, { kind: 'failed', problem: explainImport(error), made })
    } finally {
      this.running.delete(id)
      this.tell()
    }
  }

  /** Inspects a file: its tables, their rejected rows, and messages about what can't be read. */
  private async look(
    id: string,
    file: File,
    signal: AbortSignal,
  ): Promise<{ plan: ImportPlan; rejectedRows: RejectedRows[]; missing: string[] }> {
    const { inspection } = await this.deps.engine.inspect(
      file,
      {},
      {
        signal,
        onProgress: ({ bytes, totalBytes }) =>
          this.stage(id, { kind: 'reading', share: shareOf(bytes, totalBytes) }, true),
      },
    )
    const plan = planFrom(inspection)
    return { plan, rejectedRows: rejectedRowsOf(inspection, plan), missing: messagesOf(inspection.notes) }
  }

  /** The plan for one table of a database file; null for a file with a single table. */
  private async plannedIn(file: File, tableId: string, signal: AbortSignal) {
    const record = this.deps.tables.find(tableId)
    if (!record?.database) return null
    const { inspection } = await this.deps.engine.inspect(file, {}, { signal })
    const plan = planFrom(inspection)
    const own = record.source.table
    const table = plan.tables.findIndex(({ name }) => own === null || name === own)
    const alone = plan.tables.map((each, i) => ({ ...each, include: i === table }))
    return { plan: { ...plan, tables: alone }, table, inspection }
  }

  /** A table for publishing as a dataset. @throws {EngineError} `file-changed` if its file is gone */
  async publication(id: string): Promise<IncomingTable> {
    const file = await this.deps.tables.publication(id)
    const planned = await this.plannedIn(file, id, new AbortController().signal)
    return { file, changed: false, ...(planned ?? { plan: null }) }
  }

  private async load(
    file: File,
    plan: ImportPlan,
    index: number,
    at: {
      readonly id: string
      readonly table: number
      readonly tables: number
      readonly withoutRejected: boolean
      readonly given: boolean
    },
    signal: AbortSignal,
  ): Promise<LocalTableRecord> {
    const { id, tables, withoutRejected } = at
    const options = this.loading(id, at, signal)
    const own = tables > 1 ? (plan.tables[index]?.name ?? null) : null
    const source = sourceOf(file, plan, own)
    const placed = at.given ? null : inPlaceOf(plan)
    if (placed) {
      const name = proposeName(file.name, own)
      return this.deps.tables.createInPlace(file, { name, source, ...placed }, signal)
    }
    return this.deps.tables.create(proposeName(file.name, own, plan.format === 'duckdb'), source, (creationId) =>
      this.deps.files.ingest(
        file,
        { creationId, format: plan.format, planned: { plan, table: index }, withoutRejected },
        options,
      ),
    )
  }

  private loading(
    id: string,
    { table, tables }: { readonly table: number; readonly tables: number },
    signal: AbortSignal,
  ): CallOptions<IngestProgress> {
    const show = (share: number | null, rows: number, soon = false): void =>
      this.stage(id, { kind: 'loading', table, tables, share, rows }, soon)
    show(null, 0)
    return { signal, onProgress: ({ bytes, totalBytes, rows }) => show(shareOf(bytes, totalBytes), rows, true) }
  }

  /** Resolves when the person accepts; rejects when they cancel. */
  private ask(id: string, rejectedRows: readonly RejectedRows[], running: Running): Promise<void> {
    const { signal } = running.abort
    return new Promise((resolve, reject) => {
      running.answer = resolve
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
      if (signal.aborted) reject(signal.reason as Error)
      this.stage(id, { kind: 'asking', rejectedRows })
    })
  }

  /** @param soon for progress: shown with the next frame */
  private stage(id: string, stage: ImportStage, soon = false): void {
    if (!this.state.some((each) => each.id === id)) return
    this.set(
      this.state.map((each) =>
        each.id === id ? { ...each, stage, pace: paceAt(stage, each, this.deps.now()) } : each,
      ),
      soon,
    )
  }

  private change(id: string, change: Pick<LocalImport, 'sampled'>): void {
    this.set(this.state.map((each) => (each.id === id ? { ...each, ...change } : each)))
  }

  private drop(id: string): void {
    this.set(this.state.filter((each) => each.id !== id))
  }
}

const FULL = problem(
  'The disk, or this browser’s share of it, is full.',
  'Remove local files, datasets or conversions that you no longer need, or free disk space. Then add the file again.',
)

/** The notes about what couldn't be read at all. */
function messagesOf(notes: readonly Note[]): string[] {
  return notes.filter(({ code }) => code === 'unreadable-view').map(({ message }) => message)
}

/** The tables of a database file that is queried in place. */
function tablesOf(file: File, { tables }: DatabaseTables) {
  const settings = { kind: 'duckdb' } as const
  return tables.map(({ name, schema, table, rows, columns }) => {
    const own = tables.length > 1 ? name : null
    const source = sourceOf(file, { settings }, own)
    return { name: proposeName(file.name, own, true), source, columns, rowCount: rows, database: { schema, table } }
  })
}

function sourceOf(file: File, { settings }: Pick<ImportPlan, 'settings'>, table: string | null): LocalSource {
  const path = pathOf(file)
  const text = settings.kind === 'csv' ? textOf(csvTable(settings, table)) : null
  const read = { kind: settings.kind, text }
  return { name: file.name, size: file.size, table, ...(path === file.name ? {} : { path }), read }
}

/** The table of a Parquet or Arrow file, which can be queried in place; null for other files. */
function inPlaceOf({ format, settings, tables }: ImportPlan) {
  const [table] = tables
  if ((format !== 'parquet' && format !== 'arrow') || !table?.found || 'compression' in settings) return null
  const names = uniqueNames(
    table.columns.map(({ name }) => name),
    (name) => name.toLowerCase(),
  )
  const columns = table.columns.map(({ type }, i) => ({ name: names[i] ?? '', type }))
  return { inPlace: format, columns, rowCount: table.found.rows }
}

function textOf({ encoding, delimiter, quote, escape, header, skipLines, comment, nullStrings }: CsvSettings) {
  return { encoding, delimiter, quote, escape, header, skipLines, comment, nullStrings }
}

/** Explains a failed import to the person. */
export function explainImport(error: unknown): Problem {
  if (isDiskFull(error)) return FULL
  return explain(error, 'It couldn’t be added', { again: 'Add the file again' })
}

function shareOf(bytes: number, totalBytes: number): number | null {
  return totalBytes > 0 ? bytes / totalBytes : null
}

function rejectedRowsOf({ tables }: Inspection, plan: ImportPlan): RejectedRows[] {
  return tables.flatMap(({ name, rejectedCount, rejected, rows }, i) =>
    plan.tables[i]?.include && rejectedCount > 0
      ? [{ table: tables.length > 1 ? name : null, count: rejectedCount, rows, first: rejected }]
      : [],
  )
}
