import { BufferType, Data, IntervalUnit, Utf8, type Decimal, type Duration, type Interval } from 'apache-arrow'
import { ByteWriter } from '../../../lib/bytes.ts'
import { printDecimal } from '../write/digits.ts'
import { writeTime } from '../write/moments.ts'
import { decimalAt } from '../decimals.ts'
import { MOST_BYTES, tooManyBytes } from './take.ts'
import { isNull, type CellWriter } from '../scalars.ts'

/** A text column with the nulls of `data`, whose other cells are written by `cell`. */
export function textColumn(data: Data, cell: CellWriter): Data {
  const rows = data.length
  const out = new ByteWriter()
  const offsets = new Int32Array(rows + 1)
  const bits = new Uint8Array((rows + 7) >> 3)
  let nulls = 0
  for (let row = 0; row < rows; row++) {
    if (isNull(data, row)) nulls++
    else {
      cell(out, row)
      bits[row >> 3] |= 1 << (row & 7)
    }
    if (out.length > MOST_BYTES) throw tooManyBytes()
    offsets[row + 1] = out.length
  }
  const values = out.bytes.slice(0, out.length)
  return new Data(new Utf8(), 0, rows, nulls, {
    [BufferType.OFFSET]: offsets,
    [BufferType.DATA]: values,
    ...(nulls === 0 ? {} : { [BufferType.VALIDITY]: bits }),
  })
}

/** Decimals that no column type can hold: with more than 38 digits, or a scale outside the digits. */
export function decimalText(data: Data, { scale, bitWidth }: Decimal): CellWriter {
  const words = new Uint32Array(data.values.buffer, data.values.byteOffset, data.values.byteLength >> 2)
  return (out, row) => {
    const value = decimalAt(words, row, bitWidth / 32)
    out.text(scale < 0 ? String(value * 10n ** BigInt(-scale)) : printDecimal(value, scale))
  }
}

/** Times of day in nanoseconds. */
export function nanosecondTimeText(data: Data): CellWriter {
  const values: BigInt64Array = data.values
  const words = new Int32Array(values.buffer, values.byteOffset, values.length * 2)
  return (out, row) => writeTime(out, words[row * 2], words[row * 2 + 1], 9)
}

/** 16 bytes as a UUID. */
export function uuidText(data: Data): CellWriter {
  const bytes: Uint8Array = data.values
  return (out, row) => {
    const at = row * 16
    for (let i = 0; i < 16; i++) {
      if (i === 4 || i === 6 || i === 8 || i === 10) out.byte(0x2d)
      out.byte(HEX.charCodeAt(bytes[at + i] >> 4))
      out.byte(HEX.charCodeAt(bytes[at + i] & 15))
    }
  }
}
const HEX = '0123456789abcdef'

const NANOS_PER_UNIT = [1_000_000_000n, 1_000_000n, 1000n, 1n] as const

export function durationText(data: Data, type: Duration): CellWriter {
  const nanos = NANOS_PER_UNIT[type.unit]
  return (out, row) => out.text(printInterval(0, 0, data.values[row] * nanos))
}

/** Intervals of months, of days and milliseconds, or of months, days and nanoseconds. */
export function intervalText(data: Data, { unit }: Interval): CellWriter {
  const words = new Int32Array(data.values.buffer, data.values.byteOffset, data.values.byteLength >> 2)
  if (unit === IntervalUnit.YEAR_MONTH) return (out, row) => out.text(printInterval(words[row], 0, 0n))
  if (unit === IntervalUnit.DAY_TIME) {
    return (out, row) => out.text(printInterval(0, words[row * 2], BigInt(words[row * 2 + 1]) * 1_000_000n))
  }
  return (out, row) => {
    const nanos = (BigInt(words[row * 4 + 3]) << 32n) | BigInt(words[row * 4 + 2] >>> 0)
    out.text(printInterval(words[row * 4], words[row * 4 + 1], nanos))
  }
}

/** An interval as DuckDB prints it: `1 year 2 months 3 days 04:05:06.7`. */
export function printInterval(months: number, days: number, nanos: bigint): string {
  const parts: string[] = []
  const count = (value: number, name: string): void => {
    if (value !== 0) parts.push(`${value} ${name}${Math.abs(value) === 1 ? '' : 's'}`)
  }
  count(Math.trunc(months / 12), 'year')
  count(months % 12, 'month')
  count(days, 'day')
  if (nanos !== 0n || parts.length === 0) parts.push(nanos < 0n ? `-${printClock(-nanos)}` : printClock(nanos))
  return parts.join(' ')
}

/** `HH:MM:SS` and the fraction if there is one, without trailing zeros. */
export function printClock(nanos: bigint): string {
  const seconds = nanos / 1_000_000_000n
  const two = (value: bigint): string => String(value).padStart(2, '0')
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(two).join(':')
  const fraction = String(nanos % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return fraction === '' ? clock : `${clock}.${fraction}`
}
