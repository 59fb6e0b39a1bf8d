import type { RecordBatch } from 'apache-arrow'
import type { Inspection, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { parseType, type Column } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { makeCellText } from '../../arrow/text.ts'
import type { ReadColumn } from '../../columns/column-builder.ts'
import { jsonReader } from './reader.ts'
import { QUIET } from '../../testing/quiet.ts'
import { isNull } from '../../arrow/scalars.ts'
import { planFrom } from '../../../tables/edits.ts'

/* Helpers for the tests of this folder. */

export function fileOf(content: string | Uint8Array<ArrayBuffer>, name = 'table.json'): File {
  return new File([content], name)
}

export function inspect(file: File, given: Partial<ReadSettings> = {}): Promise<Inspection> {
  return jsonReader.inspect(file, given, QUIET)
}

/** Names and types, as `name TYPE`. */
export function typesOf(inspection: Inspection): string[] {
  return (inspection.tables[0]?.columns ?? []).map(({ name, type }) => `${name} ${type}`)
}

export function columnsOf(inspection: Inspection): (ReadColumn & Column)[] {
  return (planFrom(inspection).tables[0]?.columns ?? []).map((column) => ({ ...column, type: parseType(column.type) }))
}

export function cellsOf(columns: readonly Column[], batch: RecordBatch): (string | null)[][] {
  const decoder = new TextDecoder()
  const out = new ByteWriter()
  const cells = columns.map(({ type }, i) => makeCellText(type, batch.data.children[i]))
  return Array.from({ length: batch.numRows }, (_, row) =>
    cells.map((cell, i) => {
      if (isNull(batch.data.children[i], row)) return null
      out.clear()
      cell(out, row)
      return decoder.decode(out.view())
    }),
  )
}

export interface Table {
  readonly rows: (string | null)[][]
  readonly rejected: RejectedRow[]
}

/** All rows as canonical text. */
export async function readAll(
  file: File,
  settings: ReadSettings,
  columns: readonly (ReadColumn & Column)[],
  limit?: number,
): Promise<Table> {
  const table: Table = { rows: [], rejected: [] }
  const request = { settings, table: null, columns, ...(limit === undefined ? {} : { limit }) }
  for await (const { batch, rejected } of jsonReader.read(file, request, QUIET)) {
    table.rows.push(...cellsOf(columns, batch))
    table.rejected.push(...rejected)
  }
  return table
}

/** Inspects a file, and reads it with the detected settings. */
export async function load(file: File, given: Partial<ReadSettings> = {}): Promise<Table & { inspection: Inspection }> {
  const inspection = await inspect(file, given)
  return { inspection, ...(await readAll(file, inspection.settings, columnsOf(inspection))) }
}
