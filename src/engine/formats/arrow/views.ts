import { FlatError } from './flat.ts'

interface Rows {
  readonly length: number
  readonly nullCount: number
  readonly nullBitmap?: Uint8Array
}

/**
 * Texts of a view column as plain ones. A view is 16 bytes: the length, then either up to 12 bytes of text, or 4 of its
 * beginning, the number of a buffer and the offset in it.
 * @see https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout
 */
export function expandViews(
  views: Uint8Array,
  parts: readonly Uint8Array[],
  { length, nullCount, nullBitmap }: Rows,
): { valueOffsets: Int32Array; data: Uint8Array } {
  if (views.length < length * 16) throw new FlatError('a column has fewer values than rows')
  const view = new DataView(views.buffer, views.byteOffset, length * 16)
  const isNull = (row: number): boolean =>
    nullCount > 0 && nullBitmap !== undefined && (nullBitmap[row >> 3] & (1 << (row & 7))) === 0
  const valueOffsets = new Int32Array(length + 1)
  let total = 0
  for (let row = 0; row < length; row++) {
    const size = isNull(row) ? 0 : view.getInt32(row * 16, true)
    if (size < 0) throw new FlatError('a text has a negative length')
    total += size
    if (total > 0x7fffffff) throw new FlatError('a column has more text than can be held')
    valueOffsets[row + 1] = total
  }
  const data = new Uint8Array(total)
  for (let row = 0; row < length; row++) {
    const size = valueOffsets[row + 1] - valueOffsets[row]
    if (size === 0) continue
    if (size <= 12) {
      data.set(views.subarray(row * 16 + 4, row * 16 + 4 + size), valueOffsets[row])
      continue
    }
    const part = parts[view.getInt32(row * 16 + 8, true)]
    const at = view.getInt32(row * 16 + 12, true)
    if (!part || at < 0 || at + size > part.length) throw new FlatError('a text lies outside its buffer')
    data.set(part.subarray(at, at + size), valueOffsets[row])
  }
  return { valueOffsets, data }
}
