import { explain, type Problem } from '../../shared/problem.ts'
import type { Session } from '../../../session/session.ts'
import type { IncomingTable } from '../../../session/handover.ts'
import type { ApiClient } from '../../../api/client.ts'
import type { FormatId } from '../../../contract/formats.ts'
import type { EngineClient, InspectProgress } from '../../../engine/client.ts'
import { isAbort } from '../../../lib/abort.ts'
import { Store } from '../../../lib/store.ts'
import type { ColumnPatch, ReadSettings } from '../../../tables/plan.ts'
import {
  applyProposals,
  type PlacedProposal,
  type SettingsWithSteps,
  undoProposals,
} from '../../../tables/proposals.ts'
import {
  changeColumn,
  changeColumns,
  EMPTY_DRAFT,
  fileOf,
  includeSheet,
  isEmpty,
  movedTo,
  named,
  planOf,
  readFile,
  removeFile,
  unread,
  withFile,
  withTable,
  type Draft,
  type DraftFile,
  type DraftTable,
  type Into,
  type DatasetValues,
} from '../model/draft.ts'
import { placed, unheard, type PlacedProblem } from '../model/placed-problem.ts'
import { addedFiles, type AddedFiles } from './added-files.ts'
import { Measuring } from './measuring.ts'
import { onlyFailed, Publisher, publishTables, type Outcome, type TableRun } from '../model/publish.ts'
import { mergeSettings, type InspectRequest } from '../../../tables/inspect-request.ts'

export interface PartialDataset {
  readonly id: string
  readonly name: string
}

/** A dataset being created: its draft and progress. */
export interface Creation {
  readonly draft: Draft
  readonly runs: ReadonlyMap<string, TableRun>
  readonly stage: 'draft' | 'running' | 'cancelling'
  /** The dataset if it was created without some tables: these can be retried, or it's kept as it is. */
  readonly partial: PartialDataset | null
  readonly problem: PlacedProblem | null
}

/** The result of a creation, to be shown. */
export interface Created extends PartialDataset {
  /** Whether the dataset already existed: then `tables` and `rows` count what was added. */
  readonly isAdded: boolean
  readonly tables: number
  readonly rows: number
  readonly notes: readonly string[]
  /** Set if it's complete but has the wrong name. */
  readonly problem: Problem | null
}

interface CreationDeps {
  readonly engine: EngineClient
  readonly session: () => Session
  /** Known names of other datasets, folded. */
  readonly takenNames: () => ReadonlySet<string>
  readonly onCreated: (created: Created) => void
  readonly added: AddedFiles
  readonly newId: () => string
}

/** Milliseconds without typing before input takes effect. */
const TYPING = 350

const EMPTY: Creation = { draft: EMPTY_DRAFT, runs: new Map(), stage: 'draft', partial: null, problem: null }

/**
 * The only dataset being created in this tab. It outlives its dialog, so that input isn't lost and loading continues
 * when the person goes to another screen.
 */
export class CreationStore extends Store<Creation> {
  private readonly reading = new Map<string, AbortController>()
  /** Files to read when typing pauses. */
  private readonly waiting = new Map<string, ReturnType<typeof setTimeout>>()
  private readonly measuring: Measuring
  private running: AbortController | null = null
  private publisher: { readonly api: ApiClient; readonly runs: Publisher } | null = null
  private readonly deps: CreationDeps

  constructor(deps: CreationDeps) {
    super(EMPTY)
    this.deps = deps
    this.measuring = new Measuring(deps)
  }

  /** Whether leaving would lose something. */
  readonly isDirty = (): boolean => !isEmpty(this.state.draft) || this.state.stage !== 'draft'

  /** Whether files can be added to this dataset: not if others wait for another one. */
  canBegin(id: string): boolean {
    return !this.isDirty() || this.state.draft.into?.id === id
  }

  /** Starts adding to a dataset. @returns false if another one is being created, which stays */
  begin(dataset: Omit<Into, 'added'>): boolean {
    if (!this.canBegin(dataset.id)) return false
    this.moveTo(dataset)
    return true
  }

  /** Adds the files to this dataset instead, or to a new one. */
  moveTo(dataset: Omit<Into, 'added'> | null): void {
    if (this.state.stage !== 'draft') return
    const into = dataset && { ...dataset, added: this.deps.added.of(dataset.id) }
    this.setDraft(named(movedTo(this.state.draft, into), this.deps.takenNames()))
  }

  /** Called when its dialog closes: an empty creation is discarded. */
  leave(): void {
    if (!this.isDirty()) this.reset()
  }

  addFiles(files: readonly File[]): void {
    this.add(files.map((file) => ({ file, plan: null, changed: false })))
  }

  /** Adds files with what is already known: plan and inspection. */
  add(incoming: readonly IncomingTable[]): void {
    for (const table of incoming) {
      const added = unread(this.deps.newId(), table)
      this.setDraft(named({ ...this.state.draft, files: [...this.state.draft.files, added] }, this.deps.takenNames()))
      void this.read(added, table)
    }
  }

  /** Retries reading a file. */
  reread(id: string): void {
    this.readAgain(id, (request) => request)
  }

  /** Changes settings for reading a file, and reads it again. */
  setSettings(id: string, patch: Partial<ReadSettings>, typing: boolean): void {
    this.readAgain(id, (request) => mergeSettings(request, patch), typing ? TYPING : 0)
  }

  setFormat(id: string, format: FormatId): void {
    this.readAgain(id, () => ({ format }))
  }

  /** Resets the settings to those detected. */
  resetSettings(id: string): void {
    this.readAgain(id, () => ({}))
  }

  remove(fileId: string): void {
    this.stopReading(fileId)
    this.stopMeasuringOf(fileId)
    this.setDraft(named(removeFile(this.state.draft, fileId), this.deps.takenNames()))
  }

  /** Adds a file although it was already added. */
  takeAgain(fileId: string): void {
    this.setFile(fileId, (file) => ({ ...file, again: true }))
  }

  setDetails(change: Partial<DatasetValues>): void {
    const { draft } = this.state
    this.setDraft({ ...draft, ...change, named: change.name === undefined ? draft.named : change.name !== '' })
  }

  renameTable(id: string, name: string): void {
    this.setTable(id, (table) => ({ ...table, name, named: true }))
  }

  /** The dataset's table to which its rows are added; null for a new table. */
  setOnto(id: string, onto: string | null): void {
    this.setTable(id, (table) => ({ ...table, onto }))
  }

  /** Accepts the table without the rows that don't fit. */
  agree(id: string, agreed: boolean): void {
    this.setTable(id, (table) => ({ ...table, agreed }))
  }

  setColumn(table: DraftTable, column: number, patch: ColumnPatch): void {
    this.stopMeasuring(table.id)
    this.setDraft(changeColumn(this.state.draft, table, column, patch))
  }

  /** Applies proposals as one change that can be undone. */
  applyProposals(fileId: string, chosen: readonly PlacedProposal[]): void {
    const file = this.file(fileId)
    if (file?.state.kind !== 'read') return
    this.changeStep(file, applyProposals(file.state.inspection, file, chosen))
  }

  /** Undoes the proposals applied last. */
  undoProposals(fileId: string): void {
    const file = this.file(fileId)
    const before = file && undoProposals(file)
    if (before) this.changeStep(file, before)
  }

  private changeStep(file: DraftFile, { edits, request, applied }: SettingsWithSteps): void {
    this.stopMeasuringOf(file.id)
    this.setDraft(changeColumns(this.state.draft, file.id, edits))
    if (request !== file.request) this.readAgain(file.id, () => request)
    this.setFile(file.id, (old) => ({ ...old, applied }))
  }

  includeSheet(fileId: string, index: number, include: boolean): void {
    this.setDraft(includeSheet(this.state.draft, fileId, index, include))
  }

  /** Writes a table above the limit as Parquet, to find out its size. */
  async measure(id: string): Promise<void> {
    const table = this.state.draft.tables.find((candidate) => candidate.id === id)
    const file = table && fileOf(this.state.draft, table)
    if (!table || file?.state.kind !== 'read') return
    const plan = planOf(file.state.plan, table.index)
    await this.measuring.run(id, { file: file.file, plan }, (measure) =>
      this.setTable(id, (old) => ({ ...old, measure })),
    )
  }

  stopMeasuring(id: string): void {
    this.measuring.stop(id)
  }

  private stopMeasuringOf(fileId: string): void {
    for (const table of this.state.draft.tables) if (table.fileId === fileId) this.stopMeasuring(table.id)
  }

  /** Creates the dataset, or completes a partial one. */
  async publish(): Promise<void> {
    if (this.state.stage !== 'draft') return
    const abort = new AbortController()
    this.running = abort
    const { draft, partial } = this.state
    this.merge({ stage: 'running', problem: null, runs: new Map() })
    const { api } = this.deps.session()
    const { engine, newId } = this.deps
    // Uploads to one service are of no use for another.
    if (this.publisher?.api !== api) {
      this.publisher = { api, runs: new Publisher({ api, engine, newId, report: (id, run) => this.reported(id, run) }) }
    }
    const dataset = { ...draft, name: draft.name.trim() }
    try {
      const [tables, publisher] = [publishTables(draft), this.publisher.runs]
      const outcome = await (draft.into
        ? publisher.add(draft.into, tables, abort.signal)
        : partial
          ? publisher.retry(partial, dataset, tables, abort.signal)
          : publisher.create(dataset, tables, abort.signal))
      if ('dataset' in outcome) this.deps.added.add(outcome.dataset.id, addedFiles(draft, this.state.runs, Date.now()))
      this.settled(outcome)
    } catch (error) {
      if (isAbort(error)) this.merge({ stage: 'draft', runs: new Map() })
      else
        this.merge({ stage: 'draft', runs: onlyFailed(this.state.runs), problem: placed(error, draft.into !== null) })
    } finally {
      this.running = null
    }
  }

  cancel(): void {
    if (!this.running) return
    this.merge({ stage: 'cancelling' })
    this.running.abort()
  }

  /** Discards everything. The service removes uploads that aren't part of a dataset. */
  reset(): void {
    for (const id of [...this.reading.keys(), ...this.waiting.keys()]) this.stopReading(id)
    this.measuring.stopAll()
    this.running?.abort()
    this.waiting.clear()
    this.publisher = null
    this.merge(EMPTY)
  }

  private readAgain(id: string, change: (request: InspectRequest) => InspectRequest, delay = 0): void {
    const known = this.file(id)
    if (!known || this.state.stage !== 'draft') return
    this.stopReading(id)
    const file: DraftFile = {
      ...known,
      request: change(known.request),
      applied: [],
      state: { kind: 'reading', progress: null },
    }
    this.setFile(id, () => file)
    const read = (): void => void this.read(file, { file: file.file, plan: null, changed: false })
    if (delay === 0) read()
    else this.waiting.set(id, setTimeout(read, delay))
  }

  private stopReading(id: string): void {
    clearTimeout(this.waiting.get(id))
    this.reading.get(id)?.abort()
    this.reading.delete(id)
  }

  private async read(file: DraftFile, { plan, inspection }: IncomingTable): Promise<void> {
    const abort = new AbortController()
    this.reading.set(file.id, abort)
    const isCurrent = (): boolean => this.reading.get(file.id) === abort
    try {
      const request = plan ? { format: plan.format, settings: plan.settings } : file.request
      const { signal } = abort
      const onProgress = (progress: InspectProgress): void => {
        if (isCurrent()) this.setFile(file.id, (old) => ({ ...old, state: { kind: 'reading', progress } }), true)
      }
      const [hash, found] = await Promise.all([
        // Without a hash, repeated files aren't detected.
        file.hash ?? this.deps.engine.hash(file.file, { signal }).catch(() => null),
        inspection ??
          this.deps.engine.inspect(file.file, request, { signal, onProgress }).then((result) => result.inspection),
      ])
      if (isCurrent())
        this.setDraft(withFile(readFile(this.state.draft, file.id, found, plan), file.id, (old) => ({ ...old, hash })))
    } catch (error) {
      if (!isCurrent() || isAbort(error)) return
      const said = explain(error, 'It couldn’t be read')
      this.setFile(file.id, (old) => ({ ...old, state: { kind: 'failed', problem: said } }))
    } finally {
      if (isCurrent()) this.reading.delete(file.id)
    }
  }

  private reported(id: string, run: TableRun): void {
    this.merge({ runs: new Map(this.state.runs).set(id, run) }, true)
  }

  private settled(outcome: Outcome): void {
    switch (outcome.kind) {
      case 'created': {
        const failed = outcome.dataset.tables.filter((table) => table.error)
        if (failed.length === 0) return this.done(outcome.dataset, null)
        const { id, name } = outcome.dataset
        return this.merge({ stage: 'draft', partial: { id, name } })
      }
      case 'misnamed':
        return this.done(outcome.dataset, outcome.problem)
      case 'held': {
        let { draft } = this.state
        for (const [id, rejected] of outcome.held) {
          draft = withTable(draft, id, (table) => ({ ...table, rejected, agreed: false }))
        }
        return this.merge({ stage: 'draft', draft, runs: new Map() })
      }
      case 'unheard':
      case 'unsent':
      case 'none-loaded': {
        const said = outcome.kind === 'unheard' ? unheard(outcome.error, this.state.draft.into !== null) : null
        return this.merge({ stage: 'draft', runs: onlyFailed(this.state.runs), problem: said })
      }
    }
  }

  private done(dataset: { id: string; name: string; tables: readonly { rows: number }[] }, said: Problem | null): void {
    const notes = [...this.state.runs.values()].flatMap((run) => (run.kind === 'done' ? run.notes : []))
    const rows = dataset.tables.reduce((sum, table) => sum + table.rows, 0)
    const { into } = this.state.draft
    this.reset()
    this.deps.onCreated({
      id: dataset.id,
      name: dataset.name || into?.name || '',
      isAdded: into !== null,
      tables: dataset.tables.length,
      rows,
      notes,
      problem: said,
    })
  }

  private file(id: string): DraftFile | undefined {
    return this.state.draft.files.find((file) => file.id === id)
  }

  private setFile(id: string, change: (file: DraftFile) => DraftFile, soon?: boolean): void {
    this.setDraft(withFile(this.state.draft, id, change), soon)
  }

  private setTable(id: string, change: (table: DraftTable) => DraftTable): void {
    this.setDraft(withTable(this.state.draft, id, change))
  }

  private setDraft(draft: Draft, soon = false): void {
    // The last problem may no longer apply after a change; failed tables are shown until the next attempt.
    this.merge({ draft, problem: null }, soon)
  }
}
