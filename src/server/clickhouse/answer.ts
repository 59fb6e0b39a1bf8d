import { writeDate, writeTimestamp } from '../../engine/arrow/write/moments.ts'
import { printDecimal } from '../../engine/arrow/write/digits.ts'
import { ByteWriter } from '../../lib/bytes.ts'
import type { Type } from './translate/types.ts'

/* Converts ClickHouse's values to those of the service's contract, which have DuckDB's types. */

/** ClickHouse returned a value that isn't of the expected type, so DuckDB must run the statement. */
export class UnexpectedAnswer extends Error {
  override readonly name = 'UnexpectedAnswer'
}

/** @param value from ClickHouse's JSON, where integers are strings */
export function valueOf(value: unknown, type: Type): unknown {
  if (value === null) return null
  if (type.name === 'DOUBLE') return finite(value)
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
