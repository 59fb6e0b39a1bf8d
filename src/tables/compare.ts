import type { ColumnFingerprint, Difference, TableFingerprint } from './receipt.ts'

type Shown = string | number | null

/**
 * The differences between two fingerprints; empty if the tables are equal. Columns are compared by position. Missing
 * columns, and swapped rows that no single column shows, are differences of the table.
 */
export function compareFingerprints(expected: TableFingerprint, found: TableFingerprint): Difference[] {
  const differences: Difference[] = []
  const add = (column: string | null, what: Difference['what'], wanted: Shown, got: Shown): void => {
    differences.push({ column, what, expected: show(wanted), found: show(got) })
  }
  if (expected.rows !== found.rows) add(null, 'rows', expected.rows, found.rows)
  if (expected.columns.length !== found.columns.length) {
    add(null, 'columns', expected.columns.length, found.columns.length)
  }
  for (const [i, column] of expected.columns.entries()) {
    const other = found.columns[i]
    if (other !== undefined) compareColumns(column, other, (what, a, b) => add(column.name, what, a, b))
  }
  if (expected.rowChecksum !== found.rowChecksum) {
    add(null, 'row checksum', expected.rowChecksum, found.rowChecksum)
  }
  return differences
}

function compareColumns(
  expected: ColumnFingerprint,
  found: ColumnFingerprint,
  add: (what: Difference['what'], expected: Shown, found: Shown) => void,
): void {
  for (const what of ['name', 'type', 'nulls', 'min', 'max', 'checksum', 'sum'] as const) {
    if (expected[what] !== found[what]) add(what, expected[what], found[what])
  }
}

function show(value: Shown): string {
  return value === null ? 'none' : String(value)
}
