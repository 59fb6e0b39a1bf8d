import type { RejectedRow } from '../../../tables/plan.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { BATCH_REJECTED, rejectedValue } from '../../columns/batch-builder.ts'
import { JsonValues } from '../../columns/builders/json.ts'
import type { ColumnBuilder, ReadColumn } from '../../columns/column-builder.ts'
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
import type { CellRows } from '../../columns/cells/table-reader.ts'
import type { OpenFile } from './open.ts'
import { excerpt, STEP, type RowSource } from './rows.ts'

/** In place of a column's place: the members that have no column. */
export const OTHERS = -1

/** Rows of a batch, at least, however many columns there are. */
const LEAST_ROWS = 16
/** Cells of a row at first, where columns are yet to be found. */
const FIRST_WIDTH = 16
/** Spellings of keys with escapes in them. */
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

/** The kind of a value by its cell's; any number is an integer. */
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
  /** Cells of a row, where columns are known; values of others are passed over. */
  readonly columns?: number
  /** Whether to sum the hashes of values. */
  readonly sums: boolean
  /** How many rejected rows to keep. */
  readonly keep?: number
}

/**
 * The rows of an open file, a batch at a time, as cells in the kernel's memory: the kernel splits what is of the usual form,
 * and a row of another is scanned here.
 */
export class RowCells implements CellRows {
  readonly rows: RowSource
  readonly cells: CellMemory
  /** Rows in this batch. */
  count = 0
  /** Of each row its first cell. */
  first = new Int32Array(0)
  /** Of each row, as long as none was left out, its number, rejected ones counted. */
  numbers = new Float64Array(0)
  /** Cells of a row. */
  width: number
  /** Columns that were met. */
  columns = 0
  rejected: RejectedRow[] = []
  /** In this batch. */
  rejectedCount = 0
  /** By row: where each of the members begins and ends that have no column. */
  readonly others = new Map<number, readonly number[]>()
  private readonly open: OpenFile
  private readonly options: Options
  private readonly keys: JsonKeys
  private readonly spellings = new Set<string>()
  /** Columns whose keys the kernel knows. */
  private registered = 0
  /** Whether the row that the tokens hold has yet to be added. */
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
   * Goes to the next rows; false when there are none, or none before the cut.
   * @param most rows
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
        // The text is moved past this.
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

  /** Makes room for as many rows as there may be. */
  private fit(): number {
    const { rows, cells, width, count } = this
    // No row has less than two bytes.
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

  /** Has the kernel split rows as long as they're of the usual form. */
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

  /** Tells the kernel the keys of columns that it doesn't know yet. */
  private register(): void {
    const { keys } = this.rows.tokens
    for (; this.registered < keys.size; this.registered++) {
      const spelling = keys.spelling(this.registered)
      if (spelling) this.keys.add(spelling, this.registered)
    }
  }

  /** Adds the row that the tokens hold; false when it has to wait for the next batch, of wider rows. */
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
    if (tokens.keepsOthers && tokens.others.length > 0) others.set(count, [...tokens.others])
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
   * What the hashes of each column's values came to, modulo 2^64, since they were taken last.
   * @param places of the columns; `OTHERS` for the members that have none
   */
  takeSums(places: readonly number[]): readonly bigint[] {
    const { sums } = this.cells
    const taken = places.map((place) => (place === OTHERS ? BigInt.asUintN(64, this.othersSum) : (sums[place] ?? 0n)))
    sums.fill(0n)
    this.othersSum = 0n
    return taken
  }

  /** Whether a row has a value in this place. */
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

  refuse(row: number, column: ReadColumn): RejectedRow {
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
    const place = column.index
    const value = excerpt(bytes, starts[at + place], ends[at + place], 1000)
    const [start, end] = [cells.recordStarts[record], cells.recordEnds[record]]
    return rejectedValue(column, value, rows.placeOf(this.numbers[record], start, end, cells.lines[record]))
  }
}
