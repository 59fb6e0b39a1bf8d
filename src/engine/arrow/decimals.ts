import type { Data, Decimal } from 'apache-arrow'
import { printType, type DecimalType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import { isNull } from './text.ts'
import { printDecimal } from './write/digits.ts'

/** A decimal of any width as a bigint, ignoring its scale. */
export function decimalAt(words: Uint32Array, row: number, stride: number): bigint {
  const at = row * stride
  let value = BigInt(words[at + stride - 1] | 0)
  for (let i = stride - 2; i >= 0; i--) value = (value << 32n) | BigInt(words[at + i])
  return value
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

const TWO_32 = 4_294_967_296
const TWO_64 = TWO_32 * TWO_32
/** Doubles suffice to compare numbers of 38 digits unless they are this close. */
const SURELY = 1 - 1e-12

/**
 * Checks that decimals have no more digits than their type allows, since files may contain such numbers, but later
 * stages don't expect them.
 * @param words as returned by `decimalWords`
 * @throws {EngineError} `corrupt-file`
 */
export function checkDigits(data: Data, words: Uint32Array, type: DecimalType): void {
  const limit = 10 ** type.width
  for (let row = 0; row < data.length; row++) {
    const at = row * 4
    const high = (words[at + 3] | 0) * TWO_32 + words[at + 2]
    if (Math.abs(high * TWO_64 + words[at + 1] * TWO_32 + words[at]) < limit * SURELY || isNull(data, row)) continue
    const value = decimalAt(words, row, 4)
    if ((value < 0n ? -value : value) < 10n ** BigInt(type.width)) continue
    throw new EngineError(
      'corrupt-file',
      `The file has a number, ${printDecimal(value, type.scale)}, with more digits than its type ${printType(type)} allows.`,
      { remedy: 'Leave the column out, or have the file written again with a wider type.' },
    )
  }
}
