import type { RejectedRow } from '../../../tables/plan.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { JsonValues } from '../../columns/builders/json.ts'
import { BATCH_REJECTED, type ColumnBuilder } from '../../columns/column-builder.ts'
import { KIND, type Kind } from '../../columns/json/scanner.ts'
import {
  CELL_ESCAPED,
  CELL_MISSING,
  CELL_NESTED,
  CELL_NULL,
  CELL_PLAIN,
  CELL_QUOTED,
  JSON_ESCAPES,
} from '../../kernel/assembly/layout.ts'
import { BATCH_FIELDS, BATCH_RECORDS, BATCH_TEXT, type CellMemory } from '../../kernel/cell-memory.ts'
import { JsonKeys } from '../../kernel/json-keys.ts'
import type { CellRows, CellText } from '../../columns/cells/table-reader.ts'
import type { OpenFile } from './open.ts'
import { excerpt, STEP, type RowSource } from './rows.ts'

/** Pseudo-column for the members without a column. */
export const OTHERS = -1

/** Minimum rows per batch, however many columns there are. */
const LEAST_ROWS = 16
/** Initial number of cells per row, while columns are still being discovered. */
const FIRST_WIDTH = 16
/** Maximum number of remembered spellings of keys with escapes. */
const MOST_SPELLINGS = 1000
const QUOTE = 0x22
const BRACE = 0x7b
const LETTER = 0x61

const CELLS = new Uint8Array(Object.keys(KIND).length).fill(CELL_PLAIN)
CELLS[KIND.null] = CELL_NULL
CELLS[KIND.string] = CELL_QUOTED
CELLS[KIND.escaped] = CELL_ESCAPED
CELLS[KIND.object] = CELL_NESTED
CELLS[KIND.array] = CELL_NESTED

/** The kind of a value, derived from its cell. All numbers count as integers. */
export function kindOfCell(cell: number, bytes: Uint8Array, start: number): Kind {
  if (cell === CELL_QUOTED) return KIND.string
  if (cell === CELL_ESCAPED) return KIND.escaped
  if (cell === CELL_NULL) return KIND.null
  const byte = bytes[start]
  if (cell === CELL_NESTED) return byte === BRACE ? KIND.object : KIND.array
  if (byte < LETTER) return KIND.integer
  return byte === 0x74 ? KIND.true : KIND.false
}

interface Options {
  /** Number of cells per row if the columns are known; values of other keys are skipped. */
  readonly columns?: number
  /** Whether to compute text checksums. */
  readonly sums: boolean
  /** Number of rejected rows to keep. */
  readonly keep?: number
}

/**
 * Reads the rows of an open file in batches, as cells in the kernel's memory. The kernel splits rows of the usual form;
 * others are scanned here.
 */
export class RowCells implements CellRows {
  readonly rows: RowSource
  readonly cells: CellMemory
  /** Number of rows in this batch. */
  count = 0
  /** The first cell of each row. */
  first = new Int32Array(0)
  /** The number of each row, counting rejected ones; valid until rows are left out. */
  numbers = new Float64Array(0)
  /** Cells per row. */
  width: number
  /** Number of columns found. */
  columns = 0
  rejected: RejectedRow[] = []
  /** Number of rejected rows in this batch. */
  rejectedCount = 0
  /** For each row, start and end of the members without a column. */
  readonly others = new Map<number, readonly number[]>()
  /** Number of values in all of these so far that are NaN or infinite. */
  othersNotFinite = 0
  private readonly open: OpenFile
  private readonly options: Options
  private readonly keys: JsonKeys
  private readonly spellings = new Set<string>()
  /** Number of columns whose keys the kernel knows. */
  private registered = 0
  /** Whether the row in the tokens still has to be added. */
  private waiting = false
  private kept = 0
  private most = 0
  private stop = 0
  private othersSum = 0n

  constructor(open: OpenFile, options: Options) {
    this.open = open
    this.options = options
    this.rows = open.rows
    this.cells = open.rows.window.cells
    this.keys = new JsonKeys(this.cells)
    this.width = Math.max(1, options.columns ?? FIRST_WIDTH)
    this.cells.addSums(this.width)
  }

  /**
   * Reads the next rows. Returns false if there are none, or none before the cut.
   * @param most maximum number of rows
   */
  async next(most = BATCH_RECORDS): Promise<boolean> {
    const { rows, open } = this
    this.begin(most)
    for (;;) {
      if (!this.isFull) this.split()
      if (this.isFull) break
      const step = rows.next()
      if (step === STEP.row) {
        if (!this.add()) break
      } else if (step === STEP.rejected) {
        this.reject()
      } else {
        // Reading more moves the text, so return these rows first.
        if (this.count > 0 || this.rejectedCount > 0) break
        if (step === STEP.done || open.atCut) return false
        await open.more()
        this.stop = rows.at + BATCH_TEXT
      }
    }
    this.cells.kernel.exports.setEscapes(QUOTE, JSON_ESCAPES)
    for (let row = 0; row < this.count; row++) this.first[row] = row * this.width
    return true
  }

  private begin(most: number): void {
    const { rows, width } = this
    this.count = 0
    this.rejected = []
    this.rejectedCount = 0
    this.others.clear()
    this.most = Math.min(most, BATCH_RECORDS, Math.max(LEAST_ROWS, Math.floor(BATCH_FIELDS / width)))
    this.stop = rows.at + BATCH_TEXT
    if (this.waiting) this.add()
    this.waiting = false
  }

  private get isFull(): boolean {
    return this.count >= this.most || this.rows.at >= this.stop || this.rejected.length >= BATCH_REJECTED
  }

  /** Makes room for the rows that may come. */
  private fit(): number {
    const { rows, cells, width, count } = this
    // A row takes at least two bytes.
    const most = Math.min(this.most, count + 1 + (Math.max(0, rows.window.limit - rows.at) >> 1))
    cells.fit({ fields: most * width, records: most })
    if (most > this.numbers.length) {
      const { numbers } = this
      this.numbers = new Float64Array(most)
      this.numbers.set(numbers)
      this.first = new Int32Array(most)
    }
    return most
  }

  /** Lets the kernel split rows until one isn't of the usual form. */
  private split(): void {
    const { rows, cells, width, keys, options } = this
    const { form } = rows
    const most = this.fit()
    if (form === null || rows.tokens.keepsOthers || rows.at >= rows.window.limit) return
    this.register()
    const { exports } = cells.kernel
    const isOpen = options.columns === undefined
    exports.setJson(form, rows.shape === 'arrays', width, isOpen ? this.columns : -1, cells.keysAt, keys.slots)
    const stop = Math.min(this.stop, rows.window.limit)
    const sums = options.sums ? cells.sumsAt : 0
    const count = exports.splitJson(rows.at, stop, this.count, most, rows.lineNumber + 1, sums)
    for (let row = this.count; row < count; row++) this.numbers[row] = rows.count + 1 + row - this.count
    rows.pass(exports.jsonEnd(), count - this.count, exports.jsonLine() - 1)
    this.count = count
  }

  /** Passes keys of new columns to the kernel. */
  private register(): void {
    const { keys } = this.rows.tokens
    for (; this.registered < keys.size; this.registered++) {
      const spelling = keys.spelling(this.registered)
      if (spelling) this.keys.add(spelling, this.registered)
    }
  }

  /** Adds the row in the tokens. Returns false if it must wait for the next batch, which will have wider rows. */
  private add(): boolean {
    const { rows, cells, options, others } = this
    const { tokens, span } = rows
    if (options.columns === undefined) {
      const columns = Math.max(this.columns, tokens.keys.size || tokens.count)
      if (columns > this.width) {
        this.waiting = this.count > 0
        if (this.waiting) return false
        this.width = Math.max(columns, this.width * 2)
        this.most = Math.min(this.most, Math.max(LEAST_ROWS, Math.floor(BATCH_FIELDS / this.width)))
        cells.addSums(this.width)
      }
      this.columns = columns
    }
    this.fit()
    const { count, width } = this
    const at = count * width
    const { kinds, starts, ends } = cells
    kinds.fill(CELL_MISSING, at, at + width)
    for (let i = 0; i < tokens.count; i++) {
      const column = tokens.present[i]
      if (column >= width) continue
      kinds[at + column] = CELLS[tokens.kinds[column]]
      starts[at + column] = tokens.starts[column]
      ends[at + column] = tokens.ends[column]
    }
    cells.recordStarts[count] = span[0]
    cells.recordEnds[count] = span[1]
    cells.lines[count] = rows.lineNumber
    this.numbers[count] = rows.count
    this.count = count + 1
    if (tokens.keepsOthers && tokens.others.length > 0) {
      others.set(count, [...tokens.others])
      this.othersNotFinite += tokens.othersNotFinite
    }
    if (options.sums) this.sum(count)
    this.addSpellings()
    return true
  }

  private sum(row: number): void {
    const { cells, width } = this
    const { exports } = cells.kernel
    exports.sumRow(row * width, width, cells.sumsAt)
    const others = this.others.get(row) ?? []
    for (let i = 0; i < others.length; i += 2) this.othersSum += exports.hashText(others[i], others[i + 1])
  }

  private addSpellings(): void {
    const { escaped } = this.rows.tokens
    if (escaped.length === 0) return
    this.register()
    for (let i = 0; i < escaped.length && this.spellings.size < MOST_SPELLINGS; i += 3) {
      const bytes = this.cells.bytes.slice(escaped[i], escaped[i + 1])
      const spelling = String.fromCharCode(...bytes)
      if (this.spellings.has(spelling)) continue
      this.spellings.add(spelling)
      this.keys.add(bytes, escaped[i + 2])
    }
  }

  private reject(): void {
    this.rejectedCount++
    if (++this.kept <= (this.options.keep ?? Number.POSITIVE_INFINITY)) this.rejected.push(this.rows.rejection())
  }

  /**
   * Returns each column's text checksum since the last call, modulo 2^64.
   * @param places the columns, or `OTHERS` for members without one
   */
  takeSums(places: readonly number[]): readonly bigint[] {
    const { sums } = this.cells
    const taken = places.map((place) => (place === OTHERS ? BigInt.asUintN(64, this.othersSum) : (sums[place] ?? 0n)))
    sums.fill(0n)
    this.othersSum = 0n
    return taken
  }

  /** Whether any row has a value in this column. */
  has(place: number): boolean {
    const { first, count } = this
    const { kinds } = this.cells
    if (place < 0) return false
    for (let row = 0; row < count; row++) if (kinds[first[row] + place] !== CELL_MISSING) return true
    return false
  }

  appendColumn(place: number, from: number, to: number, builder: ColumnBuilder): boolean {
    if (place === OTHERS) return this.appendOthers(from, to, builder)
    const { first } = this
    const { bytes, kinds, starts, ends } = this.cells
    const values = new JsonValues(builder)
    for (let row = from; row < to; row++) {
      const at = first[row] + place
      const kind = kinds[at]
      if (kind === CELL_MISSING) builder.appendNull()
      else if (!values.append(kindOfCell(kind, bytes, starts[at]), bytes, starts[at], ends[at])) return false
    }
    return true
  }

  private appendOthers(from: number, to: number, builder: ColumnBuilder): boolean {
    const { first, width, others } = this
    const { bytes } = this.cells
    const values = new JsonValues(builder)
    const scratch = new ByteWriter()
    for (let row = from; row < to; row++) {
      const members = others.get(first[row] / width)
      if (!members) {
        builder.appendNull()
        continue
      }
      scratch.clear()
      for (let i = 0; i < members.length; i += 2) {
        scratch.byte(i === 0 ? BRACE : 0x2c)
        scratch.append(bytes, members[i], members[i + 1])
      }
      scratch.byte(0x7d)
      if (!values.append(KIND.object, scratch.bytes, 0, scratch.length)) return false
    }
    return true
  }

  leaveOut(rows: { has(row: number): boolean }): void {
    const { first, count } = this
    let to = 0
    for (let row = 0; row < count; row++) if (!rows.has(row)) first[to++] = first[row]
    this.count = to
  }

  valueAt(row: number, index: number): CellText {
    const { cells, rows, width } = this
    const { tokens } = rows
    const { bytes, kinds, starts, ends } = cells
    const at = this.first[row]
    const record = at / width
    tokens.begin()
    for (let i = 0; i < width; i++) {
      if (kinds[at + i] === CELL_MISSING) continue
      tokens.put(i, kindOfCell(kinds[at + i], bytes, starts[at + i]), starts[at + i], ends[at + i])
    }
    const value = excerpt(bytes, starts[at + index], ends[at + index], 1000)
    const [start, end] = [cells.recordStarts[record], cells.recordEnds[record]]
    return { value, place: rows.placeOf(this.numbers[record], start, end, cells.lines[record]) }
  }
}
