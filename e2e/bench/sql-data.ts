import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'

/* Data for SQL benchmarks: generated once by native DuckDB, from row numbers alone. */

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const cache = here('../../node_modules/.cache/rowhouse-bench-data/')

export interface Benchmark {
  /** Name of the folder here, and of the dataset. */
  readonly name: 'tpch' | 'hits' | 'documents'
  /** The value of the macro `scale()` in `generate.sql`. */
  readonly scale: number
}

export const TPCH: Benchmark = { name: 'tpch', scale: Number(process.env['TPCH_SCALE'] ?? 0.1) }
export const HITS: Benchmark = { name: 'hits', scale: Number(process.env['HITS_ROWS'] ?? 1_000_000) }
export const DOCUMENTS: Benchmark = { name: 'documents', scale: 1_000_000 }

export interface BenchmarkData {
  /** Files to load, by table name. */
  readonly parquet: ReadonlyMap<string, string>
  /** The same data as a native DuckDB database. */
  readonly database: string
}

/** The benchmark's tables as files, generated if they don't exist. */
export async function dataOf({ name, scale }: Benchmark): Promise<BenchmarkData> {
  const sql = readFileSync(here(`${name}/generate.sql`), 'utf8')
  const version = createHash('sha256').update(sql).digest('hex').slice(0, 12)
  const folder = path.join(cache, `${name}-${scale}-${version}`)
  if (!existsSync(folder)) {
    const making = `${folder}.making`
    rmSync(making, { recursive: true, force: true })
    mkdirSync(making, { recursive: true })
    await generate(sql, scale, name, making)
    renameSync(making, folder)
  }
  const tables = readdirSync(folder).filter((file) => file.endsWith('.parquet'))
  return {
    parquet: new Map(tables.map((file) => [path.parse(file).name, path.join(folder, file)])),
    database: path.join(folder, 'native.db'),
  }
}

async function generate(sql: string, scale: number, schema: string, folder: string): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  try {
    await connection.run(`ATTACH '${folder}/native.db' AS made`)
    await connection.run(`CREATE SCHEMA made.${schema}`)
    await connection.run(`CREATE MACRO scale() AS ${scale}`)
    await connection.run(sql)
    const made = await connection.runAndReadAll("SELECT table_name FROM duckdb_tables() WHERE database_name = 'memory'")
    for (const [table] of made.getRowsJson() as [string][]) {
      await connection.run(`COPY ${table} TO '${folder}/${table}.parquet' (FORMAT parquet, CODEC zstd)`)
      await connection.run(`CREATE TABLE made.${schema}.${table} AS FROM ${table}`)
    }
    await connection.run('DETACH made')
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

export interface BenchmarkQuery {
  /** `q01` */
  readonly name: string
  readonly sql: string
}

export function queriesOf({ name }: Benchmark): BenchmarkQuery[] {
  const folder = here(`${name}/queries/`)
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: path.parse(file).name, sql: readFileSync(path.join(folder, file), 'utf8').trim() }))
}

export interface NativeColumn {
  readonly name: string
  readonly type: string
}

export interface NativeAnswer {
  readonly columns: readonly NativeColumn[]
  /** Canonical texts, except that doubles are written as by native DuckDB. */
  readonly rows: readonly (readonly (string | null)[])[]
  /** Milliseconds of the best run. */
  readonly took: number
}

/** Native DuckDB on one thread, with a benchmark's tables. */
export class Native {
  private readonly connection: DuckDBConnection

  private constructor(connection: DuckDBConnection) {
    this.connection = connection
  }

  static async open(database: string): Promise<Native> {
    const instance = await DuckDBInstance.create(':memory:')
    const connection = await instance.connect()
    await connection.run(`ATTACH '${database}' AS bench (READ_ONLY)`)
    await connection.run('SET threads=1')
    return new Native(connection)
  }

  /** @param runs number of runs, of which the best counts */
  async answer(sql: string, runs: number): Promise<NativeAnswer> {
    const times: number[] = []
    for (let i = 0; i < runs; i++) {
      const begun = performance.now()
      const reader = await this.connection.runAndReadAll(sql)
      times.push(performance.now() - begun)
      if (reader.currentRowCount < 0) throw new Error('no rows')
    }
    const described = await this.connection.runAndReadAll(`DESCRIBE ${sql}`)
    const columns = (described.getRowsJson() as [string, string][]).map(([name, type]) => ({ name, type }))
    const texts = await this.connection.runAndReadAll(`SELECT COLUMNS(*)::VARCHAR FROM (${sql})`)
    return { columns, rows: texts.getRowsJson() as (string | null)[][], took: Math.min(...times) }
  }

  async rows(sql: string): Promise<unknown[][]> {
    return (await this.connection.runAndReadAll(sql)).getRowsJson()
  }
}
