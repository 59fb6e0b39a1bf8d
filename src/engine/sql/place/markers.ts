/*
 * A column of a file that is queried where it lies has a name in the engine that nobody can guess: where it stands in a
 * plan, or in the error that the engine gives for a column that isn't there yet, it tells which column that is.
 */

/** Columns by the tables that they're of: positions among the table's columns. */
export type Columns = ReadonlyMap<string, ReadonlySet<number>>

const MARKER = /~([0-9a-f]{32}):(\d+)~/g

/** @param id of the table, 32 hexadecimal digits */
export function marker(id: string, column: number): string {
  return `~${id}:${column}~`
}

/** The columns that a plan or an error names. */
export function columnsNamed(text: string): Columns {
  const found = new Map<string, Set<number>>()
  for (const [, id = '', column] of text.matchAll(MARKER)) {
    const columns = found.get(id) ?? new Set()
    found.set(id, columns.add(Number(column)))
  }
  return found
}

/** A plan as people may see it. @param nameOf a column's name, as JSON has it within a string */
export function withoutMarkers(text: string, nameOf: (id: string, column: number) => string | undefined): string {
  return text.replaceAll(MARKER, (all, id: string, column: string) => nameOf(id, Number(column)) ?? all)
}
