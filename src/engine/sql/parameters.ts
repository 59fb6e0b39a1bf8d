import { quoteText } from '../../lib/duckdb-sql/names.ts'
import { EngineError } from '../errors.ts'
import type { ParameterValue } from './session-types.ts'
import { placeOf } from './problems/errors.ts'
import type { ParameterUse } from './statement.ts'

/** A statement with something else in the place of some of its words, above all its parameters' values. */
export interface Filled {
  readonly text: string
  /** The place in the statement as it was written, of a place in `text`. */
  original(at: number): number
}

/** Something else where a statement's text is from one place up to another. */
export interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Makes changes to a text, which are in their order. */
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

/** One change after another. */
export function over(first: Filled, second: Filled): Filled {
  return { text: second.text, original: (at) => first.original(second.original(at)) }
}

/**
 * Puts literals where parameters stand.
 * @param values by name; null: NULL for all, to bind a statement whose values aren't known yet
 * @throws {EngineError} `sql-error` for a parameter without a value, or with one that its type can't hold unchanged
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

/** The value as SQL; a cast, so that the statement means the same whatever the value is. */
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
