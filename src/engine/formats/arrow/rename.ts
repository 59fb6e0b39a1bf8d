import { Data, DataType, Field, List, Map_, RecordBatch, Schema, Struct, Uint8 } from 'apache-arrow'
import { EngineError } from '../../errors.ts'
import { toArrowType } from '../../arrow/types.ts'
import type { Column, ColumnType } from '../../../tables/types.ts'

/** Names that a format's specification gives to what a list and a map are made of. */
export interface InnerNames {
  readonly item: string
  readonly entries: string
}

/**
 * The schema of a file that we write: the columns' own names on our physical types.
 * @throws {EngineError} `invalid-plan` for two columns of one name, whose batches the library would drop unsaid
 */
export function outputSchema(columns: readonly Column[], inner: InnerNames): Schema {
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (seen.has(name)) {
      throw new EngineError('invalid-plan', `Two columns are named “${name}”.`, { remedy: 'Rename one.' })
    }
    seen.add(name)
  }
  return new Schema(columns.map(({ name, type }) => new Field(name, outputType(type, inner), true)))
}

function outputType(type: ColumnType, inner: InnerNames): DataType {
  switch (type.kind) {
    case 'scalar':
    case 'decimal':
      return toArrowType(type)
    case 'list':
      return new List(new Field(inner.item, outputType(type.item, inner), true))
    case 'struct':
      return new Struct(type.fields.map((field) => new Field(field.name, outputType(field.type, inner), true)))
    case 'map': {
      const entries = new Struct<{ key: DataType; value: DataType }>([
        new Field('key', outputType(type.key, inner), false),
        new Field('value', outputType(type.value, inner), true),
      ])
      const map = new Map_(new Field(inner.entries, entries, false), false)
      // The library names it `entries` whatever it's given.
      ;(map.children[0] as { name: string }).name = inner.entries
      return map
    }
  }
}

/** The same rows under the schema's names. Nothing is copied. */
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
  const fields: readonly Field[] = type.children
  const children = data.children.map((child, i) => retype(child, fields[i].type as DataType))
  return new Data(type, offset, length, nullCount, buffers, children)
}
