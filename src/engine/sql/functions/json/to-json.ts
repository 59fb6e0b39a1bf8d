import { COMMA } from '../../../../lib/ascii.ts'
import type { ByteWriter } from '../../../../lib/bytes.ts'
import { isJson, isNested, JSON_TYPE, scalar, VARCHAR, type ColumnType } from '../../../../tables/types.ts'
import { parseTypeOr } from '../../../../tables/expression-types.ts'
import { JsonScanner } from '../../../columns/json/scanner.ts'
import { JsonDocument, printDouble, printText } from './document.ts'

/*
 * DuckDB tells a value's type and its text, and nothing else of lists, structs and maps. The text is exact: what stands
 * in it is quoted wherever it could be taken for something else.
 */

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const document = new JsonDocument()
const scanner = new JsonScanner()
const CLOSE_ARRAY = 0x5d
/** Of `NULL`. */
const NULL_START = 0x4e

/** The types whose names were read. */
const types = new Map<string, ColumnType>()

/** @throws {Error} for a type that JSON can't be made of */
export function typeOf(name: string): ColumnType {
  let type = types.get(name)
  if (!type) {
    try {
      // What's neither a number, which is its text, nor a truth value is a string in JSON.
      type = parseTypeOr(name, (other) => {
        if (other === 'UNION') throw new Error('a union')
        if (other === 'JSON') return JSON_TYPE
        return other === 'UHUGEINT' ? scalar('HUGEINT') : VARCHAR
      })
    } catch (cause) {
      throw new Error(`JSON can’t be made of ${name}: cast it to a type whose fields have names.`, { cause })
    }
    types.set(name, type)
  }
  return type
}

/**
 * Appends a value as JSON.
 * @param text as DuckDB casts the value to VARCHAR
 * @throws {Error} where what should be JSON isn't
 */
export function toJson(text: string, type: ColumnType, out: ByteWriter): void {
  if (isNested(type)) new NestedText(text, out).value(type)
  else printScalar(text, type, out)
}

function printScalar(text: string, type: ColumnType, out: ByteWriter): void {
  if (type.kind === 'decimal') out.text(type.width > 15 ? text : printDouble(Number(text)))
  else if (type.kind !== 'scalar') throw new Error('a nested value has no text of its own')
  else if (isJson(type)) document.print(document.read(encoder.encode(text)), out)
  else if (type.name === 'DOUBLE' || type.name === 'FLOAT') out.text(printFloat(text, type.name))
  else if (type.name === 'BOOLEAN' || (/INT/.test(type.name) && type.name !== 'INTERVAL')) out.text(text)
  else printText(text, out)
}

function printFloat(text: string, name: 'DOUBLE' | 'FLOAT'): string {
  if (text === 'nan') return 'NaN'
  if (text === 'inf') return 'Infinity'
  if (text === '-inf') return '-Infinity'
  const value = Number(text)
  return printDouble(name === 'FLOAT' ? Math.fround(value) : value)
}

/** Reads the text of a list, a struct or a map, and appends it as JSON. */
class NestedText {
  private at = 0
  private readonly text: string
  private readonly out: ByteWriter

  constructor(text: string, out: ByteWriter) {
    this.text = text
    this.out = out
  }

  value(type: ColumnType): void {
    const { out } = this
    if (!isNested(type)) {
      const quoted = this.text[this.at] === "'"
      const text = this.item()
      if (text === 'NULL' && !quoted) out.text('null')
      else printScalar(text, type, out)
    } else if (this.text.startsWith('NULL', this.at)) {
      this.at += 4
      out.text('null')
    } else if (type.kind === 'list' && isJson(type.item)) this.jsonItems()
    else if (type.kind === 'list') this.items('[]', () => this.value(type.item))
    else if (type.kind === 'map')
      this.items('{}', () => {
        printText(this.item('='), out)
        this.at++
        out.byte(0x3a)
        this.value(type.value)
      })
    else {
      this.items('{}', (i) => {
        const field = type.fields[i]
        this.item(':')
        this.at += 2
        printText(field.name, out)
        out.byte(0x3a)
        this.value(field.type)
      })
    }
  }

  /** JSON in a list stands there as it is. */
  private jsonItems(): void {
    const { out } = this
    const bytes = encoder.encode(`${this.text.slice(this.at)}\0`)
    scanner.reset(bytes, 1, bytes.length - 1, true)
    out.text('[')
    for (let c = scanner.space(), i = 0; c !== CLOSE_ARRAY; c = scanner.space(), i++) {
      if (i > 0) {
        if (c !== COMMA) throw this.unread()
        out.byte(COMMA)
        scanner.pos++
        c = scanner.space()
      }
      const from = scanner.pos
      if (c === NULL_START) {
        scanner.pos += 4
        out.text('null')
      } else {
        if (scanner.value() < 0) throw this.unread()
        document.print(document.read(bytes.subarray(from, scanner.pos)), out)
      }
    }
    out.text(']')
    this.at += decoder.decode(bytes.subarray(0, scanner.pos + 1)).length
  }

  private items(brackets: string, item: (index: number) => void): void {
    const { out } = this
    out.text(brackets[0])
    this.expect(brackets[0])
    for (let i = 0; this.text[this.at] !== brackets[1]; i++) {
      if (i > 0) {
        this.expect(',')
        this.expect(' ')
        out.byte(0x2c)
      }
      item(i)
    }
    this.at++
    out.text(brackets[1])
  }

  /** A text without what is nested in it: in quotes, or up to what ends it. */
  private item(end = ''): string {
    const { text } = this
    if (text[this.at] !== "'") {
      const from = this.at
      while (this.at < text.length && !',]}'.includes(text[this.at]) && text[this.at] !== end) this.at++
      return text.slice(from, this.at)
    }
    let item = ''
    for (this.at++; text[this.at] !== "'"; this.at++) {
      if (this.at >= text.length) throw this.unread()
      if (text[this.at] === '\\') this.at++
      item += text[this.at]
    }
    this.at++
    return item
  }

  private expect(char: string): void {
    if (this.text[this.at++] !== char) throw this.unread()
  }

  private unread(): Error {
    return new Error(`The engine’s text of a nested value isn’t as expected at ${this.at}: ${this.text.slice(0, 80)}`)
  }
}
