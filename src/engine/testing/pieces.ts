import type { RecordBatch } from 'apache-arrow'
import fc from 'fast-check'
import { expect } from 'vitest'
import type { WriteOptions } from '../../tables/plan.ts'
import type { Column } from '../../tables/types.ts'
import type { FilePart, FormatWriter, WriteResult, WrittenRows } from '../formats/types.ts'
import { MemorySink, type ByteSink } from '../../lib/sink.ts'
import { batchOf, randomTable } from './arbitrary.ts'
import { quiet } from './inspection-helper.ts'

/* Files written in pieces. Tests only. */

export interface Written {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly result: WriteResult
}

/** Where pieces and the batches within them end; none at all, too. */
const ends = fc.array(fc.tuple(fc.nat(30), fc.boolean()), { maxLength: 8 })

/** A random table as one batch, and in pieces of several, some of them without rows. */
const tableInPieces = fc.tuple(randomTable(), ends).map(([table, places]) => {
  const whole = batchOf(table)
  const sorted = places.map(([at, piece]) => ({ at: Math.min(at, whole.numRows), piece })).sort((a, b) => a.at - b.at)
  const pieces = [[whole.slice(0, 0)]]
  let from = 0
  for (const { at, piece } of [...sorted, { at: whole.numRows, piece: true }]) {
    pieces.at(-1)?.push(whole.slice(from, at))
    if (piece) pieces.push([])
    from = at
  }
  return { columns: table.columns, whole, pieces }
})

/** Batches that one writer writes in one go. */
export async function writeWhole(
  writer: FormatWriter,
  options: WriteOptions,
  columns: readonly Column[],
  batches: readonly RecordBatch[],
): Promise<Written> {
  return into(writer, options, columns, async (table) => {
    for (const batch of batches) await table.write(batch)
  })
}

/** The batches of each piece written on their own, and the pieces put together. */
export async function writePieces(
  writer: FormatWriter,
  options: WriteOptions,
  columns: readonly Column[],
  pieces: readonly (readonly RecordBatch[])[],
): Promise<Written> {
  return into(writer, options, columns, async (table) => {
    for (const piece of pieces) await table.append?.(await writeRows(writer, options, columns, piece))
  })
}

export async function writeRows(
  writer: FormatWriter,
  options: WriteOptions,
  columns: readonly Column[],
  batches: readonly RecordBatch[],
): Promise<WrittenRows> {
  const pieces: Uint8Array[] = []
  const sink = {
    size: 0,
    write: (bytes: Uint8Array) => {
      pieces.push(bytes.slice())
      sink.size += bytes.length
      return Promise.resolve()
    },
  } satisfies ByteSink
  const rows = writer.openRows?.(sink, options, quiet)
  if (!rows) throw new Error(`${writer.format} rows can't be written on their own`)
  await rows.begin({ name: '', columns })
  for (const batch of batches) await rows.write(batch)
  await rows.finish()
  return { count: batches.reduce((sum, { numRows }) => sum + numRows, 0), pieces }
}

async function into(
  writer: FormatWriter,
  options: WriteOptions,
  columns: readonly Column[],
  fill: (table: ReturnType<FormatWriter['open']>) => Promise<void>,
): Promise<Written> {
  const sink = new MemorySink()
  const table = writer.open(sink, options, quiet)
  await table.begin({ name: 'table', columns })
  await fill(table)
  const result = await table.finish()
  return { bytes: new Uint8Array(await sink.file('table').arrayBuffer()), result }
}

/** A written file in parts, from one place where a row begins to the next; without its byte order mark. */
export function partsAt(bytes: Uint8Array, cuts: readonly number[]): FilePart[] {
  const mark = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0
  const bounds = [mark, ...cuts, bytes.length]
  return bounds
    .slice(1)
    .map((end, index) => ({ index, from: bounds[index], bytes: bytes.subarray(bounds[index], end) }))
    .filter((part) => part.bytes.length > 0)
}

/** Holds that rows written on their own, put together, are byte for byte what one writer writes. */
export async function expectAlikeInPieces<O extends WriteOptions>(
  writer: FormatWriter,
  options: fc.Arbitrary<O>,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(tableInPieces, options, async ({ columns, whole, pieces }, how) => {
      const alone = await writeWhole(writer, how, columns, [whole])
      const together = await writePieces(writer, how, columns, pieces)
      expect(Buffer.from(together.bytes).toString()).toBe(Buffer.from(alone.bytes).toString())
      expect(together.result).toEqual(alone.result)
    }),
    { numRuns: 120 },
  )
}
