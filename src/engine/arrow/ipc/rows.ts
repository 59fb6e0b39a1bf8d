import { Data, DataType, type RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import { batchFromColumns, readBatches } from '../batch.ts'
import { concatenateBatches } from '../concatenate.ts'
import { normalizeBatch } from '../normalize.ts'
import { toArrowType } from '../types.ts'
import { parseMessage, parseTypes, type IpcBatch, type IpcType } from './metadata.ts'

/** Messages of a stream: the schema, then batches. */
export type IpcMessages = readonly [schema: Uint8Array, ...batches: Uint8Array[]]

/** Average number of rows below which batches are combined. */
const FEW_ROWS = 512

type TypedArrayConstructor = new (buffer: ArrayBufferLike, byteOffset: number, length: number) => ArrayLike<unknown>

/**
 * Reads the rows of an engine of ours from its Arrow IPC messages, whose contents it doesn't check. The library takes
 * several times as long for a message, which a short statement's few rows, or many messages of a few rows, would pay for.
 */
export class MessageReader {
  private readonly types: readonly ColumnType[]
  private readonly names: readonly string[]
  private readonly arrowTypes: readonly DataType[]
  private direct: boolean | null = null

  /** @param types of the columns @param names of the columns, for errors */
  constructor(types: readonly ColumnType[], names: readonly string[]) {
    this.types = types
    this.names = names
    this.arrowTypes = types.map(toArrowType)
  }

  /**
   * The rows in the physical form of the types. Batches of a few rows each, such as a filter leaves of a table's, come as
   * one, since each has fixed costs.
   * @throws {EngineError} as `normalizeBatch`
   */
  async read(messages: IpcMessages): Promise<readonly RecordBatch[]> {
    this.direct ??= this.hasLayout(messages[0])
    if (!this.direct)
      return Promise.all(readBatches(messages).map((each) => normalizeBatch(each, this.types, this.names)))
    const batches = messages.slice(1).flatMap((message) => this.batches(message))
    const rows = batches.reduce((sum, { numRows }) => sum + numRows, 0)
    const areSmall = batches.length > 1 && rows < batches.length * FEW_ROWS
    return areSmall ? [concatenateBatches(batches, this.types)] : batches
  }

  private hasLayout(schema: Uint8Array): boolean {
    const types = parseTypes(metadataAt(schema, 0))
    return types?.length === this.types.length && types.every((type, i) => isLaidOutAs(type, this.arrowTypes[i]))
  }

  /** The batches with rows among the messages in some bytes. */
  private batches(bytes: Uint8Array): RecordBatch[] {
    const aligned = bytes.byteOffset % 8 === 0 ? bytes : bytes.slice()
    const found: RecordBatch[] = []
    for (let at = 0; at < aligned.length;) {
      const metadata = metadataAt(aligned, at)
      const message = parseMessage(metadata)
      const body = at + 8 + metadata.length
      if (message.kind === 'batch' && message.batch.rows > 0) found.push(this.batch(message.batch, aligned, body))
      at = body + message.body
    }
    return found
  }

  private batch({ rows, nodes, buffers }: IpcBatch, bytes: Uint8Array, body: number): RecordBatch {
    let buffer = 0
    const next = (): [at: number, length: number] => {
      const at = buffer++ * 2
      return [bytes.byteOffset + body + buffers[at], buffers[at + 1]]
    }
    const columns = this.arrowTypes.map((type, i) => {
      const nullCount = nodes[i * 2 + 1]
      const nulls = new Uint8Array(bytes.buffer, ...next())
      const hasOffsets = DataType.isUtf8(type) || DataType.isBinary(type)
      const offsets = hasOffsets ? new Int32Array(bytes.buffer, next()[0], rows + 1) : undefined
      const [at, length] = next()
      const ArrayType = type.ArrayType as TypedArrayConstructor & { readonly BYTES_PER_ELEMENT: number }
      const values = new ArrayType(bytes.buffer, at, length / ArrayType.BYTES_PER_ELEMENT)
      return new Data(type, 0, rows, nullCount, [offsets, values, nullCount > 0 ? nulls : undefined])
    })
    return batchFromColumns(columns, rows)
  }
}

/** The metadata of the message that begins at an offset; its body follows. */
function metadataAt(bytes: Uint8Array, offset: number): Uint8Array {
  const length = new DataView(bytes.buffer, bytes.byteOffset + offset, 8).getInt32(4, true)
  return bytes.subarray(offset + 8, offset + 8 + length)
}

/** Whether a column that isn't nested already has the layout of a type. */
function isLaidOutAs(type: IpcType, wanted: DataType): boolean {
  const { name, width, unit } = type
  const same = (one: number, other: number): boolean => one === other
  if (DataType.isInt(wanted)) return name === 'Int' && width === wanted.bitWidth && type.signed === wanted.isSigned
  if (DataType.isFloat(wanted)) return name === 'FloatingPoint' && same(unit, wanted.precision)
  if (DataType.isDecimal(wanted))
    return name === 'Decimal' && width === 128 && same(unit, wanted.precision) && type.scale === wanted.scale
  if (DataType.isDate(wanted)) return name === 'Date' && same(unit, wanted.unit)
  if (DataType.isTime(wanted)) return name === 'Time' && same(unit, wanted.unit) && width === wanted.bitWidth
  if (DataType.isTimestamp(wanted))
    return name === 'Timestamp' && same(unit, wanted.unit) && type.zone === (wanted.timezone ?? '')
  if (DataType.isUtf8(wanted)) return name === 'Utf8'
  if (DataType.isBinary(wanted)) return name === 'Binary'
  return DataType.isBool(wanted) && name === 'Bool'
}
