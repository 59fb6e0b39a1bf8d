import { DataType, type Schema } from 'apache-arrow'
import { scalar, VARCHAR } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import { type Footer, type SchemaElement, CONVERTED_MAP, CONVERTED_MAP_KEY_VALUE, PHYSICAL } from './footer.ts'
import { columnTypeOf } from '../../arrow/types.ts'
import { typedByLeaves, typedLeaf, type Fineness, type TypedColumn, type TypedLeaf } from '../shared/leaf-types.ts'
import { isDecimal, isInt96, isInterval, neutralName } from './neutral.ts'

/** A leaf of the schema, which has values in the pages. */
export interface Leaf {
  /** Path in the library: the neutral name of its column and the names below, joined with dots. */
  readonly path: string
  readonly element: SchemaElement
  /** Index of its column. */
  readonly column: number
  /** Whether values may be more precise than our types, so that all of them must be checked. */
  readonly needsProbe: boolean
  /** The library crashes if asked for one half of a map. */
  readonly inMap: boolean
  /** For decimals: the number of digits according to the statistics, which may be more than the type allows. */
  readonly digits: number
}

/** A column of the table: a child of the schema's root. */
export interface ParquetColumn {
  readonly index: number
  readonly name: string
  readonly element: SchemaElement
  /** Range of its leaves among the file's. */
  readonly firstLeaf: number
  readonly endLeaf: number
}

/** The columns and leaves of a file. */
export function columnsOf(footer: Footer): { columns: ParquetColumn[]; leaves: Leaf[] } {
  const { elements } = footer
  const columns: ParquetColumn[] = []
  const leaves: Leaf[] = []
  let at = 1
  const visit = (prefix: string, column: number, within: boolean): void => {
    const element = elements[at++]
    const inMap = within || isMap(element)
    const path = prefix === '' ? neutralName(column) : `${prefix}.${element.name}`
    if (element.physical !== undefined) {
      const digits = digitsOf(footer, leaves.length, element)
      leaves.push({ path, element, column, needsProbe: needsProbe(element), inMap, digits })
      return
    }
    for (let i = 0; i < element.children; i++) visit(path, column, inMap)
  }
  const { children } = elements[0]
  for (let index = 0; index < children; index++) {
    const firstLeaf = leaves.length
    const element = elements[at]
    visit('', index, false)
    columns.push({ index, name: element.name, element, firstLeaf, endLeaf: leaves.length })
  }
  return { columns, leaves }
}

function isMap({ logical, converted }: SchemaElement): boolean {
  return logical === 'map' || converted === CONVERTED_MAP || converted === CONVERTED_MAP_KEY_VALUE
}

/** INT96, and nanoseconds where we have microseconds, can be more precise than our types. */
function needsProbe(element: SchemaElement): boolean {
  if (isInt96(element)) return true
  if (element.unit !== 3) return false
  return element.logical === 'time' || (element.logical === 'timestamp' && element.utc === true)
}

/** Number of digits in a decimal's smallest and largest value; 0 if there are no statistics. */
function digitsOf({ rowGroups }: Footer, leaf: number, element: SchemaElement): number {
  if (!isDecimal(element)) return 0
  let most = 0
  for (const { columns } of rowGroups) {
    const { min, max, oddStatistics } = columns[leaf]
    for (const bound of oddStatistics ? [] : [min, max]) {
      if (bound) most = Math.max(most, String(unscaled(bound, element)).replace('-', '').length)
    }
  }
  return most
}

/** Integers are little-endian, other decimals big-endian. */
export function unscaled(bytes: Uint8Array, { physical }: SchemaElement): bigint {
  const ordered = physical === PHYSICAL.int32 || physical === PHYSICAL.int64 ? bytes.toReversed() : bytes
  let value = 0n
  for (const byte of ordered) value = value * 256n + BigInt(byte)
  return BigInt.asIntN(bytes.length * 8, value)
}

export interface TypedParquetColumn extends TypedColumn {
  readonly zonedTime: boolean
}

/**
 * Determines each column's type from the library's Arrow schema, which has the structure of lists and maps, and from
 * the footer, which has the meaning of the leaves.
 * @param fineness by leaf, for those that need one
 */
export function typedColumns(
  schema: Schema,
  columns: readonly ParquetColumn[],
  leaves: readonly Leaf[],
  fineness: ReadonlyMap<Leaf, Fineness>,
): TypedParquetColumn[] {
  if (schema.fields.length !== columns.length) throw new EngineError('internal', 'The two schemas differ.')
  return columns.map((column, i) => {
    const own = leaves.slice(column.firstLeaf, column.endLeaf)
    const rest = [...own]
    const typed = typedByLeaves((take) =>
      columnTypeOf(schema.fields[i].type as DataType, (arrow) => {
        const leaf = rest.shift()
        if (!leaf) throw new EngineError('internal', `The two schemas differ in “${column.name}”.`)
        return take(leafType(arrow, leaf, fineness.get(leaf)))
      }),
    )
    if (rest.length > 0) throw new EngineError('internal', `The two schemas differ in “${column.name}”.`)
    return { ...typed, zonedTime: own.some(({ element }) => element.logical === 'time' && element.utc === true) }
  })
}

function leafType(arrow: DataType, leaf: Leaf, fineness: Fineness | undefined): TypedLeaf {
  const { element } = leaf
  if (isInterval(element)) return { type: scalar('INTERVAL'), rule: 'parquet-interval' }
  if (isInt96(element)) {
    if (!fineness?.finer) return { type: scalar('TIMESTAMP'), rule: 'int96-micros' }
    if (!fineness.far) return { type: scalar('TIMESTAMP_NS'), rule: 'int96-nanos' }
    return { type: VARCHAR, rule: 'int96-text', asText: true }
  }
  if (element.logical === 'uuid' && element.typeLength === 16) return { type: scalar('UUID'), rule: 'keep' }
  if (element.logical === 'enum') return { type: VARCHAR, rule: 'utf8' }
  if (DataType.isDecimal(arrow)) {
    const width = Math.max(element.precision ?? arrow.precision, leaf.digits)
    if (width > 38) return { type: VARCHAR, rule: 'keep', asText: true }
    return { type: { kind: 'decimal', width, scale: arrow.scale }, rule: 'keep' }
  }
  return typedLeaf(arrow, fineness)
}
