import { LF, TAB, UNDERSCORE } from '../../../../lib/ascii.ts'
import type { ByteWriter } from '../../../../lib/bytes.ts'

/** Excel's limit per cell, in UTF-16 code units. */
export const MAX_CELL_CHARS = 32_767

const ASCII = new TextEncoder()
const AMP = ASCII.encode('&amp;')
const LT = ASCII.encode('&lt;')
const GT = ASCII.encode('&gt;')
const HEX = ASCII.encode('0123456789ABCDEF')

/** 1 for bytes that may have to be escaped. 0xED and 0xEF begin surrogates and U+FFFE, U+FFFF. */
const SPECIAL = new Uint8Array(256)
for (let byte = 0; byte < 0x20; byte++) SPECIAL[byte] = byte === TAB || byte === LF ? 0 : 1
for (const byte of [0x26, 0x3c, 0x3e, UNDERSCORE, 0xed, 0xef]) SPECIAL[byte] = 1

/** Maximum number of bytes that one byte of text becomes: a control character as `_x0001_`. */
const WORST_GROWTH = 7

/**
 * Appends UTF-8 text as XML character data. What XML 1.0 can't represent (control characters, lone surrogates, U+FFFE,
 * U+FFFF) or would change (a carriage return) is escaped as in Excel, `_x000D_`; in text that looks like such an
 * escape, the underscore is escaped. ECMA-376 part 1, 22.9.2.19 (ST_Xstring).
 */
export function appendXmlText(out: ByteWriter, source: Uint8Array, start: number, end: number): void {
  out.reserve((end - start) * WORST_GROWTH)
  const { bytes } = out
  let at = out.length
  for (let i = start; i < end; i++) {
    const byte = source[i]
    if (SPECIAL[byte] === 0) {
      bytes[at++] = byte
      continue
    }
    if (byte === 0x26) at = copy(AMP, bytes, at)
    else if (byte === 0x3c) at = copy(LT, bytes, at)
    else if (byte === 0x3e) at = copy(GT, bytes, at)
    else if (byte === UNDERSCORE) {
      if (looksEscaped(source, i, end)) at = hex(0x5f, bytes, at)
      else bytes[at++] = byte
    } else if (byte < 0x20) at = hex(byte, bytes, at)
    else if (byte === 0xef && i + 2 < end && source[i + 1] === 0xbf && source[i + 2] >= 0xbe) {
      at = hex(0xff40 | source[i + 2], bytes, at)
      i += 2
    } else if (byte === 0xed && i + 2 < end && source[i + 1] >= 0xa0) {
      at = hex(0xd000 | ((source[i + 1] & 0x3f) << 6) | (source[i + 2] & 0x3f), bytes, at)
      i += 2
    } else bytes[at++] = byte
  }
  out.length = at
}

function copy(from: Uint8Array, bytes: Uint8Array, at: number): number {
  for (let i = 0; i < from.length; i++) bytes[at + i] = from[i]
  return at + from.length
}

function hex(unit: number, bytes: Uint8Array, at: number): number {
  bytes[at] = UNDERSCORE
  bytes[at + 1] = 0x78
  bytes[at + 2] = HEX[unit >> 12]
  bytes[at + 3] = HEX[(unit >> 8) & 15]
  bytes[at + 4] = HEX[(unit >> 4) & 15]
  bytes[at + 5] = HEX[unit & 15]
  bytes[at + 6] = UNDERSCORE
  return at + 7
}

/**
 * Whether an underscore begins something that a reader would take for an escape. The closing underscore may also begin
 * the next escape, and some readers accept `_X` for `_x`.
 */
function looksEscaped(source: Uint8Array, at: number, end: number): boolean {
  if (at + 6 >= end || (source[at + 1] | 0x20) !== 0x78) return false
  for (let i = at + 2; i < at + 6; i++) {
    const digit = source[i] | 0x20
    if (!((digit >= 0x30 && digit <= 0x39 && source[i] < 0x40) || (digit >= 0x61 && digit <= 0x66))) return false
  }
  const next = source[at + 6]
  return next === UNDERSCORE || next < 0x20 || next === 0xed || next === 0xef
}

/** Length in UTF-16 code units. */
export function utf16Length(bytes: Uint8Array, start: number, end: number): number {
  let units = 0
  for (let i = start; i < end; i++) {
    const byte = bytes[i]
    if ((byte & 0xc0) !== 0x80) units += byte >= 0xf0 ? 2 : 1
  }
  return units
}

/** Whether text begins or ends with XML white space, which requires `xml:space="preserve"`. */
export function hasOuterSpace(bytes: Uint8Array, start: number, end: number): boolean {
  return end > start && (bytes[start] <= 0x20 || bytes[end - 1] <= 0x20)
}

/** Escapes text for an XML attribute value or element. */
export function xmlEscape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
