import { expect } from 'vitest'
import type { JsonSettings } from '../../tables/plan.ts'
import { parseType, printType } from '../../tables/types.ts'
import { lineParts } from '../formats/json/parts.ts'
import { read as readByScript } from '../formats/json/read.ts'
import type { ReadColumn } from '../columns/read-column.ts'
import type { ReadBatch, ReadRequest } from '../formats/types.ts'
import { quiet } from '../testing/inspection-helper.ts'
import type { JsonRows } from './json-rows.ts'
import { nothing, takeBatch, type Cell, type Found } from './testing.ts'

/* Lines of JSON as the kernel and as JavaScript reads them. Tests only. */

const SETTINGS: JsonSettings = {
  kind: 'json',
  compression: null,
  encoding: 'utf-8',
  layout: 'lines',
  path: [],
  rows: 'objects',
}

/** Every type of which the kernel reads values. */
export const READABLE = [
  'BOOLEAN',
  'TINYINT',
  'SMALLINT',
  'INTEGER',
  'BIGINT',
  'UTINYINT',
  'USMALLINT',
  'UINTEGER',
  'DOUBLE',
  'VARCHAR',
  'DATE',
  'TIME',
  'TIMESTAMP',
  'TIMESTAMP WITH TIME ZONE',
  'DECIMAL(10,2)',
  'DECIMAL(18,6)',
] as const

/** Bytes written as text: each character is one of them. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))
/** Text as bytes that are written as text. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

export const columnsOf = (types: Readonly<Record<string, string>>): ReadColumn[] =>
  Object.entries(types).map(([source, type], index) => ({ index, source, type: parseType(type) }))

export const requestFor = (columns: readonly ReadColumn[]): ReadRequest => ({
  settings: SETTINGS,
  table: null,
  columns,
})

/** Adds what is read to what was found before. */
async function take(found: Found, reading: AsyncIterable<ReadBatch>, columns: readonly ReadColumn[], linesBefore = 0) {
  const before = found.rows + found.rejected.length
  for await (const { batch, rejected } of reading) {
    takeBatch(found, columns, batch)
    found.rejected.push(
      ...rejected.map((row) => ({ ...row, row: row.row + before, line: (row.line ?? 0) + linesBefore })),
    )
  }
}

/** What JavaScript alone reads. */
export async function readWhole(columns: readonly ReadColumn[], bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  const found = nothing(columns)
  // Parts are without the file's mark: with one, what they begin with is never taken for it.
  await take(found, readByScript(new File(['\ufeff', bytes], 'rows.ndjson'), requestFor(columns), quiet), columns)
  return found
}

/** What is read in parts, the kernel first. */
export async function readParts(columns: readonly ReadColumn[], parts: readonly Uint8Array[]): Promise<Found> {
  const found = nothing(columns)
  const readPart = lineParts.open(requestFor(columns), quiet)
  let [lines, from] = [0, 0]
  for (const [index, bytes] of parts.entries()) {
    await take(found, readPart({ index, from, bytes }), columns, lines)
    for (const byte of bytes) if (byte === 10) lines++
    from += bytes.length
  }
  return found
}

/** Cuts lines into parts. */
export function cutAt(bytes: Uint8Array<ArrayBuffer>, places: readonly number[]): Uint8Array<ArrayBuffer>[] {
  const ends = places.map((place) => bytes.indexOf(10, place % (bytes.length + 1)) + 1 || bytes.length)
  const bounds = [0, ...ends.sort((a, b) => a - b), bytes.length]
  const parts = bounds.slice(1).map((end, i) => bytes.subarray(bounds[i], end))
  return parts.filter(({ length }) => length > 0)
}

function expectCell(ours: Cell, theirs: Cell, what: () => string): void {
  if (!Object.is(ours, theirs)) expect(ours, what()).toBe(theirs)
}

export function expectSame(columns: readonly ReadColumn[], ours: Found, theirs: Found): void {
  expect(ours.rejected).toEqual(theirs.rejected)
  expect(ours.rows).toBe(theirs.rows)
  for (const [i, { type }] of columns.entries()) {
    for (let row = 0; row < theirs.rows; row++) {
      expectCell(ours.cells[i][row], theirs.cells[i][row], () => `${printType(type)} in row ${row + 1}`)
    }
  }
}

/** All that the kernel reads until it leaves a line to others. */
export function readRows(rows: JsonRows, columns: readonly ReadColumn[], bytes: Uint8Array): Found {
  const found = nothing(columns)
  rows.load(bytes)
  while (!rows.done) {
    const batch = rows.next()
    if (batch.numRows === 0) break
    takeBatch(found, columns, batch)
  }
  expect(rows.rows).toBe(found.rows)
  return found
}

/**
 * Has the kernel read these lines, and go on behind each that it leaves; holds that it reads what JavaScript does.
 * @returns the lines that it read, and those that it left, blank ones not among them
 */
export function expectRight(
  rows: JsonRows,
  columns: readonly ReadColumn[],
  bytes: Uint8Array,
  whole: Found,
): { readonly read: number; readonly left: number } {
  const lines = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1').split('\n')
  if (lines.at(-1) === '') lines.pop()
  const rejected = new Set(whole.rejected.map(({ row }) => row))
  let [at, line, ordinal, row] = [0, 0, 0, 0]
  let [read, left] = [0, 0]
  while (at < bytes.length) {
    const found = readRows(rows, columns, bytes.subarray(at))
    const passed = lines.slice(line, line + rows.lines)
    const size = passed.reduce((sum, { length }) => sum + length + 1, 0)
    expect(rows.read).toBe(Math.min(size, bytes.length - at))
    const texts = passed.filter(isRow)
    expect(found.rows).toBe(texts.length)
    for (const [i, text] of texts.entries()) {
      if (rejected.has(++ordinal)) expect.fail(`The kernel reads what is rejected: ${JSON.stringify(text)}`)
      for (const [c, { type }] of columns.entries()) {
        expectCell(found.cells[c][i], whole.cells[c][row], () => `${printType(type)} of ${JSON.stringify(text)}`)
      }
      row++
    }
    read += found.rows
    line += rows.lines
    at += rows.read
    expect(rows.done).toBe(at >= bytes.length)
    if (rows.done) break
    expect(isRow(lines[line])).toBe(true)
    left++
    if (!rejected.has(++ordinal)) row++
    at += lines[line++].length + 1
  }
  expect([ordinal, row]).toEqual([whole.rows + whole.rejected.length, whole.rows])
  return { read, left }
}

const isRow = (line: string): boolean => !/^[ \t\r]*$/.test(line)
