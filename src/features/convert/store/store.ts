import type { JobSettings } from '../../../tables/recipes/recipe.ts'
import type { FormatId } from '../../../contract/formats.ts'
import type { ColumnPatch, ReadSettings, WriteOptions, Mends } from '../../../tables/plan.ts'
import { Store } from '../../../lib/store.ts'
import type { Shape, Split } from '../../../tables/reshape/types.ts'
import { editAllColumns, editColumn, editMends, editTable } from '../../../tables/edits.ts'
import { applyProposals, type PlacedProposal, undoProposals } from '../../../tables/proposals.ts'
import { toFailure } from '../model/failure.ts'
import { combinationJob, createJob, isBusy, isRead, type Job, type Where } from '../model/job.ts'
import * as changes from '../model/changes.ts'
import { settingsFor, type Combination, type CombinationSettings } from '../../../tables/combine/combination.ts'
import type { Added, Running, StoreDependencies, Taken } from './make.ts'
import { Conversions } from './conversions.ts'
import { Previews } from './previews.ts'
import { inSlices, yieldToEvents } from '../../../lib/yielding.ts'
import { mergeSettings, type InspectRequest } from '../../../tables/inspect-request.ts'

/** Milliseconds to wait for further changes, and for further typing. */
const CHOOSING = 100
const TYPING = 350

/**
 * This tab's queue: its jobs in the order they were added, and their calls to the engine. The pure functions in
 * `model/changes.ts` compute a job's changes; the store keeps the list, starts reading files, and cancels.
 */
export class ConvertStore extends Store<readonly Job[]> {
  private readonly running = new Map<string, Running>()
  private readonly deps: StoreDependencies
  private readonly previews: Previews
  private readonly conversions: Conversions

  constructor(deps: StoreDependencies) {
    super([])
    this.deps = deps
    this.previews = new Previews(deps.client, this)
    this.conversions = new Conversions(deps, this)
  }

  /** Adds files and starts reading them. */
  add(...added: readonly Added[]): readonly Job[] {
    // Files added together keep their order when sorted by time.
    const addedAt = Math.max(this.deps.now(), (this.state.at(-1)?.addedAt ?? 0) + 1)
    const jobs = added.map(({ file, reading, earlier }, i) => {
      const id = earlier?.id ?? this.deps.newId()
      return createJob(id, file, addedAt + i, earlier ?? reading, this.deps.targets.of(file.name))
    })
    this.set([...this.state, ...jobs], jobs.length > 1)
    // Several are rendered in a task of their own, before they're read.
    if (jobs.length > 1) void yieldToEvents().then(() => this.set(this.state))
    // All at once, since what isn't written is lost when the page closes.
    void this.deps.keep(...jobs)
    void inSlices(jobs, ({ id }) => {
      // It may meanwhile have been removed, cancelled, or restarted with other settings.
      if (this.find(id)?.stage.kind === 'reading' && !this.running.has(id)) void this.read(id)
    })
    return jobs
  }

  /** Combines these files' tables into one, in the order of the list. */
  combine(ids: ReadonlySet<string>): void {
    const sources = this.state.filter((job) => ids.has(job.id) && !job.combination)
    this.addCombination(this.deps.newId(), settingsFor(sources))
  }

  /** @param settings its settings for writing, if it's from an earlier visit */
  addCombination(id: string, combination: CombinationSettings, settings?: JobSettings): void {
    const job = combinationJob(id, combination, this.deps.now(), settings)
    this.set([job, ...this.state])
    void this.keep(id)
  }

  setCombination(id: string, change: (combination: Combination) => Combination): void {
    this.decide(id, (job) => (job.combination ? changes.withCombination(job, change(job.combination)) : job))
  }

  /** Updates combinations whenever their files change. */
  override set(jobs: readonly Job[], soon = false): void {
    super.set(changes.withCombinations(jobs), soon)
  }

  /** Removes jobs from the list and cancels their work. Their files stay, so that they can be put back. */
  take(ids: ReadonlySet<string>): Taken[] {
    const taken = this.state.flatMap((job, at) => (ids.has(job.id) ? [{ job, at }] : []))
    if (taken.length === 0) return []
    for (const { job } of taken) {
      this.stop(job.id)
      this.previews.stop(job.id)
    }
    this.set(this.state.filter((job) => !ids.has(job.id)))
    this.conversions.startNext()
    return taken
  }

  /** Puts jobs back to their positions. Files are read again, but conversions aren't restarted. */
  putBack(taken: readonly Taken[]): void {
    const jobs = [...this.state]
    for (const { job, at } of taken) jobs.splice(at, 0, changes.restored(job))
    this.set(jobs)
    for (const { job } of taken) {
      void this.keep(job.id)
      if (job.stage.kind === 'reading') void this.read(job.id)
      else this.previewEdited(job.id)
    }
  }

  /** Marks outputs as downloaded. */
  markSaved(ids: ReadonlySet<string>): void {
    this.together(this.state, ({ id, result }) => {
      const next = result && changes.saved(result, ids)
      if (!next || next === result) return
      this.update(id, (job) => ({ ...job, result: next }))
      void this.keep(id)
    })
  }

  convert(id: string): void {
    this.update(id, changes.queued)
    void this.keep(id)
    this.conversions.startNext()
  }

  /** Queues everything that can be converted; files still being read follow when they're read. */
  convertAll(): void {
    this.set(changes.queuedTogether(this.state))
    this.conversions.startNext()
  }

  cancel(id: string): void {
    const job = this.find(id)
    if (!job || !(isBusy(job) || job.stage.kind === 'reading')) return
    this.cancelOne(id)
    this.conversions.startNext()
  }

  cancelAll(): void {
    this.together(this.state, (job) => {
      if (isBusy(job)) this.cancelOne(job.id)
      else if (job.wanted) this.update(job.id, (old) => ({ ...old, wanted: false }))
    })
    this.conversions.startNext()
  }

  private cancelOne(id: string): void {
    this.stop(id)
    this.update(id, changes.cancelled)
    void this.keep(id)
  }

  retry(id: string): void {
    const job = this.find(id)
    if (job?.stage.kind !== 'failed') return
    if (job.stage.during === 'converting' && job.plan) this.convert(id)
    else this.readAgain(id, job.request, 0)
  }

  /** Changes settings for reading the file, and reads it again. */
  setSettings(id: string, patch: Partial<ReadSettings>, typing = false): void {
    const job = this.find(id)
    if (job) this.readAgain(id, mergeSettings(job.request, patch), typing ? TYPING : 0)
  }

  /** Replaces a job's file, which can't be read any more, and keeps its settings. */
  replaceFile(id: string, file: File): void {
    const job = this.find(id)
    this.update(id, (old) => ({ ...old, file }))
    if (job) this.readAgain(id, job.request, 0)
  }

  setFormat(id: string, format: FormatId): void {
    this.readAgain(id, { format }, 0)
  }

  /** Resets the settings to those detected. */
  resetSettings(id: string): void {
    this.readAgain(id, {}, 0)
  }

  setColumn(id: string, table: number, column: number, patch: ColumnPatch): void {
    this.edit(
      id,
      table,
      (job, found) => editColumn(job.edits, found, column, patch),
      'name' in patch && !('type' in patch),
    )
  }

  setAllColumns(id: string, table: number, patch: ColumnPatch): void {
    this.edit(id, table, (job, found) => editAllColumns(job.edits, found, patch))
  }

  /** Sets corrections of rows that don't fit. */
  setMends(id: string, table: number, mends: Mends): void {
    const job = this.find(id)
    const found = job?.inspection?.tables[table]
    if (!job || !found || isBusy(job)) return
    this.update(id, (old) => changes.withEdits(old, editMends(old.edits, found.name, mends)))
    const running = this.runningOf(id)
    clearTimeout(running.keeping)
    running.keeping = setTimeout(() => void this.keep(id), TYPING)
    if (mends.putBack) this.previews.checkLater(id, table, TYPING)
  }

  /** Finds more of the rows that don't fit than reading the file did. */
  findRejected(id: string, table: number): void {
    this.previews.checkLater(id, table, 0)
  }

  includeTable(id: string, table: number, include: boolean): void {
    this.edit(id, table, (job, found) => editTable(job.edits, found.name, include))
  }

  /** Applies proposals as one change that can be undone. */
  applyProposals(id: string, chosen: readonly PlacedProposal[]): void {
    const job = this.find(id)
    if (!job?.inspection || isBusy(job)) return
    this.changeStep(id, applyProposals(job.inspection, job, chosen))
  }

  /** Undoes the proposals applied last. */
  undoProposals(id: string): void {
    const job = this.find(id)
    const before = job && !isBusy(job) ? undoProposals(job) : null
    if (before) this.changeStep(id, before)
  }

  private changeStep(id: string, settings: Pick<Job, 'edits' | 'request' | 'applied'>): void {
    this.change(id, settings)
    this.update(id, (old) => ({ ...old, applied: settings.applied }))
  }

  /** Changes settings. The file is only read again if it would be read differently. */
  change(id: string, { edits, request }: Pick<JobSettings, 'edits' | 'request'>): void {
    const job = this.find(id)
    if (!job || isBusy(job)) return
    const before = job.edits
    this.update(id, (old) => changes.withEdits(old, edits))
    if (JSON.stringify(request) !== JSON.stringify(job.request) || !isRead(job)) {
      this.readAgain(id, request, 0)
      return
    }
    void this.keep(id)
    for (const table of new Set([...before, ...edits].map((edit) => edit.table))) this.previewTable(id, table)
  }

  /** Applies another job's or a recipe's settings. */
  applySettings(id: string, settings: JobSettings, recipe?: string): void {
    this.update(id, (job) => ({ ...changes.withWriteSettings(job, settings), recipe }))
    this.readAgain(id, settings.request, 0)
  }

  setTarget(id: string, target: FormatId): void {
    const job = this.find(id)
    if (job && !job.combination) this.deps.targets.choose(job.file.name, target)
    this.decide(id, (old) => changes.withTarget(old, target))
  }

  /** @param split null for one file per table */
  setSplit(id: string, split: Split | null): void {
    this.decide(id, (job) => changes.withSplit(job, split))
  }

  /** @param shape null to write all rows as read */
  setShape(id: string, shape: Shape | null): void {
    this.decide(id, (job) => changes.withShape(job, shape))
  }

  setDraft = (id: string, draft: Job['draft'] | null): void =>
    this.update(id, (job) => changes.withDraft(job, draft ?? null))

  setWhere(id: string, where: Where): void {
    this.update(id, (job) => changes.withPlace(job, where))
  }

  setOptions(id: string, options: WriteOptions): void {
    this.decide(id, (job) => changes.withOptions(job, options))
  }

  /** Accepts the result without the rows that don't fit. */
  agree(id: string): void {
    this.update(id, (job) => (job.result ? { ...job, result: changes.agreed(job.result) } : job))
    const job = this.find(id)
    if (job) this.deps.agreed(job)
    void this.keep(id)
  }

  /** Applies the person's changes unless the engine is working on the job. */
  private decide(id: string, change: (job: Job) => Job): void {
    this.update(id, (job) => (isBusy(job) ? job : change(job)))
    void this.keep(id)
  }

  find(id: string): Job | undefined {
    return this.state.find((job) => job.id === id)
  }

  private runningOf(id: string): Running {
    let running = this.running.get(id)
    if (!running) this.running.set(id, (running = {}))
    return running
  }

  private stop(id: string): void {
    const running = this.running.get(id)
    clearTimeout(running?.timer)
    running?.reading?.abort()
    this.running.delete(id)
    this.conversions.stop(id)
  }

  private readAgain(id: string, request: InspectRequest, delay: number): void {
    const job = this.find(id)
    if (!job || isBusy(job)) return
    this.stop(id)
    this.previews.stop(id)
    this.update(id, (old) => changes.readingAgain(old, request))
    void this.keep(id)
    this.runningOf(id).timer = setTimeout(() => void this.read(id), delay)
  }

  private async read(id: string): Promise<void> {
    const job = this.find(id)
    if (!job) return
    const { signal } = (this.runningOf(id).reading = new AbortController())
    try {
      const result = await this.deps.client.inspect(job.file, job.request, {
        signal,
        onProgress: (progress) => {
          if (!signal.aborted) this.update(id, (old) => changes.readingProgressed(old, progress), true)
        },
      })
      // Processing the result for ten thousand columns takes a task of its own.
      await yieldToEvents()
      if (signal.aborted) return
      // When there are many files, those read at the same moment are shown together.
      const several = this.state.filter(({ stage }) => stage.kind === 'reading').length > 1
      this.update(id, (old) => changes.read(old, result), several)
      if (this.find(id)?.edits !== job.edits) void this.keep(id)
      // The engine's preview doesn't have edits that were carried over, so it's made again.
      this.previewEdited(id)
    } catch (error) {
      if (signal.aborted) return
      this.update(id, (old) => changes.failed(old, 'reading', toFailure(error)))
      this.end(id)
      void this.keep(id)
    }
    this.conversions.startNext()
  }

  private previewEdited(id: string): void {
    for (const { table } of this.find(id)?.edits ?? []) this.previewTable(id, table)
  }

  private previewTable(id: string, name: string | null): void {
    const index = this.find(id)?.inspection?.tables.findIndex((found) => found.name === name) ?? -1
    if (index >= 0) void this.previews.preview(id, index)
  }

  private edit(
    id: string,
    table: number,
    change: (job: Job, found: NonNullable<Job['inspection']>['tables'][number]) => Job['edits'],
    typing = false,
  ): void {
    const job = this.find(id)
    const found = job?.inspection?.tables[table]
    if (!job || !found || isBusy(job)) return
    this.update(id, (old) => changes.withEdits(old, change(old, found)))
    if (!isRead(job)) {
      // Reading also makes the preview.
      void this.keep(id)
      return
    }
    const running = this.runningOf(id)
    this.previews.stop(id, table)
    clearTimeout(running.timer)
    const settle = (): void => {
      void this.keep(id)
      void this.previews.preview(id, table)
    }
    running.timer = setTimeout(settle, typing ? TYPING : CHOOSING)
  }

  /** Stores what must outlive the page. */
  async keep(id: string): Promise<void> {
    const job = this.find(id)
    if (job) await this.deps.keep(job)
  }

  /** Reports that a job has ended. */
  end(id: string): void {
    const job = this.find(id)
    if (job) this.deps.ended(job)
  }

  update(id: string, change: (job: Job) => Job, soon = false): void {
    const old = this.find(id)
    const next = old && change(old)
    if (next && next !== old) this.set(this.state.with(this.state.indexOf(old), next), soon)
  }
}
