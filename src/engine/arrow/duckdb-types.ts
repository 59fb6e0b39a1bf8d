import { RecentMap } from '../../lib/recent-map.ts'
import { mapLeaves, parseTypeOr, sameType, VARCHAR, type ColumnType } from '../../tables/types.ts'

/** How a column of a result crosses from the engine. */
export interface TransferType {
  /** What the values are read as. */
  readonly type: ColumnType
  /** Whether the engine has to cast the column to it first. */
  readonly cast: boolean
}

/** A session's results have few types, and each column asks. */
const known = new RecentMap<string, TransferType>(256)

/**
 * The type that carries a column's values whole: what Arrow has no exact form for goes as the engine's own text.
 * @param type in DuckDB's notation, of any type that an expression can have
 */
export function transferType(type: string): TransferType {
  const before = known.get(type)
  if (before) return before
  const found = transferOf(type)
  known.set(type, found)
  return found
}

function transferOf(type: string): TransferType {
  const { type: own, asText } = tableType(type)
  const carried = exact(own)
  // Arrow's arrays of a fixed length are another type than its lists.
  const isText = asText.some((name) => name !== 'JSON')
  // JSON crosses as the text that it is.
  return { type: carried, cast: isText || !sameType(carried, own) || /\[\d/.test(type) }
}

/** A type as a table can hold it. */
export interface TableType {
  readonly type: ColumnType
  /** Names of the types in it that are text in a table. */
  readonly asText: readonly string[]
}

/** @param type in DuckDB's notation, of any type that an expression can have */
export function tableType(type: string): TableType {
  const asText = new Set<string>()
  try {
    const parsed = parseTypeOr(type, (name) => {
      asText.add(name)
      return VARCHAR
    })
    return { type: parsed, asText: [...asText] }
  } catch {
    // Structs without names for their fields, above all.
    return { type: VARCHAR, asText: [type] }
  }
}

/** What Arrow holds whole: not 39 digits, nor months, days and microseconds. */
const exact = (type: ColumnType): ColumnType =>
  mapLeaves(type, (leaf) =>
    leaf.kind === 'scalar' && (leaf.name === 'HUGEINT' || leaf.name === 'INTERVAL') ? VARCHAR : leaf,
  )
