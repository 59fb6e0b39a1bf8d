import { BACKSLASH, QUOTE } from '../../../lib/ascii.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { ESCAPES, hexDigit, isNonFinite, JsonScanner, type Kind } from './scanner.ts'

/** Scans texts that are one JSON value each. */
export class JsonText {
  /** The last value is `bytes[from, to)`, a string without its quotes. */
  from = 0
  to = 0
  private readonly scanner = new JsonScanner()
  private readonly scratch = new ByteWriter()

  get bytes(): Uint8Array {
    return this.scratch.bytes
  }

  /** Scans `source[start, end)`. @returns its kind; null if it isn't JSON */
  scan(source: Uint8Array, start: number, end: number): Kind | null {
    const { scanner, scratch } = this
    scratch.clear()
    scratch.append(source, start, end)
    // The scanner needs a zero byte after the text.
    scratch.byte(0)
    scanner.reset(scratch.bytes, 0, scratch.length - 1, true)
    const kind = scanner.value()
    if (kind < 0 || scanner.flaw) return null
    this.from = scanner.start
    this.to = scanner.end
    scanner.space()
    return scanner.pos < scanner.limit ? null : (kind as Kind)
  }
}

/**
 * Appends a scanned string, unescaped, as UTF-8. Its escapes must be valid.
 * @param start after the opening quote
 * @param end at the closing quote
 */
export function unescape(bytes: Uint8Array, start: number, end: number, out: ByteWriter): void {
  // The result is never longer than the escaped text.
  out.reserve(end - start)
  const target = out.bytes
  let length = out.length
  let at = start
  while (at < end) {
    const c = bytes[at]
    if (c !== BACKSLASH) {
      target[length++] = c
      at++
      continue
    }
    const escaped = bytes[at + 1]
    if (escaped !== 0x75) {
      target[length++] = ESCAPES[escaped]
      at += 2
      continue
    }
    let code = unit(bytes, at + 2)
    at += 6
    if (code >= 0xd800 && code < 0xdc00) {
      code = 0x10000 + ((code - 0xd800) << 10) + (unit(bytes, at + 2) - 0xdc00)
      at += 6
    }
    length = putCodePoint(target, length, code)
  }
  out.length = length
}

function unit(bytes: Uint8Array, at: number): number {
  return (
    (hexDigit(bytes[at]) << 12) |
    (hexDigit(bytes[at + 1]) << 8) |
    (hexDigit(bytes[at + 2]) << 4) |
    hexDigit(bytes[at + 3])
  )
}

function putCodePoint(target: Uint8Array, at: number, code: number): number {
  let length = at
  if (code < 0x80) {
    target[length++] = code
  } else if (code < 0x800) {
    target[length++] = 0xc0 | (code >> 6)
    target[length++] = 0x80 | (code & 0x3f)
  } else if (code < 0x10000) {
    target[length++] = 0xe0 | (code >> 12)
    target[length++] = 0x80 | ((code >> 6) & 0x3f)
    target[length++] = 0x80 | (code & 0x3f)
  } else {
    target[length++] = 0xf0 | (code >> 18)
    target[length++] = 0x80 | ((code >> 12) & 0x3f)
    target[length++] = 0x80 | ((code >> 6) & 0x3f)
    target[length++] = 0x80 | (code & 0x3f)
  }
  return length
}

/**
 * Appends scanned JSON text without white space between tokens.
 * @returns whether it's JSON: no number in it is NaN or infinite
 */
export function compact(bytes: Uint8Array, start: number, end: number, out: ByteWriter): boolean {
  out.reserve(end - start)
  const target = out.bytes
  let length = out.length
  let quoted = false
  let finite = true
  for (let at = start; at < end; at++) {
    const c = bytes[at]
    if (quoted) {
      if (c === BACKSLASH) target[length++] = bytes[at++]
      else if (c === QUOTE) quoted = false
    } else if (c <= 0x20) {
      continue
    } else if (c === QUOTE) {
      quoted = true
    } else if (isNonFinite(bytes, at)) {
      finite = false
    }
    target[length++] = bytes[at]
  }
  out.length = length
  return finite
}
