import type { RowParser } from './book.ts'
import { BOOLEAN, ERROR, ISO, MAX_COLUMNS, NUMBER, type Row, SHARED, STRING, UNCALCULATED } from './row.ts'
import { columnName, type Range, rangeOf } from '../../../../tables/range.ts'
import type { SharedStrings } from './strings.ts'
import { CLOSE, codeOf, END, NEED, OPEN, TEXT, type XmlScanner } from '../xml/scanner.ts'
import { attributesOf, isTrue } from '../xml/part.ts'
import { XmlRowParser } from '../xml/row-parser.ts'
import { hasUnkeptSpace, keepsSpace } from '../xml/text.ts'

/** Excel's last row. Rows of nulls after it are ignored, but rows with values are read. */
export const MAX_ROWS = 1_048_576

const C = codeOf('c')
const V = codeOf('v')
const F = codeOf('f')
const IS = codeOf('is')
const T = codeOf('t')
const R = codeOf('r')
const S = codeOf('s')
const ROW = codeOf('row')
const RPH = codeOf('rPh')

/** Parses a sheet's XML into rows while it arrives. */
export class SheetParser extends XmlRowParser implements RowParser {
  readonly paused = false
  /** Number of texts with outer white space that Excel doesn't show. */
  unkept = 0
  private inData = false
  private inExtension = false
  private inText = false
  private inString = false
  private phonetic = false
  private sheetKeeps = false
  private keeps = false
  private isUnkept = false
  private hasFormula = false
  private hasText = false
  private cellKind = NUMBER
  /** The element that should contain the cell's value according to its type, and the one that did so far. */
  private wanted = V
  private source = 0
  private cellStyle = 0
  private cellColumn = -1
  private readonly strings: SharedStrings

  constructor(scanner: XmlScanner, strings: SharedStrings, onRow: (row: Row) => void) {
    super(scanner, onRow)
    this.strings = strings
  }

  /**
   * Processes the scanner's data. Returns true at the end of the sheet.
   * @throws {EngineError} `corrupt-file` with the cell
   */
  run(): boolean {
    const { scanner } = this
    for (let token = scanner.next(); token !== NEED; token = scanner.next()) {
      if (token === TEXT) {
        if (this.inText) {
          this.hasText = true
          this.isUnkept ||= !this.keeps && hasUnkeptSpace(scanner)
          this.appendText(scanner.textFlags)
        }
      } else if (token === OPEN) {
        if (this.inData) this.open(scanner.code)
        else this.openOutside(scanner)
      } else if (token === CLOSE) {
        if (this.inData && this.close(scanner.code)) return true
      } else if (token === END) {
        if (this.inData) throw scanner.broken('its XML ends in the middle')
        return true
      }
    }
    return false
  }

  private open(code: number): void {
    const { scanner } = this
    if (this.inExtension) return
    switch (code) {
      case C:
        this.startCell()
        if (scanner.selfClosing) this.endCell()
        return
      case V:
        if (this.takes(V)) this.inText = !scanner.selfClosing
        return
      case T:
        this.inText = this.inString && !this.phonetic && !scanner.selfClosing
        if (this.inText) this.keeps = keepsSpace(scanner, this.sheetKeeps)
        return
      case F:
        this.hasFormula = true
        return
      case IS:
        if (this.takes(IS)) this.inString = !scanner.selfClosing
        return
      case RPH:
        this.phonetic = !scanner.selfClosing
        return
      case ROW:
        this.startRow()
        if (scanner.selfClosing) this.endRow()
        return
      case 0:
        // Extensions may contain elements with the same names.
        this.inExtension = !scanner.selfClosing && scanner.name() === 'extLst'
    }
  }

  /** Whether the cell's value is in this element: preferably the one for its type, else the other one. */
  private takes(element: number): boolean {
    if (this.source === this.wanted && element !== this.wanted) return false
    const { row, scanner } = this
    this.source = element
    row.text.length = this.cellStart
    this.isUnkept = false
    if (element === IS) this.cellKind = STRING
    else this.keeps = keepsSpace(scanner, this.sheetKeeps)
    // An empty value of a text cell is an empty text.
    this.hasText = this.cellKind === STRING
    return true
  }

  /** Returns true if reading should stop. */
  private close(code: number): boolean {
    if (this.inExtension) {
      if (code === 0) this.inExtension = this.scanner.name() !== 'extLst'
      return false
    }
    switch (code) {
      case V:
      case T:
        this.inText = false
        return false
      case C:
        if (!this.inCell) throw this.scanner.broken(`row ${this.row.number} ends a cell that it didn’t begin`)
        this.endCell()
        return false
      case IS:
        this.inString = false
        return false
      case RPH:
        this.phonetic = false
        return false
      case ROW:
        this.endRow()
        return this.stopped
      case 0:
        if (this.scanner.name() === 'sheetData') this.inData = false
    }
    return this.stopped
  }

  private openOutside(scanner: XmlScanner): void {
    const name = scanner.name()
    if (name === 'worksheet') this.sheetKeeps = keepsSpace(scanner, false)
    else if (name === 'sheetData') this.inData = !scanner.selfClosing
    else if (name === 'mergeCell') this.merge(finite(rangeOf(attributesOf(scanner).get('ref') ?? '')))
    else if (name === 'col') {
      const attributes = attributesOf(scanner)
      const min = Number(attributes.get('min'))
      const max = Math.min(MAX_COLUMNS, Number(attributes.get('max')))
      if (isTrue(attributes.get('hidden')) && max >= min) this.hiddenColumns += max - min + 1
    }
  }

  private startRow(): void {
    const { scanner, row } = this
    if (this.inCell) throw scanner.broken(`a row begins in a cell of row ${row.number}`)
    row.clear()
    row.number++
    row.hidden = false
    row.bare = true
    this.cellColumn = -1
    while (scanner.nextAttribute()) {
      if (scanner.attributeCode === R && !scanner.attributePrefixed) {
        const number = scanner.valueNumber()
        if (number < 1) throw scanner.broken(`a row has the number “${scanner.rawValue()}”`)
        row.number = number
      } else {
        row.bare = false
        if (scanner.attributeName() === 'hidden') row.hidden = isTrue(scanner.rawValue())
      }
    }
  }

  private endRow(): void {
    const { row } = this
    if (this.inCell) throw this.scanner.broken(`row ${row.number} ends in a cell`)
    row.bare &&= row.number <= MAX_ROWS
    // Rows without cells are skipped, except our writer's rows of nulls.
    if (row.count > 0 || row.bare) this.onRow(row)
  }

  private startCell(): void {
    const { scanner } = this
    this.inCell = true
    this.hasFormula = false
    this.hasText = false
    this.isUnkept = false
    this.cellKind = NUMBER
    this.wanted = V
    this.source = 0
    this.cellStyle = 0
    this.cellColumn++
    this.cellStart = this.row.text.length
    while (scanner.nextAttribute()) {
      if (scanner.attributePrefixed) continue
      if (scanner.attributeCode === R) this.setColumn()
      else if (scanner.attributeCode === S) this.cellStyle = Math.max(0, scanner.valueNumber())
      else if (scanner.attributeCode === T) this.setKind()
    }
    if (this.cellColumn >= MAX_COLUMNS) throw scanner.broken(`row ${this.row.number} has a cell beyond column XFD`)
  }

  private setColumn(): void {
    const { bytes, valueStart, valueEnd } = this.scanner
    let column = 0
    let at = valueStart
    for (; at < valueEnd; at++) {
      const letter = bytes[at] & 0xdf
      if (letter < 65 || letter > 90) break
      column = column * 26 + letter - 64
      if (column > MAX_COLUMNS) break
    }
    if (column === 0)
      throw this.scanner.broken(`a cell in row ${this.row.number} is named “${this.scanner.rawValue()}”`)
    this.cellColumn = column - 1
  }

  private setKind(): void {
    const { bytes, valueStart, valueEnd } = this.scanner
    const length = valueEnd - valueStart
    const first = length === 0 ? 0 : bytes[valueStart]
    if (length === 1) {
      this.cellKind =
        first === 115 ? SHARED : first === 98 ? BOOLEAN : first === 101 ? ERROR : first === 100 ? ISO : NUMBER
    } else {
      // `str`, `inlineStr`; an unknown one is read as text.
      this.cellKind = STRING
      if (first === 105) this.wanted = IS
    }
  }

  private endCell(): void {
    const { row } = this
    this.inCell = false
    row.bare = false
    let kind = this.cellKind
    let start = this.cellStart
    let end = row.text.length
    if (kind !== STRING) {
      const { bytes } = row.text
      while (end > start && bytes[end - 1] <= 32) end--
      while (start < end && bytes[start] <= 32) start++
    }
    if (end === start && !(kind === STRING && this.hasText)) {
      if (!this.hasFormula) return
      kind = UNCALCULATED
    }
    // Excel shows the blanks of a formula's result.
    if (kind === STRING && this.isUnkept && !this.hasFormula) this.unkept++
    if (kind === SHARED) start = this.sharedIndex(start, end)
    else if (kind === BOOLEAN) kind = this.booleanKind(start, end)
    this.add(kind, start, end)
  }

  private sharedIndex(start: number, end: number): number {
    const { bytes } = this.row.text
    let index = 0
    for (let at = start; at < end; at++) {
      const digit = bytes[at] - 48
      index = digit >= 0 && digit <= 9 ? index * 10 + digit : Number.NaN
    }
    if (index < this.strings.count) return index
    throw this.scanner.broken(`cell ${columnName(this.cellColumn)}${this.row.number} names a text that isn’t there`)
  }

  private booleanKind(start: number, end: number): number {
    const { bytes } = this.row.text
    const first = bytes[start] | 32
    if (end - start > 1 && (first === 116 || first === 102)) bytes[start] = first === 116 ? 49 : 48
    return bytes[start] === 48 || bytes[start] === 49 ? BOOLEAN : STRING
  }

  private add(kind: number, start: number, end: number): void {
    const { row, cellColumn } = this
    const { count } = row
    // If two cells have the same place, the last one counts.
    const same =
      count > 0 && row.column[count - 1] >= cellColumn ? row.column.subarray(0, count).indexOf(cellColumn) : -1
    if (same >= 0) row.set(same, cellColumn, kind, this.cellStyle, start, end)
    else row.add(cellColumn, kind, this.cellStyle, start, end)
  }
}

/** Null for whole columns, which have no last row. */
const finite = (range: Range | null): Range | null => (range && Number.isFinite(range.bottom) ? range : null)
