import type { ColumnFlag, Note } from '../../../../tables/plan.ts'
import { scalar, VARCHAR, type ColumnType } from '../../../../tables/types.ts'
import { type CellText, NOT_A_DAY } from './cell-text.ts'
import { LONG_INTEGER, NumberScanner, OTHER_FORM, readDouble, SHORT_FRACTION } from './numbers.ts'
import { plainNumber } from './serial.ts'
import { BOOLEAN, ERROR, ISO, NUMBER, type Row, SHARED, STRING } from './row.ts'
import { AS_DATE, AS_DATETIME, AS_DURATION, AS_NUMBER } from './styles.ts'
import type { SharedStrings } from './strings.ts'

const WHOLE = 0
const LONG = 1
const FRACTION = 2
const TEXT = 3
const TRUTH = 4
const DATE = 5
const DATETIME = 6
const TIME = 7
const DURATION = 8
const KINDS = 9

/** For people, singular and plural. */
const KIND_NAMES: readonly (readonly [one: string, many: string])[] = [
  ['whole number', 'whole numbers'],
  ['long whole number', 'long whole numbers'],
  ['number', 'numbers'],
  ['text', 'texts'],
  ['true/false value', 'true/false values'],
  ['date', 'dates'],
  ['date with time', 'dates with time'],
  ['time', 'times'],
  ['duration', 'durations'],
]

const INT32_MAX = 2_147_483_647
const INT64_MAX = 9_223_372_036_854_775_807n
const MAX_SAFE = Number.MAX_SAFE_INTEGER

const decoder = new TextDecoder()
const numbers = new NumberScanner()

export interface ColumnConclusion {
  readonly type: ColumnType
  readonly reason: string
  readonly flags: ColumnFlag[]
  /** About the column; `column` is filled in by who knows its name. */
  readonly notes: readonly Note[]
}

/** What the cells of one column are, over all rows. */
export class ColumnStats {
  /** Cells that have a value of any kind, empty text included. */
  filled = 0
  errors = 0
  private uncalculated = 0
  private emptyTexts = 0
  private readonly counts = new Float64Array(KINDS)
  private readonly firstRows = new Float64Array(KINDS)
  private least = Number.POSITIVE_INFINITY
  private most = Number.NEGATIVE_INFINITY
  private longest = 0n
  /** Long whole numbers that a double would change. */
  private longInexact = 0
  private digitTexts = 0
  private zeroTexts = 0
  /** Number cells that a number format shows as codes, and those of them that aren't shown as the number is. */
  private codes = 0
  private shownOtherwise = 0
  private codeExample: Note['example']

  observe(row: Row, slot: number, cells: CellText, strings: SharedStrings): void {
    const kind = row.kind[slot]
    if (kind === SHARED) {
      const index = row.start[slot]
      this.text(strings.bytes, strings.offsets[index], strings.offsets[index + 1], row.number)
    } else if (kind === NUMBER) {
      this.number(row, slot, cells)
    } else if (kind === STRING) {
      this.text(row.text.bytes, row.start[slot], row.end[slot], row.number)
    } else if (kind === BOOLEAN) {
      this.count(TRUTH, row.number)
    } else if (kind === ISO) {
      this.count(isoKind(row.text.bytes, row.start[slot], row.end[slot]), row.number)
    } else if (kind === ERROR) {
      this.errors++
    } else {
      this.uncalculated++
    }
  }

  private count(kind: number, row: number): void {
    if (this.counts[kind]++ === 0) this.firstRows[kind] = row
    this.filled++
  }

  private text(bytes: Uint8Array, start: number, end: number, row: number): void {
    if (start === end) {
      this.emptyTexts++
      this.filled++
      return
    }
    this.count(TEXT, row)
    if (bytes[start] > 57 || end - start > 40) return
    for (let at = start; at < end; at++) if (bytes[at] < 48 || bytes[at] > 57) return
    this.digitTexts++
    if (bytes[start] === 48 && end - start > 1) this.zeroTexts++
  }

  private number(row: Row, slot: number, cells: CellText): void {
    const shown = cells.shownKind(row, slot)
    if (shown === AS_NUMBER) {
      this.plainNumber(row.text.bytes, row.start[slot], row.end[slot], row.number)
      this.code(row, slot, cells)
    } else if (shown === NOT_A_DAY) this.count(TEXT, row.number)
    else
      this.count(
        shown === AS_DATE ? DATE : shown === AS_DATETIME ? DATETIME : shown === AS_DURATION ? DURATION : TIME,
        row.number,
      )
  }

  private code(row: Row, slot: number, cells: CellText): void {
    const to = cells.codeOf(row, slot)
    if (to === null) return
    this.codes++
    const text = decoder.decode(row.text.bytes.subarray(row.start[slot], row.end[slot]))
    const from = plainNumber(text) ?? text
    if (to === from) return
    this.shownOtherwise++
    this.codeExample ??= { from, to }
  }

  private plainNumber(bytes: Uint8Array, start: number, end: number, row: number): void {
    const form = numbers.form(bytes, start, end)
    if (form === SHORT_FRACTION) {
      this.count(FRACTION, row)
      return
    }
    if (form === LONG_INTEGER) {
      this.long(decoder.decode(bytes.subarray(start, end)), row)
      return
    }
    let { value } = numbers
    if (form === OTHER_FORM) {
      value = readDouble(bytes, start, end)
      if (Number.isNaN(value)) {
        this.count(TEXT, row)
        return
      }
      if (!Number.isSafeInteger(value) || Object.is(value, -0)) {
        this.count(FRACTION, row)
        return
      }
    }
    this.count(WHOLE, row)
    if (value < this.least) this.least = value
    if (value > this.most) this.most = value
  }

  private long(text: string, row: number): void {
    this.count(LONG, row)
    const value = BigInt(text)
    const size = value < 0n ? -value : value
    if (size > this.longest) this.longest = size
    if (size > BigInt(MAX_SAFE) && String(Number(text)) !== text) this.longInexact++
  }

  /** The type that holds for every value, and why. */
  conclude(): ColumnConclusion {
    const { counts } = this
    const notes = this.notes()
    const present = [...counts.keys()].filter((kind) => counts[kind] > 0)
    const only = (...kinds: number[]): boolean => present.every((kind) => kinds.includes(kind))
    if (present.length === 0) {
      const reason = this.emptyTexts > 0 ? 'Empty texts only.' : 'No values.'
      return { type: VARCHAR, reason, flags: ['empty'], notes }
    }
    if (only(WHOLE, LONG, FRACTION)) {
      const found = this.numberType()
      const asText = found.type === VARCHAR
      return { ...found, notes: [...notes, ...this.codeNote(asText), ...(asText ? [] : this.emptyNote())] }
    }
    if (only(TEXT)) return { ...this.textType(), notes }
    const typed = this.plainType(only)
    if (typed) return { ...typed, flags: [], notes: [...notes, ...this.emptyNote()] }
    const flags: ColumnFlag[] = this.shownOtherwise > 0 ? ['mixed-types', 'shown-as-code'] : ['mixed-types']
    return { type: VARCHAR, reason: this.mixedReason(present), flags, notes: [...notes, ...this.codeNote(true)] }
  }

  private plainType(only: (...kinds: number[]) => boolean): { type: ColumnType; reason: string } | null {
    if (only(TRUTH)) return { type: scalar('BOOLEAN'), reason: 'All values are true or false.' }
    if (only(DATE)) return { type: scalar('DATE'), reason: 'All values are dates.' }
    if (only(DATE, DATETIME)) return { type: scalar('TIMESTAMP'), reason: 'All values are dates, with times of day.' }
    if (only(TIME)) return { type: scalar('TIME'), reason: 'All values are times of day.' }
    if (only(TIME, DURATION)) return { type: scalar('INTERVAL'), reason: 'All values are durations.' }
    return null
  }

  private numberType(): { type: ColumnType; reason: string; flags: ColumnFlag[] } {
    const { counts } = this
    const whole = counts[WHOLE] + counts[LONG]
    // Codes have no fractions and no signs: with some the format only pads quantities.
    if (this.shownOtherwise > 0 && counts[FRACTION] === 0 && this.least >= 0 && this.codes * 2 > whole) {
      const reason = `Numbers that the workbook shows as codes, such as ${this.codeExample?.to}: as shown.`
      return { type: VARCHAR, reason, flags: ['shown-as-code'] }
    }
    if (counts[FRACTION] > 0) {
      if (this.longInexact > 0) {
        const reason = 'Numbers with fractions and whole numbers longer than 15 digits: as text, no digit is lost.'
        return { type: VARCHAR, reason, flags: ['beyond-2-53', 'as-text'] }
      }
      const reason =
        whole > 0 ? 'Numbers, some with fractions or exponents.' : 'All numbers have fractions or exponents.'
      return { type: scalar('DOUBLE'), reason, flags: [] }
    }
    if (this.longest > BigInt(MAX_SAFE)) return this.longType()
    const fits = this.longest <= BigInt(INT32_MAX) && this.most <= INT32_MAX && this.least >= -INT32_MAX - 1
    return fits
      ? { type: scalar('INTEGER'), reason: 'All values are whole numbers.', flags: [] }
      : { type: scalar('BIGINT'), reason: 'All values are whole numbers, some beyond 2,147,483,647.', flags: [] }
  }

  private longType(): { type: ColumnType; reason: string; flags: ColumnFlag[] } {
    const digits = String(this.longest).length
    const flags: ColumnFlag[] = ['beyond-2-53']
    const reason = `Whole numbers of up to ${digits} digits, kept as they stand in the file.`
    if (this.longest <= INT64_MAX) return { type: scalar('BIGINT'), reason, flags }
    return digits <= 38
      ? { type: scalar('HUGEINT'), reason, flags }
      : { type: VARCHAR, reason, flags: [...flags, 'as-text'] }
  }

  private textType(): { type: ColumnType; reason: string; flags: ColumnFlag[] } {
    if (this.digitTexts === 0) return { type: VARCHAR, reason: 'Text cells.', flags: [] }
    const all = this.digitTexts === this.counts[TEXT]
    const reason = `Text cells; ${all ? 'all' : count(this.digitTexts)} of them hold only digits and stay text.`
    return { type: VARCHAR, reason, flags: this.zeroTexts > 0 ? ['leading-zeros'] : [] }
  }

  private mixedReason(present: readonly number[]): string {
    const byCount = present.toSorted((a, b) => this.counts[b] - this.counts[a])
    const parts = byCount.map((kind) => {
      const number = this.counts[kind]
      return `${count(number)} ${KIND_NAMES[kind][number === 1 ? 0 : 1]} (first in row ${count(this.firstRows[kind])})`
    })
    return `Values of several kinds: ${parts.join(', ')}.`
  }

  private notes(): Note[] {
    const notes: Note[] = []
    if (this.errors > 0) {
      notes.push({
        code: 'error-cells',
        message: `${cellsWith(this.errors, 'an error such as #N/A', 'errors such as #N/A')}: read as null.`,
        count: this.errors,
      })
    }
    if (this.uncalculated > 0) {
      notes.push({
        code: 'uncalculated-formulas',
        message: `${cellsWith(this.uncalculated, 'a formula', 'formulas')} without a calculated value: read as null. Open and save the workbook in Excel to have them calculated.`,
        count: this.uncalculated,
      })
    }
    return notes
  }

  private codeNote(asText: boolean): Note[] {
    const { shownOtherwise, codeExample } = this
    if (shownOtherwise === 0 || !codeExample) return []
    const { from, to } = codeExample
    const cells = cellsWith(shownOtherwise, 'a number shown as a code', 'numbers shown as codes')
    const such = `such as ${to} for ${from}`
    return [
      {
        code: 'shown-as-code',
        message: asText
          ? `${cells}, ${such}: read as shown. Choose a number type to read the numbers.`
          : `${cells}, ${such}: read as numbers. Choose text to read them as shown.`,
        count: shownOtherwise,
        example: asText ? codeExample : { from: to, to: from },
      },
    ]
  }

  private emptyNote(): Note[] {
    const { emptyTexts } = this
    if (emptyTexts === 0) return []
    return [
      {
        code: 'empty-texts',
        message: `${cellsWith(emptyTexts, 'an empty text', 'empty texts')} among other values: read as null.`,
        count: emptyTexts,
      },
    ]
  }

  /** Cells that are null in the column's type. */
  nulls(rows: number, type: ColumnType): number {
    const text = type.kind === 'scalar' && type.name === 'VARCHAR'
    return rows - this.filled + (text ? 0 : this.emptyTexts)
  }
}

function isoKind(bytes: Uint8Array, start: number, end: number): number {
  const text = decoder.decode(bytes.subarray(start, end))
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}$/.test(text)) return DATE
  if (/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?$/.test(text)) return DATETIME
  return /^[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?Z?$/.test(text) ? TIME : TEXT
}

/** A count for people: `1,234`. */
export function count(value: number): string {
  return value.toLocaleString('en-US')
}

function cellsWith(value: number, one: string, many: string): string {
  return value === 1 ? `1 cell has ${one}` : `${count(value)} cells have ${many}`
}
