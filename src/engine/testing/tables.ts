import type { StoredTable, NamedTable, StatementResult } from '../storage/table-types.ts'
import { ingestFile } from '../convert/stored/ingest.ts'
import { WASM } from '../sql/duckdb.ts'
import type { SqlEngine } from '../sql/engine.ts'
import { answerQuery, openQueryEngine } from '../sql/query.ts'
import { MemoryTables } from '../storage/tables.ts'
import { QUIET } from './quiet.ts'

/* Tables at rest without workers. Tests only. */

export interface Loaded {
  readonly stored: StoredTable
  /** The database file. */
  readonly file: File
}

/** Loads a file into a new table. */
export async function load(file: File, signal = QUIET.signal): Promise<Loaded> {
  const storage = new MemoryTables()
  const stored = await ingestFile(file, { creationId: 'c', format: null }, { ...QUIET, signal, storage })
  const kept = storage.files.get(stored.fileId)
  if (!kept) throw new Error('the table was not kept')
  return { stored, file: kept }
}

/** Loads CSV text. */
export function loadText(text: string, name = 'a.csv'): Promise<Loaded> {
  return load(new File([text], name))
}

/** Tables by their dotted names, and an engine that queries them. */
export class Warehouse {
  readonly tables: NamedTable[] = []
  readonly files = new Map<string, Blob>()
  readonly engine: SqlEngine
  private constructor(engine: SqlEngine) {
    this.engine = engine
  }

  static async open(options: Parameters<typeof openQueryEngine>[1] = {}): Promise<Warehouse> {
    return new Warehouse(await openQueryEngine(WASM, options))
  }

  /** @param name its parts, such as `['ws', 'Sales 2024', 'orders']` */
  add(name: readonly [workspace: string, dataset: string, table: string], { stored, file }: Loaded): void {
    const [workspace, dataset, table] = name
    this.tables.push({ workspace, dataset, table, fileId: stored.fileId })
    this.files.set(stored.fileId, file)
  }

  run(sql: string, maxRows = 1000, signal = QUIET.signal): Promise<StatementResult> {
    return answerQuery(this.engine, { sql, tables: this.tables, files: this.files, maxRows }, signal)
  }

  /** Types that statements have left behind in the engine. */
  typesLeft(): unknown[] {
    const types = "SELECT type_name FROM duckdb_types() WHERE database_name = 'temp' AND NOT internal"
    return [...this.ask(types), ...this.ask(types, 'checker')]
  }

  /** The number of tables' files that are attached to the engine. */
  attachedFiles(): number {
    return this.ask("SELECT database_name FROM duckdb_databases() WHERE starts_with(database_name, 'f_')").length
  }

  private ask(sql: string, connection: 'guest' | 'checker' = 'guest'): unknown[] {
    const rows = this.engine['db'][connection]?.query(sql) ?? []
    return rows.flatMap((batch) => [...(batch.getChildAt(0) ?? [])] as unknown[])
  }
}
