import { daysFromCivil, daysInMonth } from '../../arrow/calendar.ts'
import { BOOLEAN, ERROR, ISO, MAX_COLUMNS, NUMBER, type Row, STRING, UNCALCULATED } from '../xlsx/read/row.ts'
import { MAX_ROWS } from '../xlsx/read/sheet-rows.ts'
import { AS_NUMBER, type Styles } from '../xlsx/read/styles.ts'
import { daySerial, MICROS_PER_DAY, serialOf } from '../xlsx/write/serial.ts'
import { HAS_ESCAPE, type XmlScanner } from '../xlsx/xml/scanner.ts'
import { SheetsParser } from '../xlsx/xml/sheets-parser.ts'

const NUMERAL = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i
const MOMENT = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,6})\d*)?)?)?Z?$/
/** 1899-12-31, the date of a time without a date, and the day before, which other programs use. */
const TIME_DAYS = new Set([-25_568, -25_569])

/** A workbook's formats, and the index of the format for each style id. */
interface Formats {
  readonly formats: Styles
  readonly styles: ReadonlyMap<string, number>
}

/** Parses one sheet of an XML spreadsheet into rows while its XML arrives. */
export class WorksheetParser extends SheetsParser {
  private readonly book: Formats
  /** Number of sheets up to this one that are still to come. */
  private before: number
  private inTable = false
  private inRow = false
  private inData = false
  /** Number of blank rows after this one. */
  private rowSpan = 0
  private cell = noCell()

  /** @param sheet its index in the file */
  constructor(scanner: XmlScanner, sheet: number, book: Formats, onRow: (row: Row) => void) {
    super(scanner, onRow)
    this.before = sheet + 1
    this.book = book
  }

  protected mayEnd(): boolean {
    return this.before <= 0 && !this.inTable
  }

  protected text(): void {
    if (this.inData) this.appendText(this.scanner.textFlags & ~HAS_ESCAPE)
  }

  protected open(): void {
    const { scanner } = this
    // Text in a cell may contain markup, which is irrelevant.
    if (this.inData) return
    const name = scanner.name()
    if (!this.inTable) {
      if (name === 'Worksheet') this.before--
      else if (name === 'Table' && this.before === 0) this.inTable = !scanner.selfClosing
    } else if (this.inCell) {
      if (name === 'Data') this.startData()
      else this.skip()
    } else if (this.inRow) {
      if (name === 'Cell') this.startCell()
      else this.skip()
    } else if (name === 'Row') this.startRow()
    else {
      if (name === 'Column') this.columns()
      this.skip()
    }
  }

  protected close(): void {
    const name = this.scanner.name()
    if (this.inData) {
      if (name === 'Data') this.inData = false
    } else if (this.inCell) this.endCell()
    else if (this.inRow) this.endRow()
    else if (this.inTable) this.ended = name === 'Table'
    // A sheet without a table has no rows.
    else if (name === 'Worksheet' && this.before === 0) this.ended = true
  }

  private columns(): void {
    const { scanner } = this
    let span = 0
    let style = ''
    let hidden = false
    let at: number | undefined
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'Index') at = scanner.valueNumber() - 1
      else if (name === 'Span') span = Math.max(0, scanner.valueNumber())
      else if (name === 'StyleID') style = scanner.rawValue()
      else if (name === 'Hidden') hidden = isTrue(scanner.rawValue())
    }
    this.addColumns(span + 1, style, hidden, at)
  }

  private startRow(): void {
    const { scanner, row } = this
    const number = row.number + this.rowSpan + 1
    this.beginRow(number)
    this.rowSpan = 0
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'Index') row.number = Math.max(number, scanner.valueNumber())
      else if (name === 'Span') this.rowSpan = Math.max(0, scanner.valueNumber())
      else if (name === 'StyleID') this.rowStyle = scanner.rawValue()
      else if (name === 'Hidden') row.hidden = isTrue(scanner.rawValue())
    }
    if (row.number > MAX_ROWS) throw scanner.broken('it has more rows than a sheet can have')
    this.inRow = !scanner.selfClosing
  }

  private endRow(): void {
    this.inRow = false
    if (this.row.count > 0) this.onRow(this.row)
  }

  private startCell(): void {
    const { scanner, row } = this
    const cell = noCell()
    this.cell = cell
    this.cellStart = row.text.length
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'Index') this.column = Math.max(this.column, scanner.valueNumber() - 1)
      else if (name === 'StyleID') cell.style = scanner.rawValue()
      else if (name === 'MergeAcross') cell.across = Math.max(0, scanner.valueNumber())
      else if (name === 'MergeDown') cell.down = Math.max(0, scanner.valueNumber())
      else if (name === 'Formula') cell.hasFormula = true
    }
    if (this.column >= MAX_COLUMNS) throw scanner.broken(`row ${row.number} has a cell beyond column XFD`)
    this.inCell = !scanner.selfClosing
    if (scanner.selfClosing) this.endCell()
  }

  private startData(): void {
    const { scanner, cell, row } = this
    row.text.length = this.cellStart
    cell.type = ''
    while (scanner.nextAttribute()) if (scanner.attributeName() === 'Type') cell.type = scanner.rawValue()
    cell.hasData = true
    this.inData = !scanner.selfClosing
  }

  private endCell(): void {
    const { cell, row, column } = this
    this.inCell = false
    this.column += cell.across + 1
    if (cell.across > 0 || cell.down > 0)
      this.merge({ top: row.number, bottom: row.number + cell.down, left: column, right: column + cell.across })
    if (!cell.hasData) {
      if (cell.hasFormula) row.add(column, UNCALCULATED, 0, this.cellStart, row.text.length)
      return
    }
    const format = this.formatOf(column)
    const kind = this.kindOf(format)
    row.add(column, kind, kind === NUMBER ? format : 0, this.cellStart, row.text.length)
  }

  private formatOf(column: number): number {
    return this.book.styles.get(this.styleAt(column, this.cell.style) || 'Default') ?? 0
  }

  /** The cell's kind, after storing its text in the row. */
  private kindOf(format: number): number {
    const text = this.cellText()
    switch (this.cell.type) {
      case 'Number':
        return NUMERAL.test(text.trim()) ? this.set(text.trim().replace(/^\+/, ''), NUMBER) : STRING
      case 'Boolean':
        return this.set(isTrue(text.trim()) ? '1' : '0', BOOLEAN)
      case 'Error':
        return ERROR
      case 'DateTime':
        return this.moment(text.trim(), format)
      default:
        return STRING
    }
  }

  /**
   * A date and time as Excel's number, so that its format determines how it's shown; as ISO 8601 if there's no such
   * number.
   */
  private moment(text: string, format: number): number {
    const [, year, month, day, hours = 0, minutes = 0, seconds = 0, fraction = ''] = (MOMENT.exec(text) ?? []).map(
      (part, i) => (i === 7 ? part : Number(part ?? 0)),
    ) as [number, number, number, number, number?, number?, number?, string?]
    if (year === undefined || day < 1 || day > daysInMonth(year, month) || hours > 23 || minutes > 59 || seconds > 59)
      return STRING
    const days = daysFromCivil(year, month, day)
    const micros = ((hours * 60 + minutes) * 60 + seconds) * 1e6 + Number((fraction ?? '').padEnd(6, '0'))
    const serial = TIME_DAYS.has(days) ? 0 : daySerial(days)
    if (serial === null || this.book.formats.formats[format] === AS_NUMBER) {
      return this.set(micros === 0 ? text.slice(0, 10) : text.replace(/Z$/, ''), ISO)
    }
    return this.set(serialOf(serial * MICROS_PER_DAY + micros), NUMBER)
  }
}

interface Cell {
  type: string
  style: string
  hasData: boolean
  hasFormula: boolean
  across: number
  down: number
}

const noCell = (): Cell => ({ type: '', style: '', hasData: false, hasFormula: false, across: 0, down: 0 })

const isTrue = (text: string): boolean => text === '1' || text.toLowerCase() === 'true'
