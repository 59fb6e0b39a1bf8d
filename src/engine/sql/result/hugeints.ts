import { Data } from 'apache-arrow'
import { isNested, scalar, type ColumnType } from '../../../tables/types.ts'
import { childType } from '../../arrow/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { EngineError } from '../../errors.ts'
import { isNull } from '../../arrow/scalars.ts'

const HUGEINT = scalar('HUGEINT')

/**
 * The data with numbers in place of the texts of its integers of 128 bits.
 * @throws {EngineError} `unwritable` where one of them has 39 digits
 */
export function withHugeints(type: ColumnType, data: Data): Data {
  if (!isNested(type)) return type.kind === 'scalar' && type.name === 'HUGEINT' ? hugeints(data) : data
  const children = data.children.map((child, i) => withHugeints(childType(type, i), child))
  return new Data(data.type, data.offset, data.length, data.nullCount, data.buffers, children)
}

function hugeints(texts: Data): Data {
  const builder = makeColumnBuilder(HUGEINT)
  const offsets: Int32Array = texts.valueOffsets
  for (let row = 0; row < texts.length; row++) {
    if (isNull(texts, row)) builder.appendNull()
    else if (!builder.appendText(texts.values, offsets[row], offsets[row + 1])) {
      throw new EngineError('unwritable', 'An integer has 39 digits, and no file that is written holds more than 38.', {
        remedy: 'Cast it to VARCHAR in the statement.',
      })
    }
  }
  return builder.finish()
}
