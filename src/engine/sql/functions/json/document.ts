import { COMMA, DASH, QUOTE, ZERO } from '../../../../lib/ascii.ts'
import { ByteWriter } from '../../../../lib/bytes.ts'
import { JsonScanner, KIND, type Kind } from '../../../columns/json/scanner.ts'
import { unescape } from '../../../columns/json/text.ts'
import type { JsonPath, Step } from './path.ts'

/** A value in a document: its bytes, a string's without its quotes. */
export interface JsonValue {
  readonly kind: Kind
  readonly start: number
  readonly end: number
}

export interface JsonMember {
  /** As it stands, perhaps with escapes; of an item null. */
  readonly key: JsonValue | null
  readonly value: JsonValue
}

const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const CLOSE_ARRAY = 0x5d

const decoder = new TextDecoder()

/** A JSON text (RFC 8259) that was checked, and where its values are. One at a time: the next one takes its place. */
export class JsonDocument {
  private readonly copy = new ByteWriter(4096)
  private readonly scanner = new JsonScanner()
  private readonly key = new ByteWriter(64)

  get bytes(): Uint8Array {
    return this.copy.bytes
  }

  /** @returns the whole value, null where the text isn't JSON: `scanner.problem` tells why */
  private scan(text: Uint8Array): JsonValue | null {
    this.copy.clear()
    this.copy.append(text)
    // The scanner wants it after the end.
    this.copy.byte(0)
    const { scanner } = this
    scanner.reset(this.copy.bytes, 0, text.length, true)
    const kind = scanner.value()
    if (kind < 0 || scanner.flaw) return null
    const value = { kind: kind as Kind, start: scanner.start, end: scanner.end }
    scanner.space()
    if (scanner.pos < text.length) {
      scanner.bad(scanner.pos, 'More text follows the value.')
      return null
    }
    return value
  }

  /** Whether a text is JSON; it's the document then. */
  is(text: Uint8Array): boolean {
    return this.scan(text) !== null
  }

  /**
   * Takes a text as the document.
   * @throws {Error} where it isn't JSON
   */
  read(text: Uint8Array): JsonValue {
    const value = this.scan(text)
    if (value) return value
    const { at, message } = this.scanner.problem ?? this.scanner.flaw ?? { at: 0, message: '' }
    const shown = text.length > 60 ? `${decoder.decode(text.subarray(0, 60))}…` : decoder.decode(text)
    throw new Error(`Malformed JSON at byte ${at}: ${message} The text: ${shown}`)
  }

  /** The members of an object or the items of an array, in their order; of any other value none. */
  *members({ kind, start }: JsonValue): Generator<JsonMember, void, undefined> {
    if (kind !== KIND.object && kind !== KIND.array) return
    const { scanner } = this
    let at = start + 1
    for (;;) {
      scanner.pos = at
      let c = scanner.space()
      if (c === CLOSE_OBJECT || c === CLOSE_ARRAY) return
      if (c === COMMA) {
        scanner.pos++
        c = scanner.space()
      }
      const key = kind === KIND.object ? this.taken(scanner.key(c)) : null
      const value = this.taken(scanner.value())
      at = scanner.pos
      yield { key, value }
    }
  }

  /** What the scanner has just passed. */
  private taken(kind: number): JsonValue {
    return { kind: kind as Kind, start: this.scanner.start, end: this.scanner.end }
  }

  /** The one value that a path leads to; null where there's none. */
  find(from: JsonValue, { steps }: JsonPath): JsonValue | null {
    let value: JsonValue | null = from
    for (const step of steps) {
      value = this.step(value, step)
      if (value === null) return null
    }
    return value
  }

  /** The values that a path with wildcards leads to. */
  findAll(from: JsonValue, { steps }: JsonPath): JsonValue[] {
    let values = [from]
    for (const step of steps) values = values.flatMap((value) => this.steps(value, step))
    return values
  }

  private steps(value: JsonValue, step: Step): JsonValue[] {
    switch (step.kind) {
      case 'members':
        return value.kind === KIND.object ? this.children(value) : []
      case 'items':
        return value.kind === KIND.array ? this.children(value) : []
      case 'descendants':
      case 'within': {
        const found = [value]
        for (const each of found) for (const child of this.children(each)) found.push(child)
        return step.kind === 'within' ? found.slice(1) : found
      }
      case 'key':
      case 'index':
      case 'either': {
        const found = this.step(value, step)
        return found ? [found] : []
      }
    }
  }

  /** The values of an object or an array. */
  children(value: JsonValue): JsonValue[] {
    return Array.from(this.members(value), (member) => member.value)
  }

  private step(value: JsonValue, step: Step): JsonValue | null {
    if (step.kind === 'key') return this.member(value, step.key)
    if (step.kind === 'index') return this.item(value, step.index)
    if (step.kind !== 'either') return null
    return value.kind === KIND.array
      ? step.index === null
        ? null
        : this.item(value, step.index)
      : this.member(value, step.key)
  }

  /** The first member of that name. */
  private member({ kind, start }: JsonValue, wanted: Uint8Array): JsonValue | null {
    if (kind !== KIND.object) return null
    const { scanner } = this
    scanner.pos = start + 1
    for (;;) {
      let c = scanner.space()
      if (c === CLOSE_OBJECT) return null
      if (c === COMMA) {
        scanner.pos++
        c = scanner.space()
      }
      const found = this.isKey(scanner.key(c), wanted)
      const value = scanner.value()
      if (found) return this.taken(value)
    }
  }

  private isKey(kind: number, wanted: Uint8Array): boolean {
    const { start, end } = this.scanner
    if (kind === KIND.string) return same(this.bytes, start, end, wanted)
    this.key.clear()
    unescape(this.bytes, start, end, this.key)
    return same(this.key.bytes, 0, this.key.length, wanted)
  }

  private item(value: JsonValue, index: number): JsonValue | null {
    if (value.kind !== KIND.array) return null
    const { scanner } = this
    const wanted = index < 0 ? index + this.length(value) : index
    if (wanted < 0) return null
    scanner.pos = value.start + 1
    for (let at = 0; ; at++) {
      const c = scanner.space()
      if (c === CLOSE_ARRAY) return null
      if (c === COMMA) scanner.pos++
      const kind = scanner.value()
      if (at === wanted) return this.taken(kind)
    }
  }

  /** How many items an array has; any other value 0. */
  length(value: JsonValue): number {
    if (value.kind !== KIND.array) return 0
    const { scanner } = this
    scanner.pos = value.start + 1
    for (let count = 0; ; count++) {
      const c = scanner.space()
      if (c === CLOSE_ARRAY) return count
      if (c === COMMA) scanner.pos++
      scanner.value()
    }
  }

  /** A string's or a key's text. */
  text({ kind, start, end }: JsonValue): string {
    if (kind !== KIND.escaped) return decoder.decode(this.bytes.subarray(start, end))
    this.key.clear()
    unescape(this.bytes, start, end, this.key)
    return decoder.decode(this.key.view())
  }

  /** Appends a value as JSON in the form that DuckDB gives it: compact, with the shortest numbers and escapes. */
  print(value: JsonValue, out: ByteWriter): void {
    const { kind, start, end } = value
    if (kind === KIND.string) {
      out.byte(QUOTE)
      out.append(this.bytes, start, end)
      out.byte(QUOTE)
    } else if (kind === KIND.escaped) {
      this.key.clear()
      unescape(this.bytes, start, end, this.key)
      printString(this.key.bytes, 0, this.key.length, out)
    } else if (kind === KIND.object || kind === KIND.array) this.printContainer(value, out)
    else if (kind === KIND.decimal) out.text(printDecimal(decoder.decode(this.bytes.subarray(start, end))))
    // -0 is a whole number, which has no sign.
    else if (kind === KIND.integer && end - start === 2 && this.bytes[start] === DASH && this.bytes[start + 1] === ZERO)
      out.byte(ZERO)
    else out.append(this.bytes, start, end)
  }

  private printContainer(value: JsonValue, out: ByteWriter): void {
    const object = value.kind === KIND.object
    out.byte(object ? OPEN_OBJECT : 0x5b)
    let first = true
    for (const { key, value: child } of this.members(value)) {
      if (!first) out.byte(COMMA)
      first = false
      if (key) {
        this.print(key, out)
        out.byte(0x3a)
      }
      this.print(child, out)
    }
    out.byte(object ? CLOSE_OBJECT : CLOSE_ARRAY)
  }
}

function same(bytes: Uint8Array, start: number, end: number, wanted: Uint8Array): boolean {
  if (end - start !== wanted.length) return false
  for (let i = 0; i < wanted.length; i++) if (bytes[start + i] !== wanted[i]) return false
  return true
}

/** The shortest number with a fraction or an exponent that reads as the same DOUBLE; one beyond them as it stands. */
function printDecimal(text: string): string {
  const value = Number(text)
  return Number.isFinite(value) ? printDouble(value) : text
}

/** A DOUBLE as JSON as DuckDB writes it: `1.0`, `1e21`, `-0.0`. */
export function printDouble(value: number): string {
  if (Object.is(value, -0)) return '-0.0'
  const text = String(value)
  return /[.eIN]/.test(text) ? text.replace('e+', 'e') : `${text}.0`
}

const SHORT: ReadonlyMap<number, string> = new Map([
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [QUOTE, '\\"'],
  [0x5c, '\\\\'],
])

/** Appends a text as a JSON string. */
function printString(bytes: Uint8Array, start: number, end: number, out: ByteWriter): void {
  out.byte(QUOTE)
  let from = start
  for (let at = start; at < end; at++) {
    const c = bytes[at]
    if (c >= 0x20 && c !== QUOTE && c !== 0x5c) continue
    out.append(bytes, from, at)
    out.text(SHORT.get(c) ?? `\\u${c.toString(16).toUpperCase().padStart(4, '0')}`)
    from = at + 1
  }
  out.append(bytes, from, end)
  out.byte(QUOTE)
}

const encoder = new TextEncoder()

/** `printString`, of a text. */
export function printText(text: string, out: ByteWriter): void {
  const bytes = encoder.encode(text)
  printString(bytes, 0, bytes.length, out)
}
