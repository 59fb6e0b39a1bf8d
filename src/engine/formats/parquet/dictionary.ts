import { DataType, type Data, type RecordBatch } from 'apache-arrow'

const SAMPLE = 4096

/**
 * Whether a dictionary would pay for a column: not where most values occur once, for then it only costs time.
 * Judged by values spread over the first batches.
 */
export function wantsDictionary(batches: readonly RecordBatch[], column: number): boolean {
  const rows = batches.reduce((sum, batch) => sum + batch.numRows, 0)
  const step = Math.max(1, Math.floor(rows / SAMPLE))
  const seen = new Set<number>()
  let looked = 0
  for (const batch of batches) {
    const data = batch.data.children[column]
    // Leaves of nested columns can't be addressed one by one: the library's default stays.
    if (data.children.length > 0) return true
    for (let i = 0; i < data.length; i += step) {
      if (data.nullCount > 0 && !data.getValid(i)) continue
      seen.add(hashAt(data, i))
      looked++
    }
  }
  return looked < 64 || seen.size < looked * 0.6
}

function hashAt(data: Data, index: number): number {
  const { type, values } = data
  if (DataType.isBool(type)) return 0
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    const offsets = data.valueOffsets as Int32Array
    return hash(values as Uint8Array, offsets[index], Math.min(offsets[index + 1], offsets[index] + 256))
  }
  const fixed = values as unknown as Uint8Array
  const bytes = new Uint8Array(fixed.buffer, fixed.byteOffset, fixed.byteLength)
  const width = data.stride * fixed.BYTES_PER_ELEMENT
  return hash(bytes, index * width, (index + 1) * width)
}

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i], 0x01000193)
  return value
}
