import { sliceBytes } from '../../../lib/bytes.ts'
import type { Note } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { detectByBytes, encodingOfStart } from '../../io/encoding.ts'
import { tooLarge } from '../sheetjs/bounds.ts'
import { freeName, MAX_SHEETS, type Sheet, type SheetFacts, type Workbook } from '../xlsx/read/book.ts'
import { MemoryRows } from '../xlsx/read/memory-rows.ts'
import { FormatTable } from '../xlsx/read/styles.ts'
import { NUMBER, type Row, STRING } from '../xlsx/read/row.ts'
import { MAX_MERGES } from '../xlsx/xml/row-parser.ts'
import { NO_STRINGS } from '../xlsx/read/strings.ts'
import { tooManySheets } from '../xlsx/read/workbook.ts'
import { withZipErrors } from '../xlsx/zip.ts'
import { tablesOf, type HtmlCell, type HtmlTable } from './tables.ts'

/** The whole file is held in memory, as text and as cells. */
const MAX_FILE = 32 * 1024 * 1024
/** A header and a row. Anything smaller is a message, not a table. */
const LEAST_ROWS = 2
const MAX_NAME = 60
const DECLARED = /<meta[^>]{0,200}charset\s*=\s*["']?([\w-]+)/i
/** A number as a spreadsheet program stores it. */
const KEPT = /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
/** A plain number: no code with leading zeros, no id too long for a double, no grouping. */
const PLAIN = /^-?(0|[1-9]\d{0,14})(\.\d{1,10})?$/
const MAX_DIGITS = 15

const WEB_PAGE: Note = {
  code: 'web-page',
  message: 'The file is a web page (HTML), despite its name: its tables are read, and nothing else of it.',
}

/**
 * Opens a web page with tables, which programs save as .xls. Each table is a sheet.
 * @throws {EngineError} `unsupported-format` if it has no table, or `too-large`
 */
export async function openHtml(file: File, signal: AbortSignal): Promise<Workbook> {
  if (file.size > MAX_FILE) throw tooLarge(file.size, MAX_FILE)
  const bytes = await withZipErrors(sliceBytes(file, 0, file.size))
  const html = await textOf(file, bytes, signal)
  signal.throwIfAborted()
  const tables = tablesOf(html).filter(({ rows }) => rows.length >= LEAST_ROWS)
  if (tables.length === 0) {
    throw new EngineError('unsupported-format', `“${file.name}” is a web page (HTML) without a table in it.`, {
      remedy: 'Open it in a browser and see what it says: servers send a page when a file isn’t available.',
    })
  }
  if (tables.length > MAX_SHEETS) throw tooManySheets()
  const names = new Set<string>()
  const share = Math.round(file.size / tables.length)
  const sheets = tables.map((table, i): Sheet => ({
    name: freeName(table.caption.slice(0, MAX_NAME) || `Table ${i + 1}`, names),
    hidden: false,
    bytes: share,
    open: async (onRow, stop) => new TableRows(table, share, onRow, stop),
  }))
  return { sheets, date1904: false, styles: new FormatTable(), strings: NO_STRINGS, notes: [WEB_PAGE] }
}

/** Decodes the page: as Unicode if its bytes are, else in the encoding that it declares, or that its bytes suggest. */
async function textOf(file: File, bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const start = encodingOfStart(bytes.subarray(0, 1024))
  if (start !== null && start !== 'utf-8') return new TextDecoder(start).decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const named = DECLARED.exec(new TextDecoder('latin1').decode(bytes.subarray(0, 4096)))?.[1] ?? ''
    const isKnown = named !== '' && !/^utf-?8$/i.test(named)
    const { candidates } = await detectByBytes(file, { compression: null, signal })
    try {
      return new TextDecoder(isKnown ? named : candidates[0].encoding).decode(bytes)
    } catch {
      return new TextDecoder('windows-1252').decode(bytes)
    }
  }
}

/** Provides a table's rows. */
class TableRows extends MemoryRows {
  readonly facts: SheetFacts
  private readonly rows: readonly (readonly HtmlCell[])[]
  private readonly onRow: (row: Row) => void

  constructor({ rows, merges }: HtmlTable, bytes: number, onRow: (row: Row) => void, signal: AbortSignal) {
    super(rows.length, bytes, signal)
    this.rows = rows
    this.onRow = onRow
    this.facts = { mergedRanges: merges.length, merges: merges.slice(0, MAX_MERGES), hiddenColumns: 0, unkept: 0 }
  }

  protected take(at: number): void {
    const { row } = this
    row.clear()
    row.number = at + 1
    for (const { column, text, value, isText } of this.rows[at]) {
      const kept = value !== null && KEPT.test(value.trim()) ? value.trim() : null
      // Skip empty cells.
      if (kept === null && text === '') continue
      const digits = text.replaceAll(/[-.]/g, '').length
      const isNumber = kept !== null || (!isText && PLAIN.test(text) && text !== '-0' && digits <= MAX_DIGITS)
      const start = row.text.length
      row.text.text(kept ?? text)
      row.add(column, isNumber ? NUMBER : STRING, 0, start, row.text.length)
    }
    if (row.count > 0) this.onRow(row)
  }
}
