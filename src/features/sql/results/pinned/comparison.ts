import type { ResultColumn, ResultSet, RowComparison } from '../../../../engine/client.ts'
import { listOf, plural } from '../../../../ui/format.ts'

/** Limits of results whose rows are compared: total cells and bytes. */
const MOST_CELLS = 2_000_000
const MOST_BYTES = 128 * 1024 * 1024

/** Whether rows can be compared: same names and types in the same order. */
export function haveSameColumns(current: ResultSet, pinned: ResultSet): boolean {
  return JSON.stringify(current.columns) === JSON.stringify(pinned.columns)
}

export function isComparable(current: ResultSet, pinned: ResultSet): boolean {
  const cells = (current.rowCount + pinned.rowCount) * current.columns.length
  return cells <= MOST_CELLS && current.bytes + pinned.bytes <= MOST_BYTES
}

/** Compares the row counts. */
export function countWords(current: number, pinned: number): string {
  if (current === pinned) return 'As many rows as pinned'
  const more = current > pinned
  return `${plural(Math.abs(current - pinned), 'row')} ${more ? 'more' : 'fewer'} than pinned`
}

/** Most names in a message. */
const NAMED = 4

export function columnWords(current: readonly ResultColumn[], pinned: readonly ResultColumn[]): string {
  const only = (one: readonly ResultColumn[], other: readonly ResultColumn[]): string[] =>
    one.filter(({ name }) => !other.some((each) => each.name === name)).map(({ name }) => name)
  const facts: string[] = []
  const [here, there] = [only(current, pinned), only(pinned, current)]
  if (here.length > 0) facts.push(`columns only here: ${listOf(here, NAMED)}`)
  if (there.length > 0) facts.push(`columns only pinned: ${listOf(there, NAMED)}`)
  const types = current.flatMap(({ name, type }) => {
    const other = pinned.find((each) => each.name === name)
    return other && other.type !== type ? [`${name} (${type} here, ${other.type} pinned)`] : []
  })
  if (types.length > 0) facts.push(`other types: ${listOf(types, NAMED)}`)
  return facts.length === 0 ? 'columns in another order' : facts.join('; ')
}

/** @param marked whether the rows are shown, with marks */
export function rowWords({ onlyInOne, onlyInOther, sameOrder }: RowComparison, marked: boolean): string {
  const [here, there] = [onlyInOne.length, onlyInOther.length]
  if (here === 0 && there === 0) return sameOrder ? 'The same rows' : 'The same rows in another order'
  const parts = [
    ...(here > 0 ? [`${plural(here, 'row')} only here`] : []),
    ...(there > 0 ? [`${plural(there, 'row')} only pinned`] : []),
  ]
  return parts.join(', ') + (marked ? ': marked' : '')
}
