import { formatCount } from '../../../../lib/counts.ts'
import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../../../lib/bytes.ts'
import type { Note } from '../../../../tables/plan.ts'
import type { Column, ColumnType, ScalarName } from '../../../../tables/types.ts'
import { makeCellText } from '../../../arrow/text.ts'
import { EngineError } from '../../../errors.ts'
import type { CellContext, CellRemark, CellTarget, CellWriter } from './target.ts'
import type { SharedStrings } from './strings.ts'
import { STYLE, type Styles } from './styles.ts'
import { makeDateCells } from './dates.ts'

/** Excel stores this many digits of a number. */
const MAX_DIGITS = 15
/** After this many texts, a column stops looking up shared strings if most of its texts were new. */
const SHARING_SAMPLE = 4096

const REMARKS: Readonly<Record<CellRemark, (count: string, one: boolean) => string>> = {
  'long-numbers': (n, one) =>
    `${n} ${one ? 'number has' : 'numbers have'} more than the ${MAX_DIGITS} digits that Excel keeps, and ${one ? 'is' : 'are'} held as text.`,
  'not-finite': (n, one) =>
    `${n} ${one ? 'value that is not a number' : 'values that are not numbers'} in Excel (NaN, Infinity) ${one ? 'is' : 'are'} held as text.`,
  'dates-as-text': (n, one) =>
    `${n} ${one ? 'date' : 'dates'} outside the years that Excel has, 1900 to 9999, ${one ? 'is' : 'are'} held as text.`,
  'times-as-text': (n, one) => `${n} ${one ? 'time' : 'times'} of 24:00 ${one ? 'is' : 'are'} held as text.`,
  'nanoseconds-as-text': (n, one) =>
    `${n} ${one ? 'time' : 'times'} finer than a microsecond ${one ? 'is' : 'are'} held as text.`,
  'durations-as-text': (n, one) =>
    `${n} ${one ? 'duration' : 'durations'} in months or years, or of more than 285 years, ${one ? 'is' : 'are'} held as text.`,
  'negative-durations': (n, one) =>
    `${n} ${one ? 'duration is' : 'durations are'} negative. Sums in Excel include ${one ? 'it' : 'them'}, though Excel shows ##### for ${one ? 'it' : 'them'}.`,
}

/** One column of a table. Creates a cell writer for each batch, and counts values that had to be text. */
export class CellColumn {
  readonly column: Column
  /** The cell format for the column's usual values. */
  readonly style: number
  private readonly counts = new Map<CellRemark, number>()
  private readonly make: (data: Data) => CellWriter

  /** @param index column of the sheet, from 0 */
  constructor(column: Column, index: number, target: CellTarget, strings: SharedStrings, styles: Styles) {
    this.column = column
    this.style = styleOf(column.type, styles)
    const tally = (remark: CellRemark): void => {
      this.counts.set(remark, (this.counts.get(remark) ?? 0) + 1)
    }
    this.make = makeCells(column, index, this.style, { target, strings, tally })
  }

  /** Returns a writer for the cells of a batch's rows, which writes nothing for nulls. */
  cells(data: Data): CellWriter {
    const write = this.make(data)
    const { nullBitmap, offset } = data
    if (data.nullCount === 0 || !nullBitmap || nullBitmap.length === 0) return write
    return (row) => {
      const bit = offset + row
      if ((nullBitmap[bit >> 3] & (1 << (bit & 7))) !== 0) write(row)
    }
  }

  /** Whether any of its cells are text. */
  get hasText(): boolean {
    return this.style === STYLE.text || [...this.counts.keys()].some((remark) => remark !== 'negative-durations')
  }

  changes(): Note[] {
    return [...this.counts].map(([code, count]) => ({
      code,
      message: REMARKS[code](formatCount(count), count === 1),
      column: this.column.name,
      count,
    }))
  }
}

type CellKind = 'boolean' | 'integer' | 'long' | 'float' | 'date' | 'text' | 'made'

/**
 * How cells of each type are written. `long` integers may have more digits than Excel stores; `made` values are
 * converted to text.
 */
const KINDS: Readonly<Record<ScalarName, CellKind>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  INTEGER: 'integer',
  BIGINT: 'long',
  HUGEINT: 'long',
  UTINYINT: 'integer',
  USMALLINT: 'integer',
  UINTEGER: 'integer',
  UBIGINT: 'long',
  FLOAT: 'float',
  DOUBLE: 'float',
  VARCHAR: 'text',
  BLOB: 'made',
  UUID: 'text',
  DATE: 'date',
  TIME: 'date',
  TIMESTAMP: 'date',
  TIMESTAMP_S: 'date',
  TIMESTAMP_MS: 'date',
  TIMESTAMP_NS: 'date',
  'TIMESTAMP WITH TIME ZONE': 'date',
  INTERVAL: 'date',
  JSON: 'text',
}

const DATE_STYLES: Readonly<Partial<Record<ScalarName, number>>> = {
  DATE: STYLE.date,
  TIME: STYLE.time,
  INTERVAL: STYLE.duration,
}

/** The cell format for a column's usual values. */
function styleOf(type: ColumnType, styles: Styles): number {
  if (type.kind === 'decimal') return styles.decimal(type.scale)
  if (type.kind !== 'scalar') return STYLE.text
  switch (KINDS[type.name]) {
    case 'boolean':
    case 'float':
      return STYLE.general
    case 'integer':
    case 'long':
      return STYLE.integer
    case 'date':
      return DATE_STYLES[type.name] ?? STYLE.dateTime
    case 'text':
    case 'made':
      return STYLE.text
  }
}

function makeCells(column: Column, index: number, style: number, context: CellContext): (data: Data) => CellWriter {
  const { type } = column
  if (type.kind === 'decimal') return numberCells(column, index, style, type.width > MAX_DIGITS, context)
  if (type.kind !== 'scalar') return madeCells(column, index, context)
  const kind = KINDS[type.name]
  switch (kind) {
    case 'boolean':
      return booleanCells(type, index, context)
    case 'integer':
    case 'long':
      return numberCells(column, index, style, kind === 'long', context)
    case 'float':
      return floatCells(type, index, style, context)
    case 'date':
      return makeDateCells(type, index, context)
    case 'text':
      return textCells(column, index, context)
    case 'made':
      return madeCells(column, index, context)
  }
}

/** Text, using shared strings as long as that pays off. */
function textCells(column: Column, index: number, { target, strings }: CellContext): (data: Data) => CellWriter {
  const inline = target.textTemplate(index, STYLE.text)
  const shared = target.template(index, STYLE.text, 's')
  let sharing = true
  let seen = 0
  let added = 0
  return (data) => {
    const bytes = data.values as Uint8Array
    const offsets = data.valueOffsets as Int32Array
    return (row) => {
      const start = offsets[row]
      const end = offsets[row + 1]
      if (sharing && end > start) {
        const number = strings.find(bytes, start, end)
        if (strings.added) added++
        if (++seen === SHARING_SAMPLE) {
          sharing = added * 2 < seen
          seen = 0
          added = 0
        }
        if (number >= 0) {
          target.open(shared)
          target.integer(number)
          target.close()
          return
        }
      }
      if (!target.text(inline, bytes, start, end)) throw tooLong(column, target)
    }
  }
}

/** Values that are stored as text. */
function madeCells(column: Column, index: number, { target }: CellContext): (data: Data) => CellWriter {
  const template = target.textTemplate(index, STYLE.text)
  const scratch = new ByteWriter()
  return (data) => {
    const cell = makeCellText(column.type, data)
    return (row) => {
      scratch.clear()
      cell(scratch, row)
      if (!target.text(template, scratch.bytes, 0, scratch.length)) throw tooLong(column, target)
    }
  }
}

function booleanCells(type: ColumnType, index: number, { target }: CellContext): (data: Data) => CellWriter {
  const template = target.template(index, STYLE.general, 'b')
  return (data) => {
    const cell = makeCellText(type, data)
    const { out } = target
    return (row) => {
      target.open(template)
      const at = out.length
      cell(out, row)
      out.bytes[at] = out.bytes[at] === 0x74 ? 0x31 : 0x30
      out.length = at + 1
      target.close()
    }
  }
}

/** Integers and decimals; those with too many digits become text. */
function numberCells(
  column: Column,
  index: number,
  style: number,
  mayBeLong: boolean,
  { target, tally }: CellContext,
): (data: Data) => CellWriter {
  const template = target.template(index, style)
  const asText = target.textTemplate(index, STYLE.text)
  return (data) => {
    const cell = makeCellText(column.type, data)
    const { out } = target
    return (row) => {
      const start = out.length
      target.open(template)
      const at = out.length
      cell(out, row)
      if (mayBeLong && out.length - at > MAX_DIGITS && significantDigits(out.bytes, at, out.length) > MAX_DIGITS) {
        target.retractToText(asText, start, at)
        tally('long-numbers')
        return
      }
      target.close()
    }
  }
}

function floatCells(
  type: ColumnType,
  index: number,
  style: number,
  { target, tally }: CellContext,
): (data: Data) => CellWriter {
  const template = target.template(index, style)
  const asText = target.textTemplate(index, STYLE.text)
  return (data) => {
    const cell = makeCellText(type, data)
    const { out } = target
    return (row) => {
      const start = out.length
      target.open(template)
      const at = out.length
      cell(out, row)
      const { bytes, length } = out
      // Letters other than an exponent's E: NaN, Infinity.
      if (bytes[length - 1] > 0x39) {
        target.retractToText(asText, start, at)
        tally('not-finite')
        return
      }
      // A spreadsheet doesn't need `.0`.
      if (bytes[length - 1] === 0x30 && bytes[length - 2] === 0x2e) out.length = length - 2
      target.close()
    }
  }
}

/** Digits from the first that isn't 0. Trailing zeros count in integers, but not in fractions. */
function significantDigits(bytes: Uint8Array, start: number, end: number): number {
  let digits = 0
  let zeros = 0
  let fraction = false
  for (let i = start; i < end; i++) {
    const byte = bytes[i]
    if (byte === 0x2e) {
      fraction = true
      zeros = 0
    }
    if (byte < 0x30 || byte > 0x39 || (digits === 0 && byte === 0x30)) continue
    digits++
    zeros = byte === 0x30 && fraction ? zeros + 1 : 0
  }
  return digits - zeros
}

function tooLong({ name }: Column, target: CellTarget): EngineError {
  return new EngineError(
    'unwritable',
    `A text of the column “${name}” is longer than the 32,767 characters of an Excel cell.`,
    {
      place: `column “${name}”, row ${formatCount(target.tableRow)}`,
      remedy: 'Leave the column out, or choose CSV, JSON, Parquet or Arrow, which have no such limit.',
    },
  )
}
