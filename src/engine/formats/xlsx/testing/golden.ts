import { readFileSync } from 'node:fs'
import { expect } from 'vitest'
import type { FormatReader } from '../../types.ts'
import { inspect, readRows } from './read.ts'

/* Tests only. */

const ORIGINALS = new URL('../fixtures/', import.meta.url)

export interface ExpectedTable {
  readonly name: string
  readonly headerRow: number | null
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
  readonly hidden?: boolean
  readonly notes?: readonly string[]
}

export function fixtureOf(folder: URL, name: string): File {
  return new File([readFileSync(new URL(name, folder))], name)
}

export function expectedOf(folder: URL, name: string): ExpectedTable[] {
  return JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as ExpectedTable[]
}

/**
 * Expects the file to have the same tables as the workbook in ../fixtures from which it was saved.
 * @param spelled how the saving program changes texts
 */
export async function expectTables(
  file: File,
  reader: FormatReader,
  name: string,
  spelled = (text: string | null) => text,
): Promise<void> {
  const inspection = await inspect(file, {}, reader)
  const expected = expectedOf(ORIGINALS, name)
  expect(inspection.format).toBe(reader.format)
  expect(inspection.tables.map((table) => table.name)).toEqual(expected.map((table) => table.name))
  for (const [i, table] of expected.entries()) {
    const found = inspection.tables[i]
    expect(found.columns.map((column) => ({ name: column.name, type: column.type }))).toEqual(table.columns)
    expect(found.hidden ?? false).toBe(table.hidden ?? false)
    if (table.notes) expect(found.notes.filter((note) => !note.column).map((note) => note.code)).toEqual(table.notes)
    const { rows, rejected } = await readRows(file, { table: table.name, reader })
    expect(rows.map((row) => row.map(spelled))).toEqual(table.rows.map((row) => row.map(spelled)))
    expect(rejected).toEqual([])
  }
}
