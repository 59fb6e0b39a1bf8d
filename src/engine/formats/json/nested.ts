import type { JsonSettings } from '../../../tables/plan.ts'
import type { Unfolding } from '../../../tables/settings.ts'
import type { Column, NestedIn, NestingStep } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { writeJsonString } from '../../arrow/write/strings.ts'

/** What to write under a key: a column's values, an object of other slots, or a list that was unfolded. */
export interface Slot {
  /** The bytes before it: a comma, the key, a colon. */
  readonly prefix: Uint8Array
  /** The column of values that weren't unfolded, or null. */
  readonly column: number | null
  readonly inner: readonly Slot[]
  readonly none: NestedIn['none']
  /** All columns in it, at any depth. */
  readonly columns: readonly number[]
  /** The steps that unfolded its values. */
  readonly steps: readonly { readonly step: number; readonly as: NestingStep['as'] }[]
}

const encoder = new TextEncoder()

function prefixOf(name: string): Uint8Array {
  const out = new ByteWriter()
  const key = encoder.encode(name)
  out.byte(0x2c)
  writeJsonString(out, key, 0, key.length)
  out.byte(0x3a)
  return out.take()
}

class Place implements Slot {
  readonly prefix: Uint8Array
  readonly none: NestedIn['none']
  readonly steps: { step: number; as: NestingStep['as'] }[] = []
  readonly columns: number[] = []
  column: number | null = null
  private readonly byKey = new Map<string, Place>()

  constructor(key: string, none: NestedIn['none'] = 'object') {
    this.prefix = prefixOf(key)
    this.none = none
  }

  get inner(): readonly Place[] {
    return [...this.byKey.values()]
  }

  /** The place of a key's value, created if necessary. */
  at(key: string, none?: NestedIn['none']): Place {
    const known = this.byKey.get(key)
    if (known) return known
    const place = new Place(key, none)
    this.byKey.set(key, place)
    return place
  }
}

/** The members of a row; an object is where its first column is. */
export function slotsOf(columns: readonly Column[]): readonly Slot[] {
  const rows = new Place('')
  for (const [i, { name, within, nesting }] of columns.entries()) {
    if (nesting) continue
    let place = rows
    for (const { key, none } of within?.objects ?? []) {
      place = place.at(key, none)
      place.columns.push(i)
    }
    const own = place.at(within?.key ?? name)
    own.column = i
    own.columns.push(i)
  }
  for (const [step, { as, objects, key }] of (nestingOf(columns)?.nesting ?? []).entries()) {
    let place = rows
    for (const each of [...objects, key]) place = place.at(each)
    place.steps.push({ step, as })
  }
  return settled(rows.inner)
}

/** The slots as plain data. */
function settled(places: readonly Place[]): Slot[] {
  return places.map(({ prefix, column, inner, none, columns, steps }) => {
    return { prefix, column, inner: settled(inner), none, columns, steps }
  })
}

/** The column that says which record each row belongs to, or null. */
export function nestingOf(columns: readonly Column[]): Required<Pick<Column, 'name' | 'nesting'>> | null {
  const [found] = columns.flatMap(({ name, nesting }) => (nesting ? [{ name, nesting }] : []))
  return found ?? null
}

/** Settings to recreate the rows from the records when the file is read back. */
export function unfoldOf(columns: readonly Column[]): Pick<JsonSettings, 'unfold' | 'nesting'> {
  const nesting = nestingOf(columns)
  if (nesting) {
    const unfold = nesting.nesting.map(({ column, as }): Unfolding => ({ column, as }))
    return { unfold, nesting: { name: nesting.name, steps: [...unfold.keys()] } }
  }
  const paths = columns.flatMap(({ within }) =>
    (within?.objects ?? []).map((_, i, objects) =>
      objects
        .slice(0, i + 1)
        .map(({ key }) => key)
        .join('.'),
    ),
  )
  // The path of an outer object is shorter.
  const steps = [...new Set(paths)].sort((a, b) => a.length - b.length)
  return steps.length > 0 ? { unfold: steps.map((column): Unfolding => ({ column, as: 'columns' })) } : {}
}
