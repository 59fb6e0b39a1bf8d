import { EXACT_POWERS, productError } from '../builders/floats.ts'
import { asciiText } from '../text-bytes.ts'

/** What the arithmetic below may be off by, with room to spare. */
const MARGIN = 1e-6

const double = new Float64Array(1)
const halves = new Int32Array(double.buffer)

/**
 * Whether a decimal number is just what is printed of the double nearest to it: whether, read as a double, it can be
 * written again from that double. Any number of up to 15 significant digits is; of those of 16 and 17 digits only some.
 * @param bytes `bytes[start, end)` is digits with a point at most, and an exponent
 */
export function isShortestDouble(bytes: Uint8Array, start: number, end: number): boolean {
  const known = end - start <= 40 ? compareByArithmetic(bytes, start, end) : UNKNOWN
  return known === UNKNOWN ? compareByText(bytes, start, end) : known === YES
}

const NO = 0
const YES = 1
const UNKNOWN = 2

/**
 * Most numbers without a string. With D the number and q the double nearest to it, D is printed of q exactly if no
 * shorter decimal is in the interval that rounds to q, and no other decimal of as many digits is nearer to q. All is
 * counted in units of D's last digit, from the exact remainder D - q; what is too close to tell is left open.
 */
function compareByArithmetic(bytes: Uint8Array, start: number, end: number): number {
  let last = end - 1
  while (last > start && (bytes[last] === 0x30 || bytes[last] === 0x2e)) last--
  let head = 0
  let tail = 0
  let digits = 0
  let scale = 0
  let point = false
  for (let at = start; at <= last; at++) {
    const digit = bytes[at] - 0x30
    if (digit === -2) {
      point = true
      continue
    }
    if (digit < 0 || digit > 9) return UNKNOWN
    if (digits < 8) head = head * 10 + digit
    else tail = tail * 10 + digit
    if (digits > 0 || digit > 0) digits++
    if (point) scale++
  }
  // Zeros before the point that were cut off at the end belong to the number.
  if (!point && last < end - 1) return UNKNOWN
  if (digits > 17) return NO
  if (digits < 16 || scale > 22) return UNKNOWN
  const most = head * EXACT_POWERS[digits - 8]
  const power = EXACT_POWERS[scale]
  let quotient = (most + tail) / power
  quotient += remainder(most, tail, quotient, power) / power
  const off = remainder(most, tail, quotient, power)
  double[0] = quotient
  // At a power of two the doubles below are closer than those above.
  if ((halves[1] & 0xfffff) === 0 && halves[0] === 0) return UNKNOWN
  halves[1] = (halves[1] & 0x7ff00000) - (53 << 20)
  halves[0] = 0
  const reach = double[0] * power
  const digit = bytes[last] - 0x30
  const near = Math.min(Math.abs(off - digit), Math.abs(off + 10 - digit))
  if (Math.abs(off) > reach * (1 - MARGIN)) return UNKNOWN
  if (near < reach * (1 - MARGIN) || Math.abs(off) > 0.5 + MARGIN) return NO
  return near > reach * (1 + MARGIN) && Math.abs(off) < 0.5 - MARGIN ? YES : UNKNOWN
}

/** `most + tail - quotient * power`, exact but for its own rounding, when the quotient is nearly right. */
function remainder(most: number, tail: number, quotient: number, power: number): number {
  const product = quotient * power
  return most - product + tail - productError(quotient, power, product)
}

/** The plain way: prints the double and compares digits. */
function compareByText(bytes: Uint8Array, start: number, end: number): boolean {
  const text = asciiText(bytes, start, end)
  const value = Number(text)
  if (!Number.isFinite(value)) return false
  return digitsOf(text) === digitsOf(String(value))
}

/** The significant digits and the power of ten of a number's text, whatever its notation: `15e-1` of `1.50`. */
function digitsOf(text: string): string {
  const parts = /^[+-]?(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(text)
  if (!parts) return 'none'
  const [, whole = '', fraction = '', exponent = '0'] = parts
  const digits = (whole + fraction).replace(/^0+/, '')
  const kept = digits.replace(/0+$/, '')
  return kept === '' ? '0' : `${kept}e${Number(exponent) - fraction.length + digits.length - kept.length}`
}
