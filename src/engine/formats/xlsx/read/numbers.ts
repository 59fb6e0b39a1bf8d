const decoder = new TextDecoder()

/**
 * Whether a number stands as people write it: digits alone, or a fraction of up to 15 significant digits. What doesn't is
 * decoded: exponents, 17 digits, `1.0`, `-0`, and what isn't a number.
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

/** The double that a number of any form stands for; NaN when it isn't a number. */
export function readDouble(bytes: Uint8Array, start: number, end: number): number {
  // Other letters make numbers of their own: 0x1F, Infinity.
  for (let at = start; at < end; at++) if (bytes[at] > 57 && (bytes[at] | 0x20) !== 0x65) return Number.NaN
  return end > start ? Number(decoder.decode(bytes.subarray(start, end))) : Number.NaN
}

/**
 * A number that isn't plain as people would write it: a cell's number is a double, and its shortest form is meant.
 * `1.1000000000000001` is 1.1, `1.0` is 1, `1E+21` is 1e+21.
 */
export function shortestText(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}
