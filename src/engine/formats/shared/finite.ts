import { BufferType, type Data } from 'apache-arrow'
import type { Column, ColumnType } from '../../../tables/types.ts'
import type { Adaptation } from '../types.ts'

/** How a column changes when it's written as JSON; null if it can't contain NaN or infinities. */
export function adaptToFinite({ name, type }: Column): Adaptation | null {
  if (!mayBeInfinite(type)) return null
  return {
    type,
    note: {
      code: 'not-a-number-as-null',
      message: 'JSON has no NaN and no infinity: they are written as null.',
      column: name,
    },
    convert: (data) => withoutInfinite(type, data),
    onlyIfChanged: true,
  }
}

/** Whether values of the type may be NaN or infinite at any depth, except in keys of maps. */
function mayBeInfinite(type: ColumnType): boolean {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'FLOAT' || type.name === 'DOUBLE'
    case 'decimal':
      return false
    case 'list':
      return mayBeInfinite(type.item)
    case 'struct':
      return type.fields.some((field) => mayBeInfinite(field.type))
    case 'map':
      return mayBeInfinite(type.value)
  }
}

/** Replaces NaN and infinities with nulls at any depth, and counts them. Returns the same data if there are none. */
export function withoutInfinite(type: ColumnType, data: Data): { readonly data: Data; readonly changed: number } {
  return convert(type, data, 0, data.length)
}

interface Converted {
  readonly data: Data
  readonly changed: number
}

/** Converts rows `from` to `to`. Of a list, only the items in these rows are visited. */
function convert(type: ColumnType, data: Data, from: number, to: number): Converted {
  if (!mayBeInfinite(type) || from >= to) return { data, changed: 0 }
  switch (type.kind) {
    case 'decimal':
    case 'scalar':
      return convertNumbers(data, from, to)
    case 'list': {
      const offsets: Int32Array = data.valueOffsets
      return withChildren(data, [convert(type.item, data.children[0], offsets[from], offsets[to])])
    }
    case 'struct':
      return withChildren(
        data,
        type.fields.map((field, i) => convert(field.type, data.children[i], from, to)),
      )
    case 'map': {
      const offsets: Int32Array = data.valueOffsets
      const [entries] = data.children
      const value = convert(type.value, entries.children[1], offsets[from], offsets[to])
      return withChildren(data, [withChildren(entries, [{ data: entries.children[0], changed: 0 }, value])])
    }
  }
}

function withChildren(data: Data, children: readonly Converted[]): Converted {
  const changed = children.reduce((sum, child) => sum + child.changed, 0)
  if (changed === 0) return { data, changed }
  const { type, offset, length, nullCount, buffers } = data
  return {
    data: data.clone(
      type,
      offset,
      length,
      nullCount,
      buffers,
      children.map((child) => child.data),
    ),
    changed,
  }
}

function convertNumbers(data: Data, from: number, to: number): Converted {
  const values: Float64Array | Float32Array = data.values
  const { offset, length } = data
  let bits: Uint8Array | null = null
  let changed = 0
  for (let row = from; row < to; row++) {
    if (Number.isFinite(values[row])) continue
    const at = offset + row
    bits ??= bitmapOf(data)
    const mask = 1 << (at & 7)
    if ((bits[at >> 3] & mask) === 0) continue
    bits[at >> 3] &= ~mask
    changed++
  }
  if (bits === null || changed === 0) return { data, changed: 0 }
  const buffers = { ...data.buffers, [BufferType.VALIDITY]: bits } as Data['buffers']
  return { data: data.clone(data.type, offset, length, data.nullCount + changed, buffers), changed }
}

/** A copy of the validity bits, all set if there are none. */
function bitmapOf({ offset, length, nullBitmap }: Data): Uint8Array {
  const bits = new Uint8Array((offset + length + 7) >> 3)
  const given: Uint8Array | undefined = nullBitmap
  if (given === undefined || given.length === 0) bits.fill(255)
  else bits.set(given.subarray(0, bits.length))
  return bits
}
