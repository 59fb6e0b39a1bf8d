import { rename, rm } from 'node:fs/promises'
import type { Role } from '../../engine/channel/serve.ts'
import { textRows } from '../../engine/sql/text-rows.ts'
import { completed, readHeader } from '../../engine/storage/database-header.ts'
import type { Database } from '../../engine/storage/database.ts'
import { quoteIdentifier, quoteText } from '../../lib/duckdb-sql/names.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { openFile } from '../engine/files.ts'
import { exportOf, type LoadedColumn } from './columns.ts'

/** Calls of a process that exports tables for ClickHouse. */
export interface ExportCalls {
  export: {
    /** @property place the table file's path @property target the Parquet file's path */
    request: { readonly place: string; readonly target: string }
    result: { readonly columns: readonly LoadedColumn[]; readonly rows: number }
  }
}

const MEMORY_LIMIT = '1GB'

/** Writes tables' rows as Parquet files. */
export async function openExport(): Promise<Role<ExportCalls>> {
  const [, script = ''] = process.argv
  const duckdb = nativeDuckDB(script)
  const folder = duckdb.folder()
  const db = await duckdb.open({ folder, memoryLimit: MEMORY_LIMIT })
  return {
    handlers: {
      export: ({ place, target }) => exportTable(db, folder, place, target),
    },
  }
}

/** @param folder the only one that the database may access */
export async function exportTable(
  db: Database,
  folder: string,
  place: string,
  target: string,
): Promise<ExportCalls['export']['result']> {
  const [source, made] = [`${folder}source.db`, `${folder}rows.parquet`]
  const file = await openFile(place)
  const header = await readHeader(file)
  await db.registerFile(source, header ? ((await completed(file, header)) ?? file) : file)
  db.run(`ATTACH ${quoteText(source)} AS source (READ_ONLY)`)
  try {
    const written = write(db, made)
    if (written.columns.length > 0) await rename(made, target)
    return written
  } finally {
    db.run('DETACH source')
    db.dropFile(source)
    await rm(made, { force: true })
  }
}

function write(db: Database, made: string): ExportCalls['export']['result'] {
  const rows = (sql: string): string[][] => db.run(sql).flatMap(textRows)
  const found = rows(`
    SELECT table_name, column_name, data_type FROM duckdb_columns() WHERE database_name = 'source' ORDER BY column_index
  `)
  const table = `source.main.${quoteIdentifier(found[0]?.[0] ?? '')}`
  const columns = found.map(([, name = '', type = '']) => ({ name, type }))
  const { check, columns: all } = exportOf(columns)
  const [answers = []] = all.length === 0 ? [] : rows(`SELECT ${check} FROM ${table}`)
  const kept = exportOf(columns, new Map(all.map(({ place }, i) => [place, answers[i] !== 'false'])))
  const count = Number(rows(`SELECT count(*) FROM ${table}`)[0]?.[0])
  if (kept.columns.length > 0) db.run(`COPY (SELECT ${kept.list} FROM ${table}) TO ${quoteText(made)} (FORMAT parquet)`)
  return { columns: kept.columns, rows: count }
}
