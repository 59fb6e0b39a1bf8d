import { COLON, COMMA, QUOTE } from '../../lib/ascii.ts'
import { Type, type Data } from 'apache-arrow'
import { ByteWriter } from '../../lib/bytes.ts'
import { isNested, type ColumnType, type MapType, type ScalarName, type StructType } from '../../tables/types.ts'
import { writeDecimal, writeInt, writeInt64, writeUint64 } from './write/digits.ts'
import { writeDouble, writeFloat } from './write/floats.ts'
import { writeDate, writeTime, writeTimestamp } from './write/moments.ts'
import { writeBase64, writeJsonString } from './write/strings.ts'

/*
 * The canonical text and JSON of values, which `builder.ts` reads. In a sliced `Data`, values and offsets begin at the
 * slice, but bits (validity, booleans) still begin at `data.offset`.
 */

/** Appends one cell's text. */
export type CellWriter = (out: ByteWriter, row: number) => void

const encoder = new TextEncoder()
const TRUE = encoder.encode('true')
const FALSE = encoder.encode('false')
const NULL = encoder.encode('null')
const JSON_FORM = { separator: 0x54 }
const ZULU = encoder.encode('Z')
const UTC = encoder.encode('+00')

/** Whether a cell is null. */
export function isNull(data: Data, row: number): boolean {
  const bits: Uint8Array | undefined = data.nullBitmap
  if (bits === undefined || bits.length === 0) return data.type.typeId === Type.Null
  const at = data.offset + row
  return (bits[at >> 3] & (1 << (at & 7))) === 0
}

/**
 * Returns a writer of the canonical text of a column's non-null cells: the text that `makeColumnBuilder(type)` reads as
 * the same value. Nested values are JSON text.
 * @param data of the physical type `toArrowType(type)`
 */
export function makeCellText(type: ColumnType, data: Data): CellWriter {
  if (isNested(type)) return makeValueJson(type, data)
  return type.kind === 'decimal' ? decimalCell(data, type.scale) : TEXT[type.name](data)
}

/**
 * Returns a writer of a column's cells as JSON, including nulls: numbers with all digits, everything else as strings,
 * including NaN and infinities. A map is an object if its keys are VARCHAR, else a list of its entries.
 * @param data of the physical type `toArrowType(type)`
 */
export function makeCellJson(type: ColumnType, data: Data): CellWriter {
  const value = makeValueJson(type, data)
  if (data.nullCount === 0) return value
  return (out, row) => {
    if (isNull(data, row)) out.append(NULL)
    else value(out, row)
  }
}

function makeValueJson(type: ColumnType, data: Data): CellWriter {
  switch (type.kind) {
    case 'decimal':
      return decimalCell(data, type.scale)
    case 'list': {
      const item = makeCellJson(type.item, data.children[0])
      const offsets: Int32Array = data.valueOffsets
      return (out, row) => {
        out.byte(0x5b)
        const start = offsets[row]
        for (let i = start; i < offsets[row + 1]; i++) {
          if (i > start) out.byte(COMMA)
          item(out, i)
        }
        out.byte(0x5d)
      }
    }
    case 'struct':
      return structJson(type, data)
    case 'map':
      return mapJson(type, data)
    case 'scalar':
      return (JSON_TEXT[type.name] ?? TEXT[type.name])(data)
  }
}

const TEXT: Readonly<Record<ScalarName, (data: Data) => CellWriter>> = {
  BOOLEAN: booleanCell,
  TINYINT: integerCell,
  SMALLINT: integerCell,
  INTEGER: integerCell,
  BIGINT: bigintCell,
  // In results these are text, since they may have 39 digits.
  HUGEINT: (data) => (data.type.typeId === Type.Utf8 ? bytesCell(data) : decimalCell(data, 0)),
  UTINYINT: integerCell,
  USMALLINT: integerCell,
  UINTEGER: integerCell,
  UBIGINT: ubigintCell,
  FLOAT: floatCell,
  DOUBLE: doubleCell,
  VARCHAR: bytesCell,
  BLOB: blobCell,
  UUID: bytesCell,
  DATE: dateCell,
  TIME: timeCell,
  TIMESTAMP: (data) => timestampCell(data, 6),
  TIMESTAMP_S: (data) => timestampCell(data, 0),
  TIMESTAMP_MS: (data) => timestampCell(data, 3),
  TIMESTAMP_NS: (data) => timestampCell(data, 9),
  'TIMESTAMP WITH TIME ZONE': (data) => timestampCell(data, 6, { zone: UTC }),
  INTERVAL: bytesCell,
  JSON: bytesCell,
}

/** Scalars whose JSON differs from their text. */
const JSON_TEXT: Partial<Record<ScalarName, (data: Data) => CellWriter>> = {
  FLOAT: (data) => finite(floatCell(data), data),
  DOUBLE: (data) => finite(doubleCell(data), data),
  VARCHAR: stringJson,
  UUID: stringJson,
  INTERVAL: stringJson,
  BLOB: (data) => quoted(blobCell(data)),
  DATE: (data) => quoted(dateCell(data)),
  TIME: (data) => quoted(timeCell(data)),
  TIMESTAMP: (data) => quoted(timestampCell(data, 6, JSON_FORM)),
  TIMESTAMP_S: (data) => quoted(timestampCell(data, 0, JSON_FORM)),
  TIMESTAMP_MS: (data) => quoted(timestampCell(data, 3, JSON_FORM)),
  TIMESTAMP_NS: (data) => quoted(timestampCell(data, 9, JSON_FORM)),
  'TIMESTAMP WITH TIME ZONE': (data) => quoted(timestampCell(data, 6, { ...JSON_FORM, zone: ZULU })),
}

function quoted(cell: CellWriter): CellWriter {
  return (out, row) => {
    out.byte(QUOTE)
    cell(out, row)
    out.byte(QUOTE)
  }
}

/** JSON has no NaN or infinities. */
function finite(cell: CellWriter, data: Data): CellWriter {
  const values: Float64Array | Float32Array = data.values
  const text = quoted(cell)
  return (out, row) => {
    if (Number.isFinite(values[row])) cell(out, row)
    else text(out, row)
  }
}

function stringJson(data: Data): CellWriter {
  const bytes: Uint8Array = data.values
  const offsets: Int32Array = data.valueOffsets
  return (out, row) => writeJsonString(out, bytes, offsets[row], offsets[row + 1])
}

function booleanCell(data: Data): CellWriter {
  const bits: Uint8Array = data.values
  const { offset } = data
  return (out, row) => {
    const at = offset + row
    out.append((bits[at >> 3] & (1 << (at & 7))) === 0 ? FALSE : TRUE)
  }
}

/** Integers of up to 32 bits. */
function integerCell(data: Data): CellWriter {
  const values: Int32Array | Int16Array | Int8Array | Uint32Array | Uint16Array | Uint8Array = data.values
  return (out, row) => writeInt(out, values[row])
}

function bigintCell(data: Data): CellWriter {
  const words = wordsOf(data)
  return (out, row) => writeInt64(out, words[row * 2], words[row * 2 + 1])
}

function ubigintCell(data: Data): CellWriter {
  const words = wordsOf(data)
  return (out, row) => writeUint64(out, words[row * 2] >>> 0, words[row * 2 + 1] >>> 0)
}

function floatCell(data: Data): CellWriter {
  const values: Float32Array = data.values
  return (out, row) => writeFloat(out, values[row])
}

function doubleCell(data: Data): CellWriter {
  const values: Float64Array = data.values
  return (out, row) => writeDouble(out, values[row])
}

function decimalCell(data: Data, scale: number): CellWriter {
  const words: Uint32Array = data.values
  return (out, row) => writeDecimal(out, words, row * 4, scale)
}

function dateCell(data: Data): CellWriter {
  const days: Int32Array = data.values
  return (out, row) => writeDate(out, days[row])
}

function timeCell(data: Data): CellWriter {
  const words = wordsOf(data)
  return (out, row) => writeTime(out, words[row * 2], words[row * 2 + 1])
}

function timestampCell(data: Data, digits: number, form?: Parameters<typeof writeTimestamp>[4]): CellWriter {
  const words = wordsOf(data)
  return (out, row) => writeTimestamp(out, words[row * 2], words[row * 2 + 1], digits, form)
}

function bytesCell(data: Data): CellWriter {
  const bytes: Uint8Array = data.values
  const offsets: Int32Array = data.valueOffsets
  return (out, row) => out.append(bytes, offsets[row], offsets[row + 1])
}

function blobCell(data: Data): CellWriter {
  const bytes: Uint8Array = data.values
  const offsets: Int32Array = data.valueOffsets
  return (out, row) => writeBase64(out, bytes, offsets[row], offsets[row + 1])
}

/** The 32-bit halves of 64-bit values, low before high. */
function wordsOf(data: Data): Int32Array {
  const values: BigInt64Array | BigUint64Array = data.values
  return new Int32Array(values.buffer, values.byteOffset, values.length * 2)
}

function jsonKey(name: string): Uint8Array {
  const out = new ByteWriter(name.length + 8)
  const bytes = encoder.encode(name)
  writeJsonString(out, bytes, 0, bytes.length)
  out.byte(COLON)
  return out.take()
}

function structJson(type: StructType, data: Data): CellWriter {
  const keys = type.fields.map((field) => jsonKey(field.name))
  const cells = type.fields.map((field, i) => makeCellJson(field.type, data.children[i]))
  return (out, row) => {
    out.byte(0x7b)
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) out.byte(COMMA)
      out.append(keys[i])
      cells[i](out, row)
    }
    out.byte(0x7d)
  }
}

const KEY = jsonKey('key')
const VALUE = jsonKey('value')

function mapJson(type: MapType, data: Data): CellWriter {
  const offsets: Int32Array = data.valueOffsets
  const [entries] = data.children
  const key = makeCellJson(type.key, entries.children[0])
  const value = makeCellJson(type.value, entries.children[1])
  const asObject = type.key.kind === 'scalar' && type.key.name === 'VARCHAR'
  return (out, row) => {
    out.byte(asObject ? 0x7b : 0x5b)
    const start = offsets[row]
    for (let i = start; i < offsets[row + 1]; i++) {
      if (i > start) out.byte(COMMA)
      if (!asObject) {
        out.byte(0x7b)
        out.append(KEY)
      }
      key(out, i)
      out.byte(asObject ? COLON : COMMA)
      if (!asObject) out.append(VALUE)
      value(out, i)
      if (!asObject) out.byte(0x7d)
    }
    out.byte(asObject ? 0x7d : 0x5d)
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const cells = new WeakMap<Data, CellWriter>()
/** By default, texts aren't cut. */
const NO_LIMIT = Number.POSITIVE_INFINITY

/**
 * A cell's canonical text, for previews and messages; null for a null.
 * @param limit maximum number of characters, beyond which a long value isn't decoded
 */
export function cellToString(type: ColumnType, data: Data, row: number, limit = NO_LIMIT): string | null {
  if (isNull(data, row)) return null
  if (type.kind === 'scalar' && (type.name === 'VARCHAR' || type.name === 'INTERVAL' || type.name === 'JSON')) {
    const offsets: Int32Array = data.valueOffsets
    const end = Math.min(offsets[row + 1], offsets[row] + limit * 4)
    return cut(decoder.decode(data.values.subarray(offsets[row], end)), limit)
  }
  let cell = cells.get(data)
  if (cell === undefined) {
    cell = makeCellText(type, data)
    cells.set(data, cell)
  }
  const out = new ByteWriter(64)
  cell(out, row)
  return cut(decoder.decode(out.view()), limit)
}

function cut(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit) : text
}
