import type { RecordBatch } from 'apache-arrow'
import type { ReadColumn } from '../columns/read-column.ts'
import * as layout from './assembly/layout.ts'
import { align, Kernel } from './kernel.ts'
import { isReadable, ReadColumns } from './read-columns.ts'

/** As many columns at most: beyond, the memory that texts may need is too large. */
const MOST_COLUMNS = 256
/** Rows read at once, and bytes of them, about: few enough for the processor's cache. */
const ROWS = 8192
const BYTES = 512 * 1024
const LEAST_BYTES = 64 * 1024
/** What all texts may take of the memory, in bytes: each column may have all of them. */
const MOST_TEXT = 256 * 1024 * 1024
const LF = 0x0a

const encoder = new TextEncoder()

/**
 * Reads lines of JSON objects of the most usual form into columns, as fast as it goes. What is of another form is left to
 * whoever reads everything.
 */
export class JsonRows {
  private readonly kernel = new Kernel()
  private readonly columns: ReadColumns
  /** Where the memory is free. */
  private readonly free: number
  private readonly sums: boolean
  private begin = 0
  private end = 0
  private position = 0
  /** Lines passed, and rows read. */
  lines = 0
  rows = 0

  /**
   * Null for columns that it can't read.
   * @param sums whether to sum the hashes of values
   */
  static of(columns: readonly ReadColumn[], sums = false): JsonRows | null {
    // Surrogates that are no pair are one and the same as keys.
    const names = new Set(columns.map(({ source }) => source.toWellFormed()))
    // A key that JSON can only write with a backslash in it is another one than what its bytes look like.
    const plain = columns.every(({ source }) => !/["\\\p{Cc}]/u.test(source))
    const readable =
      columns.length > 0 &&
      columns.length <= MOST_COLUMNS &&
      columns.every((column) => isReadable(column) && Object.keys(column.format ?? {}).length === 0)
    return readable && plain && names.size === columns.length ? new JsonRows(columns, sums) : null
  }

  private constructor(columns: readonly ReadColumn[], sums: boolean) {
    this.sums = sums
    const { kernel } = this
    this.columns = new ReadColumns(columns, kernel)
    let free = this.columns.describe(kernel, kernel.base)
    for (const [i, { source }] of columns.entries()) {
      const key = encoder.encode(`${source}":`)
      const at = free
      free = align(at + key.length + layout.SLACK)
      kernel.reserve(free)
      kernel.bytes.set(key, at)
      this.columns.set(i, layout.COLUMN_KEY, at)
      this.columns.set(i, layout.COLUMN_KEY_SIZE, key.length - 2)
    }
    this.free = this.columns.placeRows(free, ROWS)
  }

  /** Whether each column's key has been met. */
  get found(): readonly boolean[] {
    return Array.from({ length: this.columns.count }, (_, i) => this.columns.get(i, layout.COLUMN_FOUND) !== 0)
  }

  /** What the hashes of each column's values come to, as `TextSums` has it, of the rows since they were taken last. */
  takeSums(): readonly bigint[] {
    return this.columns.takeSums()
  }

  /** Whether nothing is left. */
  get done(): boolean {
    return this.position >= this.end
  }

  /** How much has been read, in bytes. */
  get read(): number {
    return Math.min(this.position, this.end) - this.begin
  }

  /** Begins anew in these lines. */
  load(bytes: Uint8Array): void {
    const { kernel, free } = this
    this.begin = free
    this.end = free + bytes.length
    this.position = free
    this.lines = 0
    this.rows = 0
    kernel.reserve(this.end + 1 + layout.SLACK)
    kernel.bytes.set(bytes, free)
    kernel.bytes[this.end] = LF
  }

  /** Reads some rows. When there are none although not all is done, the next line is left to others. */
  next(): RecordBatch {
    const { columns, kernel } = this
    const { texts } = columns
    const most = Math.max(LEAST_BYTES, Math.floor((8 * BYTES) / Math.max(8, texts)))
    const last = Math.min(this.end, this.position + most)
    // The last line that begins before there may end far behind.
    const size = kernel.bytes.indexOf(LF, last - 1) + 1 - this.position
    if (size * texts > MOST_TEXT) return columns.batch(0)
    columns.placeTexts(align(this.end + 1 + layout.SLACK), () => size)
    for (let i = 0; i < columns.count; i++) {
      if (columns.get(i, layout.COLUMN_FOUND) !== 0) columns.set(i, layout.COLUMN_FOUND, 0xffffffff)
    }
    const rows = kernel.exports.readLines(columns.at(0), columns.count, this.position, ROWS, last, this.sums ? 1 : 0)
    this.position = kernel.exports.linesEnd() >>> 0
    this.lines += kernel.exports.linesRead()
    this.rows += rows
    return columns.batch(rows)
  }
}
