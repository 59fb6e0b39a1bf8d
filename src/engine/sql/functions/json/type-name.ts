import { DASH } from '../../../../lib/ascii.ts'
import { KIND } from '../../../columns/json/scanner.ts'
import type { JsonValue } from './document.ts'

const LARGEST = 18_446_744_073_709_551_615n
const SMALLEST = -9_223_372_036_854_775_808n
const decoder = new TextDecoder()

/** What DuckDB calls the type of a JSON value: `json_type`. */
export function typeName(bytes: Uint8Array, { kind, start, end }: JsonValue): string {
  switch (kind) {
    case KIND.null:
      return 'NULL'
    case KIND.false:
    case KIND.true:
      return 'BOOLEAN'
    case KIND.integer:
      return integerName(bytes, start, end)
    case KIND.decimal:
      return 'DOUBLE'
    case KIND.string:
    case KIND.escaped:
      return 'VARCHAR'
    case KIND.object:
      return 'OBJECT'
    case KIND.array:
      return 'ARRAY'
  }
}

function integerName(bytes: Uint8Array, start: number, end: number): string {
  const negative = bytes[start] === DASH
  if (end - start > 18) {
    const value = BigInt(decoder.decode(bytes.subarray(start, end)))
    if (value > LARGEST || value < SMALLEST) return 'DOUBLE'
  }
  return negative ? 'BIGINT' : 'UBIGINT'
}
