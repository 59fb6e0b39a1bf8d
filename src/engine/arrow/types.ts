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
  type DataType,
} from 'apache-arrow'
import type { ColumnType, ScalarName } from '../../tables/types.ts'

const SCALARS: Readonly<Record<ScalarName, () => DataType>> = {
  BOOLEAN: () => new Bool(),
  TINYINT: () => new Int8(),
  SMALLINT: () => new Int16(),
  INTEGER: () => new Int32(),
  BIGINT: () => new Int64(),
  // Arrow has no 128-bit integer. 38 digits is what it can carry; readers keep longer ones as text.
  HUGEINT: () => new Decimal(0, 38, 128),
  UTINYINT: () => new Uint8(),
  USMALLINT: () => new Uint16(),
  UINTEGER: () => new Uint32(),
  UBIGINT: () => new Uint64(),
  FLOAT: () => new Float32(),
  DOUBLE: () => new Float64(),
  VARCHAR: () => new Utf8(),
  BLOB: () => new Binary(),
  // Carried as their canonical text.
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

/** The one physical Arrow type that carries a column type between a reader and a writer. */
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
