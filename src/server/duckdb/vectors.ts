import duckdb, { type DataChunk, type LogicalType, type Vector } from '@duckdb/node-bindings'
import {
  Binary,
  Bool,
  BufferType,
  Data,
  Decimal,
  Field,
  List,
  Map_,
  Null,
  Struct,
  Utf8,
  type DataType,
} from 'apache-arrow'
import { ByteWriter } from '../../lib/bytes.ts'
import { take } from '../../engine/arrow/cast/take.ts'
import { toArrowType } from '../../engine/arrow/types.ts'
import { scalar, type ScalarName } from '../../tables/types.ts'

/* Converts DuckDB's vectors to Arrow. Nearly all have the same memory layout in both. */

const { Type } = duckdb

/** Reads the first rows of vectors of one type. The result doesn't share DuckDB's memory. */
interface VectorReader {
  readonly type: DataType
  read(vector: Vector, rows: number): Data
}

/** @throws {Error} for types without an exact representation in Arrow; such columns must be cast to text before */
export function readerOf(logical: LogicalType): VectorReader {
  const id = duckdb.get_type_id(logical)
  const make = MAKERS.get(id)
  if (!make) throw new Error(`DuckDB's type ${id} has no exact form in Arrow`)
  return make(logical)
}

/** The columns of a chunk. */
export function readChunk(chunk: DataChunk, readers: readonly VectorReader[]): Data[] {
  const rows = duckdb.data_chunk_get_size(chunk)
  return readers.map((reader, i) => reader.read(duckdb.data_chunk_get_vector(chunk, i), rows))
}

/** Bit n of byte m says whether row 8 m + n is valid, in both. */
function validityOf(vector: Vector, rows: number): Uint8Array | undefined {
  const bits = duckdb.vector_get_validity(vector, Math.ceil(rows / 64) * 8) as Uint8Array | null
  return bits ? bits.slice(0, Math.ceil(rows / 8)) : undefined
}

const isValid = (bits: Uint8Array | undefined, row: number): boolean =>
  bits === undefined || ((bits[row >> 3] ?? 0) & (1 << (row & 7))) !== 0

function dataOf(vector: Vector, bytes: number): Uint8Array<ArrayBuffer> {
  // An aligned copy, since the vector's memory belongs to DuckDB.
  return Uint8Array.from(duckdb.vector_get_data(vector, bytes))
}

function made(
  type: DataType,
  rows: number,
  validity: Uint8Array | undefined,
  buffers: object,
  children: readonly Data[] = [],
): Data {
  const all = { ...buffers, [BufferType.VALIDITY]: validity }
  return new Data(type, 0, rows, validity ? -1 : 0, all as never, [...children])
}

function fixed(name: ScalarName): VectorReader {
  const type = toArrowType(scalar(name))
  const Values = type.ArrayType as { readonly BYTES_PER_ELEMENT: number; new (buffer: ArrayBuffer): ArrayBufferView }
  return {
    type,
    read(vector, rows) {
      const values = new Values(dataOf(vector, rows * Values.BYTES_PER_ELEMENT).buffer)
      return made(type, rows, validityOf(vector, rows), { [BufferType.DATA]: values })
    },
  }
}

const readNulls = (_: Vector, rows: number): Data => new Data(new Null(), 0, rows, rows, {})

function readBooleans(vector: Vector, rows: number): Data {
  const bytes = dataOf(vector, rows)
  const bits = new Uint8Array(Math.ceil(rows / 8))
  for (let row = 0; row < rows; row++) if (bytes[row] !== 0) bits[row >> 3] = (bits[row >> 3] ?? 0) | (1 << (row & 7))
  return made(new Bool(), rows, validityOf(vector, rows), { [BufferType.DATA]: bits })
}

/** Layout of DuckDB's strings: the length, followed by either up to 12 bytes inline, or a prefix of 4 and a pointer. */
const TEXT = 16
const INLINE = 12

/** The bytes of a row's string, in DuckDB's memory. @param data of the vector, as returned by the bindings */
export function textAt(data: Uint8Array, row: number): Uint8Array {
  const at = data.byteOffset + row * TEXT
  const length = new DataView(data.buffer, at, 4).getUint32(0, true)
  if (length <= INLINE) return new Uint8Array(data.buffer, at + 4, length)
  return duckdb.get_data_from_pointer(data.buffer as ArrayBuffer, at + 8, length)
}

function readTexts(type: Utf8 | Binary, vector: Vector, rows: number): Data {
  const validity = validityOf(vector, rows)
  const data = duckdb.vector_get_data(vector, rows * TEXT)
  const offsets = new Int32Array(rows + 1)
  const bytes = new ByteWriter(rows * INLINE)
  for (let row = 0; row < rows; row++) {
    if (isValid(validity, row)) bytes.append(textAt(data, row))
    offsets[row + 1] = bytes.length
  }
  return made(type, rows, validity, { [BufferType.OFFSET]: offsets, [BufferType.DATA]: bytes.take() })
}

const texts = (type: Utf8 | Binary): VectorReader => ({
  type,
  read: (vector, rows) => readTexts(type, vector, rows),
})

/** Both have 128 bits, but DuckDB flips the sign bit for sorting. */
function readUuids(vector: Vector, rows: number): Data {
  const words = new BigUint64Array(dataOf(vector, rows * 16).buffer)
  const validity = validityOf(vector, rows)
  const offsets = new Int32Array(rows + 1)
  const bytes = new ByteWriter(rows * 36)
  for (let row = 0; row < rows; row++) {
    if (isValid(validity, row)) {
      const [low = 0n, high = 0n] = words.subarray(row * 2, row * 2 + 2)
      const digits = ((BigInt.asUintN(64, high ^ (1n << 63n)) << 64n) | low).toString(16).padStart(32, '0')
      bytes.text(digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'))
    }
    offsets[row + 1] = bytes.length
  }
  return made(new Utf8(), rows, validity, { [BufferType.OFFSET]: offsets, [BufferType.DATA]: bytes.take() })
}

/** Arrow's have 128 bits; DuckDB's width depends on the precision. */
function decimals(logical: LogicalType): VectorReader {
  const type = new Decimal(duckdb.decimal_scale(logical), duckdb.decimal_width(logical), 128)
  const internal = duckdb.decimal_internal_type(logical)
  const width = internal === Type.SMALLINT ? 2 : internal === Type.INTEGER ? 4 : internal === Type.BIGINT ? 8 : 16
  return {
    type,
    read(vector, rows) {
      const own = dataOf(vector, rows * width)
      const words = new BigInt64Array(rows * 2)
      if (width === 16) words.set(new BigInt64Array(own.buffer))
      else {
        const view = new DataView(own.buffer)
        for (let row = 0; row < rows; row++) {
          const at = row * width
          const value =
            width === 8
              ? view.getBigInt64(at, true)
              : BigInt(width === 4 ? view.getInt32(at, true) : view.getInt16(at, true))
          words[row * 2] = value
          words[row * 2 + 1] = value >> 63n
        }
      }
      return made(type, rows, validityOf(vector, rows), { [BufferType.DATA]: new Uint32Array(words.buffer) })
    },
  }
}

/** The offsets of lists. In Arrow they must be contiguous. */
function readLists(
  vector: Vector,
  rows: number,
  item: VectorReader,
): { offsets: Int32Array; items: Data; validity: Uint8Array | undefined } {
  const validity = validityOf(vector, rows)
  const places = new BigUint64Array(dataOf(vector, rows * 16).buffer)
  const offsets = new Int32Array(rows + 1)
  const taken: number[] = []
  for (let row = 0; row < rows; row++) {
    if (isValid(validity, row)) {
      const first = Number(places[row * 2])
      const count = Number(places[row * 2 + 1])
      for (let i = 0; i < count; i++) taken.push(first + i)
    }
    offsets[row + 1] = taken.length
  }
  const size = duckdb.list_vector_get_size(vector)
  const all = item.read(duckdb.list_vector_get_child(vector), size)
  const inOrder = taken.length === size && taken.every((from, at) => from === at)
  return { offsets, items: inOrder ? all : take(all, Int32Array.from(taken)), validity }
}

function lists(logical: LogicalType): VectorReader {
  const item = readerOf(duckdb.list_type_child_type(logical))
  const type = new List(new Field('item', item.type, true))
  return {
    type,
    read(vector, rows) {
      const { offsets, items, validity } = readLists(vector, rows, item)
      return made(type, rows, validity, { [BufferType.OFFSET]: offsets }, [items])
    },
  }
}

function structs(logical: LogicalType): VectorReader {
  const readers = Array.from({ length: duckdb.struct_type_child_count(logical) }, (_, i) =>
    readerOf(duckdb.struct_type_child_type(logical, i)),
  )
  const type = new Struct(
    readers.map((reader, i) => new Field(duckdb.struct_type_child_name(logical, i), reader.type, true)),
  )
  return {
    type,
    read(vector, rows) {
      const children = readers.map((reader, i) => reader.read(duckdb.struct_vector_get_child(vector, i), rows))
      return made(type, rows, validityOf(vector, rows), {}, children)
    },
  }
}

/** DuckDB's maps are lists of structs with a key and a value. */
function maps(logical: LogicalType): VectorReader {
  const key = readerOf(duckdb.map_type_key_type(logical))
  const value = readerOf(duckdb.map_type_value_type(logical))
  const entry = new Struct([new Field('key', key.type, false), new Field('value', value.type, true)])
  const type = new Map_(new Field('entries', entry as never, false), false)
  const entries: VectorReader = {
    type: entry,
    read(vector, rows) {
      const children = [key, value].map((reader, i) => reader.read(duckdb.struct_vector_get_child(vector, i), rows))
      return made(entry, rows, undefined, {}, children)
    },
  }
  return {
    type,
    read(vector, rows) {
      const { offsets, items, validity } = readLists(vector, rows, entries)
      return made(type, rows, validity, { [BufferType.OFFSET]: offsets }, [items])
    },
  }
}

const FIXED = [
  ...(['TINYINT', 'SMALLINT', 'INTEGER', 'BIGINT', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'UBIGINT'] as const),
  ...(['FLOAT', 'DOUBLE', 'DATE', 'TIME', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS'] as const),
]

const MAKERS: ReadonlyMap<number, (logical: LogicalType) => VectorReader> = new Map<
  number,
  (logical: LogicalType) => VectorReader
>([
  ...FIXED.map((name) => [Type[name], () => fixed(name)] as const),
  [Type.TIMESTAMP_TZ, () => fixed('TIMESTAMP WITH TIME ZONE')],
  [Type.BOOLEAN, () => ({ type: new Bool(), read: readBooleans })],
  [Type.VARCHAR, () => texts(new Utf8())],
  [Type.BLOB, () => texts(new Binary())],
  [Type.UUID, () => ({ type: new Utf8(), read: readUuids })],
  [Type.SQLNULL, () => ({ type: new Null(), read: readNulls })],
  [Type.DECIMAL, decimals],
  [Type.LIST, lists],
  [Type.STRUCT, structs],
  [Type.MAP, maps],
])
