import { BufferType, Data, DataType, Precision, TimeUnit, type Int } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { isNested, printType, type ColumnType, type ListType, type ScalarType } from '../../../tables/types.ts'
import { concatenateColumn } from '../concatenate.ts'
import { arrowName, toArrowType } from '../types.ts'
import { checkDigits } from '../decimals.ts'
import { floatsOfHalves, rescale, tooFar, withValues, decimalWords } from './numbers.ts'
import { take, tooManyBytes, nullColumn } from './take.ts'
import { decimalText, durationText, intervalText, nanosecondTimeText, textColumn, uuidText } from './texts.ts'
import { isNull } from '../scalars.ts'

/**
 * Casts a column to the physical type of `toArrowType(to)`, without copying if it already has that layout.
 * @throws {EngineError} `unsupported-format` if digits would be lost; `internal` if the values aren't of the type
 */
export function cast(data: Data, to: ColumnType): Data {
  const { type } = data
  // An empty column may come without offsets.
  if (data.length === 0 || DataType.isNull(type)) return nullColumn(to, data.length)
  if (DataType.isDictionary(type)) return castDictionary(data, to)
  switch (to.kind) {
    case 'decimal': {
      if (!DataType.isDecimal(type) || type.scale !== to.scale) throw unlike(data, to)
      const words = decimalWords(data, type)
      checkDigits(data, words, to)
      return withValues(data, toArrowType(to), words)
    }
    case 'list':
      return castList(data, to)
    case 'struct': {
      if (!DataType.isStruct(type) || data.children.length !== to.fields.length) throw unlike(data, to)
      const children = data.children.map((child: Data, i) => cast(child, to.fields[i].type))
      return retag(data, toArrowType(to), children)
    }
    case 'map': {
      if (!DataType.isMap(type)) throw unlike(data, to)
      const [entries] = data.children
      const [key, value] = entries.children
      const wanted = toArrowType(to)
      const children = [cast(key, to.key), cast(value, to.value)]
      return retag(data, wanted, [retag(entries, wanted.children[0].type, children)])
    }
    case 'scalar':
      return castScalar(data, to)
  }
}

/** The same buffers with another type. */
function retag(data: Data, type: DataType, children: Data[] = data.children): Data {
  return data.clone(type, undefined, undefined, undefined, undefined, children)
}

function castList(data: Data, to: ListType): Data {
  const wanted = toArrowType(to)
  const { type } = data
  if (DataType.isList(type)) return retag(data, wanted, [cast(data.children[0], to.item)])
  if (!DataType.isFixedSizeList(type)) throw unlike(data, to)
  const offsets = Int32Array.from({ length: data.length + 1 }, (_, row) => row * type.listSize)
  const bits: Uint8Array | undefined = data.nullBitmap
  const buffers = { [BufferType.OFFSET]: offsets, ...(bits === undefined ? {} : { [BufferType.VALIDITY]: bits }) }
  return new Data(wanted, data.offset, data.length, data.nullCount, buffers, [cast(data.children[0], to.item)])
}

function castScalar(data: Data, to: ScalarType): Data {
  return castLike(data, to) ?? (to.name === 'VARCHAR' ? castText(data, to) : fail(data, to))
}

function fail(data: Data, to: ColumnType): never {
  throw unlike(data, to)
}

/** Casts between types with the same meaning; null for other types. */
function castLike(data: Data, to: ScalarType): Data | null {
  const { type } = data
  const wanted = toArrowType(to)
  if (DataType.isBool(type)) return to.name === 'BOOLEAN' ? retag(data, wanted) : null
  if (DataType.isInt(type)) return sameLayout(type, wanted) ? retag(data, wanted) : null
  if (DataType.isFloat(type)) return castFloat(data, wanted)
  if (DataType.isDecimal(type)) {
    return to.name === 'HUGEINT' && type.scale === 0 ? withValues(data, wanted, decimalWords(data, type)) : null
  }
  if (DataType.isUtf8(type)) return DataType.isUtf8(wanted) ? retag(data, wanted) : null
  if (DataType.isBinary(type) || DataType.isFixedSizeBinary(type)) {
    if (to.name === 'UUID') return castUuid(data, to)
    return to.name === 'BLOB' ? castBlob(data, wanted) : null
  }
  if (DataType.isInterval(type)) {
    return to.name === 'INTERVAL' ? retag(textColumn(data, intervalText(data, type)), wanted) : null
  }
  if (DataType.isDuration(type)) {
    return to.name === 'INTERVAL' ? retag(textColumn(data, durationText(data, type)), wanted) : null
  }
  return castTime(data, to)
}

function castFloat(data: Data, wanted: DataType): Data | null {
  if (!DataType.isFloat(wanted)) return null
  const { values } = data
  if (values instanceof Uint16Array) {
    return wanted.precision === Precision.SINGLE ? withValues(data, wanted, floatsOfHalves(values, data.length)) : null
  }
  const single = values instanceof Float32Array
  return single === (wanted.precision === Precision.SINGLE) ? retag(data, wanted) : null
}

function sameLayout(from: Int, to: DataType): boolean {
  return DataType.isInt(to) && to.bitWidth === from.bitWidth && to.isSigned === from.isSigned
}

/** Units per second, by Arrow's number of the unit: second, millisecond, microsecond, nanosecond. */
const PER_SECOND = [1, 1e3, 1e6, 1e9] as const

function castTime(data: Data, to: ScalarType): Data | null {
  const wanted = toArrowType(to)
  const { type, values } = data
  if (DataType.isDate(type) && DataType.isDate(wanted)) {
    if (values instanceof Int32Array) return retag(data, wanted)
    const days = rescale(data, to, 1, 86_400_000)
    if (days.some((day) => day !== BigInt.asIntN(32, day))) throw tooFar('A date')
    return withValues(data, wanted, Int32Array.from(days, Number))
  }
  const times = DataType.isTime(type) && DataType.isTime(wanted)
  if (!times && !(DataType.isTimestamp(type) && DataType.isTimestamp(wanted))) return null
  const [from, into] = [PER_SECOND[type.unit], PER_SECOND[wanted.unit]]
  if (from === into && values instanceof BigInt64Array) return retag(data, wanted)
  return withValues(data, wanted, rescale(data, to, Math.max(1, into / from), Math.max(1, from / into)))
}

function castUuid(data: Data, to: ScalarType): Data {
  if (!DataType.isFixedSizeBinary(data.type) || data.type.byteWidth !== 16) throw unlike(data, to)
  return retag(textColumn(data, uuidText(data)), toArrowType(to))
}

function castBlob(data: Data, wanted: DataType): Data {
  const { type } = data
  if (!DataType.isFixedSizeBinary(type)) return retag(data, wanted)
  const width = type.byteWidth
  if (width * data.length > 0x7fffffff) throw tooManyBytes()
  const offsets = Int32Array.from({ length: data.length + 1 }, (_, row) => row * width)
  return withValues(data, wanted, data.values, offsets)
}

/** Casts values to text that no column type can hold exactly. */
function castText(data: Data, to: ScalarType): Data {
  const { type } = data
  if (DataType.isDecimal(type)) return textColumn(data, decimalText(data, type))
  if (DataType.isTime(type) && type.unit === TimeUnit.NANOSECOND) return textColumn(data, nanosecondTimeText(data))
  throw unlike(data, to)
}

function castDictionary(data: Data, to: ColumnType): Data {
  const chunks: readonly Data[] = data.dictionary?.data ?? []
  const values = chunks.map((chunk) => cast(chunk, to))
  const keys: Int32Array | BigInt64Array = data.values
  const indices = new Int32Array(data.length)
  for (let row = 0; row < data.length; row++) indices[row] = isNull(data, row) ? -1 : Number(keys[row])
  return take(joined(values, to), indices)
}

function joined(parts: readonly Data[], type: ColumnType): Data {
  if (parts.length === 1) return parts[0]
  if (parts.length === 0) return nullColumn(type, 0)
  if (!isNested(type)) return concatenateColumn(parts, type)
  throw new EngineError('unsupported-format', `A dictionary of ${printType(type)} values that comes in parts.`, {
    remedy: 'Write the file again without dictionary encoding.',
  })
}

function unlike(data: Data, to: ColumnType): EngineError {
  return new EngineError(
    'internal',
    `A column of Arrow type ${arrowName(data.type)} can't be carried as ${printType(to)}.`,
  )
}
