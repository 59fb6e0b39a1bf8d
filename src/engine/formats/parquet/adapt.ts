import { Data, TimestampMillisecond } from 'apache-arrow'
import { printType, scalar, VARCHAR, type Column, type ColumnType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { Adaptation } from '../types.ts'

/** How a column has to change for Parquet, which has no 128-bit integers, whole seconds or exact intervals. */
export function adaptColumn(column: Column): Adaptation | null {
  const reasons = new Set<string>()
  const type = adaptType(column.type, reasons)
  if (reasons.size === 0) return null
  const message = `“${column.name}” is written as ${printType(type)}: ${[...reasons].join('; ')}.`
  const note = { code: 'type-changed', message, column: column.name }
  if (!hasSeconds(column.type)) return { type, note }
  return { type, note, convert: (data) => ({ data: toMillis(data, column.type), changed: 0 }) }
}

function adaptType(type: ColumnType, reasons: Set<string>): ColumnType {
  switch (type.kind) {
    case 'decimal':
      return type
    case 'list':
      return { kind: 'list', item: adaptType(type.item, reasons) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map(({ name, type: own }) => ({ name, type: adaptType(own, reasons) })) } // prettier-ignore
    case 'map':
      return { kind: 'map', key: adaptType(type.key, reasons), value: adaptType(type.value, reasons) }
    case 'scalar':
      break
  }
  switch (type.name) {
    case 'HUGEINT':
      reasons.add('Parquet has no 128-bit integers')
      return { kind: 'decimal', width: 38, scale: 0 }
    case 'UUID':
      reasons.add('a UUID is kept as its text')
      return VARCHAR
    case 'INTERVAL':
      reasons.add('an interval is kept as its text, for Parquet would cut it to milliseconds')
      return VARCHAR
    case 'TIMESTAMP_S':
      reasons.add('Parquet has no timestamps of whole seconds')
      return scalar('TIMESTAMP_MS')
    default:
      return type
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

const MAX_SECONDS = (2n ** 63n - 1n) / 1000n

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
    if (!data.getValid(i)) return 0n
    throw new EngineError('unwritable', 'A timestamp is beyond what Parquet holds in milliseconds.', {
      remedy: 'Keep the column as text.',
    })
  })
  const buffers = [undefined, values, data.nullBitmap, undefined] as unknown as Data['buffers']
  return new Data(new TimestampMillisecond(), data.offset, data.length, data.nullCount, buffers)
}

function childType(type: ColumnType, index: number): ColumnType {
  if (type.kind === 'list') return type.item
  if (type.kind === 'struct') return type.fields[index].type
  // A map's only child is its entries.
  if (type.kind === 'map') {
    return { kind: 'struct', fields: [{ name: 'key', type: type.key }, { name: 'value', type: type.value }] } // prettier-ignore
  }
  return type
}

/** @throws {EngineError} `unwritable` for a struct without fields, which Parquet has no form for */
export function refuseEmptyStructs(column: Column): void {
  const visit = (type: ColumnType): void => {
    if (type.kind === 'list') visit(type.item)
    if (type.kind === 'map') {
      visit(type.key)
      visit(type.value)
    }
    if (type.kind !== 'struct') return
    if (type.fields.length === 0) {
      throw new EngineError('unwritable', `“${column.name}” has objects without fields, which Parquet can't hold.`, {
        remedy: 'Keep the column as text, or leave it out.',
      })
    }
    for (const field of type.fields) visit(field.type)
  }
  visit(column.type)
}
