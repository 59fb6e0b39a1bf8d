import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../../../lib/bytes.ts'
import type { Column } from '../../../../tables/types.ts'
import { makeCellText } from '../../../arrow/text.ts'
import { utf16Length } from './text.ts'

/** In characters, the cell's margins included. */
const NARROWEST = 8
const WIDEST = 60
const MARGIN = 2
/** Rows of the first batch that are looked at. */
const SAMPLE = 200

/**
 * Widths for the columns, by their names and a table's first rows, in characters. They stand before the rows in the
 * file, so that later rows can't be asked.
 * @param batch the first batch's columns; none when there are no rows
 */
export function columnWidths(columns: readonly Column[], batch: readonly Data[]): number[] {
  const scratch = new ByteWriter()
  return columns.map(({ name, type }, i) => {
    let widest = name.length
    const data = batch[i] as Data | undefined
    if (data) {
      const cell = makeCellText(type, data)
      for (let row = 0; row < Math.min(data.length, SAMPLE) && widest < WIDEST; row++) {
        if (!data.getValid(row)) continue
        scratch.clear()
        cell(scratch, row)
        widest = Math.max(widest, utf16Length(scratch.bytes, 0, scratch.length))
      }
    }
    return Math.min(WIDEST, Math.max(NARROWEST, widest + MARGIN))
  })
}
