import { APOSTROPHE } from '../../../lib/ascii.ts'
import { BufferType, Data } from 'apache-arrow'
import type { Note } from '../../../tables/plan.ts'

export const FORMULA_NOTE: Note = {
  code: 'formulas-neutralized',
  message: 'Text that a spreadsheet would run as a formula has an apostrophe before it.',
}

/** `= + - @`, tab and carriage return (https://owasp.org/www-community/attacks/CSV_Injection). */
const STARTS = new Set([0x3d, 0x2b, 0x2d, 0x40, 9, 13])

/** Puts an apostrophe before each text of a Utf8 column that begins as formulas do. */
export function neutralizeFormulas(data: Data): { readonly data: Data; readonly changed: number } {
  const offsets: Int32Array = data.valueOffsets
  const values: Uint8Array = data.values
  const { length } = data
  const risky = (row: number): boolean => offsets[row + 1] > offsets[row] && STARTS.has(values[offsets[row]])
  let changed = 0
  for (let row = 0; row < length; row++) if (risky(row)) changed++
  if (changed === 0) return { data, changed }
  const newOffsets = new Int32Array(length + 1)
  const newValues = new Uint8Array(offsets[length] - offsets[0] + changed)
  let at = 0
  for (let row = 0; row < length; row++) {
    if (risky(row)) newValues[at++] = APOSTROPHE
    newValues.set(values.subarray(offsets[row], offsets[row + 1]), at)
    at += offsets[row + 1] - offsets[row]
    newOffsets[row + 1] = at
  }
  const neutral = new Data(data.type, data.offset, length, data.nullCount, {
    [BufferType.OFFSET]: newOffsets,
    [BufferType.DATA]: newValues,
    [BufferType.VALIDITY]: data.nullBitmap,
  })
  return { data: neutral, changed }
}
