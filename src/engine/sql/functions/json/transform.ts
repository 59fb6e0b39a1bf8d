import { quoteText } from '../../../../lib/duckdb-sql/names.ts'
import { KIND } from '../../../columns/json/scanner.ts'
import { JsonDocument, type JsonValue } from './document.ts'

/** What `json_transform` makes of a document: DuckDB's type names, in the form of the documents. */
type Structure =
  | { readonly kind: 'value'; readonly type: string }
  | { readonly kind: 'list'; readonly item: Structure }
  | { readonly kind: 'map'; readonly value: Structure }
  | { readonly kind: 'struct'; readonly fields: readonly (readonly [name: string, type: Structure])[] }

const TYPE = /^[A-Za-z_][A-Za-z0-9_ ]*(?:\(\d+(?:, ?\d+)?\))?$/
const MAP = /^MAP ?\( ?(?:VARCHAR|TEXT|STRING) ?, ?(.+)\)$/i
const WHOLE = /^(?:u?(?:tiny|small|big|huge)int|u?int(?:eger)?|u?int(?:8|16|32|64|128)|int[1248]|short|long|signed)$/i
const FRACTION = /^(?:decimal|numeric|dec|float[48]?|real|double)\b/i
const TRUTH = /^(?:boolean|bool|logical)$/i

const encoder = new TextEncoder()

/**
 * @param text such as `{"id": "BIGINT", "tags": ["VARCHAR"]}`
 * @throws {Error} that says what is wrong with it
 */
export function readStructure(text: string): Structure {
  const document = new JsonDocument()
  return structureOf(document, document.read(encoder.encode(text)))
}

function structureOf(document: JsonDocument, value: JsonValue): Structure {
  if (value.kind === KIND.string || value.kind === KIND.escaped) return typed(document.text(value))
  const members = [...document.members(value)]
  if (value.kind === KIND.array) {
    if (members.length !== 1) throw new Error('A list in a JSON structure has one type, as ["INTEGER"] has.')
    return { kind: 'list', item: structureOf(document, members[0].value) }
  }
  if (value.kind !== KIND.object)
    throw new Error('A JSON structure has type names in quotes, such as {"id": "BIGINT"}.')
  if (members.length === 0) throw new Error('An object in a JSON structure has at least one key.')
  const fields = members.map(
    ({ key, value: own }) => [key ? document.text(key) : '', structureOf(document, own)] as const,
  )
  if (fields.some(([name]) => name === '')) throw new Error('A key in a JSON structure can’t be empty.')
  const twice = fields.find(([name], i) => fields.findIndex(([other]) => other === name) < i)
  if (twice) throw new Error(`The JSON structure has the key "${twice[0]}" twice.`)
  return { kind: 'struct', fields }
}

function typed(name: string): Structure {
  const type = name.trim()
  if (type.endsWith('[]')) return { kind: 'list', item: typed(type.slice(0, -2)) }
  const [, value] = MAP.exec(type) ?? []
  if (value !== undefined) return { kind: 'map', value: typed(value) }
  if (TYPE.test(type)) return { kind: 'value', type }
  throw new Error(
    `“${type}” is no type in a JSON structure. A STRUCT is written as {"name": "TYPE"}, a list as ["TYPE"].`,
  )
}

const step = (key: string): string => `."${key.replaceAll(/["\\]/g, String.raw`\$&`)}"`

/**
 * An expression for what a document becomes. `strict`: what doesn't fit is an error, else NULL.
 * @param json an expression of a document's text, which stands in it more than once
 * @param path of the value in it
 * @param depth of lists that it stands in, for names of lambdas' parameters
 */
export function transformation(structure: Structure, json: string, strict: boolean, path = '$', depth = 0): string {
  const kind = { struct: 'OBJECT', map: 'OBJECT', list: 'ARRAY', value: 'VALUE' }[structure.kind]
  const any = structure.kind === 'value' && readerOf(structure.type) === '__json_text'
  const needed = `__json_needed(${json}, ${quoteText(path)}, '${any ? 'ANY' : kind}')`
  const at = strict ? `${needed}, '$'` : `${json}, ${quoteText(path)}`
  const items = (wildcard: string, item: Structure): string => {
    const values = strict
      ? `__json_values(${needed}, '$${wildcard}', 'VARCHAR')`
      : `__json_values(${json}, ${quoteText(path + wildcard)}, 'VARCHAR')`
    const name = `json_item${depth}`
    return `list_transform(${values}::VARCHAR[], lambda ${name}: ${transformation(item, name, strict, '$', depth + 1)})`
  }
  switch (structure.kind) {
    case 'value':
      if (/^null$/i.test(structure.type)) return 'NULL'
      return `${strict ? 'CAST' : 'TRY_CAST'}(${readerOf(structure.type)}(${at}) AS ${structure.type})`
    case 'list':
      return `CASE WHEN __json_type(${at}) = 'ARRAY' THEN ${items('[*]', structure.item)} END`
    case 'map':
      return `CASE WHEN __json_type(${at}) = 'OBJECT' THEN map(__json_keys(${at})::VARCHAR[], ${items('.*', structure.value)}) END`
    case 'struct': {
      const fields = structure.fields.map(
        ([name, type]) => `${quoteText(name)}: ${transformation(type, json, strict, path + step(name), depth)}`,
      )
      return `CASE WHEN coalesce(__json_type(${at}), 'NULL') <> 'NULL' THEN {${fields.join(', ')}} END`
    }
  }
}

/** What reads a value so that the engine's cast from text gives what it would give from JSON's own types. */
export function readerOf(type: string): string {
  if (WHOLE.test(type)) return '__json_whole'
  if (FRACTION.test(type)) return '__json_number'
  if (TRUTH.test(type)) return '__json_truth'
  return /^json$/i.test(type) ? 'json_extract' : '__json_text'
}
