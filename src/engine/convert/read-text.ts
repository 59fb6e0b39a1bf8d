import type { Data } from 'apache-arrow'
import { ByteWriter } from '../../lib/bytes.ts'
import type { ValueFormat } from '../../tables/plan.ts'
import type { ColumnType } from '../../tables/types.ts'
import { makeCellText } from '../arrow/text.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { isNull } from '../arrow/scalars.ts'

/** Parses values that were passed on as text. All of them fit, since others were rejected before. */
export function readText(data: Data, carried: ColumnType, type: ColumnType, format: ValueFormat | undefined): Data {
  const builder = makeColumnBuilder(type, format)
  const write = makeCellText(carried, data)
  const text = new ByteWriter()
  for (let row = 0; row < data.length; row++) {
    text.clear()
    if (!isNull(data, row)) write(text, row)
    if (isNull(data, row) || !builder.appendText(text.bytes, 0, text.length)) builder.appendNull()
  }
  return builder.finish()
}
