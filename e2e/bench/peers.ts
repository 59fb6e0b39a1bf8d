import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { parquetWriteBuffer, type ColumnSource } from 'hyparquet-writer'
import Papa from 'papaparse'
import * as XLSX from 'xlsx'

/* The usual ways in plain JavaScript, following the libraries' own examples. */

type Row = Record<string, unknown>

function columnsOf(rows: readonly Row[]): ColumnSource[] {
  return Object.keys(rows[0] ?? {}).map((name) => ({ name, data: rows.map((row) => row[name]) }))
}

export async function csvToParquet(file: File): Promise<number> {
  const { data } = Papa.parse<Row>(await file.text(), { header: true, dynamicTyping: true, skipEmptyLines: true })
  return parquetWriteBuffer({ columnData: columnsOf(data) }).byteLength
}

export async function parquetToCsv(file: File): Promise<number> {
  const rows = await parquetReadObjects({ file: await file.arrayBuffer(), compressors })
  return new Blob([Papa.unparse(rows)]).size
}

export async function jsonToParquet(file: File): Promise<number> {
  const rows = JSON.parse(await file.text()) as Row[]
  return parquetWriteBuffer({ columnData: columnsOf(rows) }).byteLength
}

export async function ndjsonToCsv(file: File): Promise<number> {
  const rows = (await file.text())
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Row)
  return new Blob([Papa.unparse(rows)]).size
}

export async function sheetjsRead(file: File): Promise<number> {
  const book = XLSX.read(await file.arrayBuffer(), { dense: true })
  const [name = ''] = book.SheetNames
  const sheet = book.Sheets[name]
  return sheet ? XLSX.utils.sheet_to_json(sheet, { header: 1 }).length : 0
}

export async function sheetjsWrite(file: File): Promise<number> {
  return (await sheetjsWorkbook(file)).byteLength
}

export async function sheetjsWorkbook(file: File): Promise<ArrayBuffer> {
  const { data } = Papa.parse<unknown[]>(await file.text(), { dynamicTyping: true, skipEmptyLines: true })
  const book = XLSX.utils.book_new()
  XLSX.utils.book_append_sheet(book, XLSX.utils.aoa_to_sheet(data, { dense: true }), 'Sheet1')
  return XLSX.write(book, { type: 'array', bookType: 'xlsx', compression: true }) as ArrayBuffer
}
