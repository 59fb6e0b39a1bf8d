import { BANG, BRACKET, COLON, EQUALS, GT, LT, QUESTION, SLASH } from '../../../../lib/ascii.ts'
import { formatBytes } from '../../../../lib/bytes.ts'
import { EngineError } from '../../../errors.ts'
import { corrupt } from '../zip.ts'

/*
 * Tokens. `NEED` means that more bytes are needed: nothing was consumed, and the same token follows when they are
 * available.
 */
export const NEED = 0
export const OPEN = 1
export const CLOSE = 2
export const TEXT = 3
export const END = 4

/* Contents of a text run that need more than copying. */
export const HAS_ENTITY = 2
export const HAS_RETURN = 4
export const HAS_ESCAPE = 8
export const HAS_HIGH = 16
const IS_CDATA = 32

/** A cell holds at most 32,767 characters in Excel; files of other programs may exceed that, up to this limit. */
const MAX_TEXT = 64 * 1024 * 1024
const MAX_TAG = 1024 * 1024

/** For each byte: 1 for `<`, else flags of what needs processing. */
const TEXT_CLASS = makeTextClass()

function makeTextClass(): Uint8Array {
  const table = new Uint8Array(256)
  table[LT] = 1
  table[38] = HAS_ENTITY
  table[13] = HAS_RETURN
  table[95] = HAS_ESCAPE
  table.fill(HAS_HIGH, 128)
  return table
}

/**
 * A name of up to three bytes as a number, to compare without decoding: cells consist of `row`, `c`, `v`, `is`, `t`.
 * Longer names have code 0.
 */
export function codeOf(name: string): number {
  let code = 0
  for (let i = 0; i < name.length; i++) code = (code << 8) | name.charCodeAt(i)
  return name.length > 3 ? 0 : code
}

const decoder = new TextDecoder()

/**
 * Pulls tokens from XML that arrives in arbitrary pieces, without creating strings. Supports what SpreadsheetML uses,
 * and drops namespace prefixes. Document types are skipped, and refused if they declare entities or name an address.
 * The token's positions refer to `bytes` and are valid until the next `push`.
 */
export class XmlScanner {
  bytes: Uint8Array = new Uint8Array(0)
  /** `TEXT`: the run as in the file. */
  textStart = 0
  textEnd = 0
  textFlags = 0
  /** `OPEN`, `CLOSE`: code of the local name; see `codeOf`. */
  code = 0
  /** `OPEN`: whether the element is self-closing, so that no `CLOSE` follows. */
  selfClosing = false
  /** Valid after `nextAttribute`. */
  attributeCode = 0
  attributePrefixed = false
  valueStart = 0
  valueEnd = 0

  private at = 0
  private end = 0
  /** Joins the rest of a piece with the next ones. */
  private own = new Uint8Array(0)
  private last = false
  /** How far an unfinished token has been scanned, so that no byte is scanned twice. */
  private resume = 0
  private resumeFlags = 0
  private nameStart = 0
  private nameEnd = 0
  private attributeStart = 0
  private attributeEnd = 0
  private attributeAt = 0
  private tagEnd = 0
  private readonly part: string

  /** @param part what is read, for messages */
  constructor(part: string) {
    this.part = part
  }

  /** Adds the next piece. Positions of the previous token become invalid. */
  push(piece: Uint8Array): void {
    const kept = this.end - this.at
    if (kept === 0) {
      this.bytes = piece
      this.at = 0
      this.end = piece.length
      return
    }
    if (this.bytes !== this.own || this.own.length - this.end < piece.length) {
      const needed = kept + piece.length
      const rest = this.bytes.subarray(this.at, this.end)
      if (needed > this.own.length) this.own = new Uint8Array(Math.max(needed * 2, 256 * 1024))
      this.own.set(rest)
      this.bytes = this.own
      this.at = 0
      this.end = kept
    }
    this.own.set(piece, this.end)
    this.end += piece.length
  }

  /** Call after the last piece. */
  finish(): void {
    this.last = true
  }

  /** @throws {EngineError} `corrupt-file` */
  next(): number {
    const { bytes, end } = this
    for (;;) {
      const { at } = this
      if (at >= end) return this.last ? END : NEED
      if (bytes[at] !== LT) return this.text()
      const second = at + 1 < end ? bytes[at + 1] : 0
      if (second === SLASH) return this.closeTag()
      if (second === QUESTION) {
        if (!this.skipTo('?>', MAX_TAG)) return NEED
      } else if (second === BANG) {
        const token = this.declaration()
        if (token >= 0) return token
      } else if (second === 0) {
        return this.needMore(MAX_TAG)
      } else {
        return this.openTag()
      }
    }
  }

  /** The local name of the element. */
  name(): string {
    return decoder.decode(this.bytes.subarray(this.nameStart, this.nameEnd))
  }

  /** Moves to the element's next attribute; returns false if there's none. */
  nextAttribute(): boolean {
    const { bytes, tagEnd } = this
    let at = this.attributeAt
    while (at < tagEnd && (bytes[at] <= 32 || bytes[at] === SLASH)) at++
    if (at >= tagEnd) return false
    let start = at
    let code = 0
    this.attributePrefixed = false
    while (at < tagEnd && bytes[at] !== EQUALS && bytes[at] > 32) {
      if (bytes[at] === COLON) {
        start = at + 1
        code = 0
        this.attributePrefixed = true
      } else {
        code = (code << 8) | bytes[at]
      }
      at++
    }
    this.attributeStart = start
    this.attributeEnd = at
    this.attributeCode = at - start > 3 ? 0 : code
    while (at < tagEnd && bytes[at] <= 32) at++
    if (bytes[at] !== EQUALS) throw this.broken('an attribute has no value')
    at++
    while (at < tagEnd && bytes[at] <= 32) at++
    const quote = bytes[at]
    if (at >= tagEnd || (quote !== 34 && quote !== 39)) throw this.broken('an attribute’s value isn’t quoted')
    this.valueStart = ++at
    while (at < tagEnd && bytes[at] !== quote) at++
    this.valueEnd = at
    this.attributeAt = at + 1
    return true
  }

  attributeName(): string {
    return decoder.decode(this.bytes.subarray(this.attributeStart, this.attributeEnd))
  }

  /** The attribute's value as in the file, without replacing entities. */
  rawValue(): string {
    return decoder.decode(this.bytes.subarray(this.valueStart, this.valueEnd))
  }

  /** The attribute's value as a non-negative whole number; -1 if it isn't one. */
  valueNumber(): number {
    let value = 0
    const { bytes, valueStart, valueEnd } = this
    if (valueEnd === valueStart || valueEnd - valueStart > 15) return -1
    for (let i = valueStart; i < valueEnd; i++) {
      const digit = bytes[i] - 48
      if (digit < 0 || digit > 9) return -1
      value = value * 10 + digit
    }
    return value
  }

  broken(why: string): Error {
    // The message may quote the damaged text, so replace its control characters.
    return corrupt(`The workbook is damaged: ${why.replace(/[\p{Cc}\u2028\u2029]/gu, '\uFFFD')}.`, this.part)
  }

  private needMore(limit: number): typeof NEED {
    if (this.last) throw this.broken('its XML ends in the middle')
    if (this.end - this.at > limit) {
      throw new EngineError('too-large', `The workbook has a single text or tag of over ${formatBytes(limit)}.`, {
        place: this.part,
        remedy: 'Shorten it: a cell of Excel holds 32,767 characters.',
      })
    }
    return NEED
  }

  private text(): number {
    const { bytes, end } = this
    let at = this.at + this.resume
    let flags = this.resumeFlags
    while (at < end) {
      const kind = TEXT_CLASS[bytes[at]]
      if (kind !== 0) {
        if (kind === 1) break
        flags |= kind
      }
      at++
    }
    if (at >= end && !this.last) {
      this.resume = at - this.at
      this.resumeFlags = flags
      return this.needMore(MAX_TEXT)
    }
    this.textStart = this.at
    this.textEnd = at
    this.textFlags = flags
    this.at = at
    this.resume = 0
    this.resumeFlags = 0
    return TEXT
  }

  /** Scans a tag's name, without its prefix. */
  private passName(from: number): void {
    const { bytes, end } = this
    let at = from
    let start = at
    let code = 0
    let byte = 0
    while (at < end && (byte = bytes[at]) > 32 && byte !== GT && byte !== SLASH) {
      if (byte === COLON) {
        start = at + 1
        code = 0
      } else {
        code = (code << 8) | byte
      }
      at++
    }
    this.nameStart = start
    this.nameEnd = at
    this.code = at - start > 3 ? 0 : code
  }

  private openTag(): number {
    const { bytes, end } = this
    this.passName(this.at + 1)
    let at = this.nameEnd
    this.attributeAt = at
    let byte = 0
    while (at < end && (byte = bytes[at]) !== GT) {
      if (byte === 34 || byte === 39) {
        at = bytes.indexOf(byte, at + 1)
        if (at < 0 || at >= end) return this.needMore(MAX_TAG)
      } else if (byte === LT) {
        throw this.broken('a tag isn’t closed')
      }
      at++
    }
    if (at >= end) return this.needMore(MAX_TAG)
    this.selfClosing = bytes[at - 1] === SLASH
    this.tagEnd = at
    this.at = at + 1
    return OPEN
  }

  private closeTag(): number {
    const { bytes, end } = this
    this.passName(this.at + 2)
    let at = this.nameEnd
    while (at < end && bytes[at] !== GT) at++
    if (at >= end) return this.needMore(MAX_TAG)
    this.at = at + 1
    return CLOSE
  }

  /** Handles comments, CDATA and document types; returns -1 if it was skipped. */
  private declaration(): number {
    if (this.end - this.at < 9 && !this.last) return this.needMore(MAX_TAG)
    if (this.startsWith('<!--')) return this.skipTo('-->', MAX_TEXT) ? -1 : NEED
    if (!this.startsWith('<![CDATA[')) return this.documentType() ? -1 : NEED
    const start = this.at + 9
    if (!this.skipTo(']]>', MAX_TEXT)) return NEED
    this.textStart = start
    this.textEnd = this.at - 3
    this.textFlags = IS_CDATA
    for (let i = start; i < this.textEnd; i++) this.textFlags |= TEXT_CLASS[this.bytes[i]] & ~(HAS_ENTITY | 1)
    return TEXT
  }

  /** Skips a document type; returns false if its end isn't available yet. */
  private documentType(): boolean {
    const { bytes, end } = this
    for (let at = this.at; at < end; at++) {
      const byte = bytes[at]
      if (byte === BRACKET) throw this.broken('its document type declares entities, which can hide an attack')
      if (byte === COLON && bytes[at + 1] === SLASH && bytes[at + 2] === SLASH)
        throw this.broken('its document type names an address, which can hide an attack')
      if (byte !== GT) continue
      this.at = at + 1
      return true
    }
    this.needMore(MAX_TAG)
    return false
  }

  private startsWith(text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[this.at + i] !== text.charCodeAt(i)) return false
    return true
  }

  /** Skips up to the next `mark`; returns false if it isn't available yet. */
  private skipTo(mark: string, limit: number): boolean {
    const { bytes, end } = this
    const lastByte = mark.charCodeAt(mark.length - 1)
    let at = Math.max(this.at + mark.length, this.at + this.resume)
    for (; at < end; at++) {
      if (bytes[at] !== lastByte || bytes[at - 1] !== mark.charCodeAt(mark.length - 2)) continue
      if (mark.length === 3 && bytes[at - 2] !== mark.charCodeAt(0)) continue
      this.at = at + 1
      this.resume = 0
      return true
    }
    this.resume = end - this.at
    this.needMore(limit)
    return false
  }
}
