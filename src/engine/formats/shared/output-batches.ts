import { Data, DataType, Field, List, Map_, RecordBatch, Schema, Struct, Uint8 } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { toArrowType } from '../../arrow/types.ts'
import type { Column, ColumnType } from '../../../tables/types.ts'
import { byPlace, emptyColumn } from '../../arrow/batch.ts'

/** A format specification's names for the parts of lists and maps. */
interface InnerNames {
  readonly item: string
  readonly entries: string
}

/** Metadata key of a field for the column type, if Arrow's type alone doesn't determine it. */
export const TYPE_KEY = 'rowhouse:type'
/** Metadata key of a column for the names of its types that are stored as text. */
export const TEXT_KEY = 'rowhouse:text'

/**
 * The schema of an output file: the columns' names and our physical types.
 * @param asText if given, fields whose Arrow type doesn't determine the column type (UUID, INTERVAL, HUGEINT) get it as
 * metadata; has the names of each column's types that are stored as text
 * @throws {EngineError} `invalid-plan` for two columns of the same name, whose batches the library would silently drop
 */
export function outputSchema(columns: readonly Column[], inner: InnerNames, asText?: readonly string[]): Schema {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(name)) {
      throw new EngineError('invalid-plan', `Two columns are named “${name}”.`, { remedy: 'Rename one.' })
    }
    seen.add(name)
  }
  const fields = columns.map(({ name, type }) => fieldOf(name, type, inner, asText !== undefined))
  for (const [i, types] of (asText ?? []).entries()) if (types !== '') fields[i].metadata.set(TEXT_KEY, types)
  return byPlace(new Schema(fields))
}

function fieldOf(name: string, type: ColumnType, inner: InnerNames, tells: boolean, nullable = true): Field {
  const said = tells && type.kind === 'scalar' && /^(UUID|INTERVAL|HUGEINT)$/.test(type.name) ? type.name : null
  const metadata = said === null ? undefined : new Map([[TYPE_KEY, said]])
  return new Field(name, outputType(type, inner, tells), nullable, metadata)
}

function outputType(type: ColumnType, inner: InnerNames, tells: boolean): DataType {
  switch (type.kind) {
    case 'scalar':
    case 'decimal':
      return toArrowType(type)
    case 'list':
      return new List(fieldOf(inner.item, type.item, inner, tells))
    case 'struct':
      return new Struct(type.fields.map((field) => fieldOf(field.name, field.type, inner, tells)))
    case 'map': {
      const entries = new Struct<{ key: DataType; value: DataType }>([
        fieldOf('key', type.key, inner, tells, false),
        fieldOf('value', type.value, inner, tells),
      ])
      const map = new Map_(new Field(inner.entries, entries, false), false)
      // The library always names it `entries`.
      ;(map.children[0] as { name: string }).name = inner.entries
      return map
    }
  }
}

/** Renames a batch's columns to the schema's names. Only offsets of sliced lists are copied. */
export function renameBatch(batch: RecordBatch, schema: Schema): RecordBatch {
  const type = new Struct(schema.fields)
  const children = batch.data.children.map((child, i) => retype(child, schema.fields[i].type as DataType))
  return new RecordBatch(schema, new Data(type, 0, batch.numRows, 0, {}, children))
}

function retype(data: Data, type: DataType): Data {
  const { offset, length, nullCount, buffers } = data
  if (DataType.isBool(type) && length > 0 && nullCount >= length) {
    // The library omits the bits of such a column, contrary to the specification, but not those of bytes.
    const zeros = [undefined, new Uint8Array(length), data.nullBitmap, undefined] as unknown as Data['buffers']
    return new Data(new Uint8(), offset, length, nullCount, zeros)
  }
  if (DataType.isList(type) || DataType.isMap(type)) return retypeItems(data, type)
  const fields: readonly Field[] = type.children
  const children = data.children.map((child, i) => retype(child, fields[i].type as DataType))
  return new Data(type, offset, length, nullCount, buffers, children)
}

/** Retypes a list or map, trimmed to its own items: what must be fixed depends on the items that the library writes. */
function retypeItems(data: Data, type: List | Map_): Data {
  const { offset, length, nullCount, buffers } = data
  const [items] = data.children
  const valueOffsets: Int32Array = data.valueOffsets
  const begin = valueOffsets[0] ?? 0
  const end = valueOffsets[length] ?? 0
  const [{ type: itemType }] = type.children
  if (begin === 0 && end === items.length) {
    return new Data(type, offset, length, nullCount, buffers, [retype(items, itemType)])
  }
  const rebased = valueOffsets.slice(0, length + 1).map((at) => at - begin)
  const own = [rebased, buffers[1], buffers[2], buffers[3]] as unknown as Data['buffers']
  return new Data(type, offset, length, nullCount, own, [retype(items.slice(begin, end - begin), itemType)])
}

/** Approximate size of a batch's values in bytes. */
export function batchBytes(batch: RecordBatch): number {
  return batch.data.children.reduce((sum, child) => sum + dataBytes(child), 0)
}

function dataBytes(data: Data): number {
  let bytes = data.length / 8
  if (data.valueOffsets) {
    bytes += data.length * 4
    // A slice shares its parent's values, and the offsets define its part.
    if (data.children.length === 0) bytes += data.valueOffsets[data.length] - data.valueOffsets[0]
  } else if (data.values) {
    bytes += (data.values as unknown as Uint8Array).byteLength
  }
  return data.children.reduce((sum, child) => sum + dataBytes(child), bytes)
}

/** An empty batch with all buffers present. */
export function emptyBatch(schema: Schema): RecordBatch {
  const type = new Struct(schema.fields)
  return new RecordBatch(
    schema,
    new Data(
      type,
      0,
      0,
      0,
      {},
      schema.fields.map(({ type: own }) => emptyColumn(own as DataType)),
    ),
  )
}
