import { APOSTROPHE as APOSTROPHE_BYTE, EQUALS, QUOTE } from '../../lib/ascii.ts'

const decoder = new TextDecoder('latin1')

/** Decodes ASCII bytes. */
export function asciiText(bytes: Uint8Array, start: number, end: number): string {
  if (end - start > 64) return decoder.decode(bytes.subarray(start, end))
  let text = ''
  for (let at = start; at < end; at++) text += String.fromCharCode(bytes[at])
  return text
}

/** Whether the bytes equal a word, ignoring ASCII case. `word` is in lower case. */
export function equalsIgnoringCase(bytes: Uint8Array, start: number, end: number, word: string): boolean {
  if (end - start !== word.length) return false
  for (let i = 0; i < word.length; i++) {
    const byte = bytes[start + i]
    const lower = byte >= 0x41 && byte <= 0x5a ? byte + 32 : byte
    if (lower !== word.charCodeAt(i)) return false
  }
  return true
}

/** The two digits at `at` as a number; -1 if they aren't digits. Both must be within the bytes. */
export function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = bytes[at] - 0x30
  const ones = bytes[at + 1] - 0x30
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? -1 : tens * 10 + ones
}

export const isDigit = (byte: number): boolean => byte >= 0x30 && byte <= 0x39

/** The `count` digits at `at` as a number; -1 if they aren't digits. All must be within the bytes. */
export function readDigits(bytes: Uint8Array, at: number, count: number): number {
  let value = 0
  for (let i = at; i < at + count; i++) {
    if (!isDigit(bytes[i])) return -1
    value = value * 10 + bytes[i] - 0x30
  }
  return value
}

/* Separators between the digits of a number, as bits of a mask. */

export const POINT = 1
export const COMMA = 2
/** A space, including U+00A0, U+2009 and U+202F. */
export const SPACE = 4
/** An apostrophe, including the typographic one. */
export const APOSTROPHE = 8

/** The separator at `at`; 0 for other characters. */
export function separatorAt(bytes: Uint8Array, at: number, end: number): number {
  switch (bytes[at]) {
    case 0x2e:
      return POINT
    case 0x2c:
      return COMMA
    case 0x20:
      return SPACE
    case 0x27:
      return APOSTROPHE
    case 0xc2:
      return at + 1 < end && bytes[at + 1] === 0xa0 ? SPACE : 0
    case 0xe2:
      if (at + 2 >= end || bytes[at + 1] !== 0x80) return 0
      return bytes[at + 2] === 0x99 ? APOSTROPHE : bytes[at + 2] === 0x89 || bytes[at + 2] === 0xaf ? SPACE : 0
    default:
      return 0
  }
}

/** Length of the UTF-8 character with this first byte. */
export const widthOf = (byte: number): number => (byte < 0x80 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4)

/** Length of the space character of any kind at `at`; 0 if there's none. */
export function spaceAt(bytes: Uint8Array, at: number, end: number): number {
  return bytes[at] === 9 ? 1 : separatorAt(bytes, at, end) === SPACE ? widthOf(bytes[at]) : 0
}

/** Length of the space character of any kind before `end`; 0 if there's none. */
export function spaceBefore(bytes: Uint8Array, start: number, end: number): number {
  const last = bytes[end - 1]
  if (last === 0x20 || last === 9) return end > start ? 1 : 0
  if (last === 0xa0) return end - start >= 2 && bytes[end - 2] === 0xc2 ? 2 : 0
  return end - start >= 3 && spaceAt(bytes, end - 3, end) === 3 ? 3 : 0
}

/** Position of the first character that isn't a space; `end` if there's none. */
export function skipSpaces(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  for (let width = 1; width > 0 && at < end; at += width) width = spaceAt(bytes, at, end)
  return at
}

/** The end of the bytes without trailing spaces; at least `start`. */
export function trimmedEnd(bytes: Uint8Array, start: number, end: number): number {
  let at = end
  for (let width = 1; width > 0 && at > start; at -= width) width = spaceBefore(bytes, start, at)
  return at
}

/** Whether it's an Excel formula for a text: `="00123"`. */
export function isTextFormula(bytes: Uint8Array, start: number, end: number): boolean {
  if (end - start < 3 || bytes[start] !== EQUALS || bytes[start + 1] !== QUOTE || bytes[end - 1] !== QUOTE) return false
  for (let at = start + 2; at < end - 1; at++) if (bytes[at] === QUOTE) return false
  return true
}

const MARKED_TEXT = /^'(?!\d\ds?$)[\d=+@-][^']*$/

/**
 * Whether it's a text with the apostrophe by which spreadsheets keep it as text, though it looks like a number or a
 * formula: `'00123`, `'+49`. Years (`'98`, `'90s`) aren't, nor is what stands between apostrophes.
 */
export const isMarkedText = (bytes: Uint8Array, start: number, end: number): boolean =>
  bytes[start] === APOSTROPHE_BYTE && MARKED_TEXT.test(asciiText(bytes, start, end))

/** Whether U+2212, the typographic minus, is at `at`. */
export function isMinusSign(bytes: Uint8Array, at: number, end: number): boolean {
  return at + 2 < end && bytes[at] === 0xe2 && bytes[at + 1] === 0x88 && bytes[at + 2] === 0x92
}

/**
 * Moves the decimal point of a plain number in `bytes[0, length)`: 12.5 by -2 is 0.125. Drops a plus.
 * @returns the new length; the bytes must have room
 */
export function movePoint(bytes: Uint8Array, length: number, by: number): number {
  const negative = bytes[0] === 0x2d
  const text = Array.from(bytes.subarray(negative || bytes[0] === 0x2b ? 1 : 0, length))
  const at = text.indexOf(0x2e)
  const digits = text.filter((byte) => byte !== 0x2e)
  let point = (at < 0 ? digits.length : at) + by
  while (point < 1) {
    digits.unshift(0x30)
    point++
  }
  while (digits.length < point) digits.push(0x30)
  while (point > 1 && digits[0] === 0x30) {
    digits.shift()
    point--
  }
  const moved = [
    ...(negative ? [0x2d] : []),
    ...digits.slice(0, point),
    ...(digits.length > point ? [0x2e, ...digits.slice(point)] : []),
  ]
  bytes.set(moved)
  return moved.length
}
