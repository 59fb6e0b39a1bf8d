import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineError } from '../errors.ts'
import { loadText, Warehouse } from '../testing/tables.ts'
import { refusal } from '../testing/refusal.ts'

/* Statements that want more than they may have. */

let warehouse: Warehouse
let secrets: readonly string[]
const T = 'my_ws."Sales 2024".orders'

beforeAll(async () => {
  warehouse = await Warehouse.open()
  warehouse.add(['my_ws', 'Sales 2024', 'orders'], await loadText('id,customer\n1,Ann\n2,Bob\n'))
  // Attached, and then no longer readable.
  const secret = await loadText('pin\n1234\n')
  warehouse.add(['my_ws', 'Private', 'pins'], secret)
  await warehouse.run('FROM my_ws.Private.pins')
  warehouse.tables.pop()
  secrets = [secret.stored.fileId.split('/')[1].replaceAll('-', ''), '1234']
}, 120_000)

const refused = (sql: string): Promise<EngineError> => refusal(warehouse.run(sql), sql)

const NOT_ALLOWED = [
  'SELECT 1; SELECT 2',
  `SELECT 1; DROP VIEW ${T}`,
  "SELECT 1 /* ; */ ; -- ;\n SELECT ';'",
  'CREATE TABLE x AS SELECT 1',
  'CREATE TEMP TABLE x (a INT)',
  'CREATE VIEW x AS SELECT 1',
  'CREATE MACRO m() AS 1',
  "CREATE TYPE t AS ENUM ('a')",
  'DROP SCHEMA main',
  `INSERT INTO ${T} VALUES (1)`,
  `UPDATE ${T} SET id = 1`,
  `DELETE FROM ${T}`,
  `MERGE INTO ${T} USING range(3) ON true WHEN MATCHED THEN DELETE`,
  `TRUNCATE ${T}`,
  'SET threads = 1',
  'SET VARIABLE x = 1',
  'RESET threads',
  'PRAGMA database_list',
  "PRAGMA table_info('x')",
  'CALL duckdb_tables()',
  'CALL pragma_version()',
  "COPY (SELECT 1) TO 'x.csv'",
  "EXPORT DATABASE 'x'",
  "IMPORT DATABASE 'x'",
  "ATTACH ':memory:' AS z",
  'DETACH my_ws',
  'USE my_ws',
  'INSTALL icu',
  'LOAD icu',
  'BEGIN',
  'COMMIT',
  'ROLLBACK',
  'PREPARE p AS SELECT 1',
  'EXECUTE p',
  'DEALLOCATE p',
  'VACUUM',
  'ANALYZE',
  'CHECKPOINT',
  'FORCE CHECKPOINT',
  "COMMENT ON TABLE x IS 'a'",
  'ALTER TABLE x ADD y INT',
  'UPDATE EXTENSIONS',
  'EXPLAIN CREATE TABLE x AS SELECT 1',
  'EXPLAIN SET threads = 1',
  'EXPLAIN ANALYZE SELECT 1',
  'EXPLAIN (ANALYZE) SELECT 1',
  'EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1',
  "EXPLAIN COPY (SELECT 1) TO 'x.csv'",
  "FROM 'file.csv'",
  'FROM data.csv',
  "SELECT * FROM 'https://example.com/x.csv'",
  "SELECT * FROM read_csv('/etc/passwd')",
  "SELECT * FROM read_text('x')",
  "FROM read_blob('/*')",
  "FROM glob('*')",
  "FROM sniff_csv('x')",
  'FROM duckdb_tables()',
  'FROM duckdb_settings()',
  'FROM duckdb_views',
  'FROM duckdb_secrets()',
  'FROM information_schema.tables',
  'SELECT * FROM information_schema.columns',
  'FROM pg_catalog.pg_class',
  'FROM pg_tables',
  'FROM sqlite_master',
  'FROM pragma_database_size()',
  "FROM pragma_table_info('x')",
  'FROM (SHOW TABLES)',
  'FROM (SHOW ALL TABLES)',
  'FROM (SHOW DATABASES)',
  'DESCRIBE duckdb_tables',
  'SUMMARIZE duckdb_tables',
  'SELECT (SELECT count(*) FROM duckdb_tables())',
  'WITH x AS (FROM duckdb_settings()) FROM x',
  "FROM query('FROM duckdb_settings()')",
  "FROM query_table('duckdb_tables')",
  'PIVOT duckdb_settings() ON name USING count(*)',
  "SELECT current_setting('allowed_directories')",
  "SELECT Current_Setting /**/ ('memory_limit')",
  `SELECT "current_setting"('threads')`,
  "SELECT 'allowed_directories'.current_setting()",
  "SELECT main.current_setting('threads')",
  "SELECT system.main.current_setting('threads')",
  "SELECT getvariable('x')",
  "SELECT getenv('HOME')",
  'SELECT current_schemas(true)',
  "SELECT nextval('s')",
  'SELECT setseed(0.5)',
  'SELECT current_query()',
  "SELECT write_log('x')",
  "FROM which_secret('x', 's3')",
  "FROM duckdb_logs_parsed('x')",
  'CALL enable_logging()',
  'FROM enable_logging()',
  'FROM checkpoint()',
  'FROM truncate_duckdb_logs()',
  "FROM query('SELECT current_setting(''threads'')')",
  "SELECT list_transform(['threads'], lambda x: current_setting(x))",
  "SELECT list_transform(['threads'], x -> current_setting(x))",
]

const UNKNOWN: readonly (readonly [sql: string, table: string])[] = [
  ['FROM my_ws.Private.pins', 'my_ws.Private.pins'],
  ['SELECT * FROM MY_ws . "Private".Pins', 'MY_ws . "Private".Pins'],
  ['SELECT (SELECT max(pin) FROM my_ws.private.pins)', 'my_ws.private.pins'],
  ['DESCRIBE my_ws.Private.pins', 'my_ws.Private.pins'],
  ['SUMMARIZE my_ws.Private.pins', 'my_ws.Private.pins'],
  ['SHOW my_ws.Private.pins', 'my_ws.Private.pins'],
  ['EXPLAIN FROM my_ws.Private.pins', 'my_ws.Private.pins'],
  ['EXPLAIN (FORMAT JSON) FROM my_ws.Private.pins', 'my_ws.Private.pins'],
  ['WITH unused AS (FROM my_ws.Private.pins) SELECT 1', 'my_ws.Private.pins'],
  ['PIVOT my_ws.Private.pins ON pin USING count(*)', 'my_ws.Private.pins'],
  ["FROM query_table('my_ws.Private.pins')", 'pins'],
  ['FROM orders', 'orders'],
  ['FROM my_ws.orders', 'my_ws.orders'],
  ['FROM "Sales 2024".orders', '"Sales 2024".orders'],
  ['FROM nowhere.nothing.none', 'nowhere.nothing.none'],
  ['FROM my_ws.nothing.none', 'my_ws.nothing.none'],
  ['SELECT 1 AS é, "é€𝒳" FROM nowhere', 'nowhere'],
]

describe('hostile statements', () => {
  it('are refused, and leave nothing behind', async () => {
    const found: string[] = []
    for (const sql of NOT_ALLOWED) {
      const error = await refused(sql)
      if (error.code !== 'sql-not-allowed') found.push(`${sql}: ${error.code}: ${error.message}`)
      else expectNoLeak(error, sql)
    }
    expect(found).toEqual([])
    expect(await warehouse.run(`SELECT count(*) FROM ${T}`)).toMatchObject({ rows: [[2]] })
  }, 120_000)

  it('can’t tell a table that isn’t readable from one that isn’t there', async () => {
    for (const [sql, table] of UNKNOWN) {
      const error = await refused(sql)
      expect.soft([sql, error.code, error.details]).toEqual([sql, 'unknown-table', { table }])
      expectNoLeak(error, sql)
    }
  }, 120_000)

  it('learn nothing from errors', async () => {
    for (const sql of [
      'SELECT pin',
      'SELECT nofun(1)',
      `SELECT pins.pin FROM ${T}`,
      `SELECT pin FROM ${T}`,
      'SELECT f_.x',
      "SELECT error('x')",
      'SELECT * FROM t_',
      'SELECT * FROM f_.main.t_',
      `SELECT t_0.id FROM ${T}`,
      'SELECT CAST(1 AS my_ws.x)',
      'SELECT SELECT',
    ])
      expectNoLeak(await refused(sql), sql)
  })

  it('see their own names in plans', async () => {
    for (const explain of ['EXPLAIN', 'EXPLAIN (FORMAT JSON)', 'explain verbose', 'EXPLAIN (FORMAT text)']) {
      const { rows } = await warehouse.run(`${explain} SELECT customer FROM ${T} WHERE id = 1`)
      expect(rows.map(([stage]) => stage)).toEqual(['physical_plan'])
      const text = rows.map(([, plan]) => String(plan)).join('\n')
      expect(text).toMatch(/\\?"my_ws\\?"\.\\?"Sales 2024\\?"\.\\?"orders\\?"/)
      expect(text).not.toMatch(/t_[0-9a-f]{8}|f_[0-9a-f]{8}|\/[0-9a-f]{8}-/)
    }
  })

  it('keep nothing from one to the next', async () => {
    await warehouse.run(`PIVOT ${T} ON customer USING count(*)`)
    await warehouse.run('WITH x AS (SELECT 1) FROM x')
    expect((await refused('FROM x')).code).toBe('unknown-table')
    warehouse.tables.pop()
    expect((await refused(`FROM ${T}`)).details).toEqual({ table: T })
  })
})

function expectNoLeak(error: EngineError, sql: string): void {
  const told = JSON.stringify([error.message, error.remedy, error.details, error.place])
  for (const secret of secrets) expect(told, sql).not.toContain(secret)
  expect(told, sql).not.toMatch(/[tf]_[0-9a-f]{8}|\/[0-9a-f]{8}-|Did you mean|duckdb_|pg_|Please try/i)
}
