/**
 * Whether a decimal number is just what is printed of the double nearest to it: whether, read as a double, it can be
 * told again from that double. Any number of up to 15 significant digits is; of those of 16 and 17 digits only some.
 */
export function isShortestDouble(bytes: Uint8Array, start: number, end: number): boolean {
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at])
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
