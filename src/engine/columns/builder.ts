import type { Data } from 'apache-arrow'
import { isNested, VARCHAR, type ColumnType, type ListType, type MapType, type StructType } from '../../tables/types.ts'
import type { ValueFormat } from '../../tables/plan.ts'
import { ListNode, MapNode } from './builders/lists.ts'
import { Leaf, Reader, type Node } from './builders/node.ts'
import { makeScalarBuilder } from './builders/scalar.ts'
import { StructNode } from './builders/struct.ts'
import { TrimmedBuilder } from './builders/wrapping.ts'
import { appendTexts, type ColumnBuilder } from './column-builder.ts'
import { KIND } from './json/scanner.ts'

/**
 * Creates a builder for a column type. Nested types are parsed from JSON text.
 * @param format notation of the values, if it isn't canonical; not for nested types
 * @throws {EngineError} `invalid-plan` if the format is invalid
 */
export function makeColumnBuilder(type: ColumnType, format?: ValueFormat): ColumnBuilder {
  const builder = isNested(type) ? new NestedBuilder(type) : makeScalarBuilder(type, format)
  const { trim, nullValues, formulas, apostrophes } = format ?? {}
  return trim || nullValues || formulas || apostrophes ? new TrimmedBuilder(builder, format ?? {}) : builder
}

/** A column of VARCHAR. */
export function varcharColumn(texts: Iterable<string | null>): Data {
  const builder = makeColumnBuilder(VARCHAR)
  appendTexts(builder, texts)
  return builder.finish()
}

/**
 * Parses lists, structs and maps from JSON text. Missing keys of a struct are null, unknown keys are refused, and of
 * duplicate keys the last counts. A map is an object or a list of `{"key": ..., "value": ...}`. For VARCHAR, values
 * other than strings become their compact JSON text.
 */
class NestedBuilder implements ColumnBuilder {
  readonly type: ColumnType
  private readonly reader = new Reader()
  private readonly node: Node

  constructor(type: ListType | StructType | MapType) {
    this.type = type
    this.node = makeNode(type, this.reader)
  }

  get length(): number {
    return this.node.length
  }

  get byteLength(): number {
    return this.node.byteLength
  }

  appendText(bytes: Uint8Array, start: number, end: number): boolean {
    const { scanner } = this.reader
    scanner.reset(bytes, start, end, true)
    scanner.space()
    const from = scanner.pos
    const kind = scanner.value()
    if (kind < 0 || scanner.flaw || scanner.pos > end) return false
    scanner.space()
    if (scanner.pos < end) return false
    const { length } = this.node
    scanner.pos = from
    // A JSON `null` isn't a value here: nulls come through `appendNull`.
    if (kind !== KIND.null && this.node.append(bytes[from])) return true
    this.node.truncate(length)
    return false
  }

  appendNull(): void {
    this.node.appendNull()
  }

  truncate(length: number): void {
    if (length < this.node.length) this.node.truncate(length)
  }

  finish(): Data {
    return this.node.finish()
  }
}

function makeNode(type: ColumnType, reader: Reader): Node {
  if (!isNested(type)) return new Leaf(type, reader)
  switch (type.kind) {
    case 'list':
      return new ListNode(type, reader, makeNode(type.item, reader))
    case 'struct':
      return new StructNode(
        type,
        reader,
        type.fields.map((field) => makeNode(field.type, reader)),
      )
    case 'map':
      return new MapNode(type, reader, makeNode(type.key, reader), makeNode(type.value, reader))
  }
}
