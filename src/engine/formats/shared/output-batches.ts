import { Data, DataType, Field, List, Map_, RecordBatch, Schema, Struct, Uint8 } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { toArrowType } from '../../arrow/types.ts'
import type { Column, ColumnType } from '../../../tables/types.ts'
import { byPlace } from '../../arrow/batch.ts'
import { emptyColumn } from '../../arrow/cast/take.ts'

/** Names that a format's specification gives to what a list and a map are made of. */
export interface InnerNames {
  readonly item: string
  readonly entries: string
}

/** A field's own key for the column type, where Arrow's type alone doesn't tell it. */
export const TYPE_KEY = 'rowhouse:type'
/** A column's own key for the names of types in it that are kept as text. */
export const TEXT_KEY = 'rowhouse:text'

/**
 * The schema of a file that we write: the columns' own names on our physical types.
 * @param asText given where fields are to say which column type they are, where Arrow's type doesn't (UUID, INTERVAL,
 *   HUGEINT): names of the types in each column that are kept as text
 * @throws {EngineError} `invalid-plan` for two columns of one name, whose batches the library would drop unsaid
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
      // The library names it `entries` whatever it's given.
      ;(map.children[0] as { name: string }).name = inner.entries
      return map
    }
  }
}

/** The same rows under the schema's names. Nothing is copied but the offsets of lists that are slices. */
export function renameBatch(batch: RecordBatch, schema: Schema): RecordBatch {
  const type = new Struct(schema.fields)
  const children = batch.data.children.map((child, i) => retype(child, schema.fields[i].type as DataType))
  return new RecordBatch(schema, new Data(type, 0, batch.numRows, 0, {}, children))
}

function retype(data: Data, type: DataType): Data {
  const { offset, length, nullCount, buffers } = data
  if (DataType.isBool(type) && length > 0 && nullCount >= length) {
    // The library leaves the bits of such a column out, against the specification, but not those of bytes.
    const zeros = [undefined, new Uint8Array(length), data.nullBitmap, undefined] as unknown as Data['buffers']
    return new Data(new Uint8(), offset, length, nullCount, zeros)
  }
  if (DataType.isList(type) || DataType.isMap(type)) return retypeItems(data, type)
  const fields: readonly Field[] = type.children
  const children = data.children.map((child, i) => retype(child, fields[i].type as DataType))
  return new Data(type, offset, length, nullCount, buffers, children)
}

/** A list or map with no other items than its own: what the library writes of them decides what their bits must be. */
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

/** Bytes of a batch's values, roughly. */
export function batchBytes(batch: RecordBatch): number {
  return batch.data.children.reduce((sum, child) => sum + dataBytes(child), 0)
}

function dataBytes(data: Data): number {
  let bytes = data.length / 8
  if (data.valueOffsets) {
    bytes += data.length * 4
    // A slice shares its parent's values: the offsets tell its part.
    if (data.children.length === 0) bytes += data.valueOffsets[data.length] - data.valueOffsets[0]
  } else if (data.values) {
    bytes += (data.values as unknown as Uint8Array).byteLength
  }
  return data.children.reduce((sum, child) => sum + dataBytes(child), bytes)
}

/** A batch of no rows, whose buffers are all there. */
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
