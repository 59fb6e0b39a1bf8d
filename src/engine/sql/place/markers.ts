/*
 * Each column of a file that is queried in place has an unguessable marker. Plans, and errors about columns that aren't
 * loaded, contain the marker, which identifies the column.
 */

/** By table: positions of columns. */
export type Columns = ReadonlyMap<string, ReadonlySet<number>>

const MARKER = /~([0-9a-f]{32}):(\d+)~/g

/** @param id the table's id: 32 hexadecimal digits */
export function marker(id: string, column: number): string {
  return `~${id}:${column}~`
}

/** The columns whose markers are in a plan or an error. */
export function columnsNamed(text: string): Columns {
  const found = new Map<string, Set<number>>()
  for (const [, id = '', column] of text.matchAll(MARKER)) {
    const columns = found.get(id) ?? new Set()
    found.set(id, columns.add(Number(column)))
  }
  return found
}

/**
 * Replaces the markers of a plan by column names, to show it to people.
 * @param nameOf the column's name, escaped for a JSON string
 */
export function withoutMarkers(text: string, nameOf: (id: string, column: number) => string | undefined): string {
  return text.replaceAll(MARKER, (all, id: string, column: string) => nameOf(id, Number(column)) ?? all)
}
