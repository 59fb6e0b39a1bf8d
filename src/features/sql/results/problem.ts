import { ApiError } from '../../../api/errors.ts'
import { EngineError, type SqlProblem, type TextRange } from '../../../engine/client.ts'
import { explain, type Problem } from '../../shared/problem.ts'
import type { EditorSession } from '../../shared/sql-editor/handle.ts'
import { offsetOf, wordAt } from './text.ts'

/** An error of a statement, for people. */
export interface StatementProblem extends Problem {
  /** Position in the tab's text. */
  readonly range: TextRange | null
  /** Names that may be meant. */
  readonly suggestions: readonly string[]
  /** The first parameter that has no value yet. */
  readonly missing?: string
}

export function statementProblem(message: string, remedy: string): StatementProblem {
  return { message, remedy, range: null, suggestions: [] }
}

/**
 * Explains an error of the engine or the service.
 * @param statement the statement that was run
 * @param from its offset in the text; null if it isn't in the text
 */
export function explainStatement(error: unknown, statement: string, from: number | null): StatementProblem {
  const isApi = error instanceof ApiError
  const details = isApi || error instanceof EngineError ? error.details : null
  return {
    ...explain(error, isApi ? null : 'The statement couldn’t be run', {
      again: 'Run it again',
      instead: ', or in this browser',
    }),
    range: from === null ? null : rangeOf(details, statement, from),
    suggestions: suggestionsOf(details),
  }
}

/** The part of a tab's state that shows an error: beside the result, and in the editor if it has a position there. */
export function problemState(found: StatementProblem): { problem: StatementProblem; problems: readonly SqlProblem[] } {
  const { range, message, remedy, suggestions } = found
  const told = { message, suggestions, ...(remedy === null ? {} : { remedy }) }
  return { problem: found, problems: range ? [{ ...range, ...told }] : [] }
}

/** Accepts `{from, to}` and `{line, column}`, both relative to the statement. */
function rangeOf(details: unknown, statement: string, from: number): TextRange | null {
  if (typeof details !== 'object' || details === null) return null
  const { from: begin, to: end, line, column } = details as Readonly<Record<string, unknown>>
  if (typeof begin === 'number' && typeof end === 'number') return { from: from + begin, to: from + end }
  if (typeof line !== 'number' || typeof column !== 'number') return null
  const offset = offsetOf(statement, line, column)
  if (offset === null) return null
  const word = wordAt(statement, offset)
  return { from: from + word.from, to: from + word.to }
}

function suggestionsOf(details: unknown): readonly string[] {
  if (typeof details !== 'object' || details === null) return []
  const { suggestions } = details as Readonly<Record<string, unknown>>
  return Array.isArray(suggestions) ? suggestions.filter((each): each is string => typeof each === 'string') : []
}

/**
 * A session for the editor that doesn't report tables as missing if running the statement would wait for their import
 * or use the service.
 */
export function withoutMissing(session: EditorSession, isExpected: (written: string) => boolean): EditorSession {
  return {
    async check(statement, options) {
      const problems = await session.check(statement, options)
      return problems.filter(({ from, to }) => !isExpected(statement.slice(from, to)))
    },
    describe: (...asked) => session.describe(...asked),
    dialect: (...asked) => session.dialect(...asked),
  }
}
