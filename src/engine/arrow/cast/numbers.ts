import { BufferType, Data, type DataType, type Decimal } from 'apache-arrow'
import { printType, type ColumnType } from '../../../tables/types.ts'
import { formatCount } from '../../../lib/counts.ts'
import { EngineError } from '../../errors.ts'
import { isNull } from '../scalars.ts'

/**
 * A column with new values and the nulls of `data`. Validity bits keep their position, since only they depend on
 * `offset`.
 */
export function withValues(data: Data, type: DataType, values: ArrayBufferView, offsets?: Int32Array): Data {
  const bits: Uint8Array | undefined = data.nullBitmap
  return new Data(type, data.offset, data.length, data.nullCount, {
    [BufferType.DATA]: values,
    ...(offsets === undefined ? {} : { [BufferType.OFFSET]: offsets }),
    ...(bits === undefined ? {} : { [BufferType.VALIDITY]: bits }),
  })
}

/** Converts IEEE 754 half precision bit by bit. Every half is exactly a float. */
export function floatsOfHalves(halves: Uint16Array, length: number): Float32Array {
  const floats = new Float32Array(length)
  for (let i = 0; i < length; i++) {
    const sign = halves[i] & 0x8000 ? -1 : 1
    const exponent = (halves[i] >> 10) & 0x1f
    const fraction = halves[i] & 0x3ff
    if (exponent === 0) floats[i] = sign * fraction * 2 ** -24
    else if (exponent === 31) floats[i] = fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
    else floats[i] = sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
  }
  return floats
}

/** The error for a date or time out of the column type's range. */
export function tooFar(what: string): EngineError {
  return new EngineError('unsupported-format', `${what} is further from 1970 than a column can carry.`, {
    remedy: 'Leave the column out, or write the file again with such values as text.',
  })
}

const TWO_32 = 4_294_967_296
const SAFE_HIGH = 2_097_152

/**
 * Rescales 64-bit counts of time units.
 * @param multiply new units per old unit, or 1
 * @param divide old units per new unit, or 1
 * @throws {EngineError} `unsupported-format` if a count exceeds 64 bits, or isn't a whole number of new units
 */
export function rescale(data: Data, to: ColumnType, multiply: number, divide: number): BigInt64Array {
  const source: BigInt64Array | Int32Array = data.values
  const values = new BigInt64Array(data.length)
  const words = new Int32Array(values.buffer)
  const narrow = source instanceof Int32Array
  const halves = narrow ? source : new Int32Array(source.buffer, source.byteOffset, source.length * 2)
  let inexact = 0
  for (let row = 0; row < data.length; row++) {
    if (isNull(data, row)) continue
    const high = narrow ? (halves[row] < 0 ? -1 : 0) : halves[row * 2 + 1]
    const old = high * TWO_32 + ((narrow ? halves[row] : halves[row * 2]) >>> 0)
    const product = old * multiply
    const quotient = Math.floor(product / divide)
    if (high < SAFE_HIGH && high >= -SAFE_HIGH && Math.abs(product) <= Number.MAX_SAFE_INTEGER) {
      // A quotient that was rounded up is one too high.
      const exact = quotient * divide > product ? quotient - 1 : quotient
      if (exact * divide !== product) inexact++
      words[row * 2] = exact
      words[row * 2 + 1] = Math.floor(exact / TWO_32)
      continue
    }
    const wide = BigInt(source[row]) * BigInt(multiply)
    const rest = ((wide % BigInt(divide)) + BigInt(divide)) % BigInt(divide)
    if (rest !== 0n) inexact++
    values[row] = (wide - rest) / BigInt(divide)
    if (values[row] * BigInt(divide) !== wide - rest) {
      throw tooFar('A timestamp')
    }
  }
  if (inexact > 0) throw tooFine(to, inexact)
  return values
}

function tooFine(type: ColumnType, values: number): EngineError {
  const count = values === 1 ? '1 value is' : `${formatCount(values)} values are`
  return new EngineError('unsupported-format', `${count} finer than ${printType(type)} holds.`, {
    remedy: 'Leave the column out, or write the file again with it as text.',
  })
}

/**
 * Converts decimals of 32, 64 or 256 bits to 128 bits.
 * @throws {EngineError} `corrupt-file` if a value has more digits than its type allows
 */
export function decimalWords(data: Data, type: Decimal): Uint32Array {
  const stride = type.bitWidth / 32
  const source = new Uint32Array(data.values.buffer, data.values.byteOffset, data.values.byteLength >> 2)
  if (stride === 4) return source
  const words = new Uint32Array(data.length * 4)
  for (let row = 0; row < data.length; row++) {
    const at = row * stride
    const sign = source[at + stride - 1] >>> 31 === 0 ? 0 : 0xffffffff
    for (let i = 0; i < 4; i++) words[row * 4 + i] = i < stride ? source[at + i] : sign
    if (stride <= 4 || isNull(data, row)) continue
    const fits = words[row * 4 + 3] >>> 31 === sign >>> 31
    for (let i = 4; i < stride; i++) {
      if (!fits || source[at + i] !== sign) {
        throw new EngineError('corrupt-file', 'A decimal number has more digits than its column’s type allows.', {
          remedy: 'Leave the column out, or get the file again from where it came from.',
        })
      }
    }
  }
  return words
}
