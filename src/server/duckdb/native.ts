import { tmpdir } from 'node:os'
import type { DuckDB } from '../../engine/sql/duckdb.ts'
import { Database } from '../../engine/storage/database.ts'
import { NativeBindings } from './bindings.ts'
import { Files } from './files.ts'

/**
 * The native DuckDB library, for statements that read tables.
 * @param script the script of its thread
 */
export function nativeDuckDB(script: string): DuckDB {
  const opened = new WeakMap<Database, NativeBindings>()
  const files = new Files(tmpdir())
  return {
    folder: () => files.folder,
    async open(options) {
      const bindings = new NativeBindings(script, files)
      await bindings.ready()
      const database = Database.start(bindings, options)
      opened.set(database, bindings)
      return database
    },
    // The thread has the same functions, since functions can't be passed to it.
    extend(database) {
      opened.get(database)?.register(database.guest.id)
      // It can take parts of TIMESTAMP WITH TIME ZONE itself, and has the time zone as a setting.
      database.run(`CREATE MACRO memory.main.__clock(x) AS x;
        CREATE MACRO memory.main.__zone() AS current_setting('TimeZone');`)
      return () => undefined
    },
  }
}
