import { expect } from 'vitest'
import type { JsonSettings } from '../../../tables/plan.ts'
import { parseType, printType } from '../../../tables/types.ts'
import { LineRows } from '../../formats/json/line-rows.ts'
import { read } from '../../formats/json/reader.ts'
import { RowCells } from '../../formats/json/row-cells.ts'
import { ArrayRows, STEP, type RowSource, type Step } from '../../formats/json/rows.ts'
import type { ReadColumn } from '../column-builder.ts'
import type { ReadBatch, ReadRequest } from '../../formats/types.ts'
import { CellColumns } from './cell-columns.ts'
import {
  instead,
  nothing,
  takeBatch,
  withoutColumns,
  type Cell,
  type Found,
  type Method,
  type Told,
} from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

/* JSON as the kernel and as JavaScript reads them. Tests only. */

export const SETTINGS: JsonSettings = {
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

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** Row `i` of such columns. */
export function valuesOf(i: number, boolean: unknown, text: string): unknown[] {
  const day = `${1950 + (i % 120)}-${pad((i % 12) + 1)}-${pad((i % 28) + 1)}`
  const time = `${pad(i % 24)}:${pad((i * 7) % 60)}:${pad((i * 11) % 60)}${i % 3 === 0 ? `.${pad(i % 1000, 3)}` : ''}`
  return [
    boolean,
    (i % 256) - 128,
    (i * 31) % 32_768,
    i * 65_537 - 2 ** 30,
    -i * 2 ** 33,
    i % 256,
    (i * 17) % 65_536,
    i * 40_009,
    i / 7 - 1,
    text,
    day,
    time,
    `${day} ${time}`,
    `${day}T${time}${['Z', '+02:00', '-07', ''][i % 4]}`,
    (i - 500) / 100,
    (i * 1_000_003) / 1e6,
  ]
}

/** Bytes written as text: each character is one of them. */
export const bytesOf = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))
/** Text as bytes that are written as text. */
export const utf8 = (text: string): string => Buffer.from(text).toString('latin1')

export const columnsOf = (types: Readonly<Record<string, string>>): ReadColumn[] =>
  Object.entries(types).map(([source, type], index) => ({ index, source, type: parseType(type) }))

/** A column of each type of `READABLE`. */
export const FIXED = columnsOf(Object.fromEntries(READABLE.map((type) => [type.toLowerCase(), type])))

const requestFor = (columns: readonly ReadColumn[], layout: JsonSettings['layout'] = 'lines'): ReadRequest => ({
  settings: { ...SETTINGS, layout },
  table: null,
  columns,
})

const told = (columns: readonly ReadColumn[]): Told => ({ found: nothing(columns), names: [], failure: null })

/** Adds what is read to what was found before. */
async function take(
  { found, names: all }: Told,
  reading: AsyncIterable<ReadBatch>,
  columns: readonly ReadColumn[],
  linesBefore = 0,
): Promise<void> {
  const before = found.rows + found.rejected.length
  for await (const { batch, rejected, names } of reading) {
    takeBatch(found, columns, batch)
    if (names) all.push(names)
    found.rejected.push(
      ...rejected.map((row) => ({
        ...row,
        row: row.row + before,
        line: row.line === null ? null : row.line + linesBefore,
      })),
    )
  }
}

/** Runs without the kernel: JavaScript does it alone. */
export const withoutKernel = <T>(run: () => Promise<T>): Promise<T> =>
  instead(
    RowCells.prototype,
    'split',
    () => () => undefined,
    () => withoutColumns(run),
  )

/** A file as it's read from its beginning. */
export async function readFile(
  columns: readonly ReadColumn[],
  bytes: Uint8Array<ArrayBuffer>,
  layout: 'lines' | 'array' = 'lines',
): Promise<Told> {
  const all = told(columns)
  // Parts are without the file's mark: with one, what they begin with is never taken for it.
  const file = new File(['\ufeff', bytes], 'rows.json')
  const request = requestFor(columns, layout)
  await take(all, read(file, request, QUIET), columns).catch((error: unknown) => (all.failure = String(error)))
  return all
}

/** What JavaScript alone reads. */
export async function readWhole(columns: readonly ReadColumn[], bytes: Uint8Array<ArrayBuffer>): Promise<Found> {
  return (await withoutKernel(() => readFile(columns, bytes))).found
}

/** How many rows and columns of batches the kernel has read, and how many it left to JavaScript. */
export interface Tally {
  split: number
  left: number
  columns: number
  others: number
}

/** Runs, and counts what the kernel does meanwhile. */
export async function counted<T>(run: () => Promise<T>): Promise<Tally & { readonly result: T }> {
  const tally = { split: 0, left: 0, columns: 0, others: 0 }
  const splitting = (own: Method): Method =>
    function split(this: RowCells) {
      const before = this.count
      Reflect.apply(own, this, [])
      tally.split += this.count - before
    }
  const adding = (own: Method): Method =>
    function next(this: RowSource) {
      const step = Reflect.apply(own, this, []) as Step
      if (step === STEP.row || step === STEP.rejected) tally.left++
      return step
    }
  const reading = (own: Method): Method =>
    function readColumns(this: CellColumns, ...given: never[]) {
      const columns = Reflect.apply(own, this, given) as unknown[]
      const left = columns.filter((column) => column === null).length
      tally.columns += columns.length - left
      tally.others += left
      return columns
    }
  const result = await instead(RowCells.prototype, 'split', splitting, () =>
    instead(LineRows.prototype, 'next', adding, () =>
      instead(ArrayRows.prototype, 'next', adding, () => instead(CellColumns.prototype, 'read', reading, run)),
    ),
  )
  return { ...tally, result }
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

/**
 * Holds that a file is read as JavaScript alone reads it.
 * @returns what the kernel had of it
 */
export async function expectRight(
  columns: readonly ReadColumn[],
  bytes: Uint8Array<ArrayBuffer>,
  layout: 'lines' | 'array' = 'lines',
): Promise<Tally & { readonly whole: Found }> {
  const alone = await withoutKernel(() => readFile(columns, bytes, layout))
  const { result, ...tally } = await counted(() => readFile(columns, bytes, layout))
  expectSame(columns, result.found, alone.found)
  expect([result.failure, result.names]).toEqual([alone.failure, alone.names])
  return { ...tally, whole: alone.found }
}
