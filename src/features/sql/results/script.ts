import type { MadeBy, ParameterValue, RunSummary, ScriptStatement, SqlSession } from '../../../engine/client.ts'
import { formatCount, plural } from '../../../ui/format.ts'
import type { HistoryEntry } from '../types.ts'
import { statementProblem, type StatementProblem } from './problem.ts'
import { shifted, statementAt } from './text.ts'
import { hasRows, type RunRequest, type ShownRun, type Step } from './types.ts'

/* A script: statements that run one after the other. */

/** A statement to run, with its own parameters if they aren't the tab's. */
export type StatementToRun = ScriptStatement & { readonly values?: Readonly<Record<string, ParameterValue>> }

/** A statement that created something, to be run again. @param index its index among them */
export function toStatement({ sql, parameters }: MadeBy, index: number): StatementToRun {
  // A position that can't be in the tab's text.
  const nowhere = -1 - index
  return { text: sql, from: nowhere, to: nowhere, parameters: Object.keys(parameters), values: parameters }
}

/** The statements of a text that a request is about. @param open isn't called for an empty text */
export async function chosenStatements(
  open: () => Promise<SqlSession>,
  { text, part }: RunRequest,
  signal: AbortSignal,
): Promise<readonly ScriptStatement[]> {
  if (text.trim() === '') return []
  const session = await open()
  signal.throwIfAborted()
  if (part.kind === 'range') {
    return shifted(await session.split(text.slice(part.from, part.to), { signal }), part.from)
  }
  const all = await session.split(text, { signal })
  if (part.kind === 'all') return all
  const one = statementAt(all, part.at)
  return one ? [one] : []
}

/** What the page shows of a statement that has just begun. */
export const beganRun = (
  { text, from }: StatementToRun,
  parameters: ShownRun['parameters'],
  selected: boolean,
  startedAt: number,
): ShownRun => ({
  statement: text,
  parameters,
  from,
  selected,
  where: 'browser',
  why: '',
  startedAt,
  result: null,
  summary: null,
  error: null,
  took: null,
  cancelled: false,
})

export const historyOf = (run: ShownRun, failed: StatementProblem | null): Omit<HistoryEntry, 'id'> => ({
  text: run.statement,
  startedAt: run.startedAt,
  milliseconds: run.summary?.totalMs ?? run.took ?? 0,
  rows: run.summary && hasRows(run.result) ? run.summary.rows : null,
  where: run.where,
  outcome: failed ? 'failed' : run.cancelled ? 'cancelled' : 'done',
  error: failed?.message ?? null,
})

export const toStep = ({ text, from }: ScriptStatement): Step => ({
  statement: text,
  from,
  outcome: 'waiting',
  note: null,
})

export function summaryWords({ message, rows, leftOut }: RunSummary): string {
  return message ?? (leftOut ? `the first ${formatCount(rows)} rows` : plural(rows, 'row'))
}

/**
 * The parameters without a value; null if all have one.
 * @param then what to do once they have values
 */
export function missingValues(
  statements: readonly ScriptStatement[],
  parameters: Readonly<Record<string, ParameterValue>>,
  then: 'run it' | 'ask',
): StatementProblem | null {
  const known = new Set(Object.keys(parameters).map((name) => name.toLowerCase()))
  const names = new Set(statements.flatMap((statement) => statement.parameters))
  const missing = [...names].filter((name) => !known.has(name.toLowerCase()))
  if (missing.length === 0) return null
  const list = missing.map((name) => `$${name}`).join(', ')
  const what =
    missing.length === 1 ? `The parameter ${list} has no value yet.` : `These parameters have no value yet: ${list}.`
  const each = missing.length === 1 ? 'it' : 'them'
  return { ...statementProblem(what, `Fill ${each} in below the editor, then ${then} again.`), missing: missing[0] }
}
