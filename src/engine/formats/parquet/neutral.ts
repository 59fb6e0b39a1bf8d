import { concatBytes } from '../../../lib/bytes.ts'
import type { MendedChunk } from './chunks.ts'
import {
  CONVERTED_DECIMAL,
  CONVERTED_INTERVAL,
  PHYSICAL,
  type ColumnChunk,
  type Footer,
  type SchemaElement,
  type Span,
} from './footer.ts'
import { ThriftReader, TYPE } from './thrift.ts'

/*
 * The library maps some types to Arrow types that lose values: INTERVAL loses its months, and an INT96 timestamp
 * everything outside 1677 to 2262. It also follows the Arrow schema that a file's writer may have stored in the
 * metadata, with any types. Therefore, the library gets the same file with another footer: without an Arrow schema, and
 * with those two types as plain bytes, which `leaf-rules.ts` interprets. The pages are the file's own. Columns also get
 * plain names, since the library selects columns by path: names with dots, non-ASCII characters or duplicates would
 * make it read the wrong ones, or crash.
 */

const ARROW_SCHEMA = 'ARROW:schema'

/** The library's name for a column. */
export function neutralName(column: number): string {
  return `c${column}`
}

/** The file as the library gets it. Only the footer is copied. */
export function neutralFile(file: Blob, footer: Footer, mended: ReadonlyMap<ColumnChunk, MendedChunk>): Blob {
  const bytes = neutralFooter(footer, mended)
  const tail = new Uint8Array(8)
  new DataView(tail.buffer).setUint32(0, bytes.length, true)
  tail.set([0x50, 0x41, 0x52, 0x31], 4)
  return new Blob([file.slice(0, footer.start), bytes, tail])
}

function neutralFooter(footer: Footer, mended: ReadonlyMap<ColumnChunk, MendedChunk>): Uint8Array<ArrayBuffer> {
  const source = new Uint8Array(footer.bytes)
  for (const { key, span } of footer.keys) {
    if (key === ARROW_SCHEMA) source[span.start] = 0x2d
  }
  for (const at of footer.emptyLists) source[at] = TYPE.struct
  const parts: Uint8Array<ArrayBuffer>[] = []
  let from = 0
  const replace = (span: Span, by: Uint8Array<ArrayBuffer>): void => {
    parts.push(source.subarray(from, span.start), by)
    from = span.end
  }
  const columns = columnElements(footer.elements)
  for (const [i, element] of footer.elements.entries()) {
    const column = columns.get(i)
    if (column === undefined && !isInt96(element) && !isInterval(element) && digitsOfInteger(element) === 0) continue
    replace(element.span, rewritten(element, source, column === undefined ? null : neutralName(column)))
  }
  for (const chunk of footer.rowGroups.flatMap((group) => group.columns)) {
    const mend = mended.get(chunk)
    if (mend || chunk.oddStatistics) replace(chunk.span, mendedChunk(chunk, source, mend))
  }
  parts.push(source.subarray(from))
  return concatBytes(parts)
}

export function isInt96(element: SchemaElement): boolean {
  return element.physical === PHYSICAL.int96
}

export function isInterval(element: SchemaElement): boolean {
  return element.physical === PHYSICAL.fixed && element.typeLength === 12 && element.converted === CONVERTED_INTERVAL
}

export function isDecimal({ logical, converted }: SchemaElement): boolean {
  return logical === 'decimal' || converted === CONVERTED_DECIMAL
}

/** Maximum digits of a decimal that the library accepts for these integers; writers may declare more. */
function digitsOfInteger(element: SchemaElement): number {
  const most = element.physical === PHYSICAL.int32 ? 9 : element.physical === PHYSICAL.int64 ? 18 : Infinity
  return isDecimal(element) && (element.precision ?? 0) > most ? most : 0
}

/** Maps positions of the root's children among the elements to positions among the columns. */
function columnElements(elements: readonly SchemaElement[]): Map<number, number> {
  const found = new Map<number, number>()
  /** Number of elements still to come in the current column. */
  let open = 0
  for (let i = 1; i < elements.length; i++) {
    if (open === 0) {
      found.set(i, found.size)
      open = 1
    }
    open += elements[i].children - 1
  }
  return found
}

/** The element with another name, and as 12 plain bytes if the library misreads its type. */
function rewritten(element: SchemaElement, source: Uint8Array, name: string | null): Uint8Array<ArrayBuffer> {
  const fields: Field[] = []
  if (isInt96(element) || isInterval(element)) {
    fields.push({ id: 1, type: TYPE.i32, bytes: [PHYSICAL.fixed << 1] }, { id: 2, type: TYPE.i32, bytes: [12 << 1] })
    // Remove its annotations.
    fields.push({ id: 6 }, { id: 10 })
  }
  const digits = digitsOfInteger(element)
  if (digits > 0) {
    fields.push(
      { id: 6, type: TYPE.i32, bytes: [CONVERTED_DECIMAL << 1] },
      { id: 8, type: TYPE.i32, bytes: [digits << 1] },
    )
    fields.push({ id: 10 })
  }
  if (name !== null) fields.push({ id: 4, type: TYPE.binary, bytes: [name.length, ...new TextEncoder().encode(name)] })
  return withFields(source, element.span, fields)
}

/**
 * A chunk's metadata with corrections. Statistics are only needed for skipping row groups, which the library isn't
 * asked to do.
 */
function mendedChunk(chunk: ColumnChunk, source: Uint8Array, mend: MendedChunk | undefined): Uint8Array<ArrayBuffer> {
  const fields: Field[] = []
  if (mend) fields.push({ id: 7, type: TYPE.i64, bytes: zigzag(mend.compressed) })
  if (mend?.dropsDictionary) fields.push({ id: 11 })
  if (chunk.oddStatistics) fields.push({ id: 12 })
  return withFields(source, chunk.span, fields)
}

interface Field {
  readonly id: number
  readonly type?: number
  /** Absent if the struct shouldn't have the field. */
  readonly bytes?: readonly number[]
}

/** Copies a struct, replacing the given fields. */
function withFields(source: Uint8Array, span: Span, changed: readonly Field[]): Uint8Array<ArrayBuffer> {
  const fields: Field[] = [...changed]
  const ids = new Set(changed.map(({ id }) => id))
  const reader = new ThriftReader(source)
  reader.at = span.start
  reader.struct(({ id, type, value }) => {
    reader.skip(type)
    if (!ids.has(id)) fields.push({ id, type, bytes: [...source.subarray(value, reader.at)] })
    return true
  })
  fields.sort((a, b) => a.id - b.id)
  const out: number[] = []
  let last = 0
  for (const { id, type, bytes } of fields) {
    if (type === undefined || bytes === undefined) continue
    const delta = id - last
    if (delta > 0 && delta < 16) out.push((delta << 4) | type)
    else out.push(type, ...zigzag(id))
    out.push(...bytes)
    last = id
  }
  out.push(0)
  return new Uint8Array(out)
}

function zigzag(value: number): number[] {
  const bytes: number[] = []
  let rest = value < 0 ? -value * 2 - 1 : value * 2
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128)
  bytes.push(rest)
  return bytes
}
