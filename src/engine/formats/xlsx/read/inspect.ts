import { columnNames } from '../../../../tables/names.ts'
import type { InspectedColumn, InspectedTable, Inspection, Note, ReadSettings } from '../../../../tables/plan.ts'
import { printType } from '../../../../tables/types.ts'
import type { EngineContext } from '../../types.ts'
import { printSum } from '../../../kernel/text-sums.ts'
import { TextSums } from '../../../kernel/text-sums.ts'
import { CellText } from './cell-text.ts'
import { ColumnStats, count } from './column-stats.ts'
import { workbookOf } from './open.ts'
import { HeaderSampler } from './sample.ts'
import { headerSetting, xlsxSettings } from './settings.ts'
import { sumCells, type Row } from './row.ts'
import { SheetStream } from './sheet-stream.ts'
import type { Sheet, Workbook } from './workbook.ts'

/**
 * Reads all rows of all sheets once: header rows, columns with the type that holds for each of their values, and what
 * else is to be told.
 * @throws {EngineError}
 */
export async function inspectXlsx(
  file: File,
  given: Partial<ReadSettings>,
  context: EngineContext,
): Promise<Inspection> {
  const settings = xlsxSettings(given)
  const workbook = await workbookOf(file, context.signal)
  const sums = new TextSums()
  const tables: InspectedTable[] = []
  const headerRows: [string, number | null][] = []
  let bytes = 0
  let rows = 0
  let { unkept } = workbook.strings
  for (const sheet of workbook.sheets) {
    const inspector = new SheetInspector(workbook, sheet, headerSetting(settings, sheet.name), sums)
    const stream = await SheetStream.open(workbook, sheet, (row) => inspector.take(row), context.signal)
    try {
      while (await stream.step()) {
        context.progress({ bytes: bytes + stream.consumed, rows: rows + inspector.rows })
      }
    } finally {
      await stream.close()
    }
    const { mergedRanges, hiddenColumns } = stream.parser
    unkept += stream.parser.unkept
    const { table, headerRow } = inspector.finish(mergedRanges, hiddenColumns)
    tables.push(table)
    headerRows.push([sheet.name, headerRow])
    bytes += sheet.entry.compressedSize
    rows += table.rows
    context.progress({ bytes, rows })
  }
  return {
    format: 'xlsx',
    settings: { kind: 'xlsx', headerRow: Object.fromEntries(headerRows) },
    tables,
    notes: [...workbook.notes, ...unkeptNote(unkept)],
  }
}

/** Excel drops white space that isn't marked to be kept; other programs, and we, read it. */
function unkeptNote(texts: number): Note[] {
  if (texts === 0) return []
  const [have, dont] = texts === 1 ? ['1 text has', 'it'] : [`${count(texts)} texts have`, 'them']
  return [
    {
      code: 'outer-spaces',
      message: `${have} spaces or line breaks at an end that Excel doesn’t show: the file doesn’t mark ${dont} to be kept. They are read all the same.`,
      count: texts,
    },
  ]
}

/** Gathers what one sheet holds. */
class SheetInspector {
  rows = 0
  private readonly columns = new Map<number, ColumnStats>()
  private readonly byPosition: (ColumnStats | undefined)[] = []
  private readonly names = new Map<number, string>()
  private readonly sums: TextSums
  private readonly cells: CellText
  private readonly sampler: HeaderSampler
  private readonly workbook: Workbook
  private readonly sheet: Sheet
  private titleRows = 0
  private hiddenRows = 0
  private firstRow = 0
  private lastRow = 0

  /** @param sums none so far, and none are left behind */
  constructor(workbook: Workbook, sheet: Sheet, headerRow: number | null | undefined, sums: TextSums) {
    this.sums = sums
    this.workbook = workbook
    this.sheet = sheet
    this.cells = new CellText(workbook)
    this.sampler = new HeaderSampler(this.cells, headerRow, (row) => this.sorted(row))
  }

  take(row: Row): void {
    this.sampler.take(row)
  }

  /** Takes a row once it's known which row is the header. */
  private sorted(row: Row): void {
    const header = this.sampler.headerRow ?? 0
    if (row.number > header) this.data(row)
    else if (row.number === header) this.header(row)
    else if (row.count > 0) this.titleRows++
  }

  private header(row: Row): void {
    for (let slot = 0; slot < row.count; slot++) this.names.set(row.column[slot], this.cells.rawString(row, slot))
  }

  private data(row: Row): void {
    this.rows++
    if (this.firstRow === 0) this.firstRow = row.number
    this.lastRow = row.number
    if (row.hidden) this.hiddenRows++
    const { strings } = this.workbook
    sumCells(this.sums, row, strings)
    for (let slot = 0; slot < row.count; slot++) {
      this.statsOf(row.column[slot]).observe(row, slot, this.cells, strings)
    }
  }

  private statsOf(column: number): ColumnStats {
    const known = this.byPosition[column]
    if (known) return known
    while (this.byPosition.length < column) this.byPosition.push(undefined)
    const stats = new ColumnStats()
    this.byPosition[column] = stats
    this.columns.set(column, stats)
    return stats
  }

  finish(mergedRanges: number, hiddenColumns: number): { table: InspectedTable; headerRow: number | null } {
    this.sampler.finish()
    const used = new Set([...this.columns.keys(), ...this.names.keys()])
    const indexes = [...used].toSorted((a, b) => a - b)
    const sources = indexes.map((index) => this.names.get(index) ?? '')
    const names = columnNames(sources)
    const sums = this.sums.take(indexes)
    const columns: InspectedColumn[] = []
    const columnNotes: Note[] = []
    for (const [i, index] of indexes.entries()) {
      const source = sources[i]
      const name = names[i]
      const stats = this.columns.get(index) ?? new ColumnStats()
      const { type, reason, flags, notes } = stats.conclude()
      columns.push({
        index,
        source,
        name,
        type: printType(type),
        reason,
        flags: name !== source && this.sampler.headerRow !== null ? [...flags, 'renamed'] : flags,
        nulls: stats.nulls(this.rows, type),
        ...(sums === null ? {} : { checksum: printSum(sums[i]) }),
      })
      columnNotes.push(...notes.map((note) => ({ ...note, column: name })))
    }
    const headerRow = this.sampler.headerRow
    const notes = [...this.notes(headerRow, mergedRanges, hiddenColumns), ...columnNotes]
    const { name, hidden } = this.sheet
    const table = { name, columns, rows: this.rows, rejectedCount: 0, rejected: [], notes }
    return { table: hidden ? { ...table, hidden } : table, headerRow }
  }

  private notes(headerRow: number | null, mergedRanges: number, hiddenColumns: number): Note[] {
    const notes: Note[] = []
    const add = (code: string, number: number, one: string, many: string): void => {
      if (number > 0)
        notes.push({ code, message: number === 1 ? one : many.replace('#', count(number)), count: number })
    }
    if (this.sheet.hidden) notes.push({ code: 'hidden-sheet', message: 'The sheet is hidden in the workbook.' })
    add('title-rows', this.titleRows, '1 row above the header is left out.', '# rows above the header are left out.')
    const from = headerRow ?? this.firstRow - 1
    const blank = this.rows === 0 ? 0 : this.lastRow - from - this.rows
    add('blank-rows', blank, '1 blank row is left out.', '# blank rows are left out.')
    add(
      'hidden-rows',
      this.hiddenRows,
      '1 hidden row is read like the others.',
      '# hidden rows are read like the others.',
    )
    add(
      'hidden-columns',
      hiddenColumns,
      '1 hidden column is read like the others.',
      '# hidden columns are read like the others.',
    )
    add(
      'merged-cells',
      mergedRanges,
      '1 range of merged cells: its value is in its first cell, the others are null.',
      '# ranges of merged cells: the value is in the first cell of each, the others are null.',
    )
    return notes
  }
}
