import { parseTypeOr, printType, scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'

/** How a column of a result crosses from the engine. */
export interface Carrier {
  /** What the values are read as. */
  readonly type: ColumnType
  /** Whether the engine has to cast the column to it first. */
  readonly cast: boolean
}

/**
 * The type that carries a column's values whole: what Arrow has no exact form for goes as the engine's own text.
 * @param type in DuckDB's notation, of any type that an expression can have
 */
export function carrierOf(type: string): Carrier {
  let parsed: ColumnType
  try {
    parsed = parseTypeOr(type, VARCHAR)
  } catch {
    // Structs without names for their fields, above all.
    return { type: VARCHAR, cast: true }
  }
  const carried = exact(parsed)
  return { type: carried, cast: printType(carried) !== type }
}

function exact(type: ColumnType): ColumnType {
  switch (type.kind) {
    case 'scalar':
      // 39 digits; months, days and microseconds.
      return type.name === 'HUGEINT' || type.name === 'INTERVAL' ? scalar('VARCHAR') : type
    case 'decimal':
      return type
    case 'list':
      return { kind: 'list', item: exact(type.item) }
    case 'map':
      return { kind: 'map', key: exact(type.key), value: exact(type.value) }
    case 'struct':
      return { kind: 'struct', fields: type.fields.map((field) => ({ name: field.name, type: exact(field.type) })) }
  }
}
