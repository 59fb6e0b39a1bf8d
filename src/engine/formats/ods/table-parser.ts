import { formatCount } from '../../../lib/counts.ts'
import { EngineError } from '../../errors.ts'
import { MICROS_PER_DAY, serialOf } from '../xlsx/write/serial.ts'
import { BOOLEAN, ERROR, ISO, MAX_COLUMNS, NUMBER, type Row, STRING, UNCALCULATED } from '../xlsx/read/row.ts'
import { MAX_ROWS } from '../xlsx/read/sheet-rows.ts'
import { codeOf, HAS_ESCAPE, type XmlScanner } from '../xlsx/xml/scanner.ts'
import { SheetsParser } from '../xlsx/xml/sheets-parser.ts'
import { xmlText } from '../xlsx/xml/text.ts'
import type { OdsStyles } from './styles.ts'

const P = codeOf('p')
const H = codeOf('h')
const S = codeOf('s')
const TAB = codeOf('tab')
/** A time of this length that is shown as a time of day is a date and time whose date isn't shown. */
const YEAR = 366 * MICROS_PER_DAY
/** Number of rows per call for a row that is repeated. */
const REPEATS = 1000

/** Shown by programs for formulas that failed. */
const ERROR_TEXT = /^(?:#(?:N\/A|DIV\/0!|VALUE!|REF!|NAME\?|NUM!|NULL!)|Err:[0-9]{3})$/

/** How LibreOffice stores a boolean without a format of its own. */
const TRUTH = /^\w+:=(?:TRUE|FALSE)\(\)$/

const CELLS = new Set(['table-cell', 'covered-table-cell'])
/** Elements that contain rows or columns. */
const GROUPS = new Set(
  'table-rows table-header-rows table-row-group table-columns table-header-columns table-column-group'.split(' '),
)
/** Elements in paragraphs that aren't part of the text shown. */
const ASIDE = new Set(['annotation', 'annotation-end', 'frame', 'note', 'ruby-text', 'custom-shape', 'g'])

/** Parses one table of an OpenDocument spreadsheet into rows while its XML arrives. */
export class TableParser extends SheetsParser {
  private readonly styles: OdsStyles
  /** Number of tables still to skip. */
  private before: number
  private within = false
  private inParagraph = false
  private paragraphs = 0
  /** Whether to insert a blank before the next text. */
  private blank = false
  private begun = false
  private rowRepeat = 1
  private cell = noCell()

  constructor(scanner: XmlScanner, table: number, styles: OdsStyles, onRow: (row: Row) => void) {
    super(scanner, onRow)
    this.before = table
    this.styles = styles
  }

  protected mayEnd(): boolean {
    return false
  }

  protected open(): void {
    const { scanner } = this
    if (!this.within) this.openOutside(scanner)
    else if (this.inParagraph) this.openInline(scanner)
    else if (this.inCell) {
      if (scanner.code !== P && scanner.code !== H) this.skip()
      else this.startParagraph()
    } else this.openInTable(scanner)
  }

  private openOutside(scanner: XmlScanner): void {
    if (scanner.name() !== 'table') return
    if (this.before-- > 0) this.skip()
    else if (scanner.selfClosing) this.ended = true
    else this.within = true
  }

  private openInTable(scanner: XmlScanner): void {
    const name = scanner.name()
    if (CELLS.has(name)) {
      this.startCell()
      if (scanner.selfClosing) this.endCell()
    } else if (name === 'table-row') {
      this.startRow()
      if (scanner.selfClosing) this.endRow()
    } else if (name === 'table-column') {
      this.columns()
      this.skip()
    } else if (!GROUPS.has(name)) {
      this.skip()
    }
  }

  private openInline(scanner: XmlScanner): void {
    const { code } = scanner
    const name = code === 0 ? scanner.name() : ''
    if (code === S) {
      let count = 1
      while (scanner.nextAttribute()) if (scanner.attributeName() === 'c') count = Math.max(1, scanner.valueNumber())
      this.literal(' '.repeat(Math.min(count, MAX_COLUMNS)))
    } else if (code === TAB) this.literal('\t')
    else if (name === 'line-break') this.literal('\n')
    else if (ASIDE.has(name)) this.skip()
  }

  protected close(): void {
    const { scanner } = this
    if (this.inParagraph) {
      if (scanner.code === P || scanner.code === H) this.inParagraph = false
    } else if (this.within) {
      const name = scanner.name()
      if (CELLS.has(name)) this.endCell()
      else if (name === 'table-row') this.endRow()
      else if (name === 'table') this.ended = true
    }
  }

  private columns(): void {
    const { scanner } = this
    let repeat = 1
    let style = ''
    let hidden = false
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'number-columns-repeated') repeat = Math.max(1, scanner.valueNumber())
      else if (name === 'default-cell-style-name') style = scanner.rawValue()
      else if (name === 'visibility') hidden = isHidden(scanner.rawValue())
    }
    this.addColumns(repeat, style, hidden)
  }

  private startRow(): void {
    const { scanner, row } = this
    this.beginRow(row.number + 1)
    this.rowRepeat = 1
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'number-rows-repeated') this.rowRepeat = Math.max(1, scanner.valueNumber())
      else if (name === 'default-cell-style-name') this.rowStyle = scanner.rawValue()
      else if (name === 'visibility') row.hidden = isHidden(scanner.rawValue())
    }
  }

  private endRow(): void {
    const { row } = this
    if (row.count === 0) {
      row.number += this.rowRepeat - 1
      return
    }
    // More repetitions than a sheet can have rows come from filling a whole column.
    this.rowRepeat = Math.min(this.rowRepeat, Math.max(1, MAX_ROWS - row.number + 1))
    this.onRow(row)
    this.rowRepeat--
    this.repeat()
  }

  protected override repeat(): void {
    const { row } = this
    const count = Math.min(this.rowRepeat, REPEATS)
    for (let i = 0; i < count && !this.stopped; i++) {
      row.number++
      this.onRow(row)
    }
    this.rowRepeat -= count
    this.paused = this.rowRepeat > 0 && !this.stopped
  }

  private startCell(): void {
    const { scanner } = this
    const cell = noCell()
    this.cell = cell
    this.cellStart = this.row.text.length
    this.paragraphs = 0
    this.inCell = true
    while (scanner.nextAttribute()) {
      const name = scanner.attributeName()
      if (name === 'value-type') {
        const type = scanner.rawValue()
        cell.isError ||= type === 'error'
        cell.type ||= type
      } else if (name === 'value' || name === 'date-value' || name === 'time-value' || name === 'boolean-value') {
        cell.value ??= scanner.rawValue()
      } else if (name === 'string-value') {
        cell.text = xmlText(scanner.bytes, scanner.valueStart, scanner.valueEnd)
      } else if (name === 'style-name') {
        cell.style = scanner.rawValue()
      } else if (name === 'formula') {
        cell.hasFormula = true
        cell.isTruth = TRUTH.test(scanner.rawValue())
      } else if (name === 'number-columns-repeated') {
        cell.repeat = Math.max(1, scanner.valueNumber())
      } else if (name === 'number-columns-spanned') {
        cell.columns = Math.max(1, scanner.valueNumber())
      } else if (name === 'number-rows-spanned') {
        cell.rows = Math.max(1, scanner.valueNumber())
      }
    }
  }

  private startParagraph(): void {
    if (this.paragraphs++ > 0) this.row.text.byte(10)
    this.inParagraph = !this.scanner.selfClosing
    this.blank = false
    this.begun = false
  }

  /** White space in a paragraph is collapsed and trimmed. */
  protected text(): void {
    if (!this.inParagraph) return
    const { row, scanner } = this
    const start = row.text.length
    this.appendText(scanner.textFlags & ~HAS_ESCAPE)
    const piece = row.text.bytes.slice(start, row.text.length)
    row.text.length = start
    for (const byte of piece) {
      if (byte === 32 || byte === 9 || byte === 10 || byte === 13) {
        this.blank ||= this.begun
        continue
      }
      if (this.blank) row.text.byte(32)
      this.blank = false
      this.begun = true
      row.text.byte(byte)
    }
  }

  private literal(text: string): void {
    if (this.blank) this.row.text.byte(32)
    this.blank = false
    this.begun = true
    this.row.text.text(text)
  }

  private endCell(): void {
    this.inCell = false
    const { cell, row, column, cellStart } = this
    this.column += cell.repeat
    if (cell.columns > 1 || cell.rows > 1)
      this.merge({
        top: row.number,
        bottom: row.number + cell.rows - 1,
        left: column,
        right: column + cell.columns - 1,
      })
    const kind = this.kindOf()
    if (kind === null) return
    if (this.column > MAX_COLUMNS) throw tooWide(row.number)
    const style = kind === NUMBER ? this.styleOf() : 0
    for (let i = 0; i < cell.repeat; i++) row.add(column + i, kind, style, cellStart, row.text.length)
  }

  /** The cell's kind, after storing its text in the row; null if it's blank. */
  private kindOf(): number | null {
    const { cell, paragraphs } = this
    if (cell.isError || (cell.hasFormula && ERROR_TEXT.test(this.cellText()))) return ERROR
    if (cell.type === '' || cell.type === 'string') {
      if (cell.text !== undefined) this.set(cell.text, STRING)
      if (cell.type === 'string' || paragraphs > 0) return STRING
      return cell.hasFormula ? UNCALCULATED : null
    }
    // Without a value attribute, the shown text is the value.
    if (cell.value === undefined) return paragraphs > 0 ? STRING : null
    if (cell.type === 'boolean' || cell.isTruth) return this.set(isTrue(cell.value) ? '1' : '0', BOOLEAN)
    if (cell.type === 'date') return this.set(cell.value, ISO)
    if (cell.type !== 'time') return this.set(cell.value, NUMBER)
    const micros = durationOf(cell.value)
    cell.isDuration = micros >= MICROS_PER_DAY || micros < 0
    if (micros >= YEAR && Number.isSafeInteger(micros) && this.styles.isTimeOfDay(this.ownStyle()))
      return this.set(momentOf(micros, this.styles.firstDay), ISO)
    return Number.isNaN(micros) ? this.set(cell.value, STRING) : this.set(serialOf(micros), NUMBER)
  }

  private ownStyle(): string {
    return this.styleAt(this.column - this.cell.repeat, this.cell.style)
  }

  private styleOf(): number {
    const { cell } = this
    const name = this.ownStyle()
    return cell.type === 'time' ? this.styles.timeOf(name, cell.isDuration) : this.styles.of(name)
  }
}

interface Cell {
  type: string
  value: string | undefined
  text: string | undefined
  style: string
  isError: boolean
  hasFormula: boolean
  isTruth: boolean
  isDuration: boolean
  repeat: number
  columns: number
  rows: number
}

function noCell(): Cell {
  return {
    type: '',
    value: undefined,
    text: undefined,
    style: '',
    isError: false,
    hasFormula: false,
    isTruth: false,
    isDuration: false,
    repeat: 1,
    columns: 1,
    rows: 1,
  }
}

/** LibreOffice allows more columns than Excel if that option is on. */
function tooWide(row: number): EngineError {
  return new EngineError('too-large', 'A sheet is wider than can be read: it has cells beyond column XFD.', {
    place: `row ${formatCount(row)}`,
    remedy: `Move what stands beyond the ${formatCount(MAX_COLUMNS)} columns that are read to another sheet, and save the spreadsheet again.`,
  })
}

/** LibreOffice stores a number that is shown as a boolean as it is: all but 0 are true. */
const isTrue = (value: string): boolean => value === 'true' || (value !== '' && Math.abs(Number(value)) > 0)

const isHidden = (visibility: string): boolean => visibility === 'collapse' || visibility === 'filter'

/** `PT25H07M13.5S` in microseconds; NaN if it's invalid or has months. */
function durationOf(text: string): number {
  const [whole, sign, days = 0, hours = 0, minutes = 0, seconds = 0] =
    /^(-)?P(?:(\d{1,7})D)?(?:T(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d+)?)S)?)?$/.exec(text) ?? []
  if (whole === undefined) return Number.NaN
  const micros = ((Number(days) * 24 + Number(hours)) * 60 + Number(minutes)) * 60e6 + Math.round(Number(seconds) * 1e6)
  return sign === undefined ? micros : -micros
}

/** The date and time at a number of days after the spreadsheet's first day. */
function momentOf(micros: number, firstDay: string): string {
  const millis = Math.floor(micros / 1000)
  const moment = new Date(Date.parse(`${firstDay}T00:00:00Z`) + millis).toISOString()
  return `${moment.slice(0, 23)}${String(micros - millis * 1000).padStart(3, '0')}`.replace(/\.?0+$/, '')
}
