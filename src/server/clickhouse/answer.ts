import { writeDate, writeTimestamp } from '../../engine/arrow/write/moments.ts'
import { printDecimal } from '../../engine/arrow/write/digits.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import type { Average } from './translate/expression.ts'
import type { AnsweredColumn } from './translate/statement.ts'

/* Converts ClickHouse's values to those of the service's contract, which have DuckDB's types. */

/** ClickHouse returned a value that isn't of the expected type, so DuckDB must run the statement. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}

/** @param value from ClickHouse's JSON, where integers are strings */
export function valueOf(value: unknown, { type, average }: AnsweredColumn): unknown {
  if (value === null) return null
  if (type.name === 'DOUBLE') return average ? averageOf(value, average) : finite(value)
  if (typeof value !== 'string') throw new UnexpectedAnswer(`${typeof value} as ${type.name}`)
  if (type.name === 'VARCHAR') return value
  const number = BigInt(value)
  if (type.name === 'BOOLEAN') return number !== 0n
  if (type.name === 'DATE') return written((out) => writeDate(out, Number(number)))
  if (type.name === 'TIMESTAMP') return timestamp(number)
  if (type.name === 'DECIMAL') return printDecimal(number, type.scale)
  if (type.name === 'HUGEINT') return value
  const short = Number(number)
  return Number.isSafeInteger(short) ? short : value
}

function finite(value: unknown): number {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  throw new UnexpectedAnswer(`${String(value)} as a number`)
}

const T = 0x54

function timestamp(micros: bigint): string {
  const words = new Int32Array(new BigInt64Array([micros]).buffer)
  const text = written((out) => writeTimestamp(out, words[0], words[1], 6, { separator: T }))
  if (text.endsWith('infinity')) return text
  const [whole = '', fraction = ''] = text.split('.')
  return `${whole}.${fraction.padEnd(6, '0')}`
}

function written(write: (out: ByteWriter) => void): string {
  const out = new ByteWriter(32)
  write(out)
  return new TextDecoder().decode(out.bytes.subarray(0, out.length))
}

/** Divides a sum by a count with the same result as DuckDB, bit by bit. */
function averageOf(value: unknown, { scale, long }: Average): number {
  const [, sum = '', count = ''] = /^(-?\d+)\/(\d+)$/.exec(String(value)) ?? []
  if (sum === '' || count === '') throw new UnexpectedAnswer(`${String(value)} as an average`)
  const [whole, by] = [BigInt(sum), BigInt(count) * 10n ** BigInt(scale)]
  if (!long) return Number(whole) / Number(by)
  const [mantissa, exponent] = rounded(whole < 0n ? -whole : whole, 1n)
  const [quotient, power] = rounded(
    exponent < 0 ? mantissa : mantissa << BigInt(exponent),
    exponent < 0 ? by << BigInt(-exponent) : by,
  )
  // `Number` rounds the 64 bits to 53, and multiplying by a power of two is exact.
  return (whole < 0n ? -1 : 1) * Number(quotient) * 2 ** power
}

/** A quotient with 64 bits, rounded as in processors: to the nearest, and ties to even. */
function rounded(dividend: bigint, divisor: bigint): readonly [mantissa: bigint, exponent: number] {
  if (dividend === 0n) return [0n, 0]
  let exponent = dividend.toString(2).length - divisor.toString(2).length - 64
  for (;;) {
    const [a, b] = exponent < 0 ? [dividend << BigInt(-exponent), divisor] : [dividend, divisor << BigInt(exponent)]
    const mantissa = a / b
    if (mantissa >= 2n ** 64n) {
      exponent++
      continue
    }
    const twice = (a % b) * 2n
    const up = twice > b || (twice === b && mantissa % 2n === 1n)
    return [up ? mantissa + 1n : mantissa, exponent]
  }
}
