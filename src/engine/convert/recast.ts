import { Bool, makeData, type Data, type RecordBatch } from 'apache-arrow'
import { type RejectedRow, MAX_RAW } from '../../tables/plan.ts'
import { isNested, printType, sameType, VARCHAR, type ColumnType } from '../../tables/types.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import { isCut, sizeOf } from '../../tables/rejected.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { concatenateBatches } from '../arrow/concatenate.ts'
import { normalizeBatch } from '../arrow/normalize.ts'
import { BATCH_BYTES, batchFromColumns } from '../arrow/batch.ts'
import { cellToString, makeCellText } from '../arrow/text.ts'
import type { Database } from '../storage/database.ts'
import { withoutInfinite } from '../formats/shared/finite.ts'
import { BATCH_REJECTED, type ReadColumn } from '../columns/column-builder.ts'
import type { ReadBatch } from '../formats/types.ts'
import { isNull } from '../arrow/scalars.ts'
import { rejectedValue } from '../columns/rejected-value.ts'
import { runMemory } from './fingerprint/run-memory.ts'
import { hashColumn } from './fingerprint/hash.ts'

/**
 * Casts batches to types other than the file's. To and from text, our exact text forms are used; otherwise DuckDB
 * casts, and the result must convert back to the original value: 1.5 as INTEGER is rejected instead of becoming 2.
 */
export async function* recast(
  batches: AsyncIterable<ReadBatch>,
  natives: readonly ReadColumn[],
  wanted: readonly ReadColumn[],
): AsyncGenerator<ReadBatch, void, undefined> {
  const wantedTypes = wanted.map(({ type }) => type)
  let rowsBefore = 0
  for await (const read of batches) {
    const steps = natives.map((native, i) => step(native.type, wanted[i]))
    const failed = new Map<number, number>()
    const children = read.batch.data.children.map((data: Data, i) => {
      if (steps[i] !== 'text') return data
      return throughText(data, natives[i].type, wanted[i], read.batch.numRows, (row) => note(failed, row, i))
    })
    const types = wanted.map((column, i) => (steps[i] === 'cast' ? natives[i].type : column.type))
    const untouched = !steps.includes('cast') && failed.size === 0
    const results = untouched
      ? [batchFromColumns(children, read.batch.numRows)]
      : await cast(children, types, wanted, read.batch.numRows, failed)
    const before = rowsBefore
    rowsBefore += read.batch.numRows
    if (failed.size === 0) {
      for (const [i, batch] of results.entries()) yield { ...read, batch, rejected: i === 0 ? read.rejected : [] }
      continue
    }
    const whole = concatenateBatches(results, wantedTypes)
    const reject = (row: number, column: number): RejectedRow =>
      rejectedRow(read.batch, natives, wanted[column], row, column, before + row + 1)
    let own = read.rejected
    for (const { to, from, rejected } of inParts(failed, whole.numRows, reject)) {
      const isAll = from === 0 && to === whole.numRows
      const batch = isAll ? whole : concatenateBatches([whole.slice(from, to)], wantedTypes)
      yield { ...read, batch, rejected: [...own, ...rejected] }
      own = []
    }
  }
}

/** A range of valid rows in a batch, with the rejected rows among or after them. */
interface Part {
  readonly from: number
  readonly to: number
  readonly rejected: readonly RejectedRow[]
}

/** Splits a batch so that no part exceeds the limit of rejected rows. */
function* inParts(
  failed: ReadonlyMap<number, number>,
  rows: number,
  reject: (row: number, column: number) => RejectedRow,
): Generator<Part, void, undefined> {
  let part = { from: 0, rejected: [] as RejectedRow[], size: 0 }
  for (const [i, [row, column]] of [...failed].sort(([a], [b]) => a - b).entries()) {
    const each = reject(row, column)
    part.rejected.push(each)
    part.size += sizeOf(each)
    if (part.rejected.length < BATCH_REJECTED && part.size < BATCH_BYTES) continue
    yield { from: part.from, to: row - i, rejected: part.rejected }
    part = { from: row - i, rejected: [], size: 0 }
  }
  if (part.from < rows || part.rejected.length > 0) yield { ...part, to: rows }
}

function step(native: ColumnType, wanted: ReadColumn): 'same' | 'text' | 'cast' {
  if (sameType(native, wanted.type)) return 'same'
  const text = sameType(native, VARCHAR) || sameType(wanted.type, VARCHAR)
  return text || isNested(native) || isNested(wanted.type) ? 'text' : 'cast'
}

function note(failed: Map<number, number>, row: number, column: number): void {
  if (!failed.has(row)) failed.set(row, column)
}

function throughText(
  data: Data,
  from: ColumnType,
  wanted: ReadColumn,
  rows: number,
  fail: (row: number) => void,
): Data {
  const builder = makeColumnBuilder(wanted.type, wanted.format)
  const write = makeCellText(from, data)
  const finite = finiteRows(from, data)
  const text = new ByteWriter()
  for (let row = 0; row < rows; row++) {
    if (isNull(data, row)) {
      builder.appendNull()
      continue
    }
    text.clear()
    write(text, row)
    if (!finite(row) || !builder.appendText(text.bytes, 0, text.length)) {
      builder.appendNull()
      fail(row)
    }
  }
  return builder.finish()
}

/**
 * Returns a test for rows without NaN or infinities in nested values. These become JSON text, where they would be null.
 */
function finiteRows(type: ColumnType, data: Data): (row: number) => boolean {
  if (!isNested(type)) return () => true
  const finite = withoutInfinite(type, data)
  if (finite.changed === 0) return () => true
  const [before, after] = [hashesOf(type, data), hashesOf(type, finite.data)]
  return (row) => before.a[row] === after.a[row] && before.b[row] === after.b[row]
}

let database: Promise<Database> | undefined

/** The database is opened for the first cast, and shared by all casts of this worker. */
async function shared(): Promise<Database> {
  database ??= import('../storage/open-database.ts').then(({ openDatabase }) => openDatabase())
  return database
}

/** Casts in DuckDB, adds rows that don't fit to `failed`, and removes all failed rows. */
async function cast(
  children: readonly Data[],
  from: readonly ColumnType[],
  wanted: readonly ReadColumn[],
  rows: number,
  failed: Map<number, number>,
): Promise<RecordBatch[]> {
  const db = await shared()
  db.run('DROP TABLE IF EXISTS raw')
  db.insert('raw', batchFromColumns([...children, keepMask(rows, failed)], rows))
  const kept = children.length
  const casts = from.flatMap((type, i) => (sameType(type, wanted[i].type) ? [] : [{ i, type }]))
  for (const { i, type } of casts) {
    const there = `TRY_CAST(c${i} AS ${printType(wanted[i].type)})`
    const exact = `TRY_CAST(${there} AS ${printType(type)}) IS NOT DISTINCT FROM c${i}`
    const refused = db.run(
      `SELECT rowid::INTEGER FROM raw WHERE c${i} IS NOT NULL AND NOT (${there} IS NOT NULL AND ${exact})`,
    )
    for (const batch of refused) {
      for (const row of batch.getChildAt(0) ?? []) note(failed, row as number, i)
    }
  }
  if (failed.size > 0) {
    db.run('DROP TABLE raw')
    db.insert('raw', batchFromColumns([...children, keepMask(rows, failed)], rows))
  }
  const list = from.map((type, i) =>
    sameType(type, wanted[i].type) ? `c${i}` : `CAST(c${i} AS ${printType(wanted[i].type)}) AS c${i}`,
  )
  const result = db.run(`SELECT ${list.join(', ')} FROM raw WHERE c${kept}`)
  db.run('DROP TABLE raw')
  const types = wanted.map((column) => column.type)
  if (result.length > 0) return Promise.all(result.map((batch) => normalizeBatch(batch, types)))
  return [
    batchFromColumns(
      types.map((type) => makeColumnBuilder(type).finish()),
      0,
    ),
  ]
}

function keepMask(rows: number, failed: ReadonlyMap<number, number>): Data {
  const bits = new Uint8Array(Math.ceil(rows / 8)).fill(255)
  for (const row of failed.keys()) bits[row >> 3] &= ~(1 << (row & 7))
  return makeData({ type: new Bool(), length: rows, nullCount: 0, data: bits })
}

function rejectedRow(
  batch: RecordBatch,
  natives: readonly ReadColumn[],
  wanted: ReadColumn,
  row: number,
  column: number,
  number: number,
): RejectedRow {
  const texts = batch.data.children.map((data: Data, i) => cellToString(natives[i].type, data, row))
  const value = texts[column] ?? ''
  const cells: (string | null)[] = []
  for (const [i, { index }] of natives.entries()) {
    while (cells.length < index) cells.push(null)
    cells[index] = texts[i]
  }
  const raw = texts.join('\t').slice(0, MAX_RAW)
  // Truncated text can't be fixed.
  const place = { row: number, line: null, raw, ...(isCut({ raw }) ? {} : { cells }) }
  const rejected = rejectedValue(wanted, value, place)
  if (!sameType(wanted.type, VARCHAR)) return rejected
  const message = `The value in column “${wanted.source}” has NaN or an infinity in it, which its JSON text can’t have.`
  return { ...rejected, message }
}

/** The hashes of a column's values, as two words each. */
function hashesOf(type: ColumnType, data: Data): { readonly a: Int32Array; readonly b: Int32Array } {
  const memory = runMemory()
  memory.begin()
  const { a, b } = hashColumn(type, data, 0, data.length, memory)
  const copy = (at: number): Int32Array => new Int32Array(memory.kernel.bytes.slice(at, at + data.length * 4).buffer)
  return { a: copy(a), b: copy(b) }
}
