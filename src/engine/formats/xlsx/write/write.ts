import { formatCount } from '../../../../lib/counts.ts'
import type { RecordBatch } from 'apache-arrow'
import type { Note, WriteOptions } from '../../../../tables/plan.ts'
import { isNested, type Column, type ScalarName } from '../../../../tables/types.ts'
import { EngineError } from '../../../errors.ts'
import type { ByteSink } from '../../../../lib/sink.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult, WrittenTable } from '../../types.ts'
import { adaptToFinite } from '../../shared/finite.ts'
import { adaptToHours } from './durations.ts'
import { SheetNames } from './names.ts'
import { writeFirstParts, writeLastParts } from './parts.ts'
import { MAX_SHEET_ROWS, TableSheets, type Workbook } from './sheet.ts'
import { SharedStrings } from './strings.ts'
import { Styles } from './styles.ts'
import { MAX_CELL_CHARS } from './text.ts'
import { ZipWriter } from '../../../../lib/zip/write.ts'

/** Maximum columns of a sheet. */
const MAX_COLUMNS = 16_384

/**
 * Writes Excel workbooks (.xlsx, ECMA-376 transitional), with a sheet per table, streaming in bounded memory. Values
 * that Excel would change are written as text and counted.
 */
export const xlsxWriter: FormatWriter = {
  format: 'xlsx',
  multiTable: true,
  // Types that Excel lacks are stored as text, and read back from it; nested values as JSON.
  adapt: (column) => (isNested(column.type) ? adaptToFinite(column) : adaptToHours(column)),
  describe,
  check,
  open: (sink, options, context) => openWorkbook(sink, options, context),
}

const HELD_OTHERWISE: Readonly<Partial<Record<ScalarName, Omit<Note, 'column'>>>> = {
  BLOB: { code: 'binary-as-base64', message: 'Binary values are held as Base64 text.' },
  UUID: { code: 'uuid-as-text', message: 'UUIDs are held as text.' },
  'TIMESTAMP WITH TIME ZONE': {
    code: 'time-zone-dropped',
    message: 'Excel has no time zones: the zone is dropped, the times are UTC.',
  },
}

function describe({ name, type }: Column): Note | null {
  if (isNested(type)) {
    return { code: 'nested-as-json', message: 'Lists and nested values are held as JSON text.', column: name }
  }
  const note = type.kind === 'scalar' ? HELD_OTHERWISE[type.name] : undefined
  return note ? { ...note, column: name } : null
}

function check(columns: readonly Column[]): void {
  if (columns.length > MAX_COLUMNS) {
    throw new EngineError(
      'unwritable',
      `The table has ${formatCount(columns.length)} columns; an Excel sheet holds at most 16,384.`,
      { remedy: 'Leave columns out, or choose CSV, JSON, Parquet or Arrow.' },
    )
  }
  for (const [i, { name }] of columns.entries()) {
    if (name.length <= MAX_CELL_CHARS) continue
    throw new EngineError('unwritable', 'A column’s name is longer than the 32,767 characters of an Excel cell.', {
      place: `column ${formatCount(i + 1)}`,
      remedy: 'Rename the column, or leave it out.',
    })
  }
}

/**
 * Like `xlsxWriter.open`.
 * @param maxRows maximum rows of a sheet, including the header; at least 2
 */
export function openWorkbook(
  sink: ByteSink,
  options: WriteOptions,
  context: EngineContext,
  maxRows = MAX_SHEET_ROWS,
): TableWriter {
  const workbook: Workbook = {
    zip: new ZipWriter(sink),
    names: new SheetNames(),
    strings: new SharedStrings(),
    styles: new Styles(),
    signal: context.signal,
    maxRows,
    sheets: [],
  }
  return new WorkbookWriter(workbook, options.kind === 'xlsx' ? options.sheetName : '')
}

class WorkbookWriter implements TableWriter {
  private readonly workbook: Workbook
  /** Empty: use each table's name. */
  private readonly sheetName: string
  private readonly readBack: WrittenTable[] = []
  private table: TableSheets | null = null
  private readonly onAbort = (): void => this.table?.abort(this.workbook.signal.reason)

  constructor(workbook: Workbook, sheetName: string) {
    this.workbook = workbook
    this.sheetName = sheetName
    workbook.signal.addEventListener('abort', this.onAbort, { once: true })
  }

  begin({ name, columns }: OutputTable): Promise<void> {
    return this.guarded(async () => {
      if (this.table) await this.endTable(this.table)
      else await writeFirstParts(this.workbook.zip)
      this.table = new TableSheets(this.workbook, { name: this.sheetName || name, columns })
    })
  }

  write(batch: RecordBatch): Promise<void> {
    return this.guarded(async () => this.table?.write(batch))
  }

  finish(): Promise<WriteResult> {
    return this.guarded(async () => {
      const { zip, sheets, styles, strings, signal } = this.workbook
      if (this.table) await this.endTable(this.table)
      this.table = null
      await writeLastParts(zip, sheets, styles, strings)
      await zip.finish()
      signal.removeEventListener('abort', this.onAbort)
      return { changes: [], readBack: this.readBack }
    })
  }

  private async endTable(table: TableSheets): Promise<void> {
    await table.finish()
    this.readBack.push({
      settings: { kind: 'xlsx', headerRow: Object.fromEntries(table.sheets.map((sheet) => [sheet, 1])) },
      tables: table.sheets,
      changes: table.changes(),
    })
  }

  /** Runs a step; if it fails, nothing continues in the background. */
  private async guarded<T>(step: () => Promise<T>): Promise<T> {
    const { signal } = this.workbook
    signal.throwIfAborted()
    try {
      return await step()
    } catch (error) {
      this.table?.abort(error)
      signal.removeEventListener('abort', this.onAbort)
      throw error
    }
  }
}
