import { isText, KIND } from '../../../columns/json/scanner.ts'
import type { JsonDocument, JsonValue } from './document.ts'

const decoder = new TextDecoder()

/** Whether a value, or one within it, holds `needle`: objects some members, arrays some items. As `json_contains`. */
export function contains(hay: JsonDocument, value: JsonValue, of: JsonDocument, needle: JsonValue): boolean {
  return holds(hay, value, of, needle) || hay.children(value).some((child) => contains(hay, child, of, needle))
}

function holds(hay: JsonDocument, value: JsonValue, of: JsonDocument, needle: JsonValue): boolean {
  if (value.kind === KIND.array && needle.kind === KIND.array) {
    const items = hay.children(value)
    return of.children(needle).every((wanted) => items.some((item) => holds(hay, item, of, wanted)))
  }
  if (value.kind === KIND.object && needle.kind === KIND.object) {
    const members = membersOf(hay, value)
    return Array.from(membersOf(of, needle)).every(([key, wanted]) => {
      const found = members.get(key)
      return found !== undefined && holds(hay, found, of, wanted)
    })
  }
  if (isText(value.kind) && isText(needle.kind)) return hay.text(value) === of.text(needle)
  if (value.kind !== needle.kind) return false
  const [a, b] = [textOf(hay, value), textOf(of, needle)]
  return a === b || (value.kind === KIND.decimal && Number(a) === Number(b) && Number.isFinite(Number(a)))
}

/** An object's members by their names, the first of each. */
export function membersOf(document: JsonDocument, object: JsonValue): Map<string, JsonValue> {
  const members = new Map<string, JsonValue>()
  for (const { key, value } of document.members(object)) {
    const name = key ? document.text(key) : ''
    if (!members.has(name)) members.set(name, value)
  }
  return members
}

function textOf({ bytes }: JsonDocument, { start, end }: JsonValue): string {
  return decoder.decode(bytes.subarray(start, end))
}
