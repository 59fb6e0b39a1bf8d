import {
  Binary,
  Bool,
  DateDay,
  DateMillisecond,
  Decimal,
  Dictionary,
  Duration,
  Field,
  FixedSizeBinary,
  FixedSizeList,
  Float16,
  Float32,
  Float64,
  Int16,
  Int32,
  Int64,
  Int8,
  Interval,
  List,
  Map_,
  Null,
  Struct,
  TimeMicrosecond,
  TimeMillisecond,
  TimeNanosecond,
  TimeSecond,
  Timestamp,
  Uint16,
  Uint32,
  Uint64,
  Uint8,
  Utf8,
  type DataType,
  IntervalUnit,
  TimeUnit,
} from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import type { IpcField } from '../../arrow/ipc/metadata.ts'

const TIME_UNITS = [TimeUnit.SECOND, TimeUnit.MILLISECOND, TimeUnit.MICROSECOND, TimeUnit.NANOSECOND]
const INTERVAL_UNITS = [IntervalUnit.YEAR_MONTH, IntervalUnit.DAY_TIME, IntervalUnit.MONTH_DAY_NANO]
const INTS = { 8: Int8, 16: Int16, 32: Int32, 64: Int64 } as const
const UINTS = { 8: Uint8, 16: Uint16, 32: Uint32, 64: Uint64 } as const

/**
 * The library's type for a field, including its dictionary. Types that the library lacks are mapped to what they are
 * loaded as.
 */
export function arrowType(field: IpcField): DataType {
  const type = valueType(field)
  if (!field.dictionary) return type
  const index = intType(field, field.dictionary.width, field.dictionary.signed) as Int32
  // With a new id: columns may share a dictionary in the file, but in the library an id can't have two types.
  return new Dictionary(type, index)
}

function child(field: IpcField, index = 0): Field {
  const inner = field.children[index]
  if (!inner) throw damaged(field)
  return new Field(inner.name, arrowType(inner), true)
}

/** The type of the dictionary's values, or else of the field itself. */
export function valueType(field: IpcField): DataType {
  const { name, width, unit, zone, signed } = field.type
  switch (name) {
    case 'Null':
      return new Null()
    case 'Int':
      return intType(field, width, signed)
    case 'FloatingPoint':
      return unit === 0 ? new Float16() : unit === 1 ? new Float32() : new Float64()
    case 'Bool':
      return new Bool()
    case 'Decimal':
      return decimalType(field)
    case 'Date':
      return unit === 0 ? new DateDay() : new DateMillisecond()
    case 'Time':
      return (
        [new TimeSecond(), new TimeMillisecond(), new TimeMicrosecond(), new TimeNanosecond()][unit] ?? refuse(field)
      )
    case 'Timestamp':
      return new Timestamp(TIME_UNITS[unit] ?? refuse(field), zone === '' ? null : zone)
    case 'Duration':
      return new Duration(TIME_UNITS[unit] ?? refuse(field))
    case 'Interval':
      return new Interval(INTERVAL_UNITS[unit] ?? refuse(field))
    case 'Binary':
    case 'LargeBinary':
    case 'BinaryView':
      return new Binary()
    case 'Utf8':
    case 'LargeUtf8':
    case 'Utf8View':
      return new Utf8()
    case 'FixedSizeBinary':
      if (width < 0) throw damaged(field)
      return new FixedSizeBinary(width)
    case 'List':
    case 'LargeList':
      return new List(child(field))
    case 'FixedSizeList':
      if (width < 0) throw damaged(field)
      return new FixedSizeList(width, child(field))
    case 'Struct':
      return new Struct(field.children.map((_, i) => child(field, i)))
    case 'Map':
      return mapType(field)
    case 'None':
    case 'Union':
    case 'RunEndEncoded':
    case 'ListView':
    case 'LargeListView':
      return refuse(field)
  }
}

function intType(field: IpcField, width: number, signed: boolean): DataType {
  const Type = (signed ? INTS : UINTS)[width as 8]
  return Type ? new Type() : refuse(field)
}

function decimalType(field: IpcField): Decimal {
  const { width, unit: precision, scale } = field.type
  if (![32, 64, 128, 256].includes(width) || precision < 1 || precision > 76 || scale > precision) throw damaged(field)
  return new Decimal(scale, precision, width === 256 ? 256 : 128)
}

function mapType(field: IpcField): Map_ {
  const entries = child(field).type
  if (!(entries instanceof Struct) || entries.children.length !== 2) throw damaged(field)
  const [key, value]: readonly Field[] = entries.children
  const named = new Struct<{ key: DataType; value: DataType }>([
    new Field('key', key.type as DataType, false),
    new Field('value', value.type as DataType, true),
  ])
  return new Map_(new Field('entries', named, false), false)
}

function damaged(field: IpcField): EngineError {
  return new EngineError('corrupt-file', `The type of “${field.name}” makes no sense: the file is damaged.`)
}

const NAMES: Partial<Record<IpcField['type']['name'], string>> = {
  Union: 'a union of types',
  RunEndEncoded: 'run-end encoded',
  ListView: 'a list view',
  LargeListView: 'a large list view',
}

function refuse(field: IpcField): never {
  throw new EngineError(
    'unsupported-format',
    `Column “${field.name}” is ${NAMES[field.type.name] ?? 'of an unknown type'}, which Rowhouse can't read.`,
    { remedy: 'Leave it out, or write the file again with a plain type in its place.' },
  )
}
