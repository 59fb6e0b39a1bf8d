import type { Data } from 'apache-arrow'
import { printType, type DecimalType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import { printDecimal } from './write/digits.ts'
import { isNull } from './scalars.ts'

/** A decimal of any width as a bigint, ignoring its scale. */
export function decimalAt(words: Uint32Array, row: number, stride: number): bigint {
  const at = row * stride
  let value = BigInt(words[at + stride - 1] | 0)
  for (let i = stride - 2; i >= 0; i--) value = (value << 32n) | BigInt(words[at + i])
  return value
}

const TWO_32 = 4_294_967_296
const TWO_64 = TWO_32 * TWO_32
/** Doubles suffice to compare numbers of 38 digits unless they are this close. */
const SURELY = 1 - 1e-12

/**
 * Checks that decimals have no more digits than their type allows, since files may contain such numbers, but later
 * stages don't expect them.
 * @param words four for each number, low before high
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
