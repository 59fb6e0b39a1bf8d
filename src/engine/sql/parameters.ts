import { quoteText } from '../../lib/duckdb-sql/names.ts'
import { EngineError } from '../errors.ts'
import type { ParameterValue } from './session-types.ts'
import { placeOf } from './problems/errors.ts'
import type { ParameterUse } from './statement.ts'

/** A statement with some parts replaced, mainly parameters by their values. */
export interface Filled {
  readonly text: string
  /** Maps an offset in `text` to the original statement. */
  original(at: number): number
}

/** A replacement for a range of a statement's text. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Applies edits, which must be in order. */
export function edited(text: string, edits: readonly Edit[]): Filled {
  let filled = ''
  let after = 0
  const pieces = edits.map((edit) => {
    filled += text.slice(after, edit.from)
    const at = filled.length
    filled += edit.text
    after = edit.to
    return { at, end: filled.length, edit }
  })
  return {
    text: filled + text.slice(after),
    original: (at) => {
      const piece = pieces.findLast((each) => each.at <= at)
      if (!piece) return at
      return at < piece.end ? piece.edit.from : at - piece.end + piece.edit.to
    },
  }
}

/** Composes two replacements, one applied after the other. */
export function over(first: Filled, second: Filled): Filled {
  return { text: second.text, original: (at) => first.original(second.original(at)) }
}

/**
 * Replaces parameters by literals.
 * @param values by name; null uses NULL for all, to bind a statement whose values aren't known yet
 * @throws {EngineError} `sql-error` for a parameter without a value, or with one that its type doesn't hold exactly
 */
export function fillIn(
  text: string,
  uses: readonly ParameterUse[],
  values: Readonly<Record<string, ParameterValue>> | null,
): Filled {
  const edits = uses.map((use) => ({
    ...use,
    text: values === null ? 'NULL' : literal(valueOf(text, use, values), use, text),
  }))
  return edited(text, edits)
}

function valueOf(text: string, use: ParameterUse, values: Readonly<Record<string, ParameterValue>>): ParameterValue {
  const name = Object.hasOwn(values, use.name)
    ? use.name
    : Object.keys(values).find((each) => each.toLowerCase() === use.name.toLowerCase())
  const value = name === undefined ? undefined : values[name]
  if (!value)
    throw wrong(`The parameter $${use.name} has no value.`, 'Fill it in, and run the statement again.', use, text)
  return value
}

/** The value as SQL, with a cast so that its type doesn't depend on the value. */
function literal({ type, text }: ParameterValue, use: ParameterUse, statement: string): string {
  if (text === null) return `CAST(NULL AS ${type})`
  const refuse = (what: string): EngineError =>
    wrong(
      `“${text}” is not ${what}, as the parameter $${use.name} is.`,
      'Change its value or its type.',
      use,
      statement,
    )
  // DuckDB would round it.
  if (type === 'BIGINT' && !/^\s*[+-]?\d+\s*$/.test(text)) throw refuse('a whole number')
  if (type === 'DECIMAL(38,9)' && !/^\s*[+-]?(?:\d+\.?\d{0,9}|\.\d{1,9})\s*$/.test(text)) {
    throw refuse('a number with at most 9 digits after its point')
  }
  return `CAST(${quoteText(text)} AS ${type})`
}

function wrong(message: string, remedy: string, use: ParameterUse, text: string): EngineError {
  return new EngineError('sql-error', message, { remedy, details: placeOf(text, use.from) })
}
