import { BufferType, Data, type RecordBatch } from 'apache-arrow'
import { batchFromColumns } from '../arrow/normalize.ts'
import { toArrowType } from '../arrow/types.ts'
import type { ReadColumn } from '../formats/types.ts'
import * as layout from './assembly/layout.ts'
import { align, Kernel } from './kernel.ts'
import { kindOf, type Kind } from './kinds.ts'

/** As many columns at most: beyond, the memory that texts may need is too large. */
const MOST_COLUMNS = 256

/** Whether the kernel can read columns of such types, in their canonical notation. */
export function areReadable(columns: readonly ReadColumn[]): boolean {
  if (columns.length === 0 || columns.length > MOST_COLUMNS) return false
  return columns.every(({ type, format }) => {
    const kind = kindOf(type)
    if (kind === null || (format && Object.keys(format).length > 0)) return false
    // Units other than microseconds, and what doesn't fit in 64 bits with a sign.
    return kind.type !== layout.UINT64 && (kind.type !== layout.TIMESTAMP || kind.digits === 6)
  })
}

/** Columns in the kernel's memory, which it fills with rows. */
export class ReadColumns {
  readonly kernel = new Kernel()
  /** Where the columns' descriptions are. */
  readonly table: number
  /** Where the memory is free. */
  free: number
  readonly count: number
  private readonly columns: readonly ReadColumn[]
  private readonly kinds: readonly Kind[]

  /**
   * @param columns that are readable
   * @param rows at most at once
   */
  constructor(columns: readonly ReadColumn[], rows: number) {
    this.columns = columns
    this.count = columns.length
    this.kinds = columns.map(({ type }) => kindOf(type) as Kind)
    this.table = this.kernel.base
    this.free = align(this.table + columns.length * layout.COLUMN_SIZE)
    for (const [i, { type, width, digits, precision }] of this.kinds.entries()) {
      const isText = type === layout.TEXT
      const values = isText ? 0 : this.place(width === 0 ? (rows + 7) >> 3 : rows * width)
      const offsets = isText ? this.place((rows + 1) * 4) : 0
      const validity = this.place((rows + 7) >> 3)
      this.set(i, layout.COLUMN_TYPE, type)
      this.set(i, layout.COLUMN_VALUES, values)
      this.set(i, layout.COLUMN_OFFSETS, offsets)
      this.set(i, layout.COLUMN_VALIDITY, validity)
      this.set(i, layout.COLUMN_FOUND, 0)
      this.set(i, layout.COLUMN_DIGITS, precision ?? 0)
      this.set(i, layout.COLUMN_SCALE, digits ?? 0)
      this.long(i, layout.COLUMN_SUM)[0] = 0n
    }
  }

  get(column: number, word: number): number {
    return this.kernel.words[(this.table + column * layout.COLUMN_SIZE + word) >> 2]
  }

  set(column: number, word: number, value: number): void {
    this.kernel.words[(this.table + column * layout.COLUMN_SIZE + word) >> 2] = value
  }

  /** What the hashes of a column's cells come to. */
  sum(column: number): bigint {
    return this.long(column, layout.COLUMN_SUM)[0]
  }

  /** As `sum`, of each column, of what was read since it was asked last. */
  takeSums(): bigint[] {
    return this.columns.map((_, i) => {
      const sum = this.long(i, layout.COLUMN_SUM)
      const [taken] = sum
      sum[0] = 0n
      return taken
    })
  }

  private long(column: number, word: number): BigUint64Array {
    return new BigUint64Array(this.kernel.bytes.buffer, this.table + column * layout.COLUMN_SIZE + word, 1)
  }

  /** Takes some of the memory for good; where it begins. */
  place(size: number): number {
    const start = this.free
    this.free = align(start + size + layout.SLACK)
    this.kernel.reserve(this.free)
    return start
  }

  /** Columns of texts. */
  get texts(): number {
    return this.kinds.filter(({ type }) => type === layout.TEXT).length
  }

  /**
   * Makes room for the texts of the next rows.
   * @param from where the memory is free for them
   * @param size bytes that a column's texts have together, at most
   */
  placeTexts(from: number, size: number): void {
    const each = align(size + layout.SLACK)
    this.kernel.reserve(from + this.texts * each)
    let at = from
    for (const [i, { type }] of this.kinds.entries()) {
      if (type !== layout.TEXT) continue
      this.set(i, layout.COLUMN_VALUES, at)
      at += each
    }
  }

  /** The rows that were read, copied. */
  batch(rows: number): RecordBatch {
    return batchFromColumns(
      this.columns.map((_, i) => this.column(i, rows)),
      rows,
    )
  }

  private column(i: number, rows: number): Data {
    const { buffer } = this.kernel.bytes
    const { type, width, values: Values } = this.kinds[i]
    const arrowType = toArrowType(this.columns[i].type)
    const copy = (word: number, size: number): ArrayBuffer => {
      const start = this.get(i, word)
      return buffer.slice(start, start + size)
    }
    const nulls = this.get(i, layout.COLUMN_NULLS)
    const bits = (rows + 7) >> 3
    const validity = nulls > 0 ? { [BufferType.VALIDITY]: new Uint8Array(copy(layout.COLUMN_VALIDITY, bits)) } : {}
    if (type === layout.TEXT) {
      const offsets = new Int32Array(copy(layout.COLUMN_OFFSETS, (rows + 1) * 4))
      const texts = new Uint8Array(copy(layout.COLUMN_VALUES, offsets[rows]))
      return new Data(arrowType, 0, rows, nulls, {
        [BufferType.OFFSET]: offsets,
        [BufferType.DATA]: texts,
        ...validity,
      })
    }
    const values = new Values(copy(layout.COLUMN_VALUES, width === 0 ? bits : rows * width))
    // Bits behind the end may be of a row that was taken back.
    if (values instanceof Uint8Array && width === 0 && (rows & 7) !== 0) values[rows >> 3] &= (1 << (rows & 7)) - 1
    return new Data(arrowType, 0, rows, nulls, { [BufferType.DATA]: values, ...validity })
  }
}
