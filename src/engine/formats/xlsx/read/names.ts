import { type SampleRow, textsOf } from '../../layout/cells.ts'
import { groupsOver } from '../../layout/header-rows.ts'
import { joined, joinNames } from '../../layout/names.ts'
import type { Range } from '../../../../tables/range.ts'

/** A row of names: what its cells say, by their column. */
export interface NameRow {
  readonly number: number
  readonly texts: ReadonlyMap<number, string>
}

/** The rows that name columns, and what they say. */
export interface HeaderFound {
  /** Of the columns that the table has. */
  readonly indexes: readonly number[]
  readonly sources: readonly string[]
  readonly headerRow: number | null
  readonly headerRows: number
  /** The last of these rows, if it has units of measure. */
  readonly units: NameRow | null
  /** How many of them stand above the row that was taken for the header. */
  readonly groups: number
  /** Whether nothing was said of the header. */
  readonly isGuess: boolean
}

/** Rows above a header that can be part of it. */
const MAX_GROUP_ROWS = 2

/**
 * The names of columns, of what each row of the header says. A merged cell says it of all columns that it's above; where
 * none is merged, a name goes on to the right as far as there's no other one.
 */
export function namesOf(rows: readonly NameRow[], columns: readonly number[], merges: readonly Range[]): string[] {
  const own = merges.filter((range) => range.right > range.left && rows.some(({ number }) => number === range.top))
  const filled = rows.map(({ number, texts }) => {
    const spans = own.filter(({ top }) => top === number)
    return columns.map((column) => {
      const span = spans.find(({ left, right }) => column >= left && column <= right)
      // Some programs write a merged cell wider than it is: what stands within has its own name.
      return texts.get(column) || (span ? texts.get(span.left) : undefined) || ''
    })
  })
  if (filled.length === 0) return columns.map(() => '')
  if (own.length === 0 || filled.length === 1) return joinNames(filled)
  return columns.map((_, i) => joined(filled.map((row) => row[i] ?? '')))
}

/**
 * How many rows directly above a header belong to it: they have names for groups of columns, in merged cells.
 * @param above the rows above the header that have cells
 */
export function groupRowsAbove(
  above: readonly NameRow[],
  header: number,
  columns: readonly number[],
  merges: readonly Range[],
): number {
  const first = columns[0] ?? 0
  let count = 0
  for (; count < MAX_GROUP_ROWS; count++) {
    const number = header - count - 1
    const row = above.find((candidate) => candidate.number === number)
    if (!row) break
    const groups = merges.filter(({ top, left, right }) => top === number && right > left && row.texts.has(left))
    // A title is merged over the table from its first column on.
    const isTitle = row.texts.size < 2 && groups.every(({ left }) => left <= first)
    if (groups.length === 0 || isTitle) break
  }
  return count
}

/**
 * What a header and the row below it name columns together, where the header may name groups: several, or one in a
 * merged cell. Null where it doesn't.
 * @param sample the first rows with values
 */
export function groupNames(
  sample: readonly SampleRow[],
  header: number | null,
  merges: readonly Range[],
): readonly string[] | null {
  const rows = sample.filter(({ number }) => header !== null && number >= header)
  if (rows.length < 2 || rows[1].number !== rows[0].number + 1) return null
  const texts = textsOf(rows)
  const groups = groupsOver(texts)
  const isMerged = merges.some(({ top, left, right }) => top === header && right > left)
  return groups === 'likely' || (groups === 'possible' && isMerged) ? joinNames(texts.slice(0, 2)) : null
}
