import { Data, TimestampMillisecond } from 'apache-arrow'
import { isNested, type ColumnType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { childType } from '../../arrow/types.ts'

/** Infinity in every unit; its negative is minus infinity. */
const MAX_INT64 = 2n ** 63n - 1n
const MAX_SECONDS = MAX_INT64 / 1000n

/** Converts TIMESTAMP_S in the data to TIMESTAMP_MS. */
export function toMillis(data: Data, type: ColumnType): Data {
  if (isNested(type)) {
    const children = data.children.map((child, i) => toMillis(child, childType(type, i)))
    // The type object still says seconds inside, but every writer retypes by the column types.
    return new Data(data.type, data.offset, data.length, data.nullCount, data.buffers, children)
  }
  if (type.kind !== 'scalar' || type.name !== 'TIMESTAMP_S') return data
  const values = (data.values as BigInt64Array).map((seconds, i) => {
    if (seconds <= MAX_SECONDS && seconds >= -MAX_SECONDS) return seconds * 1000n
    if (seconds === MAX_INT64 || seconds === -MAX_INT64) return seconds
    if (!data.getValid(i)) return 0n
    throw new EngineError('unwritable', 'A timestamp is beyond what Parquet holds in milliseconds.', {
      remedy: 'Keep the column as text.',
    })
  })
  const buffers = [undefined, values, data.nullBitmap, undefined] as unknown as Data['buffers']
  return new Data(new TimestampMillisecond(), data.offset, data.length, data.nullCount, buffers)
}
