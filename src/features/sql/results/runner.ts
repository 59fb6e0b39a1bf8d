import {
  type ResultSet,
  type ScriptStatement,
  type SessionProgress,
  type SessionTables,
  type SqlSession,
} from '../../../engine/client.ts'
import { asError } from '../../../lib/errors.ts'
import { Store } from '../../../lib/store.ts'
import type { EditorSession } from '../../shared/sql-editor/handle.ts'
import type { HistoryEntry } from '../types.ts'
import { execute, usedParameters, type ExecuteContext } from './execute.ts'
import { explainStatement, withoutMissing, problemState, statementProblem, type StatementProblem } from './problem.ts'
import {
  beganRun,
  chosenStatements,
  historyOf,
  missingValues,
  summaryWords,
  toStatement,
  toStep,
  type StatementToRun,
} from './script.ts'
import type { StoredMade } from './stored-made.ts'
import {
  hasRows,
  IDLE,
  pinnableRows,
  shownRows,
  whenFilled,
  type HeldRun,
  type RunRequest,
  type RunState,
  type ShownRun,
  type Step,
} from './types.ts'

interface RunnerDependencies {
  readonly createSession: () => SqlSession
  /** The current tables for statements. */
  readonly tables: () => Promise<SessionTables>
  readonly around: () => Pick<ExecuteContext, 'service' | 'arriving' | 'samples'>
  /** Whether a missing table may be on a remote service. */
  readonly mayBeElsewhere: (written: string) => boolean
  /** Remembers what the tab has created, to restore it after a reload. */
  readonly made: StoredMade
  readonly onRan: (entry: Omit<HistoryEntry, 'id'>) => void
  readonly now: () => number
}

interface Request extends Pick<RunRequest, 'where' | 'parameters'> {
  /** Whether the statements were selected in the text. */
  readonly selected?: boolean
}

const CANCELLED = 'The statement was cancelled.'
const NOT_RUN = 'What you asked for next wasn’t run.'
/** Milliseconds until a result's memory is freed, since components may still be reading from it. */
const LINGER = 250

/** Runs a tab's statements: its session, the running statement and the results. */
export class Runner extends Store<RunState> {
  private readonly deps: RunnerDependencies
  /** Progress changes many times a second, so it's a store of its own. */
  readonly progress = new Store<SessionProgress | null>(null)
  private opened: SqlSession | null = null
  private used: SessionTables | null = null
  private running: AbortController | null = null
  private closed = false
  /** Set while lost objects are being created again. Resolves to whether all were. */
  private remaking: Promise<boolean> | null = null
  /** The latest request that waits for that. */
  private next: symbol | null = null

  constructor(deps: RunnerDependencies) {
    super({ ...IDLE, lost: deps.made.read() })
    this.deps = deps
  }

  /** The session if it's open; doesn't open it. */
  get current(): SqlSession | null {
    return this.opened
  }

  get isBusy(): boolean {
    return this.running !== null
  }

  /** The tab's session. Its worker starts with the first call. */
  session(): SqlSession {
    if (!this.opened) {
      this.opened = this.deps.createSession()
      if (this.state.lost) this.opened.inherit(this.state.lost)
      this.opened.onLost(() => this.noticeLost())
      this.used = null
      void this.useTables()
    }
    return this.opened
  }

  /** The session for the editor's checks and completions. */
  editing(): EditorSession {
    return withoutMissing(this.session(), (written) => {
      const { arriving, service } = this.deps.around()
      return arriving(written) !== null || (service?.isHere === false && this.deps.mayBeElsewhere(written))
    })
  }

  /** Tells the session that tables have changed. */
  async useTables(): Promise<void> {
    const session = this.opened
    if (!session) return
    const tables = await this.deps.tables().catch(() => null)
    if (!tables || this.opened !== session || this.used === tables) return
    this.used = tables
    session.use(tables)
  }

  /** Runs a part of a text, after cancelling what runs. Resolves when it has ended in any way. */
  async run(request: RunRequest): Promise<void> {
    await this.attempt('preparing', request, async (statements, signal) => {
      const problem =
        statements.length === 0
          ? statementProblem('There’s no statement here to run.', 'Write one, then run it.')
          : missingValues(statements, request.parameters, 'run it')
      if (problem) return { problem }
      if (statements.length > 1) this.patch(signal, { steps: statements.map(toStep) })
      await this.runAll(statements, { ...request, selected: request.part.kind === 'range' }, signal)
      return {}
    })
  }

  /** Runs the statements again that created what was lost with a worker. Resolves when it has ended in any way. */
  async makeAgain(): Promise<void> {
    const { statements = [] } = this.state.lost ?? {}
    const signal = this.begin('running')
    const again = statements.map(toStatement)
    this.patch(signal, { steps: again.map(toStep) })
    this.next = null
    const making = this.runAll(again, { where: 'browser', parameters: {} }, signal).catch((error: unknown) => {
      this.patch(signal, problemState(explainStatement(error, '', null)))
      return false
    })
    this.remaking = making
    const isMade = await making
    this.remaking = null
    const { problem } = this.state
    const isLeftOut = problem !== null && this.next !== null && !isMade
    const told = isLeftOut ? { problem: { ...problem, remedy: `${problem.remedy ?? ''} ${NOT_RUN}`.trim() } } : {}
    this.finish(signal, { waits: false, ...told })
  }

  /** Drops the offer to create lost objects again. */
  forgetLost(): void {
    this.opened?.forgetLost()
    this.merge({ lost: null })
    this.deps.made.write(this.opened?.atStake() ?? null)
  }

  /** Explains a statement; `analyze` also runs it. @returns whether there's a plan */
  explain(request: RunRequest, analyze: boolean): Promise<boolean> {
    return this.attempt('explaining', request, async (statements, signal) => {
      const [statement] = statements
      if (!statement || statements.length > 1) {
        const what = statement ? 'A plan is of one statement, and several are selected.' : 'There’s no statement here.'
        return { problem: statementProblem(what, 'Put the cursor into the statement that you mean.') }
      }
      const problem = missingValues(statements, request.parameters, 'ask')
      if (problem) return { problem }
      const parameters = usedParameters(statement, request.parameters)
      const plan = await this.session().explain(statement.text, { signal, analyze, parameters })
      return { plan: { plan, analyzed: analyze, statement: statement.text } }
    })
  }

  /**
   * Does something with a part of a text, after cancelling what runs.
   * @param work returns what changes when it's done
   * @returns whether it was done without a problem
   */
  private async attempt(
    stage: RunState['stage'],
    request: RunRequest,
    work: (statements: readonly ScriptStatement[], signal: AbortSignal) => Promise<Partial<RunState>>,
  ): Promise<boolean> {
    if (!(await this.whenRemade())) return false
    const signal = this.begin(stage)
    let statement: ScriptStatement | undefined
    let change: Partial<RunState>
    try {
      const statements = await chosenStatements(() => this.readySession(), request, signal)
      statement = statements[0]
      change = await work(statements, signal)
    } catch (error) {
      await this.askWhatIsThere(signal, null)
      change = problemState(explainStatement(error, statement?.text ?? request.text, statement?.from ?? 0))
    }
    this.finish(signal, signal.aborted ? {} : change)
    return !signal.aborted && !change.problem
  }

  /** Cancels what runs. Rows that have arrived stay. */
  cancel(): void {
    this.running?.abort(new DOMException(CANCELLED, 'AbortError'))
  }

  get canPin(): boolean {
    return pinnableRows(this.state) !== null
  }

  /** Pins the shown rows. */
  pin(): void {
    const rows = pinnableRows(this.state)
    if (rows) this.merge({ pinned: [...this.state.pinned, rows] })
  }

  unpin({ result }: HeldRun): void {
    this.merge({ pinned: this.state.pinned.filter((each) => each.result !== result) })
  }

  /** Frees results that the state no longer has. */
  override set(state: RunState, soon = false): void {
    const kept = resultsOf(state)
    for (const result of resultsOf(this.state)) {
      if (!kept.includes(result)) setTimeout(() => result.dispose(), LINGER)
    }
    super.set(state, soon)
  }

  /** Ends the session and frees all memory. */
  close(): void {
    this.closed = true
    this.cancel()
    this.opened?.close()
    this.opened = null
    for (const result of resultsOf(this.state)) result.dispose()
    this.state = IDLE
  }

  /**
   * Waits until lost objects have been created again, since the request may be about them.
   * @returns false if that failed or was cancelled, or if another request came meanwhile
   */
  private async whenRemade(): Promise<boolean> {
    if (!this.remaking) return true
    const own = Symbol('asked for')
    this.next = own
    this.merge({ waits: true })
    return (await this.remaking) && this.next === own
  }

  private async readySession(): Promise<SqlSession> {
    const session = this.session()
    await this.useTables()
    return session
  }

  private async runAll(statements: readonly StatementToRun[], request: Request, signal: AbortSignal): Promise<boolean> {
    for (const [index, statement] of statements.entries()) {
      this.step(signal, index, { outcome: 'running' })
      const failed = await this.runOne(statement, request, signal)
      const outcome = failed ? 'failed' : signal.aborted ? 'cancelled' : 'done'
      const summary = outcome === 'done' ? this.state.run?.summary : null
      this.step(signal, index, { outcome, note: failed?.message ?? (summary ? summaryWords(summary) : null) })
      if (outcome !== 'done') return false
    }
    return true
  }

  /** Returns the error; null if it succeeded or was cancelled. */
  private async runOne(
    statement: StatementToRun,
    { where, selected = false, ...request }: Request,
    signal: AbortSignal,
  ): Promise<StatementProblem | null> {
    const parameters = statement.values ?? request.parameters
    const startedAt = this.deps.now()
    const earlier = shownRows(this.state)
    let shown = beganRun(statement, usedParameters(statement, parameters), selected, startedAt)
    const show = (change: Partial<ShownRun>): void => {
      shown = { ...shown, ...change }
      this.patch(signal, { run: shown })
    }
    this.patch(signal, { stage: 'running', run: shown, earlier })
    let failed: StatementProblem | null = null
    let stopWaiting = (): void => undefined
    try {
      const summary = await execute(statement, {
        session: this.session(),
        ...this.deps.around(),
        where,
        parameters,
        signal,
        onPlace: show,
        onProgress: (progress) => this.setProgress(signal.aborted ? null : progress),
        onResult: (result) => {
          show({ result })
          stopWaiting = whenFilled(result, () => this.patch(signal, { earlier: null }))
        },
      })
      show({ summary, took: this.deps.now() - startedAt })
      if (hasRows(shown.result)) this.patch(signal, { earlier: null })
      else {
        // In a script, a statement without rows leaves the previous one's rows on the page.
        if (this.state.steps.length === 0) this.patch(signal, { earlier: null })
        await this.listTemporary(signal)
      }
    } catch (error) {
      const cancelled = signal.aborted
      if (!cancelled) failed = explainStatement(error, statement.text, statement.values ? null : statement.from)
      const change = { cancelled, error: cancelled ? null : asError(error), took: this.deps.now() - startedAt }
      shown = { ...shown, ...change }
      // Show its outcome unless something else has begun.
      this.patchLate(signal, { run: shown, ...(failed ? problemState(failed) : {}) })
    } finally {
      stopWaiting()
    }
    await this.askWhatIsThere(signal, shown)
    this.deps.onRan(historyOf(shown, failed))
    return failed
  }

  private async listTemporary(signal: AbortSignal): Promise<void> {
    const made = await this.opened?.temporary().catch(() => null)
    if (!made) return
    const temporary = made.tables.map((table) => ({ ...table, rowCount: null }))
    this.patchLate(signal, { temporary, macros: made.macros })
  }

  /** Updates the transaction, and what was created, after a worker was terminated or objects were created again. */
  private async askWhatIsThere(signal: AbortSignal, ran: ShownRun | null): Promise<void> {
    const before = this.state
    // Only a statement without rows, or a failed one, can begin or end a transaction.
    if (before.transaction !== null || !ran?.summary || !hasRows(ran.result)) {
      const transaction = (await this.opened?.transaction().catch(() => null)) ?? null
      if (transaction !== before.transaction) this.patchLate(signal, { transaction })
    }
    const lost = this.opened?.lost() ?? null
    if (this.opened) this.deps.made.write(this.opened.atStake())
    if (lost === before.lost) return
    this.patchLate(signal, { lost })
    await this.listTemporary(signal)
  }

  /** Something was lost with a worker. A running statement checks for that when it ends. */
  private noticeLost(): void {
    if (this.isBusy || this.closed) return
    this.merge({ lost: this.opened?.lost() ?? null, transaction: null, temporary: [], macros: [] })
  }

  private begin(stage: RunState['stage']): AbortSignal {
    this.cancel()
    const controller = new AbortController()
    this.running = controller
    const { run } = this.state
    this.merge({
      // The failure was about the lost worker, so it's no longer shown.
      run: run?.error ? null : run,
      stage,
      startedAt: this.deps.now(),
      steps: [],
      problem: null,
      problems: [],
    })
    return controller.signal
  }

  private finish(signal: AbortSignal, change: Partial<RunState>): void {
    if (this.running?.signal !== signal) return
    this.running = null
    this.setProgress(null)
    const { run, earlier, steps } = this.state
    // Beside an error, earlier rows would look like its result. Cancelling restores them.
    const isStale = run !== null && steps.length === 0 && !run.cancelled
    this.merge({ earlier: isStale ? null : earlier, ...change, stage: 'idle' })
  }

  private step(signal: AbortSignal, index: number, change: Partial<Step>): void {
    const { steps } = this.state
    if (steps.length === 0) return
    this.patchLate(signal, { steps: steps.map((step, i) => (i === index ? { ...step, ...change } : step)) })
  }

  /** Changes the state while this run is the current one. */
  private patch(signal: AbortSignal, change: Partial<RunState>): void {
    if (!signal.aborted) this.patchLate(signal, change)
  }

  /** The same, also after the run was cancelled. */
  private patchLate(signal: AbortSignal, change: Partial<RunState>): void {
    if (this.running?.signal === signal && !this.closed) this.merge(change)
  }

  private setProgress(progress: SessionProgress | null): void {
    if (this.progress.snapshot() !== progress) this.progress.set(progress)
  }
}

const resultsOf = ({ run, earlier, pinned }: RunState): ResultSet[] =>
  [run, earlier, ...pinned].flatMap((shown) => shown?.result ?? [])
