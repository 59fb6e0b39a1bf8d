import type { ParameterValue, ScriptStatement } from '../../../engine/client.ts'
import { statementProblem, type StatementProblem } from './problem.ts'

/**
 * Which parameters of statements have no value yet; null when all have one.
 * @param then what is done once they have
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
  return statementProblem(what, `Fill ${each} in below the editor, then ${then} again.`)
}
