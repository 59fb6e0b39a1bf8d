import { CURRENCIES } from '../../../tables/currencies.ts'

const encoder = new TextEncoder()

/** The longest first: `US$` before `$`. */
const SPELLED = CURRENCIES.map(([text]) => ({ text, bytes: encoder.encode(text) })).sort(
  (a, b) => b.bytes.length - a.bytes.length,
)

/** The sign or code that `bytes[start, end)` begins with, or ends with; null for none. */
export function currencyAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  where: 'start' | 'end',
): { readonly text: string; readonly bytes: Uint8Array } | null {
  return (
    SPELLED.find((unit) => {
      const length = unit.bytes.length
      const at = where === 'start' ? start : end - length
      return end - start > length && unit.bytes.every((byte, i) => bytes[at + i] === byte)
    }) ?? null
  )
}
