import type { Data } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import { isNull, scalarText, type CellWriter } from './scalars.ts'
import { makeValueJson } from './json.ts'

/**
 * Returns a writer of the canonical text of a column's non-null cells: the text that `makeColumnBuilder(type)` reads as
 * the same value. Nested values are JSON text.
 * @param data of the physical type `toArrowType(type)`
 */
export function makeCellText(type: ColumnType, data: Data): CellWriter {
  return type.kind === 'scalar' || type.kind === 'decimal' ? scalarText(type, data) : makeValueJson(type, data)
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const cells = new WeakMap<Data, CellWriter>()
const out = new ByteWriter(64)
/** By default, texts aren't cut. */
const NO_LIMIT = Number.POSITIVE_INFINITY

/**
 * A cell's canonical text, for previews and messages; null for a null.
 * @param limit maximum number of characters, beyond which a long value isn't decoded
 */
export function cellToString(type: ColumnType, data: Data, row: number, limit = NO_LIMIT): string | null {
  if (isNull(data, row)) return null
  if (type.kind === 'scalar' && (type.name === 'VARCHAR' || type.name === 'INTERVAL' || type.name === 'JSON')) {
    const offsets: Int32Array = data.valueOffsets
    const end = Math.min(offsets[row + 1], offsets[row] + limit * 4)
    return cut(decoded(data.values.subarray(offsets[row], end)), limit)
  }
  let cell = cells.get(data)
  if (cell === undefined) {
    cell = makeCellText(type, data)
    cells.set(data, cell)
  }
  out.clear()
  cell(out, row)
  return cut(decoded(out.view()), limit)
}

/** Bytes that make a string faster than a decoder does. */
const SHORT = 32

/**
 * A decoder's strings are kept outside the heap: after millions of them, garbage collection pauses the page for half a
 * second.
 */
const decoded = (bytes: Uint8Array): string =>
  bytes.length <= SHORT && bytes.every((byte) => byte < 0x80) ? String.fromCharCode(...bytes) : decoder.decode(bytes)

function cut(text: string, limit: number): string {
  return text.length > limit ? text.slice(0, limit) : text
}
