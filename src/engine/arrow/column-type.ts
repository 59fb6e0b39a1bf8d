import { DataType, Precision, type Field } from 'apache-arrow'
import { scalar, VARCHAR, type ColumnType, type ScalarName } from '../../tables/types.ts'

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
 * The column type that carries an Arrow type.
 * @param leafType of what isn't nested, in order
 */
export function columnTypeOf(type: DataType, leafType: (type: DataType) => ColumnType = leafTypeOf): ColumnType {
  const inner = (field: Field): ColumnType => columnTypeOf(field.type as DataType, leafType)
  if (DataType.isList(type) || DataType.isFixedSizeList(type)) return { kind: 'list', item: inner(type.children[0]) }
  if (DataType.isStruct(type)) {
    return { kind: 'struct', fields: type.children.map((field) => ({ name: field.name, type: inner(field) })) }
  }
  if (DataType.isMap(type)) {
    const [key, value] = type.childType.children
    const keyType = inner(key)
    return { kind: 'map', key: keyType, value: inner(value) }
  }
  return leafType(type)
}

/**
 * The smallest type that holds all values of an Arrow type that isn't nested. Decimals beyond 38 digits, and what has no
 * values, are VARCHAR.
 */
export function leafTypeOf(type: DataType): ColumnType {
  if (DataType.isInt(type)) return scalar(INTEGERS.get(`${type.bitWidth} ${type.isSigned}`) ?? 'BIGINT')
  if (DataType.isFloat(type)) return scalar(type.precision === Precision.DOUBLE ? 'DOUBLE' : 'FLOAT')
  if (DataType.isBool(type)) return scalar('BOOLEAN')
  if (DataType.isDecimal(type)) {
    const { precision, scale } = type
    const holds = precision >= 1 && precision <= 38 && scale >= 0 && scale <= precision
    return holds ? { kind: 'decimal', width: precision, scale } : VARCHAR
  }
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) return scalar('BLOB')
  if (DataType.isDate(type)) return scalar('DATE')
  if (DataType.isTime(type)) return scalar('TIME')
  if (DataType.isTimestamp(type)) return scalar(type.timezone ? 'TIMESTAMP WITH TIME ZONE' : TIMESTAMPS[type.unit])
  if (DataType.isInterval(type) || DataType.isDuration(type)) return scalar('INTERVAL')
  return VARCHAR
}
