import { RecentMap } from '../../lib/recent-map.ts'
import { mapLeaves, sameType, VARCHAR, type ColumnType } from '../../tables/types.ts'
import { parseTypeOr } from '../../tables/expression-types.ts'

/** How a result's column is transferred from the engine. */
interface TransferType {
  /** The type as which the values are read. */
  readonly type: ColumnType
  /** Whether the engine must first cast the column to it. */
  readonly cast: boolean
}

/** Cached, since a session's results have few types, and each column needs one. */
const known = new RecentMap<string, TransferType>(256)

/**
 * The type that holds a column's values exactly. Values without an exact form in Arrow are transferred as the engine's
 * text.
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
  // Arrow's fixed-size lists are another type than its lists.
  const isText = asText.some((name) => name !== 'JSON')
  // JSON is transferred as text without a cast.
  return { type: carried, cast: isText || !sameType(carried, own) || /\[\d/.test(type) }
}

/** A type as stored in a table here. */
interface TableType {
  readonly type: ColumnType
  /** Names of the types in it that are stored as text. */
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
    // Mainly structs with unnamed fields.
    return { type: VARCHAR, asText: [type] }
  }
}

/** Types that Arrow holds exactly: not integers of 39 digits, nor months, days and microseconds. */
const exact = (type: ColumnType): ColumnType =>
  mapLeaves(type, (leaf) =>
    leaf.kind === 'scalar' && (leaf.name === 'HUGEINT' || leaf.name === 'INTERVAL') ? VARCHAR : leaf,
  )
