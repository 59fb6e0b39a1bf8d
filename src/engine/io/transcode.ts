import { EngineError } from '../errors.ts'
import { ByteWriter, concatBytes } from '../../lib/bytes.ts'
import { codePage, NO_CHARACTER } from './code-pages.ts'
import { Utf8, type Transcoder } from './utf8.ts'

/** Never occurs in UTF-8; replaces text that is invalid in the file's encoding. */
const INVALID = 0xff
const NOTHING = new Uint8Array(0)

/**
 * @param encoding one of `ENCODINGS`, or another WHATWG label
 * @throws {EngineError} `not-text` for an unknown label
 */
export function makeTranscoder(encoding: string): Transcoder {
  if (encoding === 'utf-32le') return new Utf32(0)
  if (encoding === 'utf-32be') return new Utf32(1)
  try {
    const page = codePage(encoding)
    if (page) return new SingleByte(page)
    const decoder = new TextDecoder(encoding, { ignoreBOM: true })
    if (decoder.encoding === 'utf-8') return new Utf8()
    if (decoder.encoding === 'utf-16le') return new Utf16(0)
    return decoder.encoding === 'utf-16be' ? new Utf16(1) : new MultiByte(decoder)
  } catch (cause) {
    throw new EngineError('not-text', `“${encoding}” is not an encoding that this browser knows.`, {
      remedy: 'Choose another encoding.',
      cause,
    })
  }
}

class Utf16 implements Transcoder {
  private readonly high: 0 | 1
  private odd = -1
  /** The first half of a surrogate pair. */
  private lead = 0
  private begun = false

  /** @param bigEndian 1 if the first byte of a unit is the high one */
  constructor(bigEndian: 0 | 1) {
    this.high = bigEndian
  }

  push(bytes: Uint8Array): Uint8Array {
    // A two-byte unit takes at most three bytes in UTF-8, and at most one more unit was kept from before.
    const out = new Uint8Array((bytes.length >> 1) * 3 + 8)
    let length = 0
    let at = 0
    if (this.odd >= 0 && bytes.length > 0) {
      length = this.unit(this.odd, bytes[at++], out, length)
      this.odd = -1
    }
    for (; at + 1 < bytes.length; at += 2) length = this.unit(bytes[at], bytes[at + 1], out, length)
    if (at < bytes.length) this.odd = bytes[at]
    return out.subarray(0, length)
  }

  end(): Uint8Array {
    const rest = new Uint8Array((this.lead > 0 ? 1 : 0) + (this.odd >= 0 ? 1 : 0)).fill(INVALID)
    this.odd = -1
    this.lead = 0
    return rest
  }

  private unit(first: number, second: number, out: Uint8Array, length: number): number {
    const unit = this.high ? (first << 8) | second : (second << 8) | first
    if (this.lead > 0) {
      const lead = this.lead
      this.lead = 0
      if (unit >= 0xdc00 && unit < 0xe000)
        return encode(0x10000 + ((lead - 0xd800) << 10) + (unit - 0xdc00), out, length)
      out[length++] = INVALID
    }
    if (!this.begun) {
      this.begun = true
      if (unit === 0xfeff) return length
    }
    if (unit >= 0xd800 && unit < 0xdc00) this.lead = unit
    else if (unit >= 0xdc00 && unit < 0xe000) out[length++] = INVALID
    else return encode(unit, out, length)
    return length
  }
}

class Utf32 implements Transcoder {
  private readonly bigEndian: boolean
  private rest = NOTHING
  private begun = false

  constructor(bigEndian: 0 | 1) {
    this.bigEndian = bigEndian === 1
  }

  push(bytes: Uint8Array): Uint8Array {
    const all = this.rest.length > 0 ? concatBytes([this.rest, bytes]) : bytes
    const end = all.length & ~3
    const view = new DataView(all.buffer, all.byteOffset, end)
    const out = new Uint8Array(end)
    let length = 0
    for (let at = 0; at < end; at += 4) {
      const code = view.getUint32(at, !this.bigEndian)
      if (code === 0xfeff && !this.begun) this.begun = true
      else if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) out[length++] = INVALID
      else length = encode(code, out, length)
      this.begun = true
    }
    this.rest = all.slice(end)
    return out.subarray(0, length)
  }

  end(): Uint8Array {
    const cut = this.rest.length > 0
    this.rest = NOTHING
    return cut ? Uint8Array.of(INVALID) : NOTHING
  }
}

/** Writes a code point as UTF-8, and returns the new length. */
function encode(code: number, out: Uint8Array, at: number): number {
  if (code < 0x80) {
    out[at] = code
    return at + 1
  }
  if (code < 0x800) {
    out[at] = 0xc0 | (code >> 6)
    out[at + 1] = 0x80 | (code & 63)
    return at + 2
  }
  if (code < 0x10000) {
    out[at] = 0xe0 | (code >> 12)
    out[at + 1] = 0x80 | ((code >> 6) & 63)
    out[at + 2] = 0x80 | (code & 63)
    return at + 3
  }
  out[at] = 0xf0 | (code >> 18)
  out[at + 1] = 0x80 | ((code >> 12) & 63)
  out[at + 2] = 0x80 | ((code >> 6) & 63)
  out[at + 3] = 0x80 | (code & 63)
  return at + 4
}

/** Single-byte encodings. */
class SingleByte implements Transcoder {
  private readonly codes: readonly number[]

  constructor(codes: readonly number[]) {
    this.codes = codes
  }

  push(bytes: Uint8Array): Uint8Array {
    const out = new Uint8Array(bytes.length * 3)
    let length = 0
    for (const byte of bytes) {
      const code = this.codes[byte]
      if (code === NO_CHARACTER) out[length++] = INVALID
      else length = encode(code, out, length)
    }
    return out.subarray(0, length)
  }

  end(): Uint8Array {
    return NOTHING
  }
}

class MultiByte implements Transcoder {
  private readonly decoder: TextDecoder
  private readonly writer = new ByteWriter(1 << 16)

  constructor(decoder: TextDecoder) {
    this.decoder = decoder
  }

  push(bytes: Uint8Array): Uint8Array {
    return this.encode(this.decoder.decode(bytes, { stream: true }))
  }

  end(): Uint8Array {
    return this.encode(this.decoder.decode())
  }

  private encode(text: string): Uint8Array {
    let from = 0
    for (let at = text.indexOf('\ufffd'); at >= 0; at = text.indexOf('\ufffd', from)) {
      this.writer.text(text.slice(from, at))
      this.writer.byte(INVALID)
      from = at + 1
    }
    this.writer.text(from === 0 ? text : text.slice(from))
    return this.writer.take()
  }
}
