import path from 'node:path'
import type { DuckDB } from '../../engine/sql/duckdb.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { scriptOf } from './server.ts'

/** Native DuckDB in a thread of this process. The server must have been built (see `build.ts`). */
export function builtDuckDB(): DuckDB {
  return nativeDuckDB(path.join(path.dirname(scriptOf()), 'process.js'))
}
