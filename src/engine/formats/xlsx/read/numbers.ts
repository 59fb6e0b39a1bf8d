import { plainNumber } from './serial.ts'

/** A whole number of up to 15 digits, as every program writes it. */
export const SHORT_INTEGER = 0
/** Digits alone, 16 and more of them. */
export const LONG_INTEGER = 1
/** A fraction of up to 15 significant digits, without an exponent or superfluous zeros. */
export const SHORT_FRACTION = 2
/** Anything else: exponents, 17 digits, `1.0`, `-0`, and what isn't a number. */
export const OTHER_FORM = 3

const decoder = new TextDecoder()

/** Tells how a number is written, so that only the odd ones have to be decoded. */
export class NumberScanner {
  /** After `form`: the value of a `SHORT_INTEGER`. */
  value = 0

  form(bytes: Uint8Array, start: number, end: number): number {
    const negative = bytes[start] === 45
    const first = negative ? start + 1 : start
    const length = end - first
    if (length === 0 || (bytes[first] === 48 && (length === 1 ? negative : bytes[first + 1] !== 46))) {
      return OTHER_FORM
    }
    let value = 0
    let at = first
    for (; at < end; at++) {
      const digit = bytes[at] - 48
      if (digit < 0 || digit > 9) break
      value = value * 10 + digit
    }
    if (at === end) {
      this.value = negative ? -value : value
      return length <= 15 ? SHORT_INTEGER : LONG_INTEGER
    }
    if (bytes[at] !== 46 || at === first || bytes[end - 1] === 48) return OTHER_FORM
    if (length > 16 || at + 1 === end) return OTHER_FORM
    for (at++; at < end; at++) {
      const digit = bytes[at] - 48
      if (digit < 0 || digit > 9) return OTHER_FORM
    }
    return SHORT_FRACTION
  }
}

/** The double that a number of any form stands for; NaN when it isn't a number. */
export function readDouble(bytes: Uint8Array, start: number, end: number): number {
  const text = decoder.decode(bytes.subarray(start, end))
  return plainNumber(text) === null ? Number.NaN : Number(text)
}

/**
 * A number of `OTHER_FORM` as people would write it: a cell's number is a double, and its shortest form is meant.
 * `1.1000000000000001` is 1.1, `1.0` is 1, `1E+21` is 1e+21.
 */
export function shortestText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
