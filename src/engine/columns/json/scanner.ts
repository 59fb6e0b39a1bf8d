import { BACKSLASH, COLON, COMMA, DASH, QUOTE, ZERO } from '../../../lib/ascii.ts'
import { controlName, shown, unexpected } from './mistakes.ts'
import { findInvalidUtf8 } from '../../io/utf8.ts'

/** Kinds of scanned values. Numbers are distinguished by notation: `1` and `1.0`. */
export const KIND = {
  null: 0,
  false: 1,
  true: 2,
  integer: 3,
  /** A number with a fraction or an exponent. */
  decimal: 4,
  string: 5,
  /** A string with escapes, to be decoded with `unescape`. */
  escaped: 6,
  object: 7,
  array: 8,
} as const

export type Kind = (typeof KIND)[keyof typeof KIND]

export const isText = (kind: number): boolean => kind === KIND.string || kind === KIND.escaped

/** The text ends within a value: it needs more input, or was truncated. */
export const MORE = -1
/** Invalid JSON; `problem` has the details. */
export const BAD = -2

export type Scanned = Kind | typeof MORE | typeof BAD

/** Maximum nesting of arrays and objects. */
export const MAX_DEPTH = 512

/** A problem at `at`. `syntax` breaks the structure; the others only affect the value that contains them. */
export interface Problem {
  readonly kind: 'syntax' | 'control' | 'surrogate' | 'utf-8'
  readonly at: number
  readonly message: string
}

/**
 * Scans JSON (RFC 8259) strictly, without creating values. After `value()` the value is `bytes[start, end)`, a string
 * without its quotes. `bytes[limit]` must be 0, which ends every loop without a bounds check per byte.
 */
export class JsonScanner {
  bytes: Uint8Array = new Uint8Array(1)
  pos = 0
  limit = 0
  /** Whether the text ends at `limit`, so that a number may end there. */
  final = true
  start = 0
  end = 0
  /** Set after `BAD`. */
  problem: Problem | null = null
  /** The first invalid string in an otherwise valid structure, since it was set to null. */
  flaw: Problem | null = null
  /** Number of values so far that are NaN or infinite. */
  notFinite = 0
  private readonly closers = new Uint8Array(MAX_DEPTH)
  private readonly nonFinite: boolean

  /** @param nonFinite whether `NaN`, `Infinity` and `-Infinity` are numbers, as Python writes them; JSON has none */
  constructor(nonFinite = false) {
    this.nonFinite = nonFinite
  }

  /** Starts at `pos` in another buffer. */
  reset(bytes: Uint8Array, pos: number, limit: number, final: boolean): void {
    this.bytes = bytes
    this.pos = pos
    this.limit = limit
    this.final = final
    this.problem = null
    this.flaw = null
  }

  /** Skips white space. Returns the next byte, 0 at the end. */
  space(): number {
    const { bytes } = this
    let at = this.pos
    let c = bytes[at]
    while (c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09) c = bytes[++at]
    this.pos = at
    return c
  }

  /** Scans a value after optional white space. */
  value(): Scanned {
    const { bytes } = this
    let c = bytes[this.pos]
    if (c <= 0x20) c = this.space()
    if (c === QUOTE) return this.string()
    if (c === DASH || (c >= ZERO && c <= 0x39)) return this.number(c)
    if (c === 0x7b || c === 0x5b) return this.container(c)
    return this.literal(c)
  }

  /** Scans a string whose opening quote is at `pos`. */
  string(): Scanned {
    const { bytes } = this
    const start = this.pos + 1
    let at = start
    let c = bytes[at]
    let high = 0
    while (c !== QUOTE && c >= 0x20 && c !== BACKSLASH) {
      high |= c
      c = bytes[++at]
    }
    if (c === QUOTE) {
      this.start = start
      this.end = at
      this.pos = at + 1
      if (high >= 0x80) this.checkUtf8(start, at)
      return KIND.string
    }
    return this.longString(start, at, high)
  }

  private longString(start: number, from: number, seen: number): Scanned {
    const { bytes } = this
    let at = from
    let high = seen
    let escaped = false
    for (;;) {
      const c = bytes[at]
      if (c === QUOTE) break
      if (c === BACKSLASH) {
        escaped = true
        const next = this.escape(at)
        if (next < 0) return next === MORE ? MORE : BAD
        at = next
      } else if (c >= 0x20) {
        high |= c
        at++
      } else {
        if (at >= this.limit) return this.ended()
        this.flaw ??= {
          kind: 'control',
          at,
          message: `A string holds ${controlName(c)} that isn’t escaped.`,
        }
        at++
      }
    }
    this.start = start
    this.end = at
    this.pos = at + 1
    if (high >= 0x80) this.checkUtf8(start, at)
    return escaped ? KIND.escaped : KIND.string
  }

  /** Skips the escape at `at`. Returns the position after it, `MORE` or `BAD`. */
  private escape(at: number): number {
    const c = this.bytes[at + 1]
    if (c === 0x75) {
      const unit = this.unit(at)
      if (unit < 0) return unit
      if (unit < 0xd800 || unit > 0xdfff) return at + 6
      if (unit < 0xdc00) {
        // Only a complete surrogate pair is a character, and its second half may not have arrived yet.
        if (at + 12 > this.limit && !this.final) return this.ended()
        if (this.bytes[at + 6] === BACKSLASH && this.bytes[at + 7] === 0x75) {
          const low = this.unit(at + 6)
          if (low < 0) return low
          if (low >= 0xdc00 && low <= 0xdfff) return at + 12
        }
      }
      this.flaw ??= {
        kind: 'surrogate',
        at,
        message: 'A string holds half of a surrogate pair, which is no character.',
      }
      return at + 6
    }
    if (ESCAPES[c] !== 0) return at + 2
    if (at + 1 >= this.limit) return this.ended()
    return this.bad(at, `“\\${shown(this.bytes, at + 1, this.limit)}” isn’t an escape that JSON has.`)
  }

  /** The code unit of `\uXXXX` at `at`, `MORE` or `BAD`. */
  private unit(at: number): number {
    let unit = 0
    for (let i = at + 2; i < at + 6; i++) {
      const digit = hexDigit(this.bytes[i])
      if (digit < 0) {
        return i >= this.limit ? this.ended() : this.bad(at, '“\\u” must be followed by four hexadecimal digits.')
      }
      unit = unit * 16 + digit
    }
    return unit
  }

  private number(first: number): Scanned {
    const { bytes } = this
    const start = this.pos
    let at = start
    let c = first
    if (c === DASH) c = bytes[++at]
    if (c === LETTER_I && this.nonFinite) return this.special(MINUS_INFINITY)
    if (c === ZERO) {
      c = bytes[++at]
      if (c >= ZERO && c <= 0x39) return this.bad(start, 'A number begins with a zero, which JSON doesn’t allow.')
    } else if (c >= ZERO && c <= 0x39) {
      do c = bytes[++at]
      while (c >= ZERO && c <= 0x39)
    } else {
      return this.notDigit(at, start)
    }
    let kind: Kind = KIND.integer
    if (c === 0x2e) {
      kind = KIND.decimal
      c = bytes[++at]
      if (!(c >= ZERO && c <= 0x39)) return this.notDigit(at, start)
      do c = bytes[++at]
      while (c >= ZERO && c <= 0x39)
    }
    if (c === 0x65 || c === 0x45) {
      kind = KIND.decimal
      c = bytes[++at]
      if (c === 0x2b || c === DASH) c = bytes[++at]
      if (!(c >= ZERO && c <= 0x39)) return this.notDigit(at, start)
      do c = bytes[++at]
      while (c >= ZERO && c <= 0x39)
    }
    if (at >= this.limit && !this.final) return MORE
    this.start = start
    this.end = at
    this.pos = at
    return kind
  }

  private notDigit(at: number, start: number): typeof MORE | typeof BAD {
    if (at >= this.limit) return this.ended()
    if (this.bytes[at] === LETTER_I) return this.bad(start, '“-Infinity” isn’t a JSON value.')
    return this.bad(at, 'A number isn’t complete: a digit is missing.')
  }

  private literal(c: number): Scanned {
    if (c === 0x6e) return this.word(NULL, KIND.null)
    if (c === 0x74) return this.word(TRUE, KIND.true)
    if (c === 0x66) return this.word(FALSE, KIND.false)
    if (c === LETTER_N && this.nonFinite) return this.special(NAN)
    if (c === LETTER_I && this.nonFinite) return this.special(INFINITY)
    return this.stopped('a value')
  }

  /** Scans a number that JSON doesn't have. */
  private special(word: Uint8Array): Scanned {
    this.notFinite++
    return this.word(word, KIND.decimal)
  }

  private word(word: Uint8Array, kind: Kind): Scanned {
    const { bytes, pos } = this
    for (let i = 1; i < word.length; i++) {
      if (bytes[pos + i] === word[i]) continue
      return pos + i >= this.limit ? this.ended() : this.bad(pos, unexpected(bytes, pos, this.limit, 'a value'))
    }
    this.start = pos
    this.end = pos + word.length
    this.pos = this.end
    return kind
  }

  /** Scans an array or object without recursion, so that depth can't exhaust the stack. */
  private container(open: number): Scanned {
    const { bytes, closers } = this
    const start = this.pos
    let depth = 0
    let closer = open + 2
    this.pos++
    let fresh = true
    for (;;) {
      let c = bytes[this.pos]
      if (c <= 0x20) c = this.space()
      // The closing bracket of an empty one is handled below.
      if (!fresh || c !== closer) {
        if (closer === 0x7d) {
          const status = this.key(c)
          if (status < 0) return status
          c = bytes[this.pos]
          if (c <= 0x20) c = this.space()
        }
        if (c === 0x7b || c === 0x5b) {
          closers[depth++] = closer
          if (depth >= MAX_DEPTH) return this.bad(this.pos, `Values are nested more than ${MAX_DEPTH} levels deep.`)
          closer = c + 2
          this.pos++
          fresh = true
          continue
        }
        const status = this.value()
        if (status < 0) return status
      }
      fresh = false
      for (;;) {
        c = bytes[this.pos]
        if (c <= 0x20) c = this.space()
        if (c !== closer) break
        this.pos++
        if (depth === 0) return this.contained(open, start)
        closer = closers[--depth]
      }
      if (c !== COMMA) return this.stopped(closer === 0x7d ? 'a comma or “}”' : 'a comma or “]”')
      this.pos++
    }
  }

  private contained(open: number, start: number): Kind {
    this.start = start
    this.end = this.pos
    return open === 0x7b ? KIND.object : KIND.array
  }

  /** Scans a key, whose first byte is `c`, and its colon. The key's text is `bytes[start, end)`. */
  key(c: number): Scanned {
    if (c !== QUOTE) return this.stopped('a key in double quotes')
    const status = this.string()
    if (status < 0 || this.colon()) return status
    return this.problem ? BAD : MORE
  }

  /** Skips a colon; else false, with `problem` set unless the text just ends. */
  colon(): boolean {
    let c = this.bytes[this.pos]
    if (c !== COLON) c = this.space()
    if (c === COLON) {
      this.pos++
      return true
    }
    this.stopped('a colon')
    return false
  }

  private checkUtf8(start: number, end: number): void {
    const at = findInvalidUtf8(this.bytes, start, end)
    if (at < 0) return
    this.flaw ??= { kind: 'utf-8', at, message: 'A string holds bytes that aren’t text in the file’s encoding.' }
  }

  /** `MORE` at the end of the input; else `BAD`, for what is at `pos` instead of `wanted`. */
  stopped(wanted: string): typeof MORE | typeof BAD {
    return this.pos >= this.limit
      ? this.ended()
      : this.bad(this.pos, unexpected(this.bytes, this.pos, this.limit, wanted))
  }

  ended(): typeof MORE | typeof BAD {
    return this.final ? this.bad(this.limit, 'The text ends before it is complete.') : MORE
  }

  bad(at: number, message: string): typeof BAD {
    this.problem = { kind: 'syntax', at, message }
    return BAD
  }
}

const NULL = new TextEncoder().encode('null')
const TRUE = new TextEncoder().encode('true')
const FALSE = new TextEncoder().encode('false')
const NAN = new TextEncoder().encode('NaN')
const INFINITY = new TextEncoder().encode('Infinity')
const MINUS_INFINITY = new TextEncoder().encode('-Infinity')
const LETTER_I = 0x49
const LETTER_N = 0x4e

/** Whether the number, or other value than a string, at `start` is NaN or infinite. */
export function isNonFinite(bytes: Uint8Array, start: number): boolean {
  const c = bytes[start] === DASH ? bytes[start + 1] : bytes[start]
  return c === LETTER_N || c === LETTER_I
}

/** The byte for each escape `\x`; 0 for invalid escapes. */
export const ESCAPES = new Uint8Array(256)
for (const [char, byte] of [
  ['"', 0x22],
  ['\\', 0x5c],
  ['/', 0x2f],
  ['b', 0x08],
  ['f', 0x0c],
  ['n', 0x0a],
  ['r', 0x0d],
  ['t', 0x09],
] as const)
  ESCAPES[char.charCodeAt(0)] = byte

/** The value of a hexadecimal digit; -1 for other bytes. */
export function hexDigit(c: number): number {
  if (c >= 0x30 && c <= 0x39) return c - 0x30
  const lower = c | 0x20
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1
}
