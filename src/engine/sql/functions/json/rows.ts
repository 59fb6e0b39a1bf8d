import { KIND } from '../../../columns/json/scanner.ts'
import type { JsonDocument, JsonValue } from './document.ts'
import { typeName } from './type-name.ts'

/** A row of `json_each` and `json_tree`. */
export interface JsonRow {
  readonly key: string | null
  readonly value: JsonValue
  readonly type: string
  /** Whether it's neither null nor an object nor an array: its value is the `atom` then. */
  readonly atom: boolean
  /** The number of the value among all keys and values of the document. */
  readonly id: number
  readonly parent: number | null
  readonly fullkey: string
  readonly path: string
}

/**
 * The values within a value, or with `deep` it and all below it, as `json_each` and `json_tree` give them.
 * @param from what `path` leads to in the document whose whole value is `root`
 */
export function listRows(
  document: JsonDocument,
  root: JsonValue,
  from: JsonValue,
  path: string,
  deep: boolean,
): JsonRow[] {
  const rows: JsonRow[] = []
  let id = 0
  let inside = false
  const visit = (value: JsonValue, key: string | null, parent: number | null, fullkey: string, above: string): void => {
    const own = id++
    const isFrom = value.start === from.start && value.kind === from.kind && !inside
    const container = value.kind === KIND.object || value.kind === KIND.array
    const here = isFrom ? path : fullkey
    const listed = isFrom ? deep || !container : inside && (deep || above === path)
    if (listed)
      rows.push({
        key: isFrom ? null : key,
        value,
        type: typeName(document.bytes, value),
        atom: !container && value.kind !== KIND.null,
        id: own,
        parent: deep && !isFrom ? parent : null,
        fullkey: here,
        path: isFrom ? path : above,
      })
    const outer = inside
    inside ||= isFrom
    let index = 0
    for (const member of document.members(value)) {
      const name = member.key ? document.text(member.key) : String(index++)
      if (member.key) id++
      visit(member.value, name, own, `${here}${member.key ? `.${name}` : `[${name}]`}`, here)
    }
    inside = outer
  }
  visit(root, null, null, '$', '$')
  return rows
}
