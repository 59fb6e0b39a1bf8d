import { Data, DataType, makeData, type Dictionary, type Vector } from 'apache-arrow'

/** A dictionary column as the values themselves. Its values have no children; its indexes are in bounds. */
export function take(data: Data): Data {
  const type = (data.type as Dictionary).dictionary as DataType
  const indexes = data.values as unknown as ArrayLike<number | bigint>
  const values = locate(data.dictionary as Vector)
  const { length } = data
  const rows = new Int32Array(length)
  const nullBitmap = new Uint8Array((length + 7) >> 3)
  let nullCount = 0
  for (let i = 0; i < length; i++) {
    const index = data.getValid(i) ? Number(indexes[i]) : -1
    if (index >= 0 && values.valid(index)) nullBitmap[i >> 3] |= 1 << (i & 7)
    else nullCount++
    rows[i] = index
  }
  const common = { type, length, nullCount, nullBitmap }
  const isSet = (row: number): boolean => (nullBitmap[row >> 3] & (1 << (row & 7))) !== 0
  if (DataType.isNull(type)) return makeData({ type, length } as never)
  if (DataType.isUtf8(type) || DataType.isBinary(type)) return takeTexts(common, rows, values, isSet)
  if (DataType.isBool(type)) return takeBits(common, rows, values, isSet)
  const [{ values: first, stride }] = values.chunks
  const Values = (first as Uint8Array).constructor as Uint8ArrayConstructor
  const out = new Values(length * stride)
  for (let i = 0; i < length; i++) {
    if (!isSet(i)) continue
    const [chunk, at] = values.at(rows[i])
    out.set((chunk.values as Uint8Array).subarray(at * stride, (at + 1) * stride), i * stride)
  }
  return makeData({ ...common, data: out } as never)
}

interface Common {
  readonly type: DataType
  readonly length: number
  readonly nullCount: number
  readonly nullBitmap: Uint8Array
}

interface Located {
  readonly chunks: readonly Data[]
  readonly at: (index: number) => readonly [chunk: Data, at: number]
  readonly valid: (index: number) => boolean
}

function locate(vector: Vector): Located {
  const chunks = vector.data as readonly Data[]
  const at = (index: number): readonly [Data, number] => {
    let rest = index
    for (const chunk of chunks) {
      if (rest < chunk.length) return [chunk, rest]
      rest -= chunk.length
    }
    throw new RangeError('a value points outside its dictionary')
  }
  return {
    chunks,
    at,
    valid: (index) => {
      const [chunk, row] = at(index)
      return chunk.getValid(row)
    },
  }
}

function takeTexts(common: Common, rows: Int32Array, values: Located, isSet: (row: number) => boolean): Data {
  const valueOffsets = new Int32Array(common.length + 1)
  let total = 0
  for (let i = 0; i < common.length; i++) {
    if (isSet(i)) {
      const [{ valueOffsets: offsets }, at] = values.at(rows[i])
      total += offsets[at + 1] - offsets[at]
      if (total > 0x7fffffff) throw new RangeError('a column has more text than can be held')
    }
    valueOffsets[i + 1] = total
  }
  const data = new Uint8Array(total)
  for (let i = 0; i < common.length; i++) {
    if (!isSet(i)) continue
    const [chunk, at] = values.at(rows[i])
    const { valueOffsets: offsets } = chunk
    data.set((chunk.values as Uint8Array).subarray(offsets[at], offsets[at + 1]), valueOffsets[i])
  }
  return makeData({ ...common, valueOffsets, data } as never)
}

function takeBits(common: Common, rows: Int32Array, values: Located, isSet: (row: number) => boolean): Data {
  const data = new Uint8Array((common.length + 7) >> 3)
  for (let i = 0; i < common.length; i++) {
    if (!isSet(i)) continue
    const [chunk, at] = values.at(rows[i])
    if ((chunk.values as Uint8Array)[at >> 3] & (1 << (at & 7))) data[i >> 3] |= 1 << (i & 7)
  }
  return makeData({ ...common, data } as never)
}
