import { quoteIdentifier } from '../../lib/duckdb-sql/names.ts'
import type { Database } from '../storage/database.ts'
import { textRows } from './text-rows.ts'
import type { Catalog } from './catalog.ts'

/** Removes what a statement leaves behind, so that the next one can't see it. */
export function clearAfter(sql: string, db: Database, catalog: Catalog): void {
  // PIVOT leaves a temporary type with the values that it found.
  if (/pivot/i.test(sql)) {
    const types = `SELECT type_name FROM duckdb_types() WHERE database_name = 'temp' AND NOT internal AND type_name LIKE '__pivot%'`
    for (const connection of [db.guest, db.checker ?? []].flat())
      for (const [name] of connection.query(types).flatMap(textRows))
        connection.query(`DROP TYPE temp.main.${quoteIdentifier(name)}`)
  }
  catalog.clear()
}
