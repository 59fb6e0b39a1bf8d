import { DataType, Precision, type Field } from 'apache-arrow'
import { scalar, VARCHAR, type ColumnType, type ScalarName } from '../../../tables/types.ts'

/** What is asked of a field: its type, and the metadata that names extension types. */
export type TypedField = Pick<Field, 'type' | 'metadata'>

export interface ColumnTypeHints {
  /** 16-byte binaries are UUIDs: the file's own schema says so where Arrow's doesn't. */
  readonly uuid?: boolean
}

const INTEGERS = new Map<string, ScalarName>([
  ['8 true', 'TINYINT'],
  ['16 true', 'SMALLINT'],
  ['32 true', 'INTEGER'],
  ['64 true', 'BIGINT'],
  ['8 false', 'UTINYINT'],
  ['16 false', 'USMALLINT'],
  ['32 false', 'UINTEGER'],
  ['64 false', 'UBIGINT'],
])

/** By Arrow's number for the unit: second, millisecond, microsecond, nanosecond. */
const TIMESTAMPS = ['TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP', 'TIMESTAMP_NS'] as const

/**
 * The column type that carries an Arrow field: the smallest that holds all its values. Dictionaries count as what they
 * hold; intervals and durations are INTERVAL; decimals beyond 38 digits, unions and what has no values are VARCHAR.
 */
export function columnTypeOf({ type, metadata }: TypedField, hints: ColumnTypeHints = {}): ColumnType {
  if (DataType.isDictionary(type)) return columnTypeOf({ type: type.dictionary as DataType, metadata }, hints)
  if (DataType.isInt(type)) return scalar(INTEGERS.get(`${type.bitWidth} ${type.isSigned}`) ?? 'BIGINT')
  if (DataType.isFloat(type)) return scalar(type.precision === Precision.DOUBLE ? 'DOUBLE' : 'FLOAT')
  if (DataType.isBool(type)) return scalar('BOOLEAN')
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type
    const holds = precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision
    return holds ? { kind: 'decimal', width: precision, scale } : VARCHAR
  }
  if (DataType.isBinary(type) || DataType.isLargeBinary(type)) return scalar(isUuid(metadata) ? 'UUID' : 'BLOB')
  if (DataType.isFixedSizeBinary(type)) {
    return scalar(type.byteWidth === 16 && (hints.uuid === true || isUuid(metadata)) ? 'UUID' : 'BLOB')
  }
  if (DataType.isDate(type)) return scalar('DATE')
  if (DataType.isTime(type)) return scalar('TIME')
  if (DataType.isTimestamp(type)) return scalar(type.timezone ? 'TIMESTAMP WITH TIME ZONE' : TIMESTAMPS[type.unit])
  if (DataType.isInterval(type) || DataType.isDuration(type)) return scalar('INTERVAL')
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) {
    return { kind: 'list', item: columnTypeOf(type.children[0]) }
  }
  if (DataType.isStruct(type)) {
    const fields = type.children.map((field: Field) => ({ name: field.name, type: columnTypeOf(field) }))
    return { kind: 'struct', fields }
  }
  if (DataType.isMap(type)) {
    const [key, value] = type.childType.children
    return { kind: 'map', key: columnTypeOf(key), value: columnTypeOf(value) }
  }
  return VARCHAR
}

/** https://arrow.apache.org/docs/format/CanonicalExtensions.html#uuid */
function isUuid(metadata: ReadonlyMap<string, string>): boolean {
  return metadata.get('ARROW:extension:name') === 'arrow.uuid'
}
