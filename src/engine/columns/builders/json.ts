import { ByteWriter } from '../../../lib/bytes.ts'
import { JSON_TYPE, isNested } from '../../../tables/types.ts'
import { isNonFinite, isText, KIND, type Kind } from '../json/scanner.ts'
import { compact, JsonText, unescape } from '../json/text.ts'
import { BytesBuilder } from './bytes.ts'
import type { ColumnBuilder } from '../column-builder.ts'

/** JSON: any value as its text, exactly but for white space between tokens. */
export class JsonBuilder extends BytesBuilder {
  private readonly optional: boolean
  private readonly scanner = new JsonText()
  private readonly compacted = new ByteWriter()

  /** @param optional whether a JSON `null` is a value, as distinct from a missing one */
  constructor(optional = false) {
    super(JSON_TYPE)
    this.optional = optional
  }

  override appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { scanner } = this
    const kind = scanner.scan(bytes, start, end)
    return kind !== null && this.appendValue(kind, scanner.bytes, scanner.from, scanner.to)
  }

  /**
   * Appends a scanned value; strings without their quotes.
   * @returns false, with nothing appended, if it isn't JSON: NaN or an infinity, or a value with one in it
   */
  appendValue(kind: Kind, bytes: Uint8Array, start: number, end: number): boolean {
    if (kind === KIND.null && !this.optional) {
      this.appendNull()
      return true
    }
    if (kind < KIND.object) {
      const quote = isText(kind) ? 1 : 0
      if (quote === 0 && isNonFinite(bytes, start)) return false
      return super.appendText(bytes, start - quote, end + quote)
    }
    const { compacted } = this
    compacted.clear()
    return compact(bytes, start, end, compacted) && super.appendText(compacted.bytes, 0, compacted.length)
  }
}

/** Appends JSON values of any kind to a column. In a text column, values other than strings become their JSON text. */
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
   * Appends a scanned value.
   * @returns false, with nothing appended, if it isn't of the column's type
   */
  append(kind: Kind, bytes: Uint8Array, start: number, end: number): boolean {
    const { builder, json } = this
    if (json) return json.appendValue(kind, bytes, start, end)
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
