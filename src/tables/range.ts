/* Ranges of a sheet in A1 notation. */

/** Rows from 1 and columns from 0, inclusive; `Infinity` for an open end. */
export interface Range {
  readonly top: number
  readonly bottom: number
  readonly left: number
  readonly right: number
}

const RANGE = /^\$?([A-Z]{1,3})?\$?([1-9]\d{0,8})?(?::\$?([A-Z]{1,3})?\$?([1-9]\d{0,8})?)?$/

/** Parses a range: `A4:E64`, or with open ends `A4:E`, `A:E`, `4:64`. Null if it isn't one. */
export function rangeOf(text: string): Range | null {
  const [whole = '', left, top, right, bottom] = RANGE.exec(text.trim().toUpperCase()) ?? []
  const range: Range = {
    top: top === undefined ? 1 : Number(top),
    bottom: bottom === undefined ? Number.POSITIVE_INFINITY : Number(bottom),
    left: left === undefined ? 0 : columnNumber(left),
    right: right === undefined ? Number.POSITIVE_INFINITY : columnNumber(right),
  }
  return whole !== '' && range.top <= range.bottom && range.left <= range.right ? range : null
}

export function printRange({ top, bottom, left, right }: Range): string {
  const to = `${Number.isFinite(right) ? columnName(right) : ''}${Number.isFinite(bottom) ? bottom : ''}`
  return `${columnName(left)}${top}:${to}`
}

/** A column's letters: 0 is A, 26 is AA. */
export function columnName(column: number): string {
  let name = ''
  for (let rest = column; rest >= 0; rest = Math.floor(rest / 26) - 1)
    name = String.fromCharCode(65 + (rest % 26)) + name
  return name
}

/** The inverse of `columnName`. */
function columnNumber(letters: string): number {
  let number = 0
  for (const letter of letters) number = number * 26 + letter.charCodeAt(0) - 64
  return number - 1
}
