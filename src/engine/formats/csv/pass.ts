import type { CsvSettings, RejectedRow, ReadSettings } from '../../../tables/plan.ts'
import { FirstRejected, movedDown } from '../../../tables/rejected.ts'
import { skipAlike } from '../../columns/cells/skip-alike.ts'
import { ColumnInference } from '../../columns/infer/column-inference.ts'
import type { ColumnStats } from '../../columns/infer/column-stats.ts'
import { openText } from '../../io/text-stream.ts'
import type { EngineContext } from '../types.ts'
import { forRowBlocks, inChunks } from '../../kernel/cell-memory.ts'
import { isTyped } from '../layout/cells.ts'
import { isTotalLabel, MAX_REMARKS } from '../layout/ends.ts'
import { GROUP_CELLS, GroupScout } from '../layout/group-labels.ts'
import { LABEL_CELLS, SubtotalScout } from '../layout/subtotals.ts'
import { areEmpty, type RowBatch } from './row-batch.ts'
import { anyRows } from './any-rows.ts'
import { type InspectedRows, SHOWN_TEXT, type Remarks, type Tally } from './inspected-rows.ts'
import { RowSums } from './sums.ts'
import { ESCAPED, MISSING } from './tokenizer.ts'
import { Yielder } from '../../../lib/yielding.ts'
import { lineAfter } from '../../io/lines.ts'

export const MAX_REJECTED = 100

/** Result of a pass over the rest of a file, as plain data. */
export interface RestFindings {
  readonly columns: readonly ColumnStats[]
  readonly rows: number
  readonly rejectedCount: number
  /** The first ones, at most `MAX_REJECTED`. */
  readonly rejected: readonly RejectedRow[]
  readonly blankLines: number
  readonly blankRows: number
  readonly commentLines: number
  readonly lf: number
  readonly crlf: number
  readonly cr: number
  readonly nulBytes: boolean
  readonly sums: RowSums['found']
  /** Widths other than the table's, with the number of rows that have each. */
  readonly otherWidths: ReadonlyMap<number, number>
  readonly adjustments: Adjustments
  readonly lastRow: LastRow | null
  readonly lastFull: LastRow | null
  readonly remarks: Remarks | null
}

/** A row that may be a total, with its first text. */
export interface LastRow {
  /** Number among the data rows, from 1. */
  readonly row: number
  readonly line: number
  readonly raw: string
  readonly text: string
  /** Column of the text. */
  readonly column: number
}

/** Counts of rows that were adjusted and of lines that aren't rows, with the first of each. */
export type Adjustments = Readonly<Record<(typeof ADJUSTED)[number], Pick<Tally, 'count' | 'line' | 'raw'>>>

const ADJUSTED = ['padded', 'surplus', 'strayQuotes', 'outside', 'repeated'] as const

/** One pass over a file or a part of it, with statistics of its rows. */
export class Pass {
  readonly rows: InspectedRows
  readonly inferences: ColumnInference[] = []
  readonly rejected = new FirstRejected(MAX_REJECTED)
  readonly sums = new RowSums()
  /** Whether any row before the end may be a subtotal. */
  readonly subtotals = new SubtotalScout()
  /** Whether the first columns name groups of rows. */
  readonly groups = new GroupScout()
  nulBytes = false
  blankLines = 0
  /** Rows without a value in any field. */
  blankRows = 0
  commentLines = 0
  lastRow: LastRow | null = null
  /**
   * The last row before remarks, which are a text padded with empty fields. Of several totals at the end, the first.
   */
  lastFull: LastRow | null = null
  /** Counts of line ends between records. */
  readonly lineEnds = { lf: 0, crlf: 0, cr: 0 }
  private readonly settings: CsvSettings
  private readonly context: EngineContext

  constructor(rows: InspectedRows, settings: CsvSettings, context: EngineContext) {
    this.rows = rows
    this.settings = settings
    this.context = context
  }

  /**
   * Processes the rows of `part`. Call `end` after the last part.
   * @param stop called after each slice; whether to stop there
   * @returns the slice after which it stopped
   */
  async run(part: Blob, stop: () => boolean | Promise<boolean>): Promise<Uint8Array | null> {
    const { rows, context } = this
    let bytes = 0
    const yielder = new Yielder(context.signal)
    const text = openText(part, { ...this.settings, signal: context.signal, onBytes: (taken) => (bytes = taken) })
    for await (const piece of inChunks(text)) {
      rows.push(piece)
      if (await stop()) return piece
      while (rows.next()) this.observe()
      context.progress({ bytes, rows: rows.rows })
      if (yielder.due) await yielder.yield()
    }
    return null
  }

  end(): void {
    const { rows, lineEnds } = this
    const { tokenizer } = rows
    rows.end()
    while (rows.next()) this.observe()
    while (this.inferences.length < rows.width) this.inferences.push(new ColumnInference())
    this.blankLines += rows.blankLines
    this.commentLines += tokenizer.commentLines
    lineEnds.lf += tokenizer.lf
    lineEnds.crlf += tokenizer.crlf
    lineEnds.cr += tokenizer.cr
  }

  private observe(): void {
    const { rows, inferences } = this
    while (inferences.length < rows.width) inferences.push(new ColumnInference())
    observeValues(rows, inferences)
    this.sums.add(rows)
    this.nulBytes ||= this.sums.nulBytes
    this.rejected.add(rows.rejected)
    for (let row = 0; row < rows.count; row++) {
      if (areEmpty(rows.tokenizer, rows.first[row], rows.width)) this.blankRows++
      else if (this.groups.isLooking) this.groups.take(rows.firstTexts(row, GROUP_CELLS))
    }
    for (let row = 0; row < rows.count && this.subtotals.isLooking; row++) {
      this.subtotals.take(
        () => rows.hasEmpty(row),
        () => rows.firstTexts(row, LABEL_CELLS),
      )
    }
    const last = rows.count - 1
    if (last < 0 || rows.records[last] < 0) return
    this.lastRow = this.rowAt(last)
    let full = last
    while (full >= 0 && full > last - MAX_REMARKS && this.isRemark(full)) full--
    // Of several totals, the first one ends the table.
    while (full > 0 && full > last - MAX_REMARKS && this.isTotal(full) && this.isTotal(full - 1)) full--
    if (full >= 0 && rows.records[full] >= 0 && !this.isRemark(full)) this.lastFull = this.rowAt(full)
  }

  /** A row of the batch. */
  private rowAt(at: number): LastRow {
    const { rows } = this
    const record = rows.records[at]
    const cells = rows.firstTexts(at, 3).map((text) => text.trim())
    const column = Math.max(0, cells.findIndex(Boolean))
    return {
      row: rows.numbers[at],
      line: rows.tokenizer.lines[record],
      raw: rows.raw(record, SHOWN_TEXT),
      text: cells[column],
      column,
    }
  }

  /** Whether a row of the batch calls itself a total, and isn't only a remark. */
  private isTotal(at: number): boolean {
    return this.rows.records[at] >= 0 && isTotalLabel(this.rowAt(at).text) && !this.isRemark(at)
  }

  /** Whether a row of the batch has a text in its first field only. */
  private isRemark(at: number): boolean {
    const { rows } = this
    const first = rows.first[at]
    return (
      rows.width > 1 &&
      !areEmpty(rows.tokenizer, first, 1) &&
      areEmpty(rows.tokenizer, first + 1, rows.width - 1) &&
      !isTyped(rows.text(first))
    )
  }

  /** Call after `end`. */
  findings(): RestFindings {
    const { rows } = this
    return {
      columns: this.inferences.map((inference) => inference.stats()),
      rows: rows.rows,
      rejectedCount: rows.rejectedCount,
      rejected: this.rejected.rows,
      blankLines: this.blankLines,
      blankRows: this.blankRows,
      commentLines: this.commentLines,
      ...this.lineEnds,
      nulBytes: this.nulBytes,
      sums: this.sums.found,
      otherWidths: rows.otherWidths,
      adjustments: this.adjustments,
      lastRow: this.lastRow,
      lastFull: this.lastFull,
      remarks: rows.remarks,
    }
  }

  get adjustments(): Adjustments {
    const of = (name: (typeof ADJUSTED)[number]): [string, unknown] => {
      const { count, line, raw } = this.rows[name]
      return [name, { count, line, raw }]
    }
    return Object.fromEntries(ADJUSTED.map(of)) as Adjustments
  }

  /** Adds what another thread found in the rest of the file. Call before `end`. */
  merge(rest: RestFindings): void {
    const { rows, inferences, lineEnds } = this
    const lines = rows.tokenizer.lineEnds
    while (inferences.length < rest.columns.length) inferences.push(new ColumnInference())
    for (const [i, column] of rest.columns.entries()) inferences[i].merge(column, rows.rows)
    this.rejected.add(rest.rejected.map((row) => movedDown(row, rows.rows, lines)))
    this.sums.merge(rest.sums)
    for (const name of ADJUSTED) rows[name].merge(rest.adjustments[name], lines)
    if (rest.lastRow) this.lastRow = movedDown(rest.lastRow, rows.rows, lines)
    if (rest.lastFull) this.lastFull = movedDown(rest.lastFull, rows.rows, lines)
    rows.remarks = rest.remarks && {
      ...movedDown(rest.remarks, rows.rows, lines),
      lastRow: rest.remarks.lastRow + rows.rows,
    }
    for (const [width, count] of rest.otherWidths) rows.countWidth(width, count)
    rows.rows += rest.rows
    rows.rejectedCount += rest.rejectedCount
    this.blankLines += rest.blankLines
    this.blankRows += rest.blankRows
    this.commentLines += rest.commentLines
    lineEnds.lf += rest.lf
    lineEnds.crlf += rest.crlf
    lineEnds.cr += rest.cr
    this.nulBytes ||= rest.nulBytes
  }
}

/** Maximum number of rows to look at one by one before the kernel is asked again to skip rows. */
const MAX_WAIT = 64

/** Lets each column's inference see its values. The kernel skips those that resemble the ones before. */
function observeValues(rows: RowBatch, inferences: readonly ColumnInference[]): void {
  const { tokenizer, first, count } = rows
  tokenizer.cells.setRows(first.subarray(0, count))
  forRowBlocks(count, inferences.length, (from, to) => {
    for (const [column, inference] of inferences.entries()) observeColumn(rows, column, inference, from, to)
  })
}

function observeColumn(rows: RowBatch, column: number, inference: ColumnInference, from: number, to: number): void {
  const { tokenizer, first, numbers } = rows
  const { bytes, starts, ends, kinds, cells } = tokenizer
  // Rejected rows have numbers, too, so there may be gaps.
  const gaps = numbers[to - 1] - numbers[from] !== to - 1 - from
  inference.seekRow(numbers[from])
  /** The row from which the kernel is asked again, and the number of rows to wait after it skips none. */
  let next = from
  let wait = 1
  for (let row = from; row < to; row++) {
    if (gaps) inference.seekRow(numbers[row])
    if (row >= next) {
      const after = skipAlike(inference, cells, column, row, to)
      wait = after > row ? 1 : Math.min(wait * 2, MAX_WAIT)
      next = after + wait
      if (after === to) return
      if (after > row && gaps) inference.seekRow(numbers[after])
      row = after
    }
    const field = first[row] + column
    const kind = kinds[field]
    if (kind >= MISSING) {
      inference.observeNull()
    } else if (kind === ESCAPED) {
      const length = rows.unescape(starts[field], ends[field])
      inference.observe(rows.scratch, 0, length)
    } else {
      inference.observe(bytes, starts[field], ends[field])
    }
  }
}

/** Maximum distance of the first row from the beginning, and of the next line end from the middle of the file. */
const NEAR = 1024 * 1024

/**
 * Where the second half of a file begins: after a line end, though that may be inside quotes. Null if there is none, or
 * if the bytes can't be interpreted without those before.
 */
export async function secondHalf(file: Blob, settings: CsvSettings): Promise<number | null> {
  if (settings.compression !== null || settings.encoding !== 'utf-8') return null
  if (settings.blankRows === 'leave-out') return null
  // What a line above the rows shows of the places of cells isn't known in the second half.
  if (settings.layout === 'frame') return null
  // These settings are line numbers in the file, but the second half counts lines from its own beginning.
  if (settings.lastLine !== undefined || settings.leaveOut !== undefined) return null
  return lineAfter(file, Math.floor(file.size / 2), NEAR)
}

/**
 * Inspects the rows from byte `from` on, if a record begins there. Returns null if that needs the rows before: the
 * width is known too late, or the text isn't UTF-8.
 */
export async function inspectRest(
  file: File,
  settings: ReadSettings,
  from: number,
  context: EngineContext,
): Promise<RestFindings | null> {
  if (settings.kind !== 'csv') return null
  const first = anyRows(settings, { keep: 0 })
  for await (const slice of openText(file.slice(0, NEAR), { ...settings, signal: context.signal })) first.push(slice)
  while (first.width < 0 && first.next());
  if (first.width < 0) return null
  const rest = anyRows({ ...settings, skipLines: 0 }, { keep: MAX_REJECTED })
  rest.continue(first)
  const pass = new Pass(rest, settings, context)
  const { utf8 } = pass.rows.tokenizer
  if ((await pass.run(file.slice(from), () => !utf8.allValid)) !== null) return null
  pass.end()
  return utf8.allValid ? pass.findings() : null
}
