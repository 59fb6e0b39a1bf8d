import { unless } from './expression.ts'

/* Averages as DuckDB computes them, bit by bit. ClickHouse divides with the 53 bits of a DOUBLE, DuckDB with the 64 of a
   processor's long double, and rounds the result again. So integers are divided here, and rounded twice. */

/** Bits by which the sum is shifted, so that the quotient has more than 64. */
const SHIFT = 128
const ONE = 'toUInt256(1)'
/** The smallest integer of 64 bits. */
const LEAST = `toUInt256('${2n ** 63n}')`

/**
 * @param sum an integer of 128 bits
 * @param by a positive integer of fewer than 64 bits; if it has more, ClickHouse fails
 */
export function longQuotient(sum: string, by: string): string {
  const divisor = `toUInt256(${unless(`${by} >= ${LEAST}`, by)})`
  const dividend = bound('t', shiftOf('s'), `bitShiftLeft(${shifted('s', 't', '0')}, t + ${SHIFT})`)
  const rounded = bound('u', shiftOf('q'), double(shifted('q', 'u', 'n % b > 0'), 'u'))
  const size = bound('b', divisor, bound('n', dividend, bound('q', 'intDiv(n, b)', rounded)))
  const whole = bound('s', `toUInt256(abs(${sum}))`, `if(s = 0, 0., ${size})`)
  return `if(${sum} < 0, -1., 1.) * ${whole}`
}

/** The quotient of integers that DOUBLE has exactly. If it hasn't, ClickHouse fails. */
export function shortQuotient(sum: string, by: string): string {
  const most = String(2n ** 53n)
  return unless(`abs(${sum}) > ${most} OR ${by} > ${most}`, `toFloat64(${sum}) / toFloat64(${by})`)
}

/** Names a value, which is computed once. */
const bound = (name: string, value: string, body: string): string => `arrayMap(${name} -> ${body}, [${value}])[1]`

/** By how many bits an integer has to be shifted so that 64 are left. The logarithm may be one too large. */
const shiftOf = (x: string): string =>
  bound(
    'g',
    `toUInt16(greatest(toInt32(floor(log2(toFloat64(greatest(${x}, ${ONE}))))) - 63, 0))`,
    `toUInt16(g - (g > 0 AND bitShiftRight(${x}, g) < ${LEAST}))`,
  )

/**
 * An integer without its last bits, rounded to the nearest, and ties to even.
 * @param more whether the integer isn't all of the value
 */
function shifted(x: string, bits: string, more: string): string {
  const rest = `2 * (${x} - bitShiftLeft(k, ${bits}))`
  const half = `bitShiftLeft(${ONE}, ${bits})`
  const up = `(${rest} > ${half} OR (${rest} = ${half} AND (${more} OR k % 2 = 1)))`
  return bound('k', `bitShiftRight(${x}, ${bits})`, `k + ${up}`)
}

/** An integer of 64 bits as a DOUBLE, times a power of two. */
function double(mantissa: string, exponent: string): string {
  const short = bound('m', mantissa, shifted('m', '11', '0'))
  // A DOUBLE's exponent is stored with 1023 added.
  const power = `reinterpretAsFloat64(bitShiftLeft(toUInt64(${1023 - SHIFT + 11} + ${exponent}), 52))`
  return `toFloat64(toUInt64(${short})) * ${power}`
}
