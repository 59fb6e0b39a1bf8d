import { Data, DataType, DateUnit, Type, type Decimal, type Field } from 'apache-arrow'
import type { ColumnType } from '../../../tables/types.ts'
import { toArrowType } from '../../arrow/types.ts'
import { EngineError } from '../../errors.ts'
import { take } from './take.ts'

/**
 * A column as a file holds it, in the one physical type that carries its column type: units widened, dictionaries
 * resolved, values and lists of fixed size made variable. No value changes.
 * @param data not a slice: its offset is 0
 * @throws {EngineError} when a value can't be carried
 */
export function carry(data: Data, type: ColumnType): Data {
  return retype(data, toArrowType(type))
}

function retype(data: Data, type: DataType): Data {
  if (DataType.isDictionary(data.type)) return retype(take(data), type)
  const inner = (type.children ?? []) as Field[]
  if (inner.length === 0) return leaf(data, type)
  if (data.children.length !== inner.length) throw unfit(data, type)
  const children = data.children.map((child, i) => retype(child, inner[i].type as DataType))
  if (data.typeId === type.typeId) return rebuilt(data, type, data.values, data.valueOffsets, children)
  if (DataType.isFixedSizeList(data.type) && DataType.isList(type)) {
    return rebuilt(data, type, undefined, steps(data.length, data.type.listSize), children)
  }
  throw unfit(data, type)
}

/** The same rows and nulls with other buffers. */
function rebuilt(data: Data, type: DataType, values: unknown, offsets?: Int32Array, children: Data[] = []): Data {
  const buffers = [offsets, values, data.nullBitmap, undefined] as unknown as Data['buffers']
  return new Data(type, data.offset, data.length, data.nullCount, buffers, children)
}

function leaf(data: Data, type: DataType): Data {
  const { values, length } = data
  const own = data.type as DataType
  switch (type.typeId) {
    case Type.Utf8:
      if (own.typeId === Type.Null) return nulls(length, type)
      break
    case Type.Binary:
      if (DataType.isFixedSizeBinary(own)) return rebuilt(data, type, values, steps(length, own.byteWidth))
      break
    case Type.Float:
      if (values instanceof Uint16Array) return rebuilt(data, type, Float32Array.from(values, float16))
      break
    case Type.Date:
      if (DataType.isDate(own) && own.unit === DateUnit.MILLISECOND) return rebuilt(data, type, days(data))
      break
    case Type.Decimal:
      if (DataType.isDecimal(own) && own.bitWidth === 256) return rebuilt(data, type, narrowed(data))
      break
    case Type.Time:
      if (DataType.isTime(own) && own.unit < 2) return rebuilt(data, type, micros(data, own.unit))
      break
    case Type.Timestamp:
      if (DataType.isTimestamp(own) && DataType.isTimestamp(type) && own.unit !== type.unit) {
        return rebuilt(data, type, micros(data, own.unit))
      }
      break
    default:
  }
  if (own.typeId !== type.typeId) throw unfit(data, type)
  return rebuilt(data, type, values, data.valueOffsets)
}

function unfit(data: Data, type: DataType): EngineError {
  return new EngineError('internal', `Data of type ${Type[data.typeId]} can't be carried as ${Type[type.typeId]}.`)
}

function nulls(length: number, type: DataType): Data {
  const buffers = [new Int32Array(length + 1), new Uint8Array(0), new Uint8Array((length + 7) >> 3), undefined]
  return new Data(type, 0, length, length, buffers as unknown as Data['buffers'])
}

/** Offsets of values that all have the same width. */
function steps(length: number, width: number): Int32Array {
  if (length * width > 0x7fffffff) throw new EngineError('too-large', 'A batch of the file is too large to be held.')
  return Int32Array.from({ length: length + 1 }, (_, i) => i * width)
}

/** https://en.wikipedia.org/wiki/Half-precision_floating-point_format */
function float16(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 31
  const fraction = bits & 1023
  if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN
  if (exponent === 0) return sign * fraction * 2 ** -24
  return sign * (1024 + fraction) * 2 ** (exponent - 25)
}

const DAY = 86_400_000n

function days(data: Data): Int32Array {
  const millis = data.values as BigInt64Array
  const values = new Int32Array(data.length)
  for (let i = 0; i < data.length; i++) {
    if (!data.getValid(i)) continue
    if (millis[i] % DAY !== 0n) {
      throw new EngineError('corrupt-file', 'A date of the file has a time of day, which a date can’t have.', {
        remedy: 'Write the column as a timestamp.',
      })
    }
    values[i] = Number(millis[i] / DAY)
  }
  return values
}

/** The lower half of 256-bit decimals that have 38 digits at most. */
function narrowed(data: Data): Uint32Array {
  const wide = new BigInt64Array((data.values as Uint32Array).slice().buffer)
  const values = new BigInt64Array(data.length * 2)
  for (let i = 0; i < data.length; i++) {
    const high = wide[i * 4 + 1]
    const sign = high < 0n ? -1n : 0n
    if (data.getValid(i) && (wide[i * 4 + 2] !== sign || wide[i * 4 + 3] !== sign)) {
      const { precision } = data.type as Decimal
      throw new EngineError('corrupt-file', `A decimal of the file has more than the ${precision} digits of its type.`)
    }
    values[i * 2] = wide[i * 4]
    values[i * 2 + 1] = high
  }
  return new Uint32Array(values.buffer)
}

const LIMIT = 2n ** 63n

/** Seconds (unit 0) or milliseconds (unit 1) as microseconds. */
function micros(data: Data, unit: number): BigInt64Array {
  const factor = unit === 0 ? 1_000_000 : 1000
  const source = data.values as Int32Array | BigInt64Array
  const values = new BigInt64Array(data.length)
  if (source instanceof Int32Array) {
    for (let i = 0; i < data.length; i++) values[i] = BigInt(source[i] * factor)
    return values
  }
  const by = BigInt(factor)
  for (let i = 0; i < data.length; i++) {
    const value = source[i] * by
    if (value >= LIMIT || value <= -LIMIT) {
      if (!data.getValid(i)) continue
      throw new EngineError('corrupt-file', 'A timestamp of the file is beyond any calendar.', {
        remedy: 'Leave the column out.',
      })
    }
    values[i] = value
  }
  return values
}
