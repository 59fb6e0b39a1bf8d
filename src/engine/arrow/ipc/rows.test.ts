import { DateMillisecond, makeData, RecordBatchStreamWriter, type RecordBatch } from 'apache-arrow'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scalar } from '../../../tables/types.ts'
import { batchOf, randomTable, type RandomTable } from '../../testing/arbitrary.ts'
import { batchFromColumns } from '../batch.ts'
import { cellToString } from '../text.ts'
import { MessageReader, type IpcMessages } from './rows.ts'

/** Splits batches of one schema into Arrow IPC messages. */
function messagesOf(batches: readonly RecordBatch[]): IpcMessages {
  const [schema, ...first] = split(RecordBatchStreamWriter.writeAll(batches.slice(0, 1)).toUint8Array(true))
  const rest = batches
    .slice(1)
    .flatMap((batch) => split(RecordBatchStreamWriter.writeAll([batch]).toUint8Array(true)).slice(1))
  return [schema, ...first, ...rest]
}

function split(stream: Uint8Array): Uint8Array[] {
  const view = new DataView(stream.buffer, stream.byteOffset, stream.byteLength)
  const found: Uint8Array[] = []
  for (let at = 0; at < stream.length;) {
    const metadata = view.getInt32(at + 4, true)
    if (metadata === 0) break
    // The message's table, its virtual table, and the field for the body's length.
    const root = at + 8 + view.getUint32(at + 8, true)
    const vtable = root - view.getInt32(root, true)
    const field = view.getUint16(vtable, true) > 10 ? view.getUint16(vtable + 10, true) : 0
    const body = field === 0 ? 0 : Number(view.getBigInt64(root + field, true))
    found.push(stream.slice(at, at + 8 + metadata + body))
    at += 8 + metadata + body
  }
  return found
}

const textsOf = ({ columns }: Pick<RandomTable, 'columns'>, batches: readonly RecordBatch[]): (string | null)[][] =>
  columns.map(({ type }, i) =>
    batches.flatMap(({ data, numRows }) =>
      Array.from({ length: numRows }, (_, row) => cellToString(type, data.children[i], row)),
    ),
  )

const readerOf = ({ columns }: Pick<RandomTable, 'columns'>): MessageReader =>
  new MessageReader(
    columns.map(({ type }) => type),
    columns.map(({ name }) => name),
  )

describe('the reader of an engine’s messages', () => {
  it('gives the same cells as were written, of all types, in one batch or several', async () => {
    await fc.assert(
      fc.asyncProperty(
        randomTable(),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 7 }),
        async (table, step, shift) => {
          const whole = batchOf(table)
          const parts = table.cells[0].flatMap((_, row) => (row % step === 0 ? [whole.slice(row, row + step)] : []))
          const messages = messagesOf(parts.length > 0 ? parts : [whole])
          // Bytes may begin anywhere in a buffer.
          const shifted = messages.map((message) => {
            const buffer = new Uint8Array(message.length + shift)
            buffer.set(message, shift)
            return buffer.subarray(shift)
          }) as unknown as IpcMessages
          const batches = await readerOf(table).read(shifted)
          expect(textsOf(table, batches)).toEqual(textsOf(table, [whole]))
        },
      ),
    )
  })

  it('converts columns of other layouts than their types have', async () => {
    const days = makeData({
      type: new DateMillisecond(),
      nullCount: 1,
      nullBitmap: new Uint8Array([0b101]),
      data: BigInt64Array.from([0n, 0n, 86_400_000n]),
    })
    const wanted = { columns: [{ name: 'day', type: scalar('DATE') }] }
    const batches = await readerOf(wanted).read(messagesOf([batchFromColumns([days], 3)]))
    expect(textsOf(wanted, batches)).toEqual([['1970-01-01', null, '1970-01-02']])
  })

  it('makes one batch of many with a few rows, and leaves larger ones as they are, which would be copied', async () => {
    const table = {
      columns: [{ name: 'a', type: scalar('INTEGER') }],
      cells: [Array.from({ length: 4096 }, (_, i) => String(i))],
    }
    const whole = batchOf(table)
    const few = Array.from({ length: 100 }, (_, i) => whole.slice(i * 3, i * 3 + 3))
    const small = await readerOf(table).read(messagesOf(few))
    expect(small.map(({ numRows }) => numRows)).toEqual([300])
    expect(textsOf(table, small)).toEqual([table.cells[0].slice(0, 300)])
    const large = await readerOf(table).read(messagesOf([whole.slice(0, 2048), whole.slice(2048)]))
    expect(large.map(({ numRows }) => numRows)).toEqual([2048, 2048])
  })
})
