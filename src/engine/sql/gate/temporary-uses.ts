import type { Edit } from '../parameters.ts'
import { closerOf } from '../functions/operands.ts'
import { dottedAt, foldIdentifier, unquoted, wordsOf, type Statement, type Token } from '../statement.ts'
import { refused } from './refusals.ts'
import { IN_TEMPORARY, temporaryPlace } from './temporary.ts'

/** Things that are looked up by names in expressions. */
export type Used = 'macro' | 'type' | 'sequence'

/** @returns whether there's a temporary one with a name, and whether it hides another */
export type FindTemporary = (kind: Used, name: string) => 'none' | 'alone' | 'hiding'

/**
 * Replaces names of temporary macros, types and sequences by those that they have here, where the engine would find others
 * of the same name, or nothing: DuckDB looks in `temp` first.
 * @param target index of the token where the name of what a statement makes or changes begins
 */
export function usedTemporaries(statement: Statement, find: FindTemporary, target: number | undefined): Edit[] {
  const types = typePlaces(statement)
  return statement.tokens.flatMap((token, at): Edit[] => {
    if (token.kind === 'string') return sequenceAt(statement.tokens, at, find)
    if (at === target || token.kind === 'operator' || token.kind === 'number' || before(statement, at) === '.')
      return []
    const { parts, last } = dottedAt(statement, at)
    const kind = types.has(at) ? 'type' : isCall(statement, at, last) ? 'macro' : null
    const name = parts.at(-1)
    if (!kind || !name || !isMeant(temporaryPlace(parts), find(kind, unquoted(name.text)))) return []
    if (kind === 'type' && statement.tokens[last + 1]?.text === '[')
      throw refused(
        `Lists of ${name.text} can’t be named while it’s both a TEMP type and another.`,
        'Drop one of them, or give it another name.',
      )
    return [{ from: token.start, to: name.start, text: IN_TEMPORARY }]
  })
}

function isMeant(place: ReturnType<typeof temporaryPlace>, found: ReturnType<FindTemporary>): boolean {
  return place === 'only' ? found !== 'none' : place === 'perhaps' && found === 'hiding'
}

const before = ({ tokens }: Statement, at: number): string => tokens[at - 1]?.text.toLowerCase() ?? ''

/** Words before a name with columns in parentheses. */
const BEFORE_COLUMNS = new Set([')', 'with', 'recursive', 'references'])

/** Whether a name is a call's, not that of a table or an alias with columns. */
function isCall(statement: Statement, at: number, last: number): boolean {
  const { tokens } = statement
  if (tokens[last + 1]?.text !== '(') return false
  const previous = before(statement, at)
  if (BEFORE_COLUMNS.has(previous) || tokens[at - 1]?.kind === 'identifier') return false
  // `name (columns) AS (…)` in WITH; `AS name (columns)` is an alias, except in a macro's definition.
  if (previous === ',' && tokens[closerOf(tokens, last + 1) + 1]?.text.toLowerCase() === 'as')
    return tokens[closerOf(tokens, last + 1) + 2]?.text !== '('
  return previous !== 'as' || tokens.slice(0, at).some(({ text }) => /^(?:macro|function)$/i.test(text))
}

/** The tokens where a type stands: after `::`, in casts, and in the definitions of columns. */
function typePlaces(statement: Statement): ReadonlySet<number> {
  const { tokens } = statement
  const places = new Set<number>()
  const open: ('cast' | 'columns' | 'other')[] = []
  // A table that isn't temporary has none of these types, as in DuckDB.
  const word = wordsOf(tokens)
  const made = word(1) === 'or' ? 3 : 1
  const isTable = word(0) === 'create' && /^temp(?:orary)?$/.test(word(made)) && word(made + 1) === 'table'
  for (const [at, { text }] of tokens.entries()) {
    const previous = before(statement, at)
    if (text === '(') {
      const isFirst = isTable && open.length === 0
      open.push(/^(?:try_)?cast$/.test(previous) ? 'cast' : isFirst && !hasQuery(tokens, at) ? 'columns' : 'other')
    } else if (text === ')') open.pop()
    else if (previous === '::' || (previous === ':' && before(statement, at - 1) === ':')) places.add(at)
    else if (previous === 'as' && open.at(-1) === 'cast') places.add(at)
    else if (open.length === 1 && open[0] === 'columns' && /^[(,]$/.test(before(statement, at - 1))) places.add(at)
  }
  return places
}

/** Whether a table's definition has its columns from a query. */
const hasQuery = (tokens: readonly Token[], at: number): boolean =>
  tokens.slice(0, at).some(({ text }) => /^as$/i.test(text))

/** A sequence, whose name is a text: `nextval('temp.name')`. */
function sequenceAt(tokens: readonly Token[], at: number, find: FindTemporary): Edit[] {
  const call = tokens[at - 2]
  if (tokens[at - 1]?.text !== '(' || !call || !/^(?:nextval|currval)$/.test(foldIdentifier(call.text))) return []
  const { start, text } = tokens[at]
  const [, place = '', name] = /^'((?:temp\.)?(?:main\.)?)([^'."]+|"[^'"]+")'$/i.exec(text) ?? []
  if (name === undefined) return []
  const found = find('sequence', unquoted(name))
  const isOnly = /^temp\./i.test(place)
  return isMeant(isOnly ? 'only' : 'perhaps', found)
    ? [{ from: start + 1, to: start + 1 + place.length, text: IN_TEMPORARY }]
    : []
}
