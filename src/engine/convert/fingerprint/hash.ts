import type { Data } from 'apache-arrow'
import type { ColumnType, ScalarName } from '../../../tables/types.ts'
import type { Bits, RunMemory } from './run-memory.ts'

/** The memory layout of a type's values, which determines how they are hashed. */
type Layout = 'bits' | 'words' | 'pairs' | 'quads' | 'doubles' | 'texts'

const LAYOUTS: Readonly<Record<ScalarName, Layout>> = {
  BOOLEAN: 'bits',
  TINYINT: 'words',
  SMALLINT: 'words',
  INTEGER: 'words',
  BIGINT: 'pairs',
  HUGEINT: 'quads',
  UTINYINT: 'words',
  USMALLINT: 'words',
  UINTEGER: 'words',
  UBIGINT: 'pairs',
  FLOAT: 'doubles',
  DOUBLE: 'doubles',
  VARCHAR: 'texts',
  BLOB: 'texts',
  UUID: 'texts',
  DATE: 'words',
  TIME: 'pairs',
  TIMESTAMP: 'pairs',
  TIMESTAMP_S: 'pairs',
  TIMESTAMP_MS: 'pairs',
  TIMESTAMP_NS: 'pairs',
  'TIMESTAMP WITH TIME ZONE': 'pairs',
  INTERVAL: 'texts',
  JSON: 'texts',
}

/** Null for a nested type. */
export function layoutOf(type: ColumnType): Layout | null {
  if (type.kind === 'scalar') return LAYOUTS[type.name]
  return type.kind === 'decimal' ? 'quads' : null
}

/** Where the hashes of values are: two arrays, with a word for each value in both. */
export interface Hashes {
  readonly a: number
  readonly b: number
}

/** Some rows of a column in the kernel's memory. Without nulls, `bits` is 0. */
export interface PlacedColumn extends Hashes, Bits {
  readonly count: number
  readonly nulls: number
  /** For texts: the address that corresponds to offset 0. */
  readonly values: number
  readonly offsets: number
}

/**
 * Copies rows `start` to `end - 1` of a column into the kernel's memory, and hashes them. Nulls have a hash of their
 * own.
 */
export function hashColumn(type: ColumnType, data: Data, start: number, end: number, memory: RunMemory): PlacedColumn {
  const count = end - start
  const hashes = placeHashes(count, memory)
  const layout = layoutOf(type)
  const placed =
    layout === null
      ? hashNested(type, data, start, end, hashes, memory)
      : hashValues(layout, data, start, end, hashes, memory)
  const validity: Uint8Array | undefined = data.nullBitmap
  const hasNulls = validity !== undefined && validity.length > 0
  const { bits, bit } = hasNulls ? memory.putBits(validity, data.offset + start, count) : { bits: 0, bit: 0 }
  const nulls = hasNulls ? memory.kernel.exports.hashNulls(bits, bit, count, hashes.a, hashes.b) : 0
  return { count, nulls, bits, bit, ...hashes, ...placed }
}

export function placeHashes(count: number, memory: RunMemory): Hashes {
  return { a: memory.place(count * 4), b: memory.place(count * 4) }
}

type Values = Pick<PlacedColumn, 'values' | 'offsets'>

function hashValues(
  layout: Layout,
  data: Data,
  start: number,
  end: number,
  { a, b }: Hashes,
  memory: RunMemory,
): Values {
  const { exports } = memory.kernel
  const count = end - start
  let values = 0
  switch (layout) {
    case 'bits': {
      const { bits, bit } = memory.putBits(data.values as Uint8Array, data.offset + start, count)
      values = memory.place(count * 4)
      exports.expandBits(bits, bit, count, values)
      exports.hashWords(values, count, a, b)
      break
    }
    case 'words':
      values = memory.putWords(data.values.subarray(start, end) as Int32Array)
      exports.hashWords(values, count, a, b)
      break
    case 'pairs':
      values = memory.putBytes(data.values.subarray(start, end) as BigInt64Array)
      exports.hashPairs(values, count, a, b)
      break
    case 'quads':
      values = memory.putBytes(data.values.subarray(start * 4, end * 4) as Uint32Array)
      exports.hashQuads(values, count, a, b)
      break
    case 'doubles':
      values = memory.putDoubles(data.values.subarray(start, end) as Float64Array)
      exports.canonicalizeNans(values, count)
      exports.hashPairs(values, count, a, b)
      break
    case 'texts': {
      const all = data.valueOffsets as Int32Array
      const offsets = memory.putWords(all.subarray(start, end + 1))
      values = memory.putBytes(data.values.subarray(all[start], all[end]) as Uint8Array) - all[start]
      exports.hashTexts(offsets, values, count, a, b)
      return { values, offsets }
    }
  }
  return { values, offsets: 0 }
}

function hashNested(
  type: ColumnType,
  data: Data,
  start: number,
  end: number,
  { a, b }: Hashes,
  memory: RunMemory,
): Values {
  const { exports } = memory.kernel
  const count = end - start
  if (type.kind === 'struct') {
    exports.beginRows(count, a, b)
    for (const [i, field] of type.fields.entries()) {
      memory.within(() => {
        const column = hashColumn(field.type, data.children[i], start, end, memory)
        exports.addToRows(column.a, column.b, count, a, b)
      })
    }
    exports.finishRows(count, a, b)
  } else if (type.kind === 'list' || type.kind === 'map') {
    const item = type.kind === 'list' ? type.item : entryType(type)
    const all = data.valueOffsets as Int32Array
    memory.within(() => {
      const offsets = memory.putWords(all.subarray(start, end + 1))
      const items = hashColumn(item, data.children[0], all[start], all[end], memory)
      exports.hashLists(offsets, count, items.a, items.b, a, b)
    })
  }
  return { values: 0, offsets: 0 }
}

const entryType = ({ key, value }: Extract<ColumnType, { kind: 'map' }>): ColumnType => ({
  kind: 'struct',
  fields: [
    { name: 'key', type: key },
    { name: 'value', type: value },
  ],
})
