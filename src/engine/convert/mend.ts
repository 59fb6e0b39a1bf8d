import { formatCount } from '../../lib/counts.ts'
import { shortened } from '../../lib/text.ts'
import { isCut } from '../../tables/rejected.ts'
import type { Data, RecordBatch } from 'apache-arrow'
import { mendOf, replaceIn, replaceInText } from '../../tables/mends.ts'
import type { MendedRow } from '../../tables/receipt.ts'
import type { ColumnPlan, Mends, Note, RejectedRow, TablePlan } from '../../tables/plan.ts'
import { csvTable } from '../../tables/settings.ts'
import { VARCHAR } from '../../tables/types.ts'
import { concatenateColumn } from '../arrow/concatenate.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { cellToString } from '../arrow/text.ts'
import { BatchBuilder } from '../columns/batch-builder.ts'
import type { ReadColumn } from '../columns/column-builder.ts'
import { filledFrom } from '../columns/labels-above.ts'
import { EngineError } from '../errors.ts'
import { readerOf } from '../formats/registry.ts'
import type { ReadBatch } from '../formats/types.ts'
import type { PassedRows } from './transfer.ts'
import { plannedAt, type PlannedTable } from './plan.ts'
import type { Source } from './read-table.ts'
import type { TriedRow, TryRequest } from './inspection-types.ts'
import { rejectedValue } from '../columns/rejected-value.ts'

type Cells = readonly (string | null)[]

/** A batch that was read, with fixed rows put back. */
type MendedBatch = ReadBatch & PassedRows

/** Puts rejected rows back after they have been fixed, in their original place or after all others. */
export class Mender {
  readonly mended: MendedRow[] = []
  private readonly source: Source
  private readonly planned: PlannedTable
  private readonly mends: Mends
  private readonly fitter: RowFitter
  /** Number of data rows before the next batch, including rejected ones. */
  private before = 0
  /** Rows to be output after all others, and the row numbers of those that the fitter still holds. */
  private readonly appended: Pick<MendedBatch, 'batch' | 'numbers'>[] = []
  private numbers: number[] = []

  constructor(source: Source, planned: PlannedTable, mends: Mends) {
    this.source = source
    this.planned = planned
    this.mends = mends
    this.fitter = new RowFitter(planned.columns)
  }

  /** The batches with fixed rows put back; rows that still don't fit stay rejected. */
  async *mend(reading: AsyncIterable<ReadBatch>, signal: AbortSignal): AsyncGenerator<MendedBatch, void, undefined> {
    let bytes = 0
    for await (const read of reading) {
      yield await this.mendBatch(read, signal)
      bytes = read.bytes
    }
    this.endBatch()
    for (const each of this.appended) yield { ...each, rejected: [], bytes }
  }

  private async mendBatch(read: ReadBatch, signal: AbortSignal): Promise<MendedBatch> {
    const { batch, rejected } = read
    const { before } = this
    this.before += batch.numRows + rejected.length
    if (rejected.length === 0) return read
    const sources = byIndex(this.planned.table, ({ source }) => source)
    const found = await this.cellsOf(rejected, signal)
    const left: RejectedRow[] = []
    const later: RejectedRow[] = []
    /** For each row to put back, the number of the batch's rows before it. */
    const places: number[] = []
    for (const [i, row] of rejected.entries()) {
      const own = found[i] && replaceIn(found[i], sources, this.mends.replacements)
      const cells = mendOf(this.mends, row)?.cells ?? own
      if (!cells || !this.fitter.append(cells, row)) {
        left.push(row)
        continue
      }
      const mended = { row: row.row, line: row.line, raw: row.raw, cells }
      if (this.mends.atEnd) {
        later.push(row)
        this.mended.push({ ...mended, atEnd: true })
        this.numbers.push(row.row)
        if (this.fitter.batch.isFull) this.endBatch()
        continue
      }
      this.mended.push(mended)
      places.push(Math.min(batch.numRows, Math.max(0, row.row - before - 1 - i)))
    }
    if (later.length > 0) return { ...read, rejected: left, later }
    if (places.length === 0) return read
    const back = this.fitter.batch.finish().batch
    return { ...read, batch: merged(batch, back, places, this.planned.columns), rejected: left }
  }

  private endBatch(): void {
    if (this.numbers.length === 0) return
    this.appended.push({ batch: this.fitter.batch.finish().batch, numbers: Float64Array.from(this.numbers) })
    this.numbers = []
  }

  /** The cells as in the file, or after replacements in the row's text. */
  private async cellsOf(rows: readonly RejectedRow[], signal: AbortSignal): Promise<(Cells | null)[]> {
    const { source, planned, mends } = this
    const found = await cellsOf(source, planned.table, rows, signal)
    for (const [i, row] of rows.entries()) {
      const raw = replaceInText(row.raw, mends.replacements)
      if (found[i] || raw === row.raw) continue
      const [cells] = await cellsOf(source, planned.table, [{ ...row, raw }], signal)
      found[i] = cells
    }
    return found
  }
}

/** Characters of a row that are shown. */
const SHOWN = 200

/** Says how many rows were fixed, and how the first one was. */
export function mendNote(mended: readonly MendedRow[]): Note {
  const [first] = mended
  const rows =
    mended.length === 1 ? '1 row that didn’t fit is' : `${formatCount(mended.length)} rows that didn’t fit are`
  const appended = mended.filter(({ atEnd }) => atEnd).length
  const where =
    appended === 0 ? '' : appended === mended.length ? ' at the end,' : `, ${formatCount(appended)} of them at the end,`
  const to = first.cells.map((cell) => cell ?? '').join(', ')
  const example = { from: shortened(first.raw, SHOWN), to: shortened(to, SHOWN) }
  return {
    code: 'rows-mended',
    message: `${rows} written${where} as you mended ${mended.length === 1 ? 'it' : 'them'}.`,
    count: mended.length,
    example,
  }
}

/** Merges the rows of one batch into another. */
function merged(
  batch: RecordBatch,
  back: RecordBatch,
  places: readonly number[],
  columns: readonly ReadColumn[],
): RecordBatch {
  const parts = (data: Data, inserted: Data): Data[] => {
    const all: Data[] = []
    let from = 0
    for (const [i, place] of places.entries()) {
      if (place > from) all.push(data.slice(from, place - from))
      all.push(inserted.slice(i, 1))
      from = Math.max(from, place)
    }
    if (batch.numRows > from) all.push(data.slice(from, batch.numRows - from))
    return all
  }
  const children = columns.map(({ type }, i) =>
    concatenateColumn(parts(batch.data.children[i], back.data.children[i]), type),
  )
  return batchFromColumns(children, batch.numRows + back.numRows)
}

/** Checks whether rows of cells fit a table's columns. */
class RowFitter {
  readonly batch: BatchBuilder
  /** Why the last row didn't fit. */
  rejection: RejectedRow | null = null
  private readonly columns: readonly ReadColumn[]
  private readonly encoder = new TextEncoder()

  constructor(columns: readonly ReadColumn[]) {
    this.columns = columns
    this.batch = new BatchBuilder(columns)
  }

  append(cells: Cells, place: Pick<RejectedRow, 'row' | 'line' | 'raw'>): boolean {
    let size = 0
    for (const [i, column] of this.columns.entries()) {
      const cell = cells[column.index] ?? null
      const builder = this.batch.builders[i]
      if (cell === null) {
        builder.appendNull()
        continue
      }
      const bytes = this.encoder.encode(cell)
      if (!builder.appendText(bytes, 0, bytes.length)) {
        this.rejection = rejectedValue(column, cell, place)
        this.batch.takeBack()
        return false
      }
      size += bytes.length
    }
    this.batch.endRow(size)
    return true
  }
}

const NO_ROW = {
  message: 'This isn’t one row with a field for each column.',
  column: null,
} as const

/**
 * Checks rows that a person is fixing, given as text or as cells.
 * @throws {EngineError} `invalid-plan`
 */
export async function tryRows({ plan, table: index, rows }: TryRequest, signal: AbortSignal): Promise<TriedRow[]> {
  const { table, columns } = plannedAt(plan, index)
  const fitter = new RowFitter(columns)
  const isText = (row: TryRequest['rows'][number]): row is RejectedRow => !Array.isArray(row)
  const texts = await cellsOf(plan, table, rows.filter(isText), signal)
  let next = 0
  return rows.map((row) => {
    const cells = isText(row) ? (texts[next++] ?? null) : row
    if (!cells) return { cells, problem: NO_ROW }
    const fits = fitter.append(cells, { row: 0, line: null, raw: '' })
    return { cells, problem: fits ? null : (fitter.rejection ?? NO_ROW) }
  })
}

/** The cells of rejected rows as text, by the file's columns; null for rows that can't be split. */
async function cellsOf(
  source: Source,
  table: TablePlan,
  rows: readonly RejectedRow[],
  signal: AbortSignal,
): Promise<(Cells | null)[]> {
  const whole = rows.filter(
    (row) => row.cells === undefined && !isCut(row) && (row.reason === 'value' || row.reason === 'shape'),
  )
  const together = await splitRows(source, table, whole, signal)
  const split = new Map(together?.map((cells, i) => [whole[i], cells]))
  const all: (Cells | null)[] = []
  for (const row of rows) {
    const own = row.cells ?? split.get(row) ?? (await splitRows(source, table, [row], signal))?.[0]
    const cells = own ? byIndex(table, ({ index }) => own[index] ?? null) : null
    all.push(cells && row.above ? filledFrom(cells, row.above, table.columns) : cells)
  }
  return all
}

/** Collects a value for each column, by its index in the file. */
function byIndex<T>({ columns }: TablePlan, tell: (column: ColumnPlan) => T): T[] {
  const all: T[] = []
  for (const column of columns) all[column.index] = tell(column)
  return all
}

/** Reads rows on their own, as text; null if the result isn't the same number of rows. */
async function splitRows(
  { format, settings }: Source,
  table: TablePlan,
  rows: readonly RejectedRow[],
  signal: AbortSignal,
): Promise<(Cells | null)[] | null> {
  if (rows.length === 0 || rows.some(isCut)) return null
  const columns = table.columns.map(({ index, source }): ReadColumn => ({ index, source, type: VARCHAR }))
  const alone = aloneSettings(settings, table.name, columns.length)
  if (!alone) return null
  const raws = rows.map(({ raw }) => raw)
  const isOfLines = alone.kind !== 'json' || alone.layout === 'bulk'
  const [opener, closer] = isOfLines ? ['', '\n'] : alone.layout === 'records' ? '{}' : '[]'
  const text = `${opener}${raws.join(isOfLines ? '\n' : ',\n')}${closer}`
  const reader = await readerOf(format)
  const cells: Cells[] = []
  const request = { settings: alone, table: null, columns }
  try {
    for await (const { batch, rejected } of reader.read(new File([text], ''), request, {
      signal,
      progress: () => undefined,
    })) {
      if (rejected.length > 0) return null
      for (let row = 0; row < batch.numRows; row++) {
        const texts = batch.data.children.map((data: Data) => cellToString(VARCHAR, data, row))
        cells.push(byIndex(table, (column) => texts[table.columns.indexOf(column)]))
      }
    }
  } catch (error) {
    // Text that isn't in the format at all can't be split.
    if (error instanceof EngineError) return null
    throw error
  }
  return cells.length === rows.length ? cells : null
}

/** Settings for reading rows outside their file. */
function aloneSettings(settings: Source['settings'], table: string | null, width: number): Source['settings'] | null {
  const plain = { encoding: 'utf-8', compression: null } as const
  if (settings.kind === 'csv') {
    const own = csvTable(settings, table)
    const { headerRows: _1, rowNames: _2, longRows: _3, skipLast: _4, lastLine: _5, leaveOut: _6, ...rest } = own
    return { ...rest, ...plain, skipLines: 0, header: false, comment: null, shortRows: 'reject', width }
  }
  if (settings.kind !== 'json') return null
  const { tables, ...all } = settings
  const { within: _1, header: _2, rowKeys, ...rest } = { ...all, ...(table === null ? {} : tables?.[table]) }
  const layout = rest.layout === 'bulk' ? 'bulk' : rest.layout === 'records' || rowKeys ? 'records' : 'array'
  return { ...rest, ...plain, layout, path: [], header: false }
}
