import { tokenize } from './lexer.ts'
import { nameOf } from './names.ts'
import type { KnownColumn } from './columns.ts'

/** The fields of `STRUCT(a INTEGER, "b c" VARCHAR[])`; none for another type. */
export function structFields(type: string | null): readonly KnownColumn[] {
  if (type === null || !/^struct\s*\(.*\)$/is.test(type)) return []
  const tokens = tokenize(type)
  const fields: KnownColumn[] = []
  let depth = 0
  let start = 2
  for (const [at, token] of tokens.entries()) {
    const sign = type.slice(token.from, token.to)
    if (sign === '(' || sign === '[') depth++
    if (sign === ')' || sign === ']') depth--
    const name = tokens[start]
    const first = tokens[start + 1]
    const previous = tokens[at - 1]
    const ends = (sign === ',' && depth === 1) || (sign === ')' && depth === 0)
    if (!ends) continue
    if (name && first && previous) fields.push({ name: nameOf(type, name), type: type.slice(first.from, previous.to) })
    start = at + 1
  }
  return fields
}
