import type { JsonSettings } from '../../../tables/plan.ts'
import type { Unfolding } from '../../../tables/settings.ts'
import type { Column, NestedIn } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { writeJsonString } from '../../arrow/write/strings.ts'

/** What an object has: a column, by its place, or another object. */
export type Member = number | Nested

export interface Nested {
  /** What comes before it. */
  readonly prefix: Uint8Array
  readonly none: NestedIn['none']
  readonly inner: readonly Member[]
  /** All columns in it, in whatever depth. */
  readonly columns: readonly number[]
}

const encoder = new TextEncoder()

/** A comma, the key, a colon. */
export function prefixOf(name: string): Uint8Array {
  const out = new ByteWriter()
  const key = encoder.encode(name)
  out.byte(0x2c)
  writeJsonString(out, key, 0, key.length)
  out.byte(0x3a)
  return out.take()
}

/** What rows have; an object stands where its first column does. */
export function membersOf(columns: readonly Column[]): Member[] {
  const rest = columns.map(({ within }, column): Placed => ({ column, objects: within?.objects ?? [] }))
  return grouped(rest)
}

interface Placed {
  readonly column: number
  readonly objects: readonly NestedIn[]
}

function grouped(placed: readonly Placed[]): Member[] {
  const groups = new Map<string | number, Placed[]>()
  for (const each of placed) {
    const key = each.objects[0]?.key ?? each.column
    const others = groups.get(key)
    if (others) others.push(each)
    else groups.set(key, [each])
  }
  return [...groups.values()].flatMap((group): Member[] => {
    const [outer] = group[0].objects
    if (!outer) return group.map(({ column }) => column)
    const inner = group.map(({ column, objects }) => ({ column, objects: objects.slice(1) }))
    const columns = group.map(({ column }) => column)
    return [{ prefix: prefixOf(outer.key), none: outer.none, inner: grouped(inner), columns }]
  })
}

/** How the objects are flattened again, when the file is read back. */
export function unfoldOf(columns: readonly Column[]): Pick<JsonSettings, 'unfold'> {
  const paths = columns.flatMap(({ within }) =>
    (within?.objects ?? []).map((_, i, objects) =>
      objects
        .slice(0, i + 1)
        .map(({ key }) => key)
        .join('.'),
    ),
  )
  // An outer object's path is the shorter one.
  const steps = [...new Set(paths)].sort((a, b) => a.length - b.length)
  return steps.length > 0 ? { unfold: steps.map((column): Unfolding => ({ column, as: 'columns' })) } : {}
}
