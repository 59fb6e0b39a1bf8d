import type { Data } from 'apache-arrow'
import { scalar, type Column } from '../../../../tables/types.ts'
import { printInterval, textColumn } from '../../../arrow/cast/texts.ts'
import { makeCellText } from '../../../arrow/text.ts'
import { type Interval, parseInterval } from '../../../columns/builders/intervals.ts'
import type { Adaptation } from '../../types.ts'
import { MICROS_PER_DAY } from './serial.ts'
import type { TextReason } from './target.ts'
import { isNull } from '../../../arrow/scalars.ts'

const INTERVAL = scalar('INTERVAL')
const decoder = new TextDecoder()

/**
 * How a column of durations changes when it's written to Excel, which has one number for a duration and shows it in
 * hours; null for other columns.
 */
export function adaptToHours({ name, type }: Column): Adaptation | null {
  if (type.kind !== 'scalar' || type.name !== 'INTERVAL') return null
  return {
    type,
    note: {
      code: 'days-as-hours',
      message: 'Excel shows durations in hours: a day is written as 24 hours.',
      column: name,
    },
    convert: daysAsHours,
    onlyIfChanged: true,
  }
}

function daysAsHours(data: Data): { readonly data: Data; readonly changed: number } {
  const clocks = new Map<number, string>()
  for (let row = 0; row < data.length; row++) {
    const interval = isNull(data, row) ? null : intervalAt(data, row)
    if (!interval || interval.days === 0) continue
    const micros = microsOf(interval)
    if (typeof micros === 'number') clocks.set(row, printInterval(0, 0, BigInt(micros) * 1000n))
  }
  if (clocks.size === 0) return { data, changed: 0 }
  const asIs = makeCellText(INTERVAL, data)
  const written = textColumn(data, (out, row) => {
    const clock = clocks.get(row)
    if (clock === undefined) asIs(out, row)
    else out.text(clock)
  })
  return { data: written, changed: clocks.size }
}

/** Microseconds of a duration in hours, minutes and seconds; of any other, why it's text. */
export function clockMicros(data: Data, row: number): number | TextReason {
  const interval = intervalAt(data, row)
  return interval?.days === 0 ? microsOf(interval) : 'durations-as-text'
}

function intervalAt(data: Data, row: number): Interval | null {
  const offsets = data.valueOffsets as Int32Array
  return parseInterval(decoder.decode((data.values as Uint8Array).subarray(offsets[row], offsets[row + 1])))
}

/** Microseconds, with 24 hours a day; why it's text if a month is in it, or if the reader couldn't tell them exactly. */
function microsOf({ months, days, nanos }: Interval): number | TextReason {
  if (months !== 0) return 'durations-as-text'
  if (nanos % 1000n !== 0n) return 'nanoseconds-as-text'
  const micros = Number(BigInt(days) * BigInt(MICROS_PER_DAY) + nanos / 1000n)
  return Number.isSafeInteger(micros) ? micros : 'durations-as-text'
}
