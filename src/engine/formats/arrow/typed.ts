import { scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { arrowType, valueType } from './arrow-type.ts'
import { typedByLeaves, typedLeaf, type Fineness, type TypedColumn, type TypedLeaf } from '../shared/leaf-types.ts'
import type { IpcField } from '../../arrow/ipc/metadata.ts'
import { TYPE_KEY } from '../shared/output-batches.ts'

export interface TypedArrowColumn extends TypedColumn {
  /** Why the column can't be read, only left out. */
  readonly unreadable?: EngineError
}

/** The leaves of a column, in order: fields without children. */
export function leavesOf(field: IpcField): IpcField[] {
  return field.children.length === 0 || field.dictionary ? [field] : field.children.flatMap(leavesOf)
}

/** Only nanoseconds can be finer than our types, where these have microseconds. */
export function needsProbe({ type, dictionary }: IpcField): boolean {
  return (
    dictionary === null && type.unit === 3 && (type.name === 'Time' || (type.name === 'Timestamp' && type.zone !== ''))
  )
}

/**
 * The column type of a field.
 * @param fineness by leaf, for those that need one
 */
export function typedColumn(field: IpcField, fineness: ReadonlyMap<IpcField, Fineness>): TypedArrowColumn {
  try {
    // Throws for types that can't be loaded.
    arrowType(field)
    return typedByLeaves((take) => typeOf(field, (leaf) => take(leafType(leaf, fineness.get(leaf)))))
  } catch (error) {
    if (!(error instanceof EngineError) || error.code !== 'unsupported-format') throw error
    return { type: VARCHAR, rules: [], asText: true, zonedNanos: false, unreadable: error }
  }
}

function refusal(field: IpcField, what: string): EngineError {
  return new EngineError('unsupported-format', `Column “${field.name}” is ${what}.`, {
    remedy: 'Leave it out, or write the file again with a plain type in its place.',
  })
}

function typeOf(field: IpcField, leaf: (field: IpcField) => ColumnType): ColumnType {
  const name: string = field.type.name
  switch (name) {
    case 'List':
    case 'LargeList':
    case 'FixedSizeList':
      return { kind: 'list', item: typeOf(field.children[0], leaf) }
    case 'Struct':
      if (field.children.length === 0) throw refusal(field, 'of objects without fields')
      return { kind: 'struct', fields: field.children.map((own) => ({ name: own.name, type: typeOf(own, leaf) })) }
    case 'Map': {
      const [key, value] = field.children[0].children
      const keyType = typeOf(key, leaf)
      return { kind: 'map', key: keyType, value: typeOf(value, leaf) }
    }
    default:
      return leaf(field)
  }
}

function leafType(field: IpcField, fineness: Fineness | undefined): TypedLeaf {
  const { name, width, unit, scale } = field.type
  const said = field.metadata.get(TYPE_KEY)
  const isOwn =
    (name === 'Utf8' && (said === 'UUID' || said === 'INTERVAL')) ||
    (name === 'Decimal' && unit === 38 && scale === 0 && said === 'HUGEINT')
  if (isOwn) return { type: scalar(said), rule: 'keep' }
  if (name === 'FixedSizeBinary' && width === 16 && field.metadata.get('ARROW:extension:name') === 'arrow.uuid') {
    return { type: scalar('UUID'), rule: 'keep' }
  }
  return typedLeaf(valueType(field), fineness)
}

/** Describes a field's type as the file defines it, for people. */
export function fileTypeName(field: IpcField, printed: string): string {
  const { name, zone, unit } = field.type
  const units = ['seconds', 'milliseconds', 'microseconds', 'nanoseconds']
  if (field.dictionary) return `${printed}, kept as a dictionary`
  if (name === 'Null') return 'no type: every value is null'
  if (name === 'Timestamp' && zone !== '') return `a timestamp in ${units[unit]} of the zone ${zone}`
  if (name === 'Timestamp' || name === 'Duration') return `a ${name.toLowerCase()} in ${units[unit]}`
  if (name === 'FloatingPoint' && unit === 0) return 'a float of 16 bits'
  return printed
}
