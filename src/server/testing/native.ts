import path from 'node:path'
import type { DuckDB } from '../../engine/sql/duckdb.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { scriptOf } from './server.ts'

/** The machine's own DuckDB, in a thread of this process. The server has to be built: see `build.ts`. */
export function builtDuckDB(): DuckDB {
  return nativeDuckDB(path.join(path.dirname(scriptOf()), 'process.js'))
}
