import { ByteWriter } from '../../../lib/bytes.ts'
import { isNested } from '../../../tables/types.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { KIND, type Kind } from '../json/scanner.ts'
import { compact, unescape } from '../json/text.ts'
import { JsonBuilder } from './json.ts'

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
