import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DuckDB } from '../../engine/sql/duckdb.ts'
import type { SqlEngine } from '../../engine/sql/engine.ts'
import { answerQuery, openQueryEngine } from '../../engine/sql/query.ts'
import { loadText } from '../../engine/testing/tables.ts'
import { openFile } from '../engine/files.ts'
import { builtDuckDB } from '../testing/native.ts'

/*
 * Hostile statements of one tenant beside others, who have a secret in their rows, names, statistics and paths. No
 * answer contains it, even without one of the two walls. `ROWHOUSE_ISOLATION` is the number of generated statements.
 */

const CASES = Number(process.env['ROWHOUSE_ISOLATION'] ?? 600)
const SECRET = `canary${crypto.randomUUID().slice(0, 8)}`
const quiet = new AbortController().signal
const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-isolation-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

interface Tenant {
  readonly tables: { workspace: string; dataset: string; table: string; fileId: string }[]
  readonly files: Map<string, File>
}

async function tenant(name: string, csv: string): Promise<Tenant> {
  const { stored, file } = await loadText(csv)
  const at = path.join(folder, name)
  mkdirSync(at)
  writeFileSync(path.join(at, `${name}.db`), new Uint8Array(await file.arrayBuffer()))
  writeFileSync(path.join(at, `${name}.csv`), csv)
  const { fileId } = stored
  return {
    tables: [{ workspace: name, dataset: name, table: name, fileId }],
    files: new Map([[fileId, await openFile(path.join(at, `${name}.db`))]]),
  }
}

let own: Tenant
let other: Tenant
beforeAll(async () => {
  own = await tenant('mine', 'a,b\n1,x\n2,y\n')
  other = await tenant(`w${SECRET}`, `n,pin${SECRET}\n1,${SECRET}\n2,${SECRET}z\n`)
  // A path that an attacker knows.
  symlinkSync(path.join(folder, `w${SECRET}`, `w${SECRET}.db`), path.join(folder, 'other.db'))
  symlinkSync(path.join(folder, `w${SECRET}`, `w${SECRET}.csv`), path.join(folder, 'other.csv'))
})

/**
 * Both walls; the allow-list alone, with an engine that can reach every file; the engine alone, asked past the gate.
 */
const WALLS: readonly (readonly [string, (host: DuckDB) => DuckDB, boolean])[] = [
  ['both walls', (host) => host, true],
  [
    'the bound plan’s list alone',
    (host) => ({ ...host, open: (options) => host.open({ ...options, folder: '/' }) }),
    true,
  ],
  ['the engine’s own wall alone', (host) => host, false],
]

/** Everything that a statement returns. */
async function told(engine: SqlEngine, { tables, files }: Tenant, sql: string, gate: boolean): Promise<string> {
  try {
    if (gate) return JSON.stringify(await answerQuery(engine, { sql, tables, files, maxRows: 100 }, quiet))
    const batches = engine['db'].guest.query(sql)
    return JSON.stringify(batches.flatMap((batch) => batch.toArray().map(String)))
  } catch (error) {
    const { message, stack, ...fields } = error as Error
    return JSON.stringify([
      message,
      stack,
      fields,
      (error as Error).cause instanceof Error ? String((error as Error).cause) : '',
    ])
  }
}

const PATHS = ['other.db', 'other.csv', '*', '*/*', '**', '../**/*.db', 'mine/../other.csv', '*/*.csv']
const place = fc.constantFrom(...PATHS).map((each) => path.join(folder, '.').concat('/', each))
const READERS =
  'read_csv read_csv_auto read_text read_blob read_parquet parquet_scan parquet_metadata parquet_schema read_json read_json_auto read_ndjson read_json_objects sniff_csv glob parquet_file_metadata parquet_kv_metadata read_duckdb'
const reader = fc.constantFrom(...READERS.split(' '))
const LISTS =
  "duckdb_tables() duckdb_columns() duckdb_databases() duckdb_views() duckdb_schemas() duckdb_settings() duckdb_secrets() duckdb_temporary_files() duckdb_memory() duckdb_logs duckdb_constraints() duckdb_indexes() duckdb_dependencies() duckdb_external_file_cache() information_schema.tables information_schema.columns information_schema.schemata pg_catalog.pg_class pg_catalog.pg_attribute sqlite_master pragma_database_size() pragma_show_tables() pragma_storage_info('mine') duckdb_prepared_statements() duckdb_approx_database_count() pragma_user_agent() pg_timezone_names()"
const list = fc.constantFrom(...LISTS.split(' '))
const SETTINGS =
  "enable_external_access=true allowed_directories=['/'] lock_configuration=false autoload_known_extensions=true temp_directory='/tmp' secret_directory='/' search_path='x' file_search_path='/' allow_unsigned_extensions=true custom_extension_repository='/' log_query_path='/tmp/x' enable_logging=true profiling_output='/tmp/x' errors_as_json=false"
const setting = fc.constantFrom(...SETTINGS.split(' '))
const NAMES = [
  'mine.mine.mine',
  'mine',
  'main',
  'memory.main.x',
  'system.main.x',
  'temp.main.x',
  '"f_".main."t_"',
  'f_0.main.t_0',
]
const name = fc.constantFrom(...NAMES)

const core = fc.oneof(
  fc.tuple(reader, place).map(([each, at]) => `SELECT * FROM ${each}('${at}')`),
  place.map((at) => `FROM '${at}'`),
  place.map((at) => `ATTACH '${at}' AS z (READ_ONLY)`),
  place.map((at) => `COPY (SELECT 1) TO '${at}'`),
  place.map((at) => `COPY mine.mine.mine FROM '${at}'`),
  place.map((at) => `IMPORT DATABASE '${at}'`),
  place.map((at) => `EXPORT DATABASE '${at}'`),
  place.map((at) => `LOAD '${at}'`),
  place.map((at) => `CREATE VIEW v AS FROM '${at}'`),
  place.map((at) => `CREATE MACRO m() AS TABLE FROM '${at}'`),
  place.map((at) => `PREPARE p AS FROM '${at}'`),
  place.map((at) => `SELECT * FROM query('FROM ''${at}''')`),
  place.map((at) => `SELECT * FROM query_table('${at}')`),
  place.map((at) => `SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM ''${at}'''))`),
  list.map((each) => `SELECT * FROM ${each}`),
  list.map((each) => `SELECT list(x)::VARCHAR FROM (FROM ${each}) x`),
  list.map((each) => `SUMMARIZE FROM ${each}`),
  setting.map((each) => `SET ${each}`),
  setting.map((each) => `SELECT current_setting('${each.split('=')[0]}')`),
  name.map((each) => `SELECT * FROM ${each}`),
  name.map((each) => `DESCRIBE ${each}`),
  name.map((each) => `SELECT stats(a), * FROM ${each}`),
  fc.constantFrom(
    'SHOW DATABASES',
    'SHOW ALL TABLES',
    'PRAGMA database_list',
    'PRAGMA show_tables',
    'CALL pragma_version()',
  ),
  fc.constantFrom(
    'SELECT pin',
    'SELECT n FROM w',
    'SELECT nofun(1)',
    `SELECT getenv('PATH')`,
    'SELECT SELECT',
    'DETACH mine',
  ),
)

const statement = core.chain((sql) =>
  fc.constantFrom(
    sql,
    `EXPLAIN ${sql}`,
    `EXPLAIN ANALYZE ${sql}`,
    `WITH x AS (${sql}) FROM x`,
    `SELECT (${sql})`,
    `SELECT * FROM (${sql}) t LIMIT 5`,
    `SELECT 1; ${sql}`,
    `/* ; */ ${sql} -- ;`,
    sql
      .toUpperCase()
      .replaceAll(folder.toUpperCase(), folder)
      .replaceAll(/OTHER|MINE/g, (word) => word.toLowerCase()),
    sql.replaceAll(' ', '\u00a0'),
    sql.replaceAll(' ', '/**/'),
    sql.replace("('", "(E'"),
    sql.replaceAll("'", '$$'),
    `SELECT error((${sql})::VARCHAR)`,
    `SELECT CAST((SELECT list(x)::VARCHAR FROM (${sql}) x) AS INTEGER)`,
    `PIVOT (${sql}) ON 1 USING count(*)`,
    `${sql} UNION ALL ${sql}`,
  ),
)

describe('the secrets', () => {
  it('are returned without any wall', async () => {
    const host = builtDuckDB()
    const engine = await openQueryEngine({ ...host, open: (options) => host.open({ ...options, folder: '/' }) })
    const sql = `SELECT content FROM read_text('${folder}/other.csv')`
    expect(await told(engine, own, sql, false)).toContain(SECRET)
    expect(await told(engine, own, `FROM glob('${folder}/*/*')`, false)).toContain(SECRET)
  })
})

describe('a statement beside others’ tables', () => {
  it.each(WALLS)('learns nothing of them behind %s', async (_, wall, gate) => {
    const engine = await openQueryEngine(wall(builtDuckDB()), { keptFiles: 0 })
    // The other tenant's statement ran before, in the same process.
    const before = await told(engine, other, `SELECT * FROM w${SECRET}.w${SECRET}.w${SECRET}`, true)
    expect(before).toContain(SECRET)
    await fc.assert(
      fc.asyncProperty(statement, async (sql) => {
        expect(await told(engine, own, sql, gate), sql).not.toContain(SECRET)
      }),
      { numRuns: Math.ceil(CASES / WALLS.length), seed: 20_261_123 },
    )
    expect(await told(engine, own, 'SELECT count(*) FROM mine.mine.mine', true)).toContain('[[2]]')
  })
})
