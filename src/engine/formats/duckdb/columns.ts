import { isNested, printType, sameType, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { tableType } from '../../arrow/duckdb-types.ts'

/** How a column of a database is carried. */
export interface CarriedColumn {
  readonly name: string
  /** DuckDB's own name of its type. */
  readonly ownType: string
  readonly type: ColumnType
  /** What no table has of its type: that is carried as DuckDB's text. */
  readonly asText: readonly string[]
  /** What DuckDB has to cast it to, so that it comes out whole; null: nothing. */
  readonly cast: string | null
}

/** @param text it's an integer with more digits than can be carried: as text, then */
export function carriedColumn(name: string, ownType: string, text = false): CarriedColumn {
  const { type, asText } = text ? { type: VARCHAR, asText: [ownType] } : tableType(ownType)
  // Arrow's intervals count nanoseconds, which not all of DuckDB's fit; and its integers of 128 bits are decimals.
  const crossing = printType(mapped(type, { INTERVAL: VARCHAR, HUGEINT: { kind: 'decimal', width: 38, scale: 0 } }))
  return {
    name,
    ownType,
    type,
    asText,
    cast: crossing === ownType ? null : crossing,
  }
}

type Mapping = Readonly<Partial<Record<'INTERVAL' | 'HUGEINT', ColumnType>>>

function mapped(type: ColumnType, to: Mapping): ColumnType {
  switch (type.kind) {
    case 'scalar':
      return type.name === 'INTERVAL' || type.name === 'HUGEINT' ? (to[type.name] ?? type) : type
    case 'decimal':
      return type
    case 'list':
      return { kind: 'list', item: mapped(type.item, to) }
    case 'map':
      return { kind: 'map', key: mapped(type.key, to), value: mapped(type.value, to) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map(({ name, type: own }) => ({ name, type: mapped(own, to) })) }
  }
}

/** Whether a value of the column may have more digits than can be carried: only its values tell. */
export function mayOverflow({ type }: CarriedColumn): boolean {
  return !isNested(type) && sameType(type, { kind: 'scalar', name: 'HUGEINT' })
}
