import { ByteWriter } from '../../../../../lib/bytes.ts'
import type { ColumnType } from '../../../../../tables/types.ts'
import { showCode } from './code-format.ts'
import { isPlainNumber, readDouble, shortestText } from './numbers.ts'
import { appendDate, appendDuration, appendTime, plainNumber, Serial } from './serial.ts'
import { BOOLEAN, ERROR, ISO, NUMBER, type Row, SHARED, STRING, UNCALCULATED } from '../row.ts'
import { AS_DATE, AS_DATETIME, AS_DURATION, AS_NUMBER, AS_TIME, type FormatKind } from '../styles.ts'
import type { Workbook } from '../book.ts'

/* The purpose of a cell's text: the column type, as far as it matters here. */
export type Want = number
/** The text that a person would see: numbers plain, dates ISO. Empty text is a value. */
const WANT_TEXT = 0
/** As before, but empty text is null. */
export const WANT_VALUE = 1
const WANT_EXACT = 2
const WANT_DOUBLE = 3
const WANT_DATE = 4
const WANT_TIMESTAMP = 5
const WANT_INSTANT = 6
const WANT_TIME = 7
const WANT_INTERVAL = 8

export function wantOf(type: ColumnType): Want {
  if (type.kind === 'decimal') return WANT_EXACT
  if (type.kind !== 'scalar') return WANT_VALUE
  const { name }: { name: string } = type
  switch (name) {
    case 'VARCHAR':
    case 'BLOB':
      return WANT_TEXT
    case 'FLOAT':
    case 'DOUBLE':
      return WANT_DOUBLE
    case 'DATE':
      return WANT_DATE
    case 'TIME':
      return WANT_TIME
    case 'INTERVAL':
      return WANT_INTERVAL
    case 'TIMESTAMP WITH TIME ZONE':
      return WANT_INSTANT
    case 'TIMESTAMP':
    case 'TIMESTAMP_S':
    case 'TIMESTAMP_MS':
    case 'TIMESTAMP_NS':
      return WANT_TIMESTAMP
    case 'BOOLEAN':
    case 'UUID':
    case 'JSON':
      return WANT_VALUE
    default:
      return WANT_EXACT
  }
}

const TRUE = new TextEncoder().encode('true')
const FALSE = new TextEncoder().encode('false')
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Converts cells to canonical text. Holds one result at a time: `bytes[start, end)` until the next call. */
export class CellText {
  bytes: Uint8Array = TRUE
  start = 0
  end = 0
  /** How the last number cell was interpreted; also `AS_NUMBER` if it can't be a date. */
  shown: typeof AS_NUMBER | typeof AS_DATE | typeof AS_DURATION = AS_NUMBER
  private readonly serial = new Serial()
  private readonly scratch = new ByteWriter(64)
  private readonly workbook: Workbook

  constructor(workbook: Workbook) {
    this.workbook = workbook
  }

  /** How the number format interprets a number cell. */
  formatOf(row: Row, slot: number): FormatKind {
    return this.workbook.styles.formats[row.style[slot]] ?? AS_NUMBER
  }

  /**
   * Sets the text of a row's cell.
   * @param numbersStay whether a number without a date format stays a number, even if a date is wanted
   * @returns false if the cell is null: an error, a formula without a value, or empty text unless text is wanted
   */
  read(row: Row, slot: number, want: Want, numbersStay = false): boolean {
    const kind = row.kind[slot]
    switch (kind) {
      case NUMBER:
        this.number(row, slot, want, numbersStay)
        return true
      case SHARED: {
        const { strings } = this.workbook
        const index = row.start[slot]
        this.set(strings.bytes, strings.offsets[index], strings.offsets[index + 1])
        return this.end > this.start || want === WANT_TEXT
      }
      case STRING:
        this.set(row.text.bytes, row.start[slot], row.end[slot])
        return this.end > this.start || want === WANT_TEXT
      case BOOLEAN: {
        const word = row.text.bytes[row.start[slot]] === 49 ? TRUE : FALSE
        this.set(word, 0, word.length)
        return true
      }
      case ISO:
        this.iso(row.text.bytes, row.start[slot], row.end[slot], want)
        return true
      case ERROR:
      case UNCALCULATED:
      default:
        return false
    }
  }

  /** The cell as shown to a person; null for an error. */
  string(row: Row, slot: number): string | null {
    return this.read(row, slot, WANT_TEXT) ? decoder.decode(this.bytes.subarray(this.start, this.end)) : null
  }

  /** An error's name, such as `#N/A`; other cells like `string`. */
  rawString(row: Row, slot: number): string {
    if (row.kind[slot] === ERROR) return decoder.decode(row.text.bytes.subarray(row.start[slot], row.end[slot]))
    return this.string(row, slot) ?? ''
  }

  private set(bytes: Uint8Array, start: number, end: number): void {
    this.bytes = bytes
    this.start = start
    this.end = end
  }

  private setScratch(): void {
    this.set(this.scratch.bytes, 0, this.scratch.length)
  }

  private number(row: Row, slot: number, want: Want, numbersStay: boolean): void {
    const { bytes } = row.text
    const start = row.start[slot]
    const end = row.end[slot]
    this.shown = AS_NUMBER
    if (want === WANT_DOUBLE) {
      this.set(bytes, start, end)
      return
    }
    if (want >= WANT_DATE || want <= WANT_VALUE) {
      const format = this.formatOf(row, slot)
      const temporal = format !== AS_NUMBER || (want >= WANT_DATE && !numbersStay)
      if (temporal && this.temporal(bytes, start, end, want, format)) return
    }
    const code = want === WANT_TEXT ? this.codeOf(row, slot) : null
    if (code === null) {
      this.plain(bytes, start, end, want)
    } else {
      this.scratch.clear()
      this.scratch.text(code)
      this.setScratch()
    }
  }

  /**
   * What a code format shows for a number cell, such as `00501` for 501; null without such a format, or if it would
   * round.
   */
  codeOf(row: Row, slot: number): string | null {
    const { codes } = this.workbook.styles
    const format = codes.size === 0 ? undefined : codes.get(row.style[slot])
    if (!format) return null
    const text = decoder.decode(row.text.bytes.subarray(row.start[slot], row.end[slot]))
    const digits = /^[0-9]+$/.test(text) ? text : plainNumber(text)
    return digits !== null && /^(?:0|[1-9][0-9]*)$/.test(digits) ? showCode(format, digits) : null
  }

  /** The unit that a number cell is shown with; undefined if there's none. */
  unitOf(row: Row, slot: number): string | undefined {
    const { units } = this.workbook.styles
    return units.size === 0 ? undefined : units.get(row.style[slot])
  }

  private plain(bytes: Uint8Array, start: number, end: number, want: Want): void {
    this.set(bytes, start, end)
    if (isPlainNumber(bytes, start, end)) return
    const value = readDouble(bytes, start, end)
    if (Number.isNaN(value)) return
    const text = shortestText(value)
    this.scratch.clear()
    this.scratch.text(want === WANT_EXACT ? (value === 0 ? '0' : (plainNumber(text) ?? text)) : text)
    this.setScratch()
  }

  /** Sets a number as a date or time; returns false, with nothing set, if it can't be one. */
  private temporal(bytes: Uint8Array, start: number, end: number, want: Want, format: FormatKind): boolean {
    const { serial, scratch } = this
    if (!serial.parse(bytes, start, end)) return false
    scratch.clear()
    const shown = want > WANT_VALUE ? want : shownAs(format, serial)
    if (shown === WANT_INTERVAL) {
      appendDuration(scratch, serial)
    } else if (shown === WANT_TIME && serial.isTime) {
      appendTime(scratch, serial.micros)
    } else {
      const days = serial.epochDays(this.workbook.date1904)
      if (Number.isNaN(days)) return false
      appendDate(scratch, days)
      if (shown !== WANT_DATE || !serial.isWhole) {
        scratch.byte(32)
        appendTime(scratch, serial.timeOfDay)
        if (shown === WANT_INSTANT) scratch.text('+00')
      }
    }
    this.shown = shown === WANT_INTERVAL ? AS_DURATION : AS_DATE
    this.setScratch()
    return true
  }

  /** `2024-01-31T08:00:00Z` as `2024-01-31 08:00:00`: cells have no time zone, whatever the suffix. */
  private iso(bytes: Uint8Array, start: number, end: number, want: Want): void {
    const { scratch } = this
    scratch.clear()
    scratch.append(bytes, start, end)
    if (scratch.length > 10 && scratch.bytes[10] === 84) scratch.bytes[10] = 32
    if (scratch.bytes[scratch.length - 1] === 90) scratch.length--
    if (scratch.length === 10 && (want === WANT_TIMESTAMP || want === WANT_INSTANT)) scratch.text(' 00:00:00')
    if (want === WANT_INSTANT) scratch.text('+00')
    this.setScratch()
  }
}

/** What a format shows of a serial number: with a time format, a whole date is a date and time, not a time of day. */
function shownAs(format: FormatKind, serial: Serial): Want {
  if (format === AS_DURATION) return WANT_INTERVAL
  if (format === AS_TIME) return serial.isTime ? WANT_TIME : WANT_TIMESTAMP
  return format === AS_DATETIME ? WANT_TIMESTAMP : WANT_DATE
}
