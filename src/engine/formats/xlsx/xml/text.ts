import { ByteWriter, concatBytes } from '../../../../lib/bytes.ts'
import type { ByteSource } from '../../../../lib/zip/read.ts'
import { corrupt } from '../zip.ts'
import { HAS_ENTITY, HAS_ESCAPE, HAS_HIGH, HAS_RETURN, type XmlScanner } from './scanner.ts'
import { findInvalidUtf8 } from '../../../io/utf8.ts'

const NAMED: ReadonlyMap<string, number> = new Map([
  ['lt', 60],
  ['gt', 62],
  ['amp', 38],
  ['quot', 34],
  ['apos', 39],
])

/**
 * Decodes a run of XML text to UTF-8: replaces entities, normalizes line ends, and decodes Office's `_x000D_` for
 * characters that XML can't represent.
 * @param flags `XmlScanner.textFlags`
 * @throws {EngineError} `corrupt-file` for invalid UTF-8 or an unknown entity
 */
export function appendXmlText(out: ByteWriter, bytes: Uint8Array, start: number, end: number, flags: number): void {
  if (flags & HAS_HIGH && findInvalidUtf8(bytes, start, end) >= 0)
    throw corrupt('The workbook is damaged: it has text that isn’t UTF-8.')
  if ((flags & (HAS_ENTITY | HAS_RETURN | HAS_ESCAPE)) === 0) {
    out.append(bytes, start, end)
    return
  }
  out.reserve(end - start)
  let at = start
  while (at < end) {
    const byte = bytes[at]
    if (byte === 38 && flags & HAS_ENTITY) {
      const close = bytes.indexOf(59, at)
      if (close < 0 || close >= end) throw corrupt('The workbook is damaged: an entity in its XML isn’t closed.')
      appendCodePoint(out, entity(latin(bytes, at + 1, close)))
      at = close + 1
    } else if (byte === 13) {
      out.byte(10)
      at += bytes[at + 1] === 10 && at + 1 < end ? 2 : 1
    } else if (byte === 95 && isEscape(bytes, at, end)) {
      at = appendEscape(out, bytes, at, end)
    } else {
      out.byte(byte)
      at++
    }
  }
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** The same as a string, for short texts. Keeps `_x000D_`, which is an escape only in Office's sheets. */
export function xmlText(bytes: Uint8Array, start: number, end: number): string {
  const out = new ByteWriter(end - start + 8)
  appendXmlText(out, bytes, start, end, HAS_ENTITY | HAS_HIGH)
  return utf8.decode(out.view())
}

/** Whether the element's outer white space counts (`xml:space`); otherwise Excel drops it. */
export function keepsSpace(scanner: XmlScanner, inherited: boolean): boolean {
  let keeps = inherited
  while (scanner.nextAttribute()) {
    if (scanner.attributePrefixed && scanner.attributeName() === 'space') keeps = scanner.rawValue() === 'preserve'
  }
  return keeps
}

/** Whether the run of text begins or ends with white space. */
export function hasUnkeptSpace({ bytes, textStart, textEnd }: XmlScanner): boolean {
  return textEnd > textStart && (bytes[textStart] <= 32 || bytes[textEnd - 1] <= 32)
}

function latin(bytes: Uint8Array, start: number, end: number): string {
  return String.fromCharCode(...bytes.subarray(start, Math.min(end, start + 32)))
}

function entity(name: string): number {
  const named = NAMED.get(name)
  if (named !== undefined) return named
  const numeric = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name)
  const code = numeric ? (numeric[1] ? Number.parseInt(numeric[1], 16) : Number(numeric[2])) : 0
  if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) {
    throw corrupt(`The workbook is damaged: its XML has an entity “&${name};” that XML doesn’t know.`)
  }
  return code
}

function isEscape(bytes: Uint8Array, at: number, end: number): boolean {
  if (at + 7 > end || bytes[at + 1] !== 120 || bytes[at + 6] !== 95) return false
  for (let i = at + 2; i < at + 6; i++) if (hexDigit(bytes[i]) < 0) return false
  return true
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48
  const lower = byte | 32
  return lower >= 97 && lower <= 102 ? lower - 87 : -1
}

function unitAt(bytes: Uint8Array, at: number): number {
  let unit = 0
  for (let i = at + 2; i < at + 6; i++) unit = unit * 16 + hexDigit(bytes[i])
  return unit
}

/** An escape is one UTF-16 code unit: characters beyond U+FFFF take two. */
function appendEscape(out: ByteWriter, bytes: Uint8Array, at: number, end: number): number {
  const unit = unitAt(bytes, at)
  const next = at + 7
  if (unit < 0xd800 || unit > 0xdfff) {
    appendCodePoint(out, unit)
    return next
  }
  if (unit < 0xdc00 && isEscape(bytes, next, end)) {
    const low = unitAt(bytes, next)
    if (low >= 0xdc00 && low <= 0xdfff) {
      appendCodePoint(out, 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00))
      return next + 7
    }
  }
  appendCodePoint(out, 0xfffd)
  return next
}

function appendCodePoint(out: ByteWriter, code: number): void {
  if (code < 0x80) out.byte(code)
  else out.text(String.fromCodePoint(code))
}

/**
 * Decodes the part to UTF-8 without byte order mark: XML may be UTF-16, or declare another encoding in its first line.
 * @throws {EngineError} `corrupt-file`
 */
export async function utf8Source(source: ByteSource): Promise<ByteSource> {
  const parts: Uint8Array[] = []
  let size = 0
  while (size < 4) {
    const part = await source.read()
    if (!part) break
    parts.push(part)
    size += part.length
  }
  const head = parts.length === 1 ? parts[0] : concatBytes(parts)
  const label = xmlEncoding(head)
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0
  let decoder: TextDecoder | null = null
  try {
    if (label !== 'utf-8') decoder = new TextDecoder(label, { fatal: true })
  } catch (cause) {
    throw corrupt(`The workbook’s XML is in an unknown encoding, “${label}”.`, undefined, cause)
  }
  return new Utf8Source(head.subarray(mark), source, decoder)
}

function xmlEncoding(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  if (head[0] === 0xfe && head[1] === 0xff) return 'utf-16be'
  if (head[0] === 60 && head[1] === 0) return 'utf-16le'
  if (head[0] === 0 && head[1] === 60) return 'utf-16be'
  const start = new TextDecoder('latin1').decode(head.subarray(0, 200))
  const label = /^(?:ï»¿)?<\?xml[^>]*?encoding\s*=\s*["']([^"']+)["']/.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  // A declaration of UTF-16 in single bytes is wrong, but common.
  return label === 'utf8' || label === 'us-ascii' || label.startsWith('utf-16') ? 'utf-8' : label
}

const encoder = new TextEncoder()

class Utf8Source implements ByteSource {
  private head: Uint8Array | null
  private readonly source: ByteSource
  private readonly decoder: TextDecoder | null

  constructor(head: Uint8Array, source: ByteSource, decoder: TextDecoder | null) {
    this.head = head
    this.source = source
    this.decoder = decoder
  }

  get consumed(): number {
    return this.source.consumed
  }

  async read(): Promise<Uint8Array | null> {
    const part = this.head ?? (await this.source.read())
    this.head = null
    if (!part || !this.decoder) return part
    try {
      return encoder.encode(this.decoder.decode(part, { stream: true }))
    } catch (cause) {
      throw corrupt('The workbook is damaged: it has text that isn’t in the encoding that it names.', undefined, cause)
    }
  }

  cancel(): Promise<void> {
    return this.source.cancel()
  }
}
