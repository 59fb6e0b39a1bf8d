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
import type { SchemaTable } from '../../../lib/duckdb-sql/index.ts'
import type { Where } from '../types.ts'
import type { StatementProblem } from './problem.ts'

/** Which part of a script is run. */
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

/** One of several statements that are run one after the other. */
export interface Step {
  readonly statement: string
  readonly from: number
  readonly outcome: 'waiting' | 'running' | 'done' | 'failed' | 'cancelled'
  /** "1,204 rows", "Created the temporary table x …", or what went wrong. */
  readonly note: string | null
}

/** A statement that was run in a tab, with what came of it so far. */
export interface ShownRun {
  readonly statement: string
  /** What its `$name` parameters were, so that the statement can be run again inside of another one. */
  readonly parameters?: Readonly<Record<string, ParameterValue>>
  readonly where: 'browser' | 'service'
  /** Of which files it saw only the first rows, in words. */
  readonly samples?: readonly string[]
  readonly startedAt: number
  readonly result: ResultSet | null
  /** Null while it runs. */
  readonly summary: RunSummary | null
  readonly error: Error | null
  /** Why it ran where it did: "all its tables are here". */
  readonly why: string
  /** Milliseconds, once it's over. */
  readonly took: number | null
  /** Of the statement in the text that was run. */
  readonly from: number
  /** It was selected: what stands around it may be of the same statement. */
  readonly selected?: boolean
  readonly cancelled: boolean
  /** A file that is being added, which it waits for. */
  readonly waitsFor?: string | null
}

/** A run that has a result. */
export interface HeldRun extends ShownRun {
  readonly result: ResultSet
}

interface ShownPlan {
  readonly plan: PlanOperator
  readonly analyzed: boolean
  readonly statement: string
}

/** What a tab does and shows. */
export interface RunState {
  readonly stage: 'idle' | 'preparing' | 'running' | 'explaining'
  readonly startedAt: number | null
  /** The statement that runs, or ran last. */
  readonly run: ShownRun | null
  /** What is shown until the one that runs has rows. */
  readonly earlier: ShownRun | null
  /** What stays on the page, beside what runs later. */
  readonly pinned: HeldRun | null
  /** Of several statements; empty when it was one. */
  readonly steps: readonly Step[]
  readonly plan: ShownPlan | null
  /** Why nothing could be run or explained, or what went wrong on the way. */
  readonly problem: StatementProblem | null
  /** The same for the editor, at its place. */
  readonly problems: readonly SqlProblem[]
  readonly temporary: readonly (SchemaTable & { readonly kind: 'table' | 'view' })[]
  readonly transaction: TransactionState
  /** What the tab had made and has no more. */
  readonly lost: LostThings | null
  /** Something is to run once that's made again. */
  readonly waits: boolean
}

export const IDLE: RunState = {
  stage: 'idle',
  startedAt: null,
  run: null,
  earlier: null,
  pinned: null,
  steps: [],
  plan: null,
  problem: null,
  problems: [],
  temporary: [],
  transaction: null,
  lost: null,
  waits: false,
}

/** Of a tab that isn't there. */
export const NO_RUN: Readable<RunState> = new Store(IDLE)

/**
 * The rows on the page: of the run, or of the one before it as long as it has none, and where it was cancelled before it had
 * any. One that failed before its first row has none.
 */
export function shownRows({ run, earlier }: RunState): HeldRun | null {
  const isShown = (each: ShownRun | null): each is HeldRun =>
    each !== null && each.result !== null && hasRows(each.result) && !(each.error && each.result.rowCount === 0)
  return [earlier, run].find(isShown) ?? null
}

export const hasRows = (result: ResultSet | null): boolean => result !== null && result.columns.length > 0

/** Calls back once a result has rows, or will have none. @returns what calls it off */
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
