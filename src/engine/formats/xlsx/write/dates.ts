import type { Data } from 'apache-arrow'
import { DASH } from '../../../../lib/ascii.ts'
import { ByteWriter } from '../../../../lib/bytes.ts'
import type { ScalarType } from '../../../../tables/types.ts'
import { makeCellText } from '../../../arrow/text.ts'
import { clockMicros } from './durations.ts'
import {
  dayFraction,
  daySerial,
  MICROS_PER_DAY,
  MICROSECONDS,
  MILLISECONDS,
  SECONDS,
  splitDays,
  type DayUnits,
} from './serial.ts'
import { STYLE } from './styles.ts'
import type { CellContext, CellTemplate, CellWriter, TextReason } from './target.ts'

/**
 * Cells of a column of dates, times, timestamps or durations: serial numbers with a date format, computed from integers
 * without doubles; or text if Excel has no number for the value: durations as DuckDB prints them, others in ISO 8601.
 */
export function makeDateCells(type: ScalarType, index: number, context: CellContext): (data: Data) => CellWriter {
  const asText = context.target.textTemplate(index, STYLE.text)
  const scratch = new ByteWriter(64)
  const cells = numericCells(type, index, context)
  return (data) => {
    const write = cells(data)
    const cell = makeCellText(type, data)
    return (row) => {
      const reason = write(row)
      if (reason === null) return
      scratch.clear()
      cell(scratch, row)
      context.target.text(asText, scratch.bytes, 0, scratch.length)
      context.tally(reason)
    }
  }
}

/** Infinity, and its negative is minus infinity. */
const MAX_INT64 = 2n ** 63n - 1n

/** Writes the cell as a number, or returns the reason why it can't. */
type NumericCell = (row: number) => TextReason | null

function numericCells({ name }: ScalarType, index: number, context: CellContext): (data: Data) => NumericCell {
  if (name === 'DATE') return dayCells(index, context)
  if (name === 'TIME') return timeCells(index, context)
  if (name === 'INTERVAL') return durationCells(index, context)
  if (name === 'TIMESTAMP_NS') return nanosecondCells(index, context)
  const units = name === 'TIMESTAMP_S' ? SECONDS : name === 'TIMESTAMP_MS' ? MILLISECONDS : MICROSECONDS
  return timestampCells(index, units, context)
}

function dayCells(index: number, { target }: CellContext): (data: Data) => NumericCell {
  const template = target.template(index, STYLE.date)
  return (data) => {
    const days = data.values as Int32Array
    return (row) => {
      const serial = daySerial(days[row])
      if (serial === null) return 'dates-as-text'
      target.open(template)
      target.integer(serial)
      target.close()
      return null
    }
  }
}

function timeCells(index: number, { target }: CellContext): (data: Data) => NumericCell {
  const whole = target.template(index, STYLE.time)
  const fine = target.template(index, STYLE.timeFraction)
  const fraction: [number, number] = [0, 0]
  return (data) => {
    const words = wordsOf(data)
    return (row) => {
      const micros = words[row * 2 + 1] * 2 ** 32 + (words[row * 2] >>> 0)
      if (micros < 0 || micros >= MICROS_PER_DAY) return 'times-as-text'
      target.open(micros % 1e6 === 0 ? whole : fine)
      target.integer(0)
      dayFraction(micros, fraction)
      target.fraction(fraction[0], fraction[1])
      target.close()
      return null
    }
  }
}

function durationCells(index: number, { target, tally }: CellContext): (data: Data) => NumericCell {
  const whole = target.template(index, STYLE.duration)
  const fine = target.template(index, STYLE.durationFraction)
  const fraction: [number, number] = [0, 0]
  return (data) => (row) => {
    const micros = clockMicros(data, row)
    if (typeof micros === 'string') return micros
    const size = Math.abs(micros)
    const days = Math.floor(size / MICROS_PER_DAY)
    target.open(size % 1e6 === 0 ? whole : fine)
    if (micros < 0) {
      target.out.byte(DASH)
      tally('negative-durations')
    }
    target.integer(days)
    dayFraction(size - days * MICROS_PER_DAY, fraction)
    target.fraction(fraction[0], fraction[1])
    target.close()
    return null
  }
}

function timestampCells(index: number, units: DayUnits, context: CellContext): (data: Data) => NumericCell {
  const write = momentWriter(index, context)
  const split: [number, number] = [0, 0]
  return (data) => {
    const words = wordsOf(data)
    return (row) => {
      if (!splitDays(words[row * 2] >>> 0, words[row * 2 + 1], units, split)) return 'dates-as-text'
      return write(split[0], split[1] * units.micros)
    }
  }
}

function nanosecondCells(index: number, context: CellContext): (data: Data) => NumericCell {
  const write = momentWriter(index, context)
  const perDay = BigInt(MICROS_PER_DAY)
  return (data) => {
    const values = data.values as BigInt64Array
    return (row) => {
      const nanos = values[row]
      if (nanos === MAX_INT64 || nanos === -MAX_INT64) return 'dates-as-text'
      if (nanos % 1000n !== 0n) return 'nanoseconds-as-text'
      const micros = nanos / 1000n
      const rest = ((micros % perDay) + perDay) % perDay
      return write(Number((micros - rest) / perDay), Number(rest))
    }
  }
}

function momentWriter(index: number, { target }: CellContext): (day: number, micros: number) => TextReason | null {
  const whole: CellTemplate = target.template(index, STYLE.dateTime)
  const fine: CellTemplate = target.template(index, STYLE.dateTimeFraction)
  const fraction: [number, number] = [0, 0]
  return (day, micros) => {
    const serial = daySerial(day)
    if (serial === null) return 'dates-as-text'
    target.open(micros % 1e6 === 0 ? whole : fine)
    target.integer(serial)
    dayFraction(micros, fraction)
    target.fraction(fraction[0], fraction[1])
    target.close()
    return null
  }
}

/** A column of 64-bit integers as low and high words, which avoids creating BigInts. */
function wordsOf(data: Data): Int32Array {
  const { buffer, byteOffset, byteLength } = data.values as BigInt64Array
  return new Int32Array(buffer, byteOffset, byteLength / 4)
}
