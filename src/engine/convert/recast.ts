import { Bool, makeData, type Data, type RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../tables/plan.ts'
import { isNested, printType, sameType, VARCHAR, type ColumnType } from '../../tables/types.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import { MAX_RAW } from '../../tables/rejected.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { batchFromColumns, normalizeBatch } from '../arrow/normalize.ts'
import { cellToString, isNull, makeCellText } from '../arrow/text.ts'
import { hashesOf } from './fingerprint/hash.ts'
import type { Database } from '../storage/database.ts'
import { withoutInfinite } from '../formats/shared/finite.ts'
import type { ReadColumn } from '../columns/read-column.ts'
import type { ReadBatch } from '../formats/types.ts'

const VALUE_LENGTH = 1_000

/**
 * Gives batches other types than the file has. What reads or makes text goes through the text forms, which are exact;
 * the rest is DuckDB's cast, held to give back the value that it was given: 1.5 as INTEGER is a row that doesn't fit,
 * not a 2.
 */
export async function* recast(
  batches: AsyncIterable<ReadBatch>,
  natives: readonly ReadColumn[],
  wanted: readonly ReadColumn[],
): AsyncGenerator<ReadBatch, void, undefined> {
  let rowsBefore = 0
  for await (const read of batches) {
    const steps = natives.map((native, i) => step(native.type, wanted[i]))
    const rejected: RejectedRow[] = []
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
    for (const [row, column] of [...failed].sort(([a], [b]) => a - b)) {
      rejected.push(rejectedRow(read.batch, natives, wanted[column], row, column, rowsBefore + row + 1))
    }
    rowsBefore += read.batch.numRows
    yield { ...read, batch: results[0], rejected: [...read.rejected, ...rejected] }
    for (const batch of results.slice(1)) yield { ...read, batch, rejected: [] }
  }
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

/** Tells rows without NaN or an infinity within nested values: JSON, which is their text, has only null for these. */
function finiteRows(type: ColumnType, data: Data): (row: number) => boolean {
  if (!isNested(type)) return () => true
  const finite = withoutInfinite(type, data)
  if (finite.changed === 0) return () => true
  const [before, after] = [hashesOf(type, data), hashesOf(type, finite.data)]
  return (row) => before.a[row] === after.a[row] && before.b[row] === after.b[row]
}

let database: Promise<Database> | undefined

/** The database opens with the first cast, and serves all of this worker's. */
async function shared(): Promise<Database> {
  database ??= import('../storage/open-database.ts').then(({ openDatabase }) => openDatabase())
  return database
}

/** Casts in DuckDB, adds the rows that don't fit to `failed`, and takes all failed rows out. */
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
  if (result.length > 0) return result.map((batch) => normalizeBatch(batch, types))
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
  return {
    row: number,
    line: null,
    reason: 'value',
    message: sameType(wanted.type, VARCHAR)
      ? `The value in column “${wanted.source}” has NaN or an infinity in it, which its JSON text can’t have.`
      : `“${value.slice(0, 80)}” in column “${wanted.source}” is not ${printType(wanted.type)}.`,
    column: wanted.source,
    value: value.slice(0, VALUE_LENGTH),
    raw: texts.join('\t').slice(0, MAX_RAW),
    cells,
  }
}
