import {
  Binary,
  Bool,
  DateDay,
  Decimal,
  Field,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  List,
  Map_,
  Precision,
  Struct,
  TimeMicrosecond,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  DataType,
} from 'apache-arrow'
import { scalar, VARCHAR, type ColumnType, type ScalarName } from '../../tables/types.ts'

const SCALARS: Readonly<Record<ScalarName, () => DataType>> = {
  BOOLEAN: () => new Bool(),
  TINYINT: () => new Int8(),
  SMALLINT: () => new Int16(),
  INTEGER: () => new Int32(),
  BIGINT: () => new Int64(),
  // Arrow has no 128-bit integers, so these have up to 38 digits; readers convert longer ones to text.
  HUGEINT: () => new Decimal(0, 38, 128),
  UTINYINT: () => new Uint8(),
  USMALLINT: () => new Uint16(),
  UINTEGER: () => new Uint32(),
  UBIGINT: () => new Uint64(),
  FLOAT: () => new Float32(),
  DOUBLE: () => new Float64(),
  VARCHAR: () => new Utf8(),
  BLOB: () => new Binary(),
  // Stored as their canonical text.
  UUID: () => new Utf8(),
  INTERVAL: () => new Utf8(),
  JSON: () => new Utf8(),
  DATE: () => new DateDay(),
  TIME: () => new TimeMicrosecond(),
  TIMESTAMP: () => new TimestampMicrosecond(),
  TIMESTAMP_S: () => new TimestampSecond(),
  TIMESTAMP_MS: () => new TimestampMillisecond(),
  TIMESTAMP_NS: () => new TimestampNanosecond(),
  'TIMESTAMP WITH TIME ZONE': () => new TimestampMicrosecond('UTC'),
}

/** The physical Arrow type of a column type, which is the same for all readers and writers. */
export function toArrowType(type: ColumnType): DataType {
  switch (type.kind) {
    case 'scalar':
      return SCALARS[type.name]()
    case 'decimal':
      return new Decimal(type.scale, type.width, 128)
    case 'list':
      return new List(new Field('item', toArrowType(type.item), true))
    case 'struct':
      return new Struct(type.fields.map((field) => new Field(field.name, toArrowType(field.type), true)))
    case 'map': {
      const entries = new Struct<{ key: DataType; value: DataType }>([
        new Field('key', toArrowType(type.key), false),
        new Field('value', toArrowType(type.value), true),
      ])
      return new Map_(new Field('entries', entries, false), false)
    }
  }
}

/** Arrow's name for a type, with its parameters except a decimal's width in bits. */
export const arrowName = (type: DataType): string => (type as { toString(): string }).toString()

/** The column type of an Arrow type's child. A map's only child is its entries. */
export function childType(type: ColumnType, i: number): ColumnType {
  switch (type.kind) {
    case 'list':
      return type.item
    case 'map':
      return {
        kind: 'struct',
        fields: [
          { name: 'key', type: type.key },
          { name: 'value', type: type.value },
        ],
      }
    case 'struct':
      return type.fields[i].type
    case 'scalar':
    case 'decimal':
      throw new RangeError(`${type.kind} columns have no children`)
  }
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
 * The column type for an Arrow type.
 * @param leafType column type of each leaf, called in order
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
 * The narrowest type for all values of an Arrow type that isn't nested. Decimals beyond 38 digits, and Arrow's Null,
 * become VARCHAR.
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
