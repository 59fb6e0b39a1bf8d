import { ByteWriter } from '../../../lib/bytes.ts'
import { JSON_TYPE, isNested } from '../../../tables/types.ts'
import { JsonScanner, KIND, type Kind } from '../json/scanner.ts'
import { compact, unescape } from '../json/text.ts'
import { BytesBuilder } from './bytes.ts'
import type { ColumnBuilder } from '../column-builder.ts'

/** JSON: values of any kind as their text, to the letter but for the white space between their parts. */
export class JsonBuilder extends BytesBuilder {
  private readonly optional: boolean
  private readonly scanner = new JsonScanner()
  private readonly scratch = new ByteWriter()
  private readonly compacted = new ByteWriter()

  /** @param optional whether a null that is written out is a value: only what isn't there is null */
  constructor(optional = false) {
    super(JSON_TYPE)
    this.optional = optional
  }

  override appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { scanner, scratch } = this
    scratch.clear()
    scratch.append(bytes, start, end)
    // What ends a number, wherever the text comes from.
    scratch.byte(0)
    scanner.reset(scratch.bytes, 0, scratch.length - 1, true)
    const kind = scanner.value()
    if (kind < 0 || scanner.flaw) return false
    const { start: from, end: to } = scanner
    scanner.space()
    if (scanner.pos < scanner.limit) return false
    this.appendValue(kind as Kind, scratch.bytes, from, to)
    return true
  }

  /** Appends a value as the scanner has found it, a string without its quotes. */
  appendValue(kind: Kind, bytes: Uint8Array, start: number, end: number): void {
    if (kind === KIND.null && !this.optional) {
      this.appendNull()
    } else if (kind < KIND.object) {
      const quote = kind === KIND.string || kind === KIND.escaped ? 1 : 0
      super.appendText(bytes, start - quote, end + quote)
    } else {
      const { compacted } = this
      compacted.clear()
      compact(bytes, start, end, compacted)
      super.appendText(compacted.bytes, 0, compacted.length)
    }
  }
}

/**
 * Appends JSON values to a column, whatever their kind. Where text is wanted, what isn't a string is given as its JSON
 * text.
 */
export class JsonValues {
  readonly builder: ColumnBuilder
  private readonly json: JsonBuilder | null
  private readonly isText: boolean
  private readonly isNested: boolean
  private readonly scratch = new ByteWriter()

  constructor(builder: ColumnBuilder) {
    const { type } = builder
    this.builder = builder
    this.json = builder instanceof JsonBuilder ? builder : null
    this.isText = type.kind === 'scalar' && type.name === 'VARCHAR'
    this.isNested = isNested(type)
  }

  /**
   * Appends a value as the scanner has found it.
   * @returns false, with nothing appended, when it isn't a value of the column's type
   */
  append(kind: Kind, bytes: Uint8Array, start: number, end: number): boolean {
    const { builder, json } = this
    if (json) {
      json.appendValue(kind, bytes, start, end)
      return true
    }
    if (kind === KIND.null) {
      builder.appendNull()
      return true
    }
    if (kind < KIND.escaped || (this.isNested && kind >= KIND.object)) return builder.appendText(bytes, start, end)
    if (kind !== KIND.escaped && !this.isText) return false
    const { scratch } = this
    scratch.clear()
    if (kind === KIND.escaped) unescape(bytes, start, end, scratch)
    else compact(bytes, start, end, scratch)
    return builder.appendText(scratch.bytes, 0, scratch.length)
  }
}
