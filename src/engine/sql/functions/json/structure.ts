import { KIND } from '../../../columns/json/scanner.ts'
import type { JsonDocument, JsonValue } from './document.ts'
import { typeName } from './type-name.ts'

/** The structure of values: DuckDB's type name, a list's items, or an object's members. */
type Structure = string | readonly [Structure] | ReadonlyMap<string, Structure>

/** The type of a value as `json_structure` tells it: one that all items of an array have, and all members of a name. */
export function structureOf(document: JsonDocument, value: JsonValue): Structure {
  if (value.kind === KIND.array)
    return [document.children(value).reduce<Structure>((sum, item) => merged(sum, structureOf(document, item)), 'NULL')]
  if (value.kind !== KIND.object) return typeName(document.bytes, value)
  const members = new Map<string, Structure>()
  for (const { key, value: child } of document.members(value)) {
    const name = key ? document.text(key) : ''
    members.set(name, merged(members.get(name) ?? 'NULL', structureOf(document, child)))
  }
  return members
}

const WHOLE = new Set<unknown>(['BIGINT', 'UBIGINT'])

function merged(a: Structure, b: Structure): Structure {
  if (a === 'NULL') return b
  if (b === 'NULL' || a === b) return a
  if (typeof a === 'string' && typeof b === 'string') {
    const whole = WHOLE.has(a) && WHOLE.has(b)
    const numbers = [a, b].every((each) => WHOLE.has(each) || each === 'DOUBLE')
    return whole ? 'BIGINT' : numbers ? 'DOUBLE' : 'JSON'
  }
  if (isList(a) && isList(b)) return [merged(a[0], b[0])]
  if (isObject(a) && isObject(b)) {
    const members = new Map(a)
    for (const [name, structure] of b) members.set(name, merged(members.get(name) ?? 'NULL', structure))
    return members
  }
  return 'JSON'
}

const isList = (structure: Structure): structure is readonly [Structure] => Array.isArray(structure)
const isObject = (structure: Structure): structure is ReadonlyMap<string, Structure> => structure instanceof Map

/** A structure as JSON: `{"a":"BIGINT","b":["VARCHAR"]}`. */
export function printStructure(structure: Structure): string {
  if (isList(structure)) return `[${printStructure(structure[0])}]`
  if (!isObject(structure)) return JSON.stringify(structure)
  if (structure.size === 0) return '"JSON"'
  return `{${Array.from(structure, ([name, each]) => `${JSON.stringify(name)}:${printStructure(each)}`).join(',')}}`
}
