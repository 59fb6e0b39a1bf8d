import { formatCount, plural } from '../../../../lib/counts.ts'
import type { InspectedColumn, Note } from '../../../../tables/plan.ts'
import { printType, sameType, VARCHAR } from '../../../../tables/types.ts'
import { ColumnInference } from '../../../columns/infer/column-inference.ts'
import { inferColumn } from '../../../columns/infer/column-type.ts'
import { valueCount } from '../../../columns/infer/column-stats.ts'
import type { TextColumn } from '../../../columns/infer/table.ts'
import { BOOLEAN as TRUTH, DECIMAL, DURATION, INTEGER, TEXT } from '../../../columns/infer/kinds.ts'
import { type CellText, WANT_VALUE } from './text/cell-text.ts'
import { isPlainNumber, readDouble } from './text/numbers.ts'
import { BOOLEAN, ERROR, ISO, NUMBER, type Row, UNCALCULATED } from './row.ts'
import { plainNumber } from './text/serial.ts'
import { AS_DURATION, AS_NUMBER } from './styles.ts'

const decoder = new TextDecoder()
const encoder = new TextEncoder()

/** Infers a column's type from the cells of all rows, and collects notes about them. */
export class CellInference {
  private readonly inference = new ColumnInference('cells')
  /** Infers a type for the text cells only. */
  private readonly texts = new ColumnInference()
  private values = 0
  private errors = 0
  private uncalculated = 0
  private emptyTexts = 0
  private digitTexts = 0
  private zeroTexts = 0
  /** Number cells whose format shows them as codes, and how many of these are shown differently from the number. */
  private codes = 0
  private shownOtherwise = 0
  private codeExample: Note['example']
  /** Number of cells by the unit that their format shows. */
  private readonly units = new Map<string, number>()

  observe(row: Row, slot: number, cells: CellText): void {
    const kind = row.kind[slot]
    const { inference } = this
    inference.seekRow(row.number)
    if (kind === NUMBER && cells.formatOf(row, slot) === AS_NUMBER) {
      this.values++
      this.number(row.text.bytes, row.start[slot], row.end[slot])
      this.code(row, slot, cells)
      const unit = cells.unitOf(row, slot)
      if (unit !== undefined) this.units.set(unit, (this.units.get(unit) ?? 0) + 1)
      return
    }
    if (!cells.read(row, slot, WANT_VALUE)) {
      if (kind === ERROR) this.errors++
      else if (kind === UNCALCULATED) this.uncalculated++
      else this.emptyTexts++
      return
    }
    const { bytes, start, end } = cells
    this.values++
    if (kind === NUMBER && cells.shown === AS_NUMBER) this.number(bytes, start, end)
    else if (kind === NUMBER && cells.shown === AS_DURATION) inference.observeKind(DURATION, bytes, start, end)
    else if (kind === NUMBER || kind === ISO) inference.observe(bytes, start, end)
    else if (kind === BOOLEAN) inference.observeKind(TRUTH, bytes, start, end)
    else {
      inference.observeKind(TEXT, bytes, start, end)
      this.texts.seekRow(row.number)
      this.texts.observe(bytes, start, end)
      this.digits(bytes, start, end)
    }
  }

  /** Number of cells with a value. */
  get filled(): number {
    return this.values
  }

  /** The column's texts, if it has no other values, or those of one type; else null. */
  textColumn(): TextColumn | null {
    const texts = this.texts.stats()
    const all = this.inference.stats()
    const count = valueCount(texts)
    if (count === 0 || all.counts[TEXT] > count || this.codes > 0) return null
    const { type } = this.inference.column()
    if (all.counts[TEXT] === valueCount(all)) return { texts, type }
    const counts = all.counts.slice()
    counts[TEXT] = 0
    const others = inferColumn({ ...all, counts }, 'cells').type
    return sameType(others, VARCHAR) ? null : { texts, type, others }
  }

  /** A cell's number is a double, whatever its digits, so it only matters whether it's whole. */
  private number(bytes: Uint8Array, start: number, end: number): void {
    const { inference } = this
    if (isPlainNumber(bytes, start, end)) {
      inference.observeNumber(bytes, start, end)
      return
    }
    const value = readDouble(bytes, start, end)
    if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
      const whole = encoder.encode(String(value))
      inference.observeNumber(whole, 0, whole.length)
    } else {
      inference.observeKind(Number.isNaN(value) ? TEXT : DECIMAL, bytes, start, end)
    }
  }

  private digits(bytes: Uint8Array, start: number, end: number): void {
    if (bytes[start] > 57 || end - start > 40) return
    for (let at = start; at < end; at++) if (bytes[at] < 48 || bytes[at] > 57) return
    this.digitTexts++
    if (bytes[start] === 48 && end - start > 1) this.zeroTexts++
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

  /**
   * The type that holds for every value, the reason, and notes.
   * @param rows number of rows in the table
   */
  conclude(
    rows: number,
  ): Pick<InspectedColumn, 'type' | 'reason' | 'flags' | 'nulls' | 'format'> & { readonly notes: readonly Note[] } {
    const { values, emptyTexts } = this
    const { type, reason, flags, format } = this.concludeType()
    const asText = type === VARCHAR
    return {
      type: printType(type),
      reason: `${reason}${this.unitReason()}`,
      flags,
      nulls: rows - values - (asText ? emptyTexts : 0),
      ...(format ? { format } : {}),
      notes: [...this.notes(), ...this.unitsNote(), ...this.codeNote(asText), ...(asText ? [] : this.emptyNote())],
    }
  }

  private concludeType(): Pick<ReturnType<ColumnInference['column']>, 'type' | 'reason' | 'flags' | 'format'> {
    const found = this.inference.column()
    const { counts, numbers } = this.inference.stats()
    const { values, digitTexts } = this
    // Codes have no fractions or signs: if there are any, the format only pads quantities.
    if (this.shownOtherwise > 0 && counts[INTEGER] === values && !numbers.negative && this.codes * 2 > values) {
      const reason = `Numbers that the workbook shows as codes, such as ${this.codeExample?.to}: as shown.`
      return { type: VARCHAR, reason, flags: ['shown-as-code'] }
    }
    if (values === 0) return this.emptyTexts > 0 ? { ...found, reason: 'The values are empty texts.' } : found
    if (digitTexts > 0 && counts[TEXT] === values) {
      const reason = `The values are text, though ${digitTexts === values ? 'all' : formatCount(digitTexts)} of them hold only digits.`
      return { ...found, reason, flags: this.zeroTexts > 0 ? ['leading-zeros'] : [] }
    }
    const mixed = this.shownOtherwise > 0 && found.flags.includes('mixed-types')
    return mixed ? { ...found, flags: [...found.flags, 'shown-as-code'] } : found
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

  private unitReason(): string {
    const [[unit, count] = ['', 0]] = this.units
    if (this.units.size !== 1) return ''
    return ` The workbook shows ${unit} beside ${count === this.values ? 'them' : `${formatCount(count)} of the numbers`}.`
  }

  /** Numbers alone don't tell which of several units they have. */
  private unitsNote(): Note[] {
    const units = [...this.units]
    if (units.length < 2) return []
    const shown = units.map(([unit, count]) => `${unit} (${plural(count, 'cell')})`).join(', ')
    const message = `The workbook shows numbers of one column in different units: ${shown}. The numbers alone don’t tell which.`
    return [{ code: 'several-units', message }]
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
}

function cellsWith(value: number, one: string, many: string): string {
  return value === 1 ? `1 cell has ${one}` : `${formatCount(value)} cells have ${many}`
}
