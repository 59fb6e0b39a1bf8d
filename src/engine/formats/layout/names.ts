/** Whether a cell is a line as databases draw it below each name. */
export const isRule = (cell: string): boolean => /^(-+|=+)$/.test(cell.trim())

/**
 * Column names from the rows of a header, joined with blanks. A name above several others, such as “Q1” above “Units”
 * and “Revenue”, is used for all of them: if rows have gaps, it applies to the columns on its right.
 */
export function joinNames(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 1) return [...rows[0]]
  const width = Math.max(...rows.map(({ length }) => length))
  const filled = rows.map((row, i) => fillRight(row, rows.slice(i + 1), width))
  const names = Array.from({ length: width }, (_, column) => filled.map((row) => row[column] ?? ''))
  // A name repeated in the next row is used once; if all names are repeated, the header was written twice.
  const isTwice = names.every((parts) => parts.every((part) => part === parts[0]))
  return names.map((parts) => joined(isTwice ? parts : parts.filter((part, i) => i === 0 || part !== parts[i - 1])))
}

/** Joins the parts of a name, without drawn lines. */
export const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part.trim() !== '' && !isRule(part)).join(' ')

/** Copies each name to the columns on its right that have none in this row but one below. */
function fillRight(row: readonly string[], below: readonly (readonly string[])[], width: number): string[] {
  const isNamed = (column: number): boolean => below.some((other) => (other[column] ?? '').trim() !== '')
  const filled: string[] = []
  for (let column = 0; column < width; column++) {
    const own = row[column] ?? ''
    const goesOn = own.trim() === '' && column > 0 && isNamed(column) && isNamed(column - 1)
    filled.push(goesOn ? filled[column - 1] : own)
  }
  return filled
}
