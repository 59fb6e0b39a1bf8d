/** Whether a cell is what databases draw below each name. */
export const isRule = (cell: string): boolean => /^(-+|=+)$/.test(cell.trim())

/**
 * The columns' names, of what each row of a header says, joined by blanks. A name above several others, as “Q1” above
 * “Units” and “Revenue”, is of all of them: where rows have gaps, it goes on to the right.
 */
export function joinNames(rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 1) return [...rows[0]]
  const width = Math.max(...rows.map(({ length }) => length))
  const filled = rows.map((row, i) => fillRight(row, rows.slice(i + 1), width))
  const names = Array.from({ length: width }, (_, column) => filled.map((row) => row[column] ?? ''))
  // A name that goes over rows is one; names that are all there again are of a header that was written twice.
  const isTwice = names.every((parts) => parts.every((part) => part === parts[0]))
  return names.map((parts) => joined(isTwice ? parts : parts.filter((part, i) => i === 0 || part !== parts[i - 1])))
}

/** One name of several parts; a line drawn below names is none. */
export const joined = (parts: readonly string[]): string =>
  parts.filter((part) => part.trim() !== '' && !isRule(part)).join(' ')

/** A row of names, each of which holds for the columns on its right that have none here and one below. */
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
