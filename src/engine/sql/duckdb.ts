import type { Database, DatabaseOptions } from '../storage/database.ts'
import { openDatabase } from '../storage/open-database.ts'
import { registerFunctions, type ScalarFunction } from './functions/scalar-functions.ts'

/** DuckDB as there is one to run statements in: the browser's, or one that a server has. */
export interface DuckDB {
  /** @returns a folder of its own for tables' files, with `/` at both ends; unguessable */
  folder(): string
  open(options: DatabaseOptions): Promise<Database>
  /** Makes functions known to every statement of a database. */
  register(db: Database, functions: readonly ScalarFunction[]): void
}

/** That in WebAssembly, in this thread. */
export const WASM: DuckDB = {
  folder: () => `/${crypto.randomUUID()}/`,
  open: openDatabase,
  register: (db, functions) => registerFunctions(db.bindings, db.guest, functions),
}
