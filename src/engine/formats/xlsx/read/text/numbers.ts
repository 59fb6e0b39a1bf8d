const decoder = new TextDecoder()

/**
 * Whether a number is in plain notation: digits only, or a fraction with up to 15 significant digits. Anything else is
 * parsed: exponents, 17 digits, `1.0`, `-0`, and text that isn't a number.
 */
export function isPlainNumber(bytes: Uint8Array, start: number, end: number): boolean {
  const negative = bytes[start] === 45
  const first = negative ? start + 1 : start
  const length = end - first
  if (length === 0 || (bytes[first] === 48 && (length === 1 ? negative : bytes[first + 1] !== 46))) return false
  let at = first
  while (at < end && bytes[at] >= 48 && bytes[at] <= 57) at++
  if (at === end) return true
  if (bytes[at] !== 46 || at === first || bytes[end - 1] === 48 || length > 16 || at + 1 === end) return false
  for (at++; at < end; at++) if (bytes[at] < 48 || bytes[at] > 57) return false
  return true
}

/** Parses a number in any notation; NaN if it isn't one. */
export function readDouble(bytes: Uint8Array, start: number, end: number): number {
  // JavaScript would also accept 0x1F and Infinity.
  for (let at = start; at < end; at++) if (bytes[at] > 57 && (bytes[at] | 0x20) !== 0x65) return Number.NaN
  return end > start ? Number(decoder.decode(bytes.subarray(start, end))) : Number.NaN
}

/**
 * The shortest decimal for a double, which is what a cell's number means: `1.1000000000000001` is 1.1, `1.0` is 1,
 * `1E+21` is 1e+21.
 */
export function shortestText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
