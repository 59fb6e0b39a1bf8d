import type { ResultColumn, ResultSet } from '../../../../engine/client.ts'

/* Results of given texts. Tests only. */

export type Texts = readonly (readonly (string | null)[])[]

/** @param rows texts by row and column */
export function resultOf(columns: readonly ResultColumn[], rows: Texts): ResultSet {
  const text = (row: number, column: number): string | null => rows[row]?.[column] ?? null
  return {
    columns,
    rowCount: rows.length,
    bytes: 0,
    status: 'complete',
    text,
    value: text,
    subscribe: () => () => undefined,
    file: () => Promise.reject(new Error('no file')),
    dispose: () => undefined,
  }
}
