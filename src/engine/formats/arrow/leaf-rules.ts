import {
  Binary, Data, DataType, Decimal, type Duration, FixedSizeBinary, makeData, TimeMicrosecond, TimestampMicrosecond,
  TimestampNanosecond, Utf8, type Field,
} from 'apache-arrow' // prettier-ignore
import { ByteWriter } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'

/*
 * Values that come as plain bytes, or in a unit that can be finer than ours: each leaf of a column of an Arrow or a
 * Parquet file has a rule that says how its data becomes the data that carries the column's type.
 */

/** What a leaf's values are to become. `keep`: as they are. */
export type LeafRule =
  | 'keep'
  | 'uuid'
  | 'parquet-interval'
  | 'months'
  | 'days-millis'
  | 'months-days-nanos'
  | 'duration'
  | 'utf8'
  | 'wide-decimal'
  | 'int96-micros'
  | 'int96-nanos'
  | 'int96-text'
  | 'zoned-nanos-to-micros'
  | 'zoned-nanos-to-plain'
  | 'time-nanos-to-micros'
  | 'time-nanos-to-text'

const DAY_MICROS = 86_400_000_000n
/** The Julian day on which 1970-01-01 begins. */
const JULIAN_EPOCH = 2_440_588
const MAX_INT64 = 2n ** 63n - 1n

/** A column's data with the rules applied, which are in the order of its leaves. */
export function applyRules(data: Data, rules: readonly LeafRule[]): Data {
  return rules.every((rule) => rule === 'keep') ? data : walk(data, rules, { at: 0 })
}

function walk(data: Data, rules: readonly LeafRule[], position: { at: number }): Data {
  if (data.children.length === 0) return applyRule(data, rules[position.at++] ?? 'keep')
  const children = data.children.map((child) => walk(child, rules, position))
  const fields = (data.type.children as Field[]).map((field, i) => field.clone({ type: children[i].type }))
  const Type = data.type.constructor as new (...args: unknown[]) => DataType
  const type = DataType.isStruct(data.type)
    ? new Type(fields)
    : DataType.isMap(data.type)
      ? new Type(fields[0], data.type.keysSorted)
      : DataType.isFixedSizeList(data.type)
        ? new Type(data.type.listSize, fields[0])
        : new Type(fields[0])
  return new Data(type, data.offset, data.length, data.nullCount, data.buffers, children)
}

/** Calls `visit` with each leaf of a column's data, in order. */
export function eachLeaf(data: Data, visit: (leaf: Data, index: number) => void, position = { at: 0 }): void {
  if (data.children.length === 0) visit(data, position.at++)
  else for (const child of data.children) eachLeaf(child, visit, position)
}

function applyRule(data: Data, rule: LeafRule): Data {
  switch (rule) {
    case 'keep':
      return data
    case 'uuid':
      return texts(data, uuidText)
    case 'parquet-interval':
      return texts(data, parquetInterval)
    case 'months':
      return texts(data, (own, i) => intervalText(bytesAt(own, i).getInt32(0, true), 0, 0n))
    case 'days-millis':
      return texts(data, daysMillis)
    case 'months-days-nanos':
      return texts(data, monthsDaysNanos)
    case 'duration':
      return texts(data, durationText)
    case 'wide-decimal':
      return texts(data, wideDecimalText)
    case 'utf8':
      return utf8(data)
    case 'int96-micros':
      return bigints(data, new TimestampMicrosecond(), int96Micros)
    case 'int96-nanos':
      return bigints(data, new TimestampNanosecond(), int96Nanos)
    case 'int96-text':
      return texts(data, int96Text)
    case 'zoned-nanos-to-micros':
      return bigints(data, new TimestampMicrosecond('UTC'), exactMicros)
    case 'zoned-nanos-to-plain':
      return data.clone(new TimestampNanosecond())
    case 'time-nanos-to-micros':
      return bigints(data, new TimeMicrosecond(), exactMicros)
    case 'time-nanos-to-text':
      return texts(data, timeNanosText)
  }
}

type Encode<T> = (data: Data, index: number) => T

function isNull(data: Data, index: number): boolean {
  return data.nullCount > 0 && !data.getValid(index)
}

function bigints(data: Data, type: DataType, value: Encode<bigint>): Data {
  const values = new BigInt64Array(data.length)
  for (let i = 0; i < data.length; i++) if (!isNull(data, i)) values[i] = value(data, i)
  const { length, nullCount, nullBitmap } = data
  return makeData({ type, length, nullCount, nullBitmap, data: values } as Parameters<typeof makeData>[0])
}

function texts(data: Data, value: Encode<string>): Data {
  const offsets = new Int32Array(data.length + 1)
  const bytes = new ByteWriter(data.length * 16)
  for (let i = 0; i < data.length; i++) {
    if (!isNull(data, i)) bytes.text(value(data, i))
    offsets[i + 1] = bytes.length
  }
  const { length, nullCount, nullBitmap } = data
  return makeData({ type: new Utf8(), length, nullCount, nullBitmap, valueOffsets: offsets, data: bytes.take() })
}

/** Text that the library gives as bytes, because its type is an ENUM. */
function utf8(data: Data): Data {
  if (!(data.type instanceof Binary)) return data
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data.values as Uint8Array)
  } catch (cause) {
    throw new EngineError('corrupt-file', 'A text of the Parquet file is not UTF-8.', { cause })
  }
  const { length, nullCount, nullBitmap, valueOffsets, values } = data
  return makeData({ type: new Utf8(), length, nullCount, nullBitmap, valueOffsets, data: values as Uint8Array })
}

function bytesAt(data: Data, index: number): DataView {
  const width = (data.type as FixedSizeBinary).byteWidth
  const values = data.values as Uint8Array
  return new DataView(values.buffer, values.byteOffset + index * width, width)
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function uuidText(data: Data, index: number): string {
  const bytes = data.values as Uint8Array
  const at = index * 16
  let text = ''
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) text += '-'
    text += HEX[bytes[at + i]]
  }
  return text
}

/** Months, days and milliseconds, each of them unsigned. */
function parquetInterval(data: Data, index: number): string {
  const view = bytesAt(data, index)
  return intervalText(view.getUint32(0, true), view.getUint32(4, true), BigInt(view.getUint32(8, true)) * 1_000_000n)
}

function daysMillis(data: Data, index: number): string {
  const view = bytesAt(data, index)
  return intervalText(0, view.getInt32(0, true), BigInt(view.getInt32(4, true)) * 1_000_000n)
}

function monthsDaysNanos(data: Data, index: number): string {
  const view = bytesAt(data, index)
  return intervalText(view.getInt32(0, true), view.getInt32(4, true), view.getBigInt64(8, true))
}

const UNIT_NANOS = [1_000_000_000n, 1_000_000n, 1000n, 1n]

function durationText(data: Data, index: number): string {
  const unit = UNIT_NANOS[(data.type as Duration).unit]
  return intervalText(0, 0, (data.values as BigInt64Array)[index] * unit)
}

/** An interval in DuckDB's notation: `1 year 2 months 3 days 04:05:06.789`. */
export function intervalText(months: number, days: number, nanos: bigint): string {
  const parts: string[] = []
  const add = (count: number, unit: string): void => {
    if (count !== 0) parts.push(`${count} ${unit}${Math.abs(count) === 1 ? '' : 's'}`)
  }
  add(Math.trunc(months / 12), 'year')
  add(months % 12, 'month')
  add(days, 'day')
  if (nanos < 0n) parts.push(`-${clock(-nanos)}`)
  else if (nanos > 0n || parts.length === 0) parts.push(clock(nanos))
  return parts.join(' ')
}

/** `HH:MM:SS` and the fraction that there is, trailing zeros trimmed. */
function clock(nanos: bigint): string {
  const seconds = nanos / 1_000_000_000n
  const pair = (value: bigint): string => value.toString().padStart(2, '0')
  const fraction = (nanos % 1_000_000_000n).toString().padStart(9, '0').replace(/0+$/, '')
  const whole = `${pair(seconds / 3600n)}:${pair((seconds / 60n) % 60n)}:${pair(seconds % 60n)}`
  return fraction === '' ? whole : `${whole}.${fraction}`
}

function wideDecimalText(data: Data, index: number): string {
  const { scale, bitWidth } = data.type as Decimal
  const words = data.values as Uint32Array
  const stride = bitWidth / 32
  let value = 0n
  for (let i = stride - 1; i >= 0; i--) value = (value << 32n) | BigInt(words[index * stride + i])
  value = BigInt.asIntN(bitWidth, value)
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const text = scale > 0 ? `${digits.slice(0, -scale)}.${digits.slice(-scale)}` : digits
  return value < 0n ? `-${text}` : text
}

/** Nanoseconds of the day (8 bytes), then the Julian day (4 bytes). */
function int96Parts(data: Data, index: number): { days: number; nanos: bigint } {
  const view = bytesAt(data, index)
  return { days: view.getInt32(8, true) - JULIAN_EPOCH, nanos: view.getBigInt64(0, true) }
}

function int96Micros(data: Data, index: number): bigint {
  const { days, nanos } = int96Parts(data, index)
  return inInt64(BigInt(days) * DAY_MICROS + floorDiv(nanos, 1000n))
}

function int96Nanos(data: Data, index: number): bigint {
  const { days, nanos } = int96Parts(data, index)
  return inInt64(BigInt(days) * DAY_MICROS * 1000n + nanos)
}

function int96Text(data: Data, index: number): string {
  const { days, nanos } = int96Parts(data, index)
  const dayNanos = DAY_MICROS * 1000n
  const total = BigInt(days) * dayNanos + nanos
  const day = floorDiv(total, dayNanos)
  const date = new Date(Number(day) * 86_400_000)
  if (Number.isNaN(date.getTime())) throw outOfRange()
  const iso = date.toISOString()
  return `${iso.slice(0, iso.indexOf('T'))} ${clock(total - day * dayNanos)}`
}

function floorDiv(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

function inInt64(value: bigint): bigint {
  if (value > MAX_INT64 || value < -MAX_INT64) throw outOfRange()
  return value
}

function outOfRange(): EngineError {
  return new EngineError('corrupt-file', 'A timestamp of the Parquet file is beyond any calendar.', {
    remedy: 'Leave the column out.',
  })
}

function exactMicros(data: Data, index: number): bigint {
  const nanos = (data.values as BigInt64Array)[index]
  if (nanos % 1000n !== 0n) throw new EngineError('file-changed', 'The file changed while it was read.')
  return nanos / 1000n
}

function timeNanosText(data: Data, index: number): string {
  return clock((data.values as BigInt64Array)[index])
}

/** What the values of a leaf need, as found by looking at all of them. */
export class FinenessProbe {
  /** Some value has digits below the microsecond. */
  finer = false
  /** Some value is outside what 64 bits of nanoseconds hold, years 1677 to 2262. */
  far = false

  look(data: Data): void {
    const int96 = data.type instanceof FixedSizeBinary
    const values = data.values as BigInt64Array
    for (let i = 0; i < data.length; i++) {
      if (isNull(data, i)) continue
      if (!int96) {
        if (values[i] % 1000n !== 0n) this.finer = true
        continue
      }
      const { days, nanos } = int96Parts(data, i)
      if (nanos % 1000n !== 0n) this.finer = true
      if (days > 106_000 || days < -106_000) this.far = true
    }
  }
}
