import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../../lib/bytes.ts'
import type { DecimalType, ScalarType } from '../../../tables/types.ts'
import { JsonScanner, type Kind } from '../json/scanner.ts'
import { unescape } from '../json/text.ts'
import type { ColumnBuilder } from '../column-builder.ts'
import { JsonValues } from './json.ts'
import { makeScalarBuilder } from './scalar.ts'

/** Where the reading is, in text that has been found to be valid. */
export class Reader {
  readonly scanner = new JsonScanner()
  readonly scratch = new ByteWriter()
}

/** One place of the type's tree, with all its values so far. */
export interface Node {
  readonly length: number
  readonly byteLength: number
  /** Appends the value at the scanner's position, whose first byte is `c`; false leaves things half done. */
  append(c: number): boolean
  appendNull(): void
  /** Makes whole what was left half done, too. */
  truncate(length: number): void
  finish(): Data
}

/** Appends the value at the scanner's position, null or not. */
export function appendValue(node: Node, { scanner }: Reader): boolean {
  const c = scanner.space()
  if (c !== 0x6e) return node.append(c)
  scanner.pos += 4
  node.appendNull()
  return true
}

/** Passes over the comma or the closer after a value, and tells which it was. */
export function passed(scanner: JsonScanner): number {
  const c = scanner.space()
  scanner.pos++
  return c
}

/** Values that aren't nested. */
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

  /** Appends the string that the scanner has just passed. */
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
