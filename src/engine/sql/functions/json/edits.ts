import { quoteIdentifier, quoteText } from '../../../../lib/duckdb-sql/names.ts'
import type { Edit } from '../../parameters.ts'
import { foldIdentifier, type Statement, type Token } from '../../statement.ts'
import { argumentsOf, closerOf, isSelected, startOfValue, type Run } from '../operands.ts'
import { OF_EACH_PATH, TRANSFORMS } from './macros.ts'
import { readPath } from './path.ts'
import { readStructure, transformation } from './transform.ts'

/** Functions of a path that, with wildcards or a list of paths, give a list: what they're called then. */
const OF_PATHS: ReadonlyMap<string, string> = new Map([
  ['json_extract', '__json_lists'],
  ['json_extract_path', '__json_lists'],
  ['json_extract_string', '__json_lists_text'],
  ['json_extract_path_text', '__json_lists_text'],
])

/**
 * What a statement has to be changed in because a function of ours has one type, and takes as many values as it says: a
 * path with wildcards, or a list of paths, goes to the function that gives a list; `json_array` and `json_object` are given
 * lists; what a cast to JSON is of is made JSON, unless it's a text.
 */
export function jsonEdits({ text, tokens }: Statement): Edit[] {
  if (!/json|->/i.test(text)) return []
  const edits = tokens.flatMap((token, i): Edit[] => {
    if (token.text === '::') {
      const value = { first: startOfValue(tokens, i - 1), last: i - 1 }
      return castEdits(text, tokens, { value, type: i + 1, whole: { first: value.first, last: i + 1 } })
    }
    if (tokens[i + 1]?.text !== '(' || tokens[i - 1]?.text === '.' || token.kind === 'string') return []
    const name = foldIdentifier(token.text)
    if (name === 'cast' || name === 'try_cast') {
      const close = closerOf(tokens, i + 1)
      const value = { first: i + 2, last: close - 3 }
      if (!/^as$/i.test(tokens[close - 2].text)) return []
      return castEdits(text, tokens, { value, type: close - 1, whole: { first: i, last: close } })
    }
    if (TRANSFORMS.includes(name)) return transformEdits(name, text, tokens, i)
    const [, path, ...others] = argumentsOf(tokens, i + 1)
    if (path && others.length === 0) {
      const many = OF_PATHS.get(name)
      if (many !== undefined && leadsToMany(tokens, path)) return [span(token, many)]
      if (OF_EACH_PATH.includes(name) && isList(tokens, path)) return [span(token, `__${name}_each`)]
    }
    return name === 'json_array' || name === 'json_object' ? listEdits(name, tokens, i) : []
  })
  // What is put in stands before what takes the place of the same name.
  return edits.toSorted((a, b) => a.from - b.from || a.to - b.to)
}

interface Cast {
  readonly value: Run
  /** The token of its type. */
  readonly type: number
  readonly whole: Run
}

function castEdits(text: string, tokens: readonly Token[], { value, type, whole }: Cast): Edit[] {
  const { first, last } = value
  if (last < first || !/^"?json"?$/i.test(tokens[type]?.text ?? '') || tokens[type + 1]?.text === '[') return []
  const word = tokens[whole.first].text.toLowerCase() === 'try_cast' ? 'TRY_CAST' : 'CAST'
  if (first === last && tokens[first].kind === 'string') return []
  const made = word === 'CAST' ? '__json_cast(' : '__json_tried('
  const edits = [insert(tokens[first].start, made), insert(endOf(tokens[last]), ')')]
  const isColumn = tokens.slice(first, last + 1).every(({ kind, text: each }) => kind === 'identifier' || each === '.')
  if (!isColumn || !isSelected(tokens, whole)) return edits
  // A table that is made of it has the name that the engine gives the cast by itself.
  const written = tokens[type].text.replaceAll('"', '')
  const name = `${word}(${text.slice(tokens[first].start, endOf(tokens[last]))} AS "${written}")`
  return [...edits, insert(endOf(tokens[whole.last]), ` AS ${quoteIdentifier(name)}`)]
}

/** Macros take no list of arguments: they are given one. */
function listEdits(name: 'json_array' | 'json_object', tokens: readonly Token[], at: number): Edit[] {
  const given = argumentsOf(tokens, at + 1)
  const size = name === 'json_array' ? 1 : 2
  if (given.length % size !== 0) return []
  const open = tokens[at + 1]
  const close = tokens[closerOf(tokens, at + 1)]
  const firsts = given.filter((_, i) => i % size === 0)
  const lasts = given.filter((_, i) => i % size === size - 1)
  return [
    { from: tokens[at].start, to: endOf(open), text: `__${name}([` },
    ...firsts.map(({ first }) => insert(tokens[first].start, size === 1 ? '__json_item(' : '__json_pair(')),
    ...lasts.map(({ last }) => insert(endOf(tokens[last]), ')')),
    { from: close.start, to: endOf(close), text: '])' },
  ]
}

const insert = (at: number, text: string): Edit => ({ from: at, to: at, text })
const span = (token: Token, text: string): Edit => ({ from: token.start, to: endOf(token), text })

/** A function's type depends on a text: what it makes is written out. */
function transformEdits(name: string, text: string, tokens: readonly Token[], at: number): Edit[] {
  const [json, structure, ...others] = argumentsOf(tokens, at + 1)
  if (!structure || others.length > 0 || structure.first !== structure.last) return []
  const { kind, text: written, start } = tokens[structure.first]
  if (kind !== 'string' || !written.startsWith("'")) return []
  const close = tokens[closerOf(tokens, at + 1)]
  const strict = name.endsWith('_strict')
  const made = transformation(readStructure(written.slice(1, -1).replaceAll("''", "'")), 'json_document', strict)
  const own = quoteText(text.slice(tokens[at].start, endOf(close)))
  return [
    { from: tokens[at].start, to: tokens[json.first].start, text: `__json_made(${own}, list_transform([(` },
    {
      from: endOf(tokens[json.last]),
      to: start + written.length,
      text: `)::VARCHAR], lambda json_document: ${made})[1]`,
    },
  ]
}

function endOf({ start, text }: Token): number {
  return start + text.length
}

const isList = (tokens: readonly Token[], { first, last }: Run): boolean =>
  tokens[first].text === '[' && tokens[last].text === ']'

/** A list of paths, or a path in quotes with wildcards. */
function leadsToMany(tokens: readonly Token[], { first, last }: Run): boolean {
  const { text, kind } = tokens[first]
  if (isList(tokens, { first, last })) return true
  if (first !== last || kind !== 'string' || !text.startsWith("'$")) return false
  try {
    return readPath(text.slice(1, -1).replaceAll("''", "'")).many
  } catch {
    // The function says what's wrong with it.
    return false
  }
}
