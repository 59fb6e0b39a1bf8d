import { Type, type Data } from 'apache-arrow'
import { ByteWriter } from '../../lib/bytes.ts'
import type { LeafType, ScalarName } from '../../tables/types.ts'
import { writeDecimal, writeInt, writeInt64, writeUint64 } from './write/digits.ts'
import { writeDouble, writeFloat } from './write/floats.ts'
import { writeDate, writeTime, writeTimestamp } from './write/moments.ts'
import { writeBase64 } from './write/base64.ts'

/*
 * Values that aren't nested, as the text that `builder.ts` reads. In a sliced `Data`, values and offsets begin at the
 * slice, but bits (validity, booleans) still begin at `data.offset`.
 */

/** Appends one cell's text. */
export type CellWriter = (out: ByteWriter, row: number) => void

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const TRUE = encoder.encode('true')
const FALSE = encoder.encode('false')
const UTC = encoder.encode('+00')

/** Whether a cell is null. */
export function isNull(data: Data, row: number): boolean {
  const bits: Uint8Array | undefined = data.nullBitmap
  if (bits === undefined || bits.length === 0) return data.type.typeId === Type.Null
  const at = data.offset + row
  return (bits[at >> 3] & (1 << (at & 7))) === 0
}

/**
 * Returns a writer of the canonical text of a column's non-null cells.
 * @param data of the physical type `toArrowType(type)`
 */
export const scalarText = (type: LeafType, data: Data): CellWriter =>
  type.kind === 'decimal' ? decimalCell(data, type.scale) : SCALAR_TEXT[type.name](data)

/** A cell's text as a string. */
export function printCell(cell: CellWriter, row: number): string {
  const out = new ByteWriter(64)
  cell(out, row)
  return decoder.decode(out.view())
}

/** The same for scalars, by the type's name. */
export const SCALAR_TEXT: Readonly<Record<ScalarName, (data: Data) => CellWriter>> = {
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

/** @param form by default that of the canonical text */
export function timestampCell(data: Data, digits: number, form?: Parameters<typeof writeTimestamp>[4]): CellWriter {
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
