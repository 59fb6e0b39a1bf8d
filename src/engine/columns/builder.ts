import type { Data } from 'apache-arrow'
import { isNested, type ColumnType, type ListType, type MapType, type StructType } from '../../tables/types.ts'
import type { ValueFormat } from '../../tables/plan.ts'
import { ListNode, MapNode } from './builders/lists.ts'
import { Leaf, Reader, type Node } from './builders/node.ts'
import { makeScalarBuilder } from './builders/scalar.ts'
import { StructNode } from './builders/struct.ts'
import { TrimmedBuilder } from './builders/wrapping.ts'
import type { ColumnBuilder } from './column-builder.ts'
import { KIND } from './json/scanner.ts'

/**
 * A builder for any column type; nested types read JSON text.
 * @param format how the text is written, where that isn't the canonical form; nested types have only the canonical one
 * @throws {EngineError} `invalid-plan` when the format can't be used
 */
export function makeColumnBuilder(type: ColumnType, format?: ValueFormat): ColumnBuilder {
  const builder = isNested(type) ? new NestedBuilder(type) : makeScalarBuilder(type, format)
  return format?.trim || format?.nullValues || format?.formulas ? new TrimmedBuilder(builder, format) : builder
}

/**
 * Reads lists, structs and maps from JSON text. A struct's missing keys are null, its unknown keys refuse the
 * value; of a key that comes twice the last counts. A map is an object or a list of `{"key": ..., "value": ...}`. Where
 * VARCHAR is wanted, what isn't a string is kept as its JSON text, without white space between its parts.
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
    // A null that's written out is no value; a null is appended as one.
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
