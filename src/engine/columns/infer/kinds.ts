import { equalsIgnoringCase, isDigit } from '../text-bytes.ts'

/** Lexical kinds of values, by which `ColumnStats` is indexed. */
export const TEXT = 0
/** `0`, `12`, `-7`. */
export const INTEGER = 1
/** With digits after a decimal point: `1.50`, `-.5`. */
export const DECIMAL = 2
/** With a decimal point or a signed exponent: `1.5e-07`, `1e-5`. */
export const EXPONENT = 3
/** `1e5`, `2E10`: more likely a code than a number. */
export const CODE = 4
/** `007`, `-01.5`. */
export const LEADING_ZEROS = 5
/** With a leading plus: `+1`, `+49 30 1234`. */
export const PLUS = 6
/** `-0`, which integers can't represent. */
export const MINUS_ZERO = 7
/** `NaN`, `Infinity`, `-inf`. */
export const SPECIAL = 8
export const BOOLEAN = 9
/** `2024-03-31`. */
export const DATE = 10
/** Numeric dates other than ISO: `31.03.2024`, `2024/03/31`. */
export const NUMERIC_DATE = 11
/** `14:05:00.5`. */
export const TIME = 12
/** `2024-03-31 14:05:00`. */
export const TIMESTAMP = 13
/** `2024-03-31T14:05:00Z`. */
export const ZONED = 14
/** `30:15:00`, or any duration that its source marks as one. */
export const DURATION = 15
export const KINDS = 16

/**
 * Where values come from: `text` has no types; `json` tells numbers and booleans from texts; `cells` of workbooks have
 * dates and durations as well, and their numbers are doubles.
 */
export type Source = 'text' | 'json' | 'cells'

/**
 * The kind of `true`, `false`, `NaN`, `inf` and `Infinity`, in any case; TEXT for other words.
 * @param start after the minus sign, if there is one
 */
export function wordKind(bytes: Uint8Array, start: number, end: number, signed: boolean): number {
  switch (end - start) {
    case 3:
      return equalsIgnoringCase(bytes, start, end, 'inf') || (!signed && equalsIgnoringCase(bytes, start, end, 'nan'))
        ? SPECIAL
        : TEXT
    case 4:
      return !signed && equalsIgnoringCase(bytes, start, end, 'true') ? BOOLEAN : TEXT
    case 5:
      return !signed && equalsIgnoringCase(bytes, start, end, 'false') ? BOOLEAN : TEXT
    case 8:
      return equalsIgnoringCase(bytes, start, end, 'infinity') ? SPECIAL : TEXT
    default:
      return TEXT
  }
}

/**
 * The kind of a value after `+`: PLUS for whole numbers and phone numbers, else TEXT. That includes `+1250.00`, which
 * may be a formatted number.
 */
export function plusKind(bytes: Uint8Array, start: number, end: number): number {
  if (end - start < 2 || !isDigit(bytes[start + 1])) return bytes[start + 1] === 0x2e ? PLUS : TEXT
  let points = 0
  let others = 0
  for (let at = start + 1; at < end; at++) {
    const byte = bytes[at]
    if (isDigit(byte)) continue
    if (byte === 0x2e) points++
    else if (byte === 0x20 || byte === 0x28 || byte === 0x29 || byte === 0x2d || byte === 0x2f) others++
    else return TEXT
  }
  return points === 1 && others === 0 && isDigit(bytes[end - 1]) ? TEXT : PLUS
}

/** Total of the counts of some kinds. */
export const sum = (counts: Float64Array, ...of: number[]): number =>
  of.reduce((total, kind) => total + counts[kind], 0)
