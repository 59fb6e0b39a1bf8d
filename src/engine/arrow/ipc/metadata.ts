import { FlatError, FlatTable } from './flat.ts'

/*
 * Parses the metadata of an Arrow file's or stream's messages into plain data.
 * https://github.com/apache/arrow/tree/main/format: Schema.fbs, Message.fbs, File.fbs
 */

/** Members of the union `Type`, by number. */
export const TYPE_NAMES = [
  'None',
  'Null',
  'Int',
  'FloatingPoint',
  'Binary',
  'Utf8',
  'Bool',
  'Decimal',
  'Date',
  'Time',
  'Timestamp',
  'Interval',
  'List',
  'Struct',
  'Union',
  'FixedSizeBinary',
  'FixedSizeList',
  'Map',
  'Duration',
  'LargeBinary',
  'LargeUtf8',
  'LargeList',
  'RunEndEncoded',
  'BinaryView',
  'Utf8View',
  'ListView',
  'LargeListView',
] as const

export type TypeName = (typeof TYPE_NAMES)[number]

export interface IpcType {
  readonly name: TypeName
  /** Int, Decimal, Time: bits. FixedSizeBinary: bytes. FixedSizeList: items. */
  readonly width: number
  readonly signed: boolean
  /** FloatingPoint: precision. Date, Time, Timestamp, Duration, Interval: unit. Decimal: precision. */
  readonly unit: number
  readonly scale: number
  readonly zone: string
}

export interface IpcField {
  readonly name: string
  /** The type of the values; for a dictionary, of those it holds. */
  readonly type: IpcType
  readonly children: readonly IpcField[]
  readonly dictionary: { readonly id: bigint; readonly width: number; readonly signed: boolean } | null
  readonly metadata: ReadonlyMap<string, string>
}

export interface IpcSchema {
  readonly fields: readonly IpcField[]
  readonly bigEndian: boolean
}

export interface IpcBatch {
  readonly rows: number
  /** Pairs of length and null count. */
  readonly nodes: Float64Array
  /** Pairs of offset in the body and length. */
  readonly buffers: Float64Array
  readonly compression: 'lz4' | 'zstd' | null
  /** Number of data buffers of each view column. */
  readonly variadic: Float64Array
}

export type IpcMessage =
  | { readonly kind: 'schema'; readonly schema: IpcSchema; readonly body: number }
  | { readonly kind: 'batch'; readonly batch: IpcBatch; readonly body: number }
  | {
      readonly kind: 'dictionary'
      readonly id: bigint
      readonly delta: boolean
      readonly batch: IpcBatch
      readonly body: number
    }
  | { readonly kind: 'other'; readonly body: number }

const MAX_DEPTH = 64
const MAX_FIELDS = 1_000_000

/** @throws {FlatError} */
export function parseMessage(bytes: Uint8Array): IpcMessage {
  const message = FlatTable.root(bytes)
  // Versions V1 to V3 (0 to 2) are from before 2017.
  const version = message.i16(0)
  const body = message.size(3)
  const header = message.table(2)
  const kind = message.i8(1)
  if (!header) throw new FlatError('a message has no header')
  if (version < 3 || version > 4) throw new FlatError(`its version, V${version + 1}, is not one that Rowhouse reads`)
  switch (kind) {
    case 1:
      return { kind: 'schema', schema: parseSchema(header), body }
    case 2: {
      const batch = header.table(1)
      if (!batch) throw new FlatError('a dictionary has no values')
      return { kind: 'dictionary', id: header.i64(0), delta: header.bool(2), batch: parseBatch(batch), body }
    }
    case 3:
      return { kind: 'batch', batch: parseBatch(header), body }
    default:
      return { kind: 'other', body }
  }
}

/**
 * The types of a schema message's fields, without all else that it says, which takes several times as long.
 * @returns null for another message, and for one with dictionaries
 * @throws {FlatError}
 */
export function parseTypes(bytes: Uint8Array): readonly IpcType[] | null {
  const message = FlatTable.root(bytes)
  const fields = message.i8(1) === 1 ? message.table(2)?.tables(1) : undefined
  return fields?.every((field) => field.table(4) === null) ? fields.map(parseType) : null
}

interface Block {
  readonly offset: number
  readonly metadata: number
  readonly body: number
}

/** @throws {FlatError} */
export function parseFooter(bytes: Uint8Array): { schema: IpcSchema; dictionaries: Block[]; batches: Block[] } {
  const footer = FlatTable.root(bytes)
  const schema = footer.table(1)
  if (!schema) throw new FlatError('the footer has no schema')
  return { schema: parseSchema(schema), dictionaries: footer.blocks(2), batches: footer.blocks(3) }
}

function parseBatch(batch: FlatTable): IpcBatch {
  const compression = batch.table(3)
  if (compression && compression.i8(1) !== 0) throw new FlatError('an unknown way of compression')
  const codec = compression ? compression.i8(0) : -1
  if (codec > 1) throw new FlatError('an unknown compression')
  return {
    rows: batch.size(0),
    nodes: batch.structs(1, 2),
    buffers: batch.structs(2, 2),
    compression: codec < 0 ? null : codec === 0 ? 'lz4' : 'zstd',
    variadic: batch.structs(4, 1),
  }
}

function parseSchema(schema: FlatTable): IpcSchema {
  const budget = { fields: MAX_FIELDS }
  return {
    bigEndian: schema.i16(0) === 1,
    fields: schema.tables(1).map((field) => parseField(field, 0, budget)),
  }
}

function parseField(field: FlatTable, depth: number, budget: { fields: number }): IpcField {
  if (depth > MAX_DEPTH || --budget.fields < 0) throw new FlatError('the schema is nested too deep')
  const dictionary = field.table(4)
  const index = dictionary?.table(1)
  return {
    name: field.text(0),
    type: parseType(field),
    dictionary: dictionary
      ? { id: dictionary.i64(0), width: index ? index.i32(0) : 32, signed: index ? index.bool(1) : true }
      : null,
    children: field.tables(5).map((child) => parseField(child, depth + 1, budget)),
    metadata: new Map(field.tables(6).map((pair) => [pair.text(0), pair.text(1)])),
  }
}

const PLAIN: Omit<IpcType, 'name'> = { width: 0, signed: false, unit: 0, scale: 0, zone: '' }

function parseType(field: FlatTable): IpcType {
  const name = TYPE_NAMES[field.i8(2)] ?? 'None'
  const table = field.table(3)
  if (!table) throw new FlatError('a field has no type')
  const plain = { ...PLAIN, name }
  const kind: string = name
  switch (kind) {
    case 'Int':
      return { ...plain, width: table.i32(0), signed: table.bool(1) }
    case 'FloatingPoint':
      return { ...plain, unit: table.i16(0) }
    case 'Decimal':
      return { ...plain, unit: table.i32(0), scale: table.i32(1), width: table.i32(2, 128) }
    // The default unit is milliseconds.
    case 'Date':
    case 'Duration':
      return { ...plain, unit: table.i16(0, 1) }
    case 'Time':
      return { ...plain, unit: table.i16(0, 1), width: table.i32(1, 32) }
    case 'Timestamp':
      return { ...plain, unit: table.i16(0), zone: table.text(1) }
    case 'Interval':
    case 'Union':
      return { ...plain, unit: table.i16(0) }
    case 'FixedSizeBinary':
    case 'FixedSizeList':
      return { ...plain, width: table.i32(0) }
    default:
      return plain
  }
}
