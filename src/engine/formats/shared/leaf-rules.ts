import {
  Binary,
  Data,
  DataType,
  makeData,
  TimestampMicrosecond,
  TimestampNanosecond,
  Utf8,
  type Field,
} from 'apache-arrow'
import { printClock, printInterval, textColumn } from '../../arrow/cast/texts.ts'
import { EngineError } from '../../errors.ts'
import { keeps, type Fineness, type LeafRule } from './leaf-types.ts'

const DAY_MICROS = 86_400_000_000n
/** The Julian day on which 1970-01-01 begins. */
const JULIAN_EPOCH = 2_440_588
const MAX_INT64 = 2n ** 63n - 1n
/** Days from 1970 that surely fit in 64-bit nanoseconds. */
const NANOS_DAYS = 106_000

/**
 * Applies rules, given in the order of the leaves, to a column's data.
 * @param data not a slice: its offset is 0
 */
export function applyRules(data: Data, rules: readonly LeafRule[]): Data {
  return keeps(rules) ? data : walk(data, rules, { at: 0 })
}

function walk(data: Data, rules: readonly LeafRule[], position: { at: number }): Data {
  if (data.children.length === 0) return applyRule(data, rules[position.at++] ?? 'keep')
  const children = data.children.map((child) => walk(child, rules, position))
  return new Data(withChildren(data, children), data.offset, data.length, data.nullCount, data.buffers, children)
}

/** The column's type with its children's current types. */
function withChildren({ type }: Data, children: readonly Data[]): DataType {
  const own: readonly Field[] = type.children
  const fields = own.map((field, i) => field.clone({ type: children[i].type }))
  const Type = type.constructor as new (...args: unknown[]) => DataType
  if (DataType.isStruct(type)) return new Type(fields)
  if (DataType.isMap(type)) return new Type(fields[0], type.keysSorted)
  if (DataType.isFixedSizeList(type)) return new Type(type.listSize, fields[0])
  return new Type(fields[0])
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
    case 'utf8':
      return utf8(data)
    case 'parquet-interval':
      return texts(data, parquetInterval)
    case 'int96-micros':
      return timestamps(data, new TimestampMicrosecond(), int96Micros)
    case 'int96-nanos':
      return timestamps(data, new TimestampNanosecond(), int96Nanos)
    case 'int96-text':
      return texts(data, int96Text)
    case 'zoned-nanos-to-plain':
      return data.clone(new TimestampNanosecond())
  }
}

type Decode<T> = (data: Data, index: number) => T

function timestamps(data: Data, type: DataType, value: Decode<bigint>): Data {
  const values = new BigInt64Array(data.length)
  for (let i = 0; i < data.length; i++) if (data.getValid(i)) values[i] = value(data, i)
  const { length, nullCount, nullBitmap } = data
  return makeData({ type, length, nullCount, nullBitmap, data: values } as never)
}

const texts = (data: Data, value: Decode<string>): Data => textColumn(data, (out, row) => out.text(value(data, row)))

/** Converts bytes to text, for an ENUM. */
function utf8(data: Data): Data {
  if (!(data.type instanceof Binary)) return data
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(data.values as Uint8Array)
  } catch (cause) {
    throw new EngineError('corrupt-file', 'The file has a text that isn’t UTF-8.', { cause })
  }
  return data.clone(new Utf8())
}

/** The 12 bytes of a value in such a column. */
function twelveBytes(data: Data, index: number): DataView {
  const values = data.values as Uint8Array
  return new DataView(values.buffer, values.byteOffset + index * 12, 12)
}

/** Months, days and milliseconds, all unsigned, in DuckDB's notation. */
function parquetInterval(data: Data, index: number): string {
  const view = twelveBytes(data, index)
  const nanos = BigInt(view.getUint32(8, true)) * 1_000_000n
  return printInterval(view.getUint32(0, true), view.getUint32(4, true), nanos)
}

/** Nanoseconds of the day (8 bytes), then the Julian day (4 bytes). */
function int96Parts(data: Data, index: number): { days: number; nanos: bigint } {
  const view = twelveBytes(data, index)
  return { days: view.getInt32(8, true) - JULIAN_EPOCH, nanos: view.getBigInt64(0, true) }
}

function int96Micros(data: Data, index: number): bigint {
  const { days, nanos } = int96Parts(data, index)
  return inInt64(BigInt(days) * DAY_MICROS + nanos / 1000n)
}

function int96Nanos(data: Data, index: number): bigint {
  const { days, nanos } = int96Parts(data, index)
  return inInt64(BigInt(days) * DAY_MICROS * 1000n + nanos)
}

function int96Text(data: Data, index: number): string {
  const { days, nanos } = int96Parts(data, index)
  const dayNanos = DAY_MICROS * 1000n
  const total = BigInt(days) * dayNanos + nanos
  const ofDay = ((total % dayNanos) + dayNanos) % dayNanos
  const date = new Date(Number((total - ofDay) / 1_000_000n))
  if (Number.isNaN(date.getTime())) throw beyondCalendar()
  const iso = date.toISOString()
  return `${iso.slice(0, iso.indexOf('T'))} ${printClock(ofDay)}`
}

function inInt64(value: bigint): bigint {
  if (value > MAX_INT64 || value < -MAX_INT64) throw beyondCalendar()
  return value
}

function beyondCalendar(): EngineError {
  return new EngineError('corrupt-file', 'The file has a timestamp that is beyond any calendar.', {
    remedy: 'Leave the column out.',
  })
}

/** Checks all values of a leaf for precision and range. */
export class FinenessProbe implements Fineness {
  finer = false
  far = false

  look(data: Data): void {
    if (DataType.isFixedSizeBinary(data.type)) {
      this.lookAtInt96(data)
      return
    }
    const values = data.values as BigInt64Array
    for (let i = 0; i < data.length && !this.finer; i++) {
      if (values[i] % 1000n !== 0n && data.getValid(i)) this.finer = true
    }
  }

  private lookAtInt96(data: Data): void {
    for (let i = 0; i < data.length; i++) {
      if (!data.getValid(i)) continue
      const { days, nanos } = int96Parts(data, i)
      if (nanos % 1000n !== 0n) this.finer = true
      if (days > NANOS_DAYS || days < -NANOS_DAYS) this.far = true
    }
  }
}
