import * as layout from '../../kernel/assembly/layout.ts'
import { BufferType, Data } from 'apache-arrow'
import { toArrowType } from '../../arrow/types.ts'
import type { ReadColumn } from '../column-builder.ts'
import { align, type Kernel } from '../../kernel/kernel.ts'
import { kindOf, type Kind } from './kinds.ts'
import { forRowBlocks, type CellMemory } from '../../kernel/cell-memory.ts'

/** Compiles a date pattern for the kernel; null if it doesn't support the pattern. */
type Compile = (pattern: string) => Uint8Array | null

/** Parts of a format that the kernel supports; cells are filled before it reads them. */
const KNOWN = new Set(['decimalMark', 'grouping', 'dateFormat', 'fillDown'])

/** Whether the kernel can read a column with this type and format from delimited text. */
function isReadable({ type, format = {} }: Pick<ReadColumn, 'type' | 'format'>, compile: Compile): boolean {
  const kind = kindOf(type)
  if (kind === null) return false
  if (Object.keys(format).some((key) => !KNOWN.has(key))) return false
  if (kind.type === layout.TIME && format.dateFormat !== undefined) return false
  if (isDated(kind) && format.dateFormat !== undefined && compile(format.dateFormat) === null) return false
  // Excludes unsigned 64-bit integers, and timestamps in units other than microseconds.
  return kind.type !== layout.UINT64 && (kind.type !== layout.TIMESTAMP || kind.digits === 6)
}

/** Whether values may have a date pattern. */
const isDated = ({ type }: Kind): boolean => type === layout.DATE || type === layout.TIMESTAMP || type === layout.ZONED

/** A part of a buffer. */
interface Bytes {
  readonly buffer: ArrayBuffer
  readonly at: number
}

/** Columns in the kernel's memory that it reads into. */
class ReadColumns {
  readonly count: number
  private readonly columns: readonly ReadColumn[]
  private readonly kinds: readonly Kind[]
  private readonly patterns: readonly (Uint8Array | null)[]
  private kernel: Kernel
  /** Address of the columns' descriptions. */
  private table = 0

  /** @param columns readable ones */
  constructor(columns: readonly ReadColumn[], kernel: Kernel, compile: Compile) {
    this.columns = columns
    this.count = columns.length
    this.kinds = columns.map(({ type }) => kindOf(type) as Kind)
    this.patterns = columns.map(({ format }, i) =>
      format?.dateFormat !== undefined && isDated(this.kinds[i]) ? compile(format.dateFormat) : null,
    )
    this.kernel = kernel
  }

  /**
   * Writes the columns' descriptions, without the addresses of their values.
   * @returns the first free address after them
   */
  describe(kernel: Kernel, table: number): number {
    this.kernel = kernel
    this.table = table
    const end = align(table + this.count * layout.COLUMN_SIZE + layout.SLACK)
    kernel.reserve(end)
    kernel.words.fill(0, table >> 2, (table + this.count * layout.COLUMN_SIZE) >> 2)
    let free = end
    for (const [i, { type, digits, precision }] of this.kinds.entries()) {
      this.set(i, layout.COLUMN_TYPE, type)
      this.set(i, layout.COLUMN_DIGITS, precision ?? 0)
      this.set(i, layout.COLUMN_SCALE, digits ?? 0)
      const { decimalMark, grouping } = this.columns[i].format ?? {}
      this.set(i, layout.COLUMN_MARK, decimalMark?.charCodeAt(0) ?? 0)
      this.set(i, layout.COLUMN_GROUP, grouping?.charCodeAt(0) ?? 0)
      const pattern = this.patterns[i]
      if (!pattern) continue
      kernel.reserve(free + pattern.length)
      kernel.bytes.set(pattern, free)
      this.set(i, layout.COLUMN_PATTERN, free)
      free = align(free + pattern.length)
    }
    return free
  }

  /** Address of a column's description. */
  at(column: number): number {
    return this.table + column * layout.COLUMN_SIZE
  }

  get(column: number, word: number): number {
    return this.kernel.words[(this.at(column) + word) >> 2]
  }

  set(column: number, word: number, value: number): void {
    this.kernel.words[(this.at(column) + word) >> 2] = value
  }

  /**
   * Reserves memory for rows, without their texts.
   * @returns the first free address after it
   */
  placeRows(from: number, rows: number): number {
    let at = from
    const place = (size: number): number => {
      const start = at
      at = align(start + size + layout.SLACK)
      return start
    }
    for (const [i, { type, width }] of this.kinds.entries()) {
      if (type === layout.TEXT) this.set(i, layout.COLUMN_OFFSETS, place((rows + 1) * 4))
      else this.set(i, layout.COLUMN_VALUES, place(width === 0 ? (rows + 7) >> 3 : rows * width))
      this.set(i, layout.COLUMN_VALIDITY, place((rows + 7) >> 3))
    }
    this.kernel.reserve(at)
    return at
  }

  /**
   * Reserves memory for texts.
   * @param sizeOf upper bound of the total size of a column's texts
   * @returns the first free address after it
   */
  placeTexts(from: number, sizeOf: (column: number) => number): number {
    let at = from
    for (const [i, { type }] of this.kinds.entries()) {
      if (type !== layout.TEXT) continue
      this.set(i, layout.COLUMN_VALUES, at)
      at = align(at + sizeOf(i) + layout.SLACK)
    }
    this.kernel.reserve(at)
    return at
  }

  /**
   * The rows of a column.
   * @param copy copies a part of the memory
   */
  data(i: number, rows: number, copy: (at: number, size: number) => Bytes): Data {
    const { type, width, values: Values } = this.kinds[i]
    const arrowType = toArrowType(this.columns[i].type)
    const copied = (word: number, size: number): Bytes => copy(this.get(i, word), size)
    const nulls = this.get(i, layout.COLUMN_NULLS)
    const bits = (rows + 7) >> 3
    const bytesOf = ({ buffer, at }: Bytes, size: number): Uint8Array => new Uint8Array(buffer, at, size)
    const validity = nulls > 0 ? { [BufferType.VALIDITY]: bytesOf(copied(layout.COLUMN_VALIDITY, bits), bits) } : {}
    if (type === layout.TEXT) {
      const { buffer, at } = copied(layout.COLUMN_OFFSETS, (rows + 1) * 4)
      const offsets = new Int32Array(buffer, at, rows + 1)
      const texts = bytesOf(copied(layout.COLUMN_VALUES, offsets[rows]), offsets[rows])
      return new Data(arrowType, 0, rows, nulls, {
        [BufferType.OFFSET]: offsets,
        [BufferType.DATA]: texts,
        ...validity,
      })
    }
    const size = width === 0 ? bits : rows * width
    const { buffer, at } = copied(layout.COLUMN_VALUES, size)
    const values = new Values(buffer, at, size / Values.BYTES_PER_ELEMENT)
    // Clear bits of truncated rows.
    if (values instanceof Uint8Array && width === 0 && (rows & 7) !== 0) values[rows >> 3] &= (1 << (rows & 7)) - 1
    return new Data(arrowType, 0, rows, nulls, { [BufferType.DATA]: values, ...validity })
  }
}

/** Longest pause, in batches, before the kernel tries again a column that it couldn't read. */
const LONGEST_PAUSE = 64

/** A column that the kernel may read. */
interface Known {
  /** Index among all columns. */
  readonly at: number
  /** Index of its field. */
  readonly index: number
  /** Number of batches to skip from now on, and the next pause. */
  left: number
  pause: number
}

/**
 * Reads rows of cells into columns with the kernel. It handles a column if all of its values in the batch are plainly
 * of its type.
 */
export class CellColumns {
  private readonly cells: CellMemory
  private readonly count: number
  private readonly known: readonly Known[]
  private readonly columns: ReadColumns

  /** Loads what the columns' formats need. */
  static async for(columns: readonly ReadColumn[], cells: CellMemory): Promise<CellColumns> {
    const needsPatterns = columns.some(({ format }) => format?.dateFormat !== undefined)
    return new CellColumns(columns, cells, needsPatterns ? (await import('./patterns.ts')).compilePattern : () => null)
  }

  private constructor(columns: readonly ReadColumn[], cells: CellMemory, compile: Compile) {
    this.cells = cells
    this.count = columns.length
    this.known = columns.flatMap((column, at) =>
      column.index >= 0 && isReadable(column, compile) ? [{ at, index: column.index, left: 0, pause: 1 }] : [],
    )
    this.columns = new ReadColumns(
      this.known.map(({ at }) => columns[at]),
      cells.kernel,
      compile,
    )
  }

  /**
   * @param first index of each row's first cell
   * @returns the columns' values; null for columns that JavaScript must read in this batch
   */
  read(first: Int32Array): (Data | null)[] {
    const { cells, columns, known } = this
    const rows = first.length
    const found: (Data | null)[] = Array.from({ length: this.count }, () => null)
    if (rows === 0 || known.length === 0) return found
    cells.setRows(first)
    const { kernel } = cells
    const { exports } = kernel
    const begin = columns.describe(kernel, cells.free)
    const free = columns.placeRows(begin, rows)
    const end = columns.placeTexts(free, (i) => exports.cellsSize(known[i].index, rows) >>> 0)
    const reading = known.map((column, i) => ({ column, i })).filter(({ column }) => --column.left < 0)
    const odd = new Set<Known>()
    for (const { i } of reading) exports.beginCells(columns.at(i), rows)
    forRowBlocks(rows, known.length, (from, to) => {
      for (const { column, i } of reading) {
        if (!odd.has(column) && exports.readCells(columns.at(i), column.index, from, to) < to) odd.add(column)
      }
    })
    // One large copy is faster than many small ones.
    const buffer = kernel.bytes.buffer.slice(begin, end)
    for (const { column, i } of reading) {
      if (odd.has(column)) {
        column.left = column.pause
        column.pause = Math.min(LONGEST_PAUSE, column.pause * 2)
      } else {
        column.left = 0
        column.pause = 1
        found[column.at] = columns.data(i, rows, (at) => ({ buffer, at: at - begin }))
      }
    }
    cells.refresh()
    return found
  }
}
