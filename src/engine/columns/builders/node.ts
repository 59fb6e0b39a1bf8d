import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../../lib/bytes.ts'
import type { DecimalType, ScalarType } from '../../../tables/types.ts'
import { JsonScanner, type Kind } from '../json/scanner.ts'
import { unescape } from '../json/text.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { JsonValues } from './json.ts'
import { makeScalarBuilder } from './scalar.ts'

/** The position in JSON text that is known to be valid. */
export class Reader {
  readonly scanner = new JsonScanner(true)
  readonly scratch = new ByteWriter()
}

/** A node of the type's tree, with its values. */
export interface Node {
  readonly length: number
  readonly byteLength: number
  /** Appends the value at the scanner, whose first byte is `c`. On false, a partial value remains: call `truncate`. */
  append(c: number): boolean
  appendNull(): void
  /** Also removes partial values. */
  truncate(length: number): void
  finish(): Data
}

/** Appends the value or null at the scanner. */
export function appendValue(node: Node, { scanner }: Reader): boolean {
  const c = scanner.space()
  if (c !== 0x6e) return node.append(c)
  scanner.pos += 4
  node.appendNull()
  return true
}

/** Skips the comma or closing bracket after a value, and returns it. */
export function passed(scanner: JsonScanner): number {
  const c = scanner.space()
  scanner.pos++
  return c
}

/** A node without children. */
export class Leaf implements Node {
  private readonly reader: Reader
  private readonly builder: ColumnBuilder
  private readonly values: JsonValues

  constructor(type: ScalarType | DecimalType, reader: Reader) {
    this.reader = reader
    this.builder = makeScalarBuilder(type)
    this.values = new JsonValues(this.builder)
  }

  get length(): number {
    return this.builder.length
  }

  get byteLength(): number {
    return this.builder.byteLength
  }

  append(): boolean {
    const { scanner } = this.reader
    return this.values.append(scanner.value() as Kind, scanner.bytes, scanner.start, scanner.end)
  }

  /** Appends the string that the scanner has just skipped. */
  appendKey(escaped: boolean): boolean {
    const { scanner, scratch } = this.reader
    if (!escaped) return this.builder.appendText(scanner.bytes, scanner.start, scanner.end)
    scratch.clear()
    unescape(scanner.bytes, scanner.start, scanner.end, scratch)
    return this.builder.appendText(scratch.bytes, 0, scratch.length)
  }

  appendNull(): void {
    this.builder.appendNull()
  }

  truncate(length: number): void {
    this.builder.truncate(length)
  }

  finish(): Data {
    return this.builder.finish()
  }
}
