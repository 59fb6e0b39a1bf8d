import type {
  LostThings,
  ParameterValue,
  PlanOperator,
  ResultSet,
  RunSummary,
  SqlProblem,
  TransactionState,
} from '../../../engine/client.ts'
import { Store, type Readable } from '../../../lib/store.ts'
import type { FunctionInfo, SchemaTable } from '../../../lib/duckdb-sql/index.ts'
import type { Where } from '../types.ts'
import type { StatementProblem } from './problem.ts'

/** The part of a script to run. */
export type Part =
  | { readonly kind: 'cursor'; readonly at: number }
  | { readonly kind: 'range'; readonly from: number; readonly to: number }
  | { readonly kind: 'all' }

export interface RunRequest {
  /** The tab's whole text. */
  readonly text: string
  readonly part: Part
  readonly where: Where
  readonly parameters: Readonly<Record<string, ParameterValue>>
}

/** A statement of a script. */
export interface Step {
  readonly statement: string
  readonly from: number
  readonly outcome: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** "1,204 rows", "Created the temporary table x …", or an error. */
  readonly note: string | null
}

/** A statement that was run in a tab, with its outcome so far. */
export interface ShownRun {
  readonly statement: string
  /** Its parameters, so that it can be run again as a subquery. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>
  readonly where: 'browser' | 'service'
  /** Notes about samples that it read. */
  readonly samples?: readonly string[]
  readonly startedAt: number
  readonly result: ResultSet | null
  /** Null while it runs. */
  readonly summary: RunSummary | null
  readonly error: Error | null
  /** Why it ran there: "all its tables are here". */
  readonly why: string
  /** Duration in milliseconds, when it has ended. */
  readonly took: number | null
  /** Its offset in the text that was run. */
  readonly from: number
  /** Whether it was selected: the text around it may belong to the same statement. */
  readonly selected?: boolean
  readonly cancelled: boolean
  /** Name of the file whose import it waits for. */
  readonly waitsFor?: string | null
}

/** A run with a result. */
export interface HeldRun extends ShownRun {
  readonly result: ResultSet
}

interface ShownPlan {
  readonly plan: PlanOperator
  readonly analyzed: boolean
  readonly statement: string
}

/** The state of a tab. */
export interface RunState {
  readonly stage: 'idle' | 'preparing' | 'running' | 'explaining'
  readonly startedAt: number | null
  /** The running or last statement. */
  readonly run: ShownRun | null
  /** Shown until the running statement has rows. */
  readonly earlier: ShownRun | null
  /** The pinned results, first pinned first. */
  readonly pinned: readonly HeldRun[]
  /** The statements of a script; empty for a single one. */
  readonly steps: readonly Step[]
  readonly plan: ShownPlan | null
  /** An error of running or explaining. */
  readonly problem: StatementProblem | null
  /** The same for the editor, with its position. */
  readonly problems: readonly SqlProblem[]
  readonly temporary: readonly (SchemaTable & { readonly kind: 'table' | 'view' })[]
  /** Macros that statements created. */
  readonly macros: readonly FunctionInfo[]
  readonly transaction: TransactionState
  /** What the tab had created and lost. */
  readonly lost: LostThings | null
  /** Whether a request waits until that is created again. */
  readonly waits: boolean
}

export const IDLE: RunState = {
  stage: 'idle',
  startedAt: null,
  run: null,
  earlier: null,
  pinned: [],
  steps: [],
  plan: null,
  problem: null,
  problems: [],
  temporary: [],
  macros: [],
  transaction: null,
  lost: null,
  waits: false,
}

/** The state for a missing tab. */
export const NO_RUN: Readable<RunState> = new Store(IDLE)

/**
 * The shown rows: those of the run, or of the previous one while the run has none, or if it was cancelled before it had
 * any. A run that failed before its first row has none.
 */
export function shownRows({ run, earlier }: RunState): HeldRun | null {
  const isShown = (each: ShownRun | null): each is HeldRun =>
    each !== null && each.result !== null && hasRows(each.result) && !(each.error && each.result.rowCount === 0)
  return [earlier, run].find(isShown) ?? null
}

/** Most results that a tab keeps beside the current one. */
export const MOST_PINNED = 4

export const isPinned = ({ pinned }: RunState, { result }: HeldRun): boolean =>
  pinned.some((each) => each.result === result)

/** The shown rows, if they can be pinned: all of them are here, they aren't pinned, and one more can be. */
export function pinnableRows(state: RunState): HeldRun | null {
  const rows = shownRows(state)
  if (!rows || rows.result.status === 'running' || state.pinned.length >= MOST_PINNED) return null
  return isPinned(state, rows) ? null : rows
}

export const hasRows = (result: ResultSet | null): boolean => result !== null && result.columns.length > 0

/** Calls back once a result has rows, or has ended without. @returns a function that unsubscribes */
export function whenFilled(result: ResultSet, then: () => void): () => void {
  let over = false
  const look = (): void => {
    if (over || (result.rowCount === 0 && result.status === 'running')) return
    over = true
    stop()
    then()
  }
  const stop = hasRows(result) ? result.subscribe(look) : () => undefined
  return () => {
    over = true
    stop()
  }
}
