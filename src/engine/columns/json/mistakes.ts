import { COMMA } from '../../../lib/ascii.ts'

/* Error messages about invalid JSON. */

/** Describes what is at `at` instead of `wanted`, with the remedy for common mistakes. */
export function unexpected(bytes: Uint8Array, at: number, limit: number, wanted: string): string {
  const c = bytes[at]
  if (c === 0x2f || c === 0x23) return 'There is a comment here, which JSON doesn’t allow: remove it.'
  if (c === 0x27) return 'There is a single quote here; JSON wants double quotes.'
  if ((c === 0x5d || c === 0x7d) && previous(bytes, at) === COMMA) {
    return 'There is a comma with no value after it: remove the comma.'
  }
  const word = asciiWord(bytes, at, limit)
  if (word === 'NaN' || word === 'Infinity') return `“${word}” isn’t a JSON value: write null instead.`
  if (word === 'None' || word === 'True' || word === 'False') return `“${word}” is Python, not JSON.`
  return `There is “${word || shown(bytes, at, limit)}” where ${wanted} was expected.`
}

/** The character at `at`, or its name if it's invisible. */
export function shown(bytes: Uint8Array, at: number, limit: number): string {
  const c = bytes[at]
  if (c < 0x20) return controlName(c)
  const [char = ''] = new TextDecoder().decode(bytes.subarray(at, Math.min(at + 4, limit)))
  return char
}

export function controlName(c: number): string {
  if (c === 0x09) return 'a tab'
  if (c === 0x0a || c === 0x0d) return 'a line end'
  return `a control character (U+${c.toString(16).toUpperCase().padStart(4, '0')})`
}

/** The last byte before `at` that isn't white space; 0 if there's none. */
function previous(bytes: Uint8Array, at: number): number {
  let before = at - 1
  while (before >= 0 && bytes[before] <= 0x20) before--
  return before < 0 ? 0 : bytes[before]
}

function asciiWord(bytes: Uint8Array, at: number, limit: number): string {
  let end = at
  while (end < limit && end < at + 20 && /[A-Za-z]/.test(String.fromCharCode(bytes[end]))) end++
  return String.fromCharCode(...bytes.subarray(at, end))
}
