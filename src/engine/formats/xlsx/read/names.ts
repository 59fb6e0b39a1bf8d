import { type SampleRow, textsOf } from '../../layout/cells.ts'
import { groupsOver } from '../../layout/header-rows.ts'
import { joined, joinNames } from '../../layout/names.ts'
import type { Range } from '../../../../tables/range.ts'

/** A row of names, by column. */
export interface NameRow {
  readonly number: number
  readonly texts: ReadonlyMap<number, string>
}

/** The header's rows, and the names in them. */
export interface HeaderFound {
  /** Indexes of the table's columns. */
  readonly indexes: readonly number[]
  readonly sources: readonly string[]
  readonly headerRow: number | null
  readonly headerRows: number
  /** The last of these rows, if it has units of measure. */
  readonly units: NameRow | null
  /** Number of header rows above the row that was detected as the header. */
  readonly groups: number
  /** Whether the header was detected, not set. */
  readonly isGuess: boolean
}

/** Maximum number of rows above a header that may be part of it. */
const MAX_GROUP_ROWS = 2

/**
 * Combines the header's rows to names of columns. A merged cell applies to all columns that it spans; if no cells are
 * merged, a name applies to the columns on its right up to the next name.
 */
export function namesOf(rows: readonly NameRow[], columns: readonly number[], merges: readonly Range[]): string[] {
  const own = merges.filter((range) => range.right > range.left && rows.some(({ number }) => number === range.top))
  const filled = rows.map(({ number, texts }) => {
    const spans = own.filter(({ top }) => top === number)
    return columns.map((column) => {
      const span = spans.find(({ left, right }) => column >= left && column <= right)
      // Some programs merge too many cells: a cell inside with its own name keeps it.
      return texts.get(column) || (span ? texts.get(span.left) : undefined) || ''
    })
  })
  if (filled.length === 0) return columns.map(() => '')
  if (own.length === 0 || filled.length === 1) return joinNames(filled)
  return columns.map((_, i) => joined(filled.map((row) => row[i] ?? '')))
}

/**
 * Number of rows directly above a header that belong to it, because they have names for groups of columns in merged
 * cells.
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
    // A title is merged over the table from its first column.
    const isTitle = row.texts.size < 2 && groups.every(({ left }) => left <= first)
    if (groups.length === 0 || isTitle) break
  }
  return count
}

/**
 * The names from a header together with the row below, if the header may name groups: several, or one in a merged cell.
 * Else null.
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
