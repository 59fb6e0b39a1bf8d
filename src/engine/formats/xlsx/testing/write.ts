import { Field, makeData, RecordBatch, Schema, Struct, type Data } from 'apache-arrow'
import * as XLSX from 'xlsx'
import { defaultOptions } from '../../../../tables/plan.ts'
import { parseType, type Column } from '../../../../tables/types.ts'
import { makeColumnBuilder } from '../../../columns/builder.ts'
import { MemorySink } from '../../../../lib/sink.ts'
import type { WriteResult } from '../../types.ts'
import { openWorkbook } from '../write/write.ts'
import { QUIET } from '../../../testing/quiet.ts'

/* Tests only. */

/** A column's values as canonical text, in which null is null. */
export interface TextColumn {
  readonly name?: string
  readonly type: string
  readonly values: readonly (string | null)[]
}

const encoder = new TextEncoder()

export function columnData({ type, values }: TextColumn): Data {
  const builder = makeColumnBuilder(parseType(type))
  for (const value of values) {
    if (value === null) {
      builder.appendNull()
      continue
    }
    const bytes = encoder.encode(value)
    if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`“${value}” is no ${type}`)
  }
  return builder.finish()
}

export function batchOf(children: readonly Data[], rows = children[0]?.length ?? 0): RecordBatch {
  const fields = children.map((child, i) => new Field(`c${i}`, child.type, true))
  const data = makeData({ type: new Struct(fields), length: rows, nullCount: 0, children: [...children] })
  return new RecordBatch(new Schema(fields), data)
}

export const columnsOf = (columns: readonly TextColumn[]): Column[] =>
  columns.map(({ name, type }, i) => ({ name: name ?? `col${i}`, type: parseType(type) }))

export interface Written {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly file: File
  readonly result: WriteResult
}

export interface TestTable {
  readonly name: string
  readonly columns: readonly Column[]
  readonly batches: readonly RecordBatch[]
}

export async function writeTables(tables: readonly TestTable[], maxRows?: number): Promise<Written> {
  const sink = new MemorySink()
  const writer = openWorkbook(sink, defaultOptions('xlsx'), QUIET, maxRows)
  for (const { name, columns, batches } of tables) {
    await writer.begin({ name, columns })
    for (const batch of batches) await writer.write(batch)
  }
  const result = await writer.finish()
  const file = sink.file('test.xlsx')
  return { bytes: new Uint8Array(await file.arrayBuffer()), file, result }
}

/** Writes a table of one batch. */
export function writeColumns(columns: readonly TextColumn[], maxRows?: number): Promise<Written> {
  const batches = [batchOf(columns.map(columnData))]
  return writeTables([{ name: 'Table', columns: columnsOf(columns), batches }], maxRows)
}

export function sheetJs(bytes: Uint8Array): XLSX.WorkBook {
  // `nodim` is in the library, but not in its types.
  const options: XLSX.ParsingOptions & { nodim: boolean } = { dense: true, nodim: true, cellDates: false, cellNF: true }
  return XLSX.read(bytes, options)
}

/** A sheet's cells as read by another library; undefined for empty ones. */
export function cellsOf(bytes: Uint8Array, sheet = 0): (XLSX.CellObject | undefined)[][] {
  const book = sheetJs(bytes)
  const dense = book.Sheets[book.SheetNames[sheet]] as unknown as { '!data': (XLSX.CellObject | undefined)[][] }
  return Array.from(dense['!data'] ?? [])
}
