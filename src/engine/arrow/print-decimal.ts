/** `value / 10^scale` in plain notation, with exactly `scale` digits after the point. */
export function printDecimal(value: bigint, scale: number): string {
  const negative = value < 0n
  const digits = String(negative ? -value : value).padStart(scale + 1, '0')
  const at = digits.length - scale
  return (negative ? '-' : '') + digits.slice(0, at) + (scale > 0 ? `.${digits.slice(at)}` : '')
}
