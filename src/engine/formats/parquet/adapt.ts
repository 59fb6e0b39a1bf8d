import { Data, TimestampMillisecond } from 'apache-arrow'
import { scalar, VARCHAR, type Column, type ColumnType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { childType } from '../../arrow/buffers.ts'
import { adaptBy, type Substitutes } from '../shared/adapt.ts'
import type { Adaptation } from '../types.ts'

const PARQUET: Substitutes = {
  HUGEINT: { type: { kind: 'decimal', width: 38, scale: 0 }, why: 'Parquet has no 128-bit integers' },
  UUID: { type: VARCHAR, why: 'a UUID is kept as its text' },
  INTERVAL: { type: VARCHAR, why: 'an interval is kept as its text, for Parquet would cut it to milliseconds' },
  JSON: { type: VARCHAR, why: 'JSON is kept as its text' },
  TIMESTAMP_S: { type: scalar('TIMESTAMP_MS'), why: 'Parquet has no timestamps of whole seconds' },
}

/** How a column has to change for Parquet. */
export function adaptColumn(column: Column): Adaptation | null {
  const adaptation = adaptBy(column, PARQUET)
  if (!adaptation || !hasSeconds(column.type)) return adaptation
  return {
    ...adaptation,
    convert: (data) => ({ data: toMillis(data, column.type), changed: data.length - data.nullCount }),
  }
}

function hasSeconds(type: ColumnType): boolean {
  switch (type.kind) {
    case 'decimal':
      return false
    case 'scalar':
      return type.name === 'TIMESTAMP_S'
    case 'list':
      return hasSeconds(type.item)
    case 'struct':
      return type.fields.some((field) => hasSeconds(field.type))
    case 'map':
      return hasSeconds(type.key) || hasSeconds(type.value)
  }
}

/** Stands for infinity in every unit, and its negative. */
const MAX_INT64 = 2n ** 63n - 1n
const MAX_SECONDS = MAX_INT64 / 1000n

/** The data with every TIMESTAMP_S in it as TIMESTAMP_MS. */
function toMillis(data: Data, type: ColumnType): Data {
  if (!hasSeconds(type)) return data
  if (type.kind !== 'scalar') {
    const children = data.children.map((child, i) => toMillis(child, childType(type, i)))
    // The type object still names seconds within; every writer retypes by the column types.
    return new Data(data.type, data.offset, data.length, data.nullCount, data.buffers, children)
  }
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
