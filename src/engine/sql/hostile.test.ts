import { beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { nativeSession } from '../testing/oracle.ts'
import { Session } from '../testing/session.ts'
import { loadText } from '../testing/tables.ts'
import { refusal } from '../testing/refusal.ts'

/* Statements that want more than they may have. */

let session: Session
const T = 'my_ws."Sales 2024".orders'
const QUIET = new AbortController().signal

beforeAll(async () => {
  session = await Session.open()
  session.add(['my_ws', 'Sales 2024', 'orders'], await loadText('id,customer\n1,Ann\n2,Bob\n'))
  session.add(['people'], await loadText('name\nAnn\n'))
  await session.run('CREATE TABLE own AS SELECT 1 AS a')
}, 120_000)

const refused = (sql: string): Promise<EngineError> => refusal(session.run(sql), sql)

const NOT_ALLOWED = [
  'SELECT 1; SELECT 2',
  `SELECT 1; DROP VIEW ${T}`,
  'CREATE SECRET s (TYPE s3)',
  'DROP SCHEMA main',
  'DROP MACRO now',
  'DROP SCHEMA my_ws."Sales 2024"',
  `CREATE TABLE ${T} AS SELECT 1`,
  'CREATE TABLE my_ws."Sales 2024".other AS SELECT 1',
  `CREATE OR REPLACE VIEW ${T} AS SELECT 1`,
  `INSERT INTO ${T} VALUES (1, 'x')`,
  `UPDATE ${T} SET id = 1`,
  `DELETE FROM ${T}`,
  `TRUNCATE ${T}`,
  `TRUNCATE TABLE ${T}`,
  `DROP VIEW ${T}`,
  `DROP TABLE IF EXISTS ${T}`,
  `ALTER VIEW ${T} RENAME TO x`,
  'CREATE TABLE local.other AS SELECT 1',
  "INSERT INTO local.people VALUES ('x')",
  'DROP VIEW local.people',
  `MERGE INTO ${T} USING range(3) ON true WHEN MATCHED THEN DELETE`,
  "COPY (SELECT 1) TO 'x.csv'",
  "COPY own FROM 'x.csv'",
  "EXPORT DATABASE 'x'",
  "IMPORT DATABASE 'x'",
  "ATTACH ':memory:' AS z",
  'DETACH my_ws',
  'USE my_ws',
  'INSTALL httpfs',
  'FORCE INSTALL spatial',
  'EXECUTE p',
  'UPDATE EXTENSIONS',
  'EXPLAIN SET threads = 1',
  "EXPLAIN COPY (SELECT 1) TO 'x.csv'",
  'EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1',
  'EXPLAIN ANALYZE INSERT INTO own VALUES (2)',
  'EXPLAIN (ANALYZE) INSERT INTO own VALUES (2)',
  "CREATE TABLE x AS FROM 'file.csv'",
  "CREATE VIEW x AS FROM read_csv('/etc/passwd')",
  "CREATE VIEW x AS SELECT getenv('HOME')",
  "FROM 'file.csv'",
  'FROM data.csv',
  "SELECT * FROM 'https://example.com/x.csv'",
  "SELECT * FROM read_csv('/etc/passwd')",
  "FROM read_blob('/*')",
  "FROM glob('*')",
  "SELECT current_setting('allowed_directories')",
  "SELECT 'threads'.current_setting()",
  'FROM enable_logging()',
  'FROM checkpoint()',
  // What is the session's own elsewhere.
  `WITH x AS (SELECT 1) DELETE FROM ${T}`,
  `WITH x(a) AS (SELECT 1), y AS (FROM x) INSERT INTO ${T} FROM y`,
  `DELETE FROM ${T} RETURNING *`,
  `PREPARE p AS DELETE FROM ${T}`,
  `EXPLAIN DELETE FROM ${T}`,
  `CREATE INDEX i ON ${T} (id)`,
  `COMMENT ON VIEW ${T} IS 'x'`,
  `COMMENT ON COLUMN ${T}.id IS 'x'`,
  `VACUUM ${T}`,
  'CHECKPOINT my_ws',
  'CREATE SCHEMA my_ws',
  'CREATE SCHEMA "MY_WS"',
  'CREATE SCHEMA local',
  'CREATE SCHEMA temp',
  'CREATE SCHEMA my_ws.s',
  'DROP SCHEMA my_ws CASCADE',
  'DROP SCHEMA memory.main',
  'CREATE TYPE my_ws."Sales 2024".t AS ENUM (\'a\')',
  'CREATE SEQUENCE local.s',
  'CREATE MACRO my_ws."Sales 2024".m() AS 1',
  'CREATE TABLE nowhere.t (a INT)',
  // What would go after the lists of what there is.
  'CREATE OR REPLACE MACRO now() AS 1',
  'CREATE OR REPLACE MACRO memory.main."Duckdb_Tables"() AS TABLE SELECT 1',
  'DROP MACRO TABLE duckdb_tables',
  'DROP FUNCTION temp.duckdb_settings',
  'FROM system.main.duckdb_tables()',
  'FROM system . main . "duckdb_databases" ()',
  "FROM query('FROM system.main.duckdb_tables()')",
  "FROM query($$FROM query('SELECT getenv(''HOME'')')$$)",
  "FROM query('SELECT ' || 'getenv(''HOME'')')",
  "FROM query(getvariable('x'))",
  'CREATE MACRO m(s) AS TABLE FROM query(s)',
  "CREATE MACRO m() AS getenv('HOME')",
  'CREATE MACRO m(s) AS current_setting(s)',
  "SELECT current_setting('Temp_Directory')",
  "SELECT current_setting('allowed_' || 'directories')",
  "SET VARIABLE x = getenv('HOME')",
  "SET VARIABLE x = (SELECT count(*) FROM read_csv('x.csv'))",
  "PREPARE p AS FROM read_csv('x.csv')",
  "PREPARE p AS SELECT getenv('HOME')",
  'PREPARE p AS BEGIN',
  'PREPARE p AS PREPARE q AS SELECT 1',
  "CREATE TYPE t AS ENUM (SELECT content FROM read_text('x'))",
  'FROM duckdb_secrets()',
  'FROM duckdb_logs()',
  'FROM duckdb_temporary_files()',
  'FROM duckdb_external_file_cache()',
  'FROM pragma_database_size()',
  'PRAGMA database_size',
  "CALL read_csv('x.csv')",
  'CALL enable_logging()',
  "SET default_null_order = getvariable('x')",
  'SET old_implicit_casting = true',
  "SET Calendar = 'japanese'",
  "SET SESSION search_path = 'local'",
  'SET lock_configuration = false',
  'SET enable_external_access = true',
  'SET autoload_known_extensions TO 1',
  'SET threads = (SELECT 1)',
  'SET threads',
  'SET no_such_setting = 1',
  'USE "no such schema"',
  'USE my',
  "SET search_path = 'main,local'",
  'PRAGMA enable_verification = 1',
]

describe('hostile statements', () => {
  it('are refused with a reason and a remedy, and leave nothing behind', async () => {
    const found: string[] = []
    for (const sql of NOT_ALLOWED) {
      const error = await refused(sql).catch((other: unknown) => other as Error)
      if (!(error instanceof EngineError) || error.code !== 'sql-not-allowed') found.push(`${sql}: ${error.message}`)
      else {
        expect(error.remedy, sql).toBeTruthy()
        expectNoLeak(error, sql)
      }
    }
    expect(found).toEqual([])
    expect((await session.run(`SELECT count(*) FROM ${T}`)).cells).toEqual([['2']])
    expect((await session.run('FROM own')).cells).toEqual([['1']])
    expect(session.engine.temporary().map(({ name }) => name)).toEqual(['own'])
  }, 300_000)

  it('are none where they set what is so anyway, or has nothing to work on here', async () => {
    const own = await Session.open()
    for (const sql of [
      "SET TimeZone = 'UTC'",
      'set session timezone to utc',
      "SET TIME ZONE 'UTC'",
      'RESET TimeZone',
      'SET GLOBAL threads = 4',
      'PRAGMA threads=4',
      'PRAGMA enable_profiling',
      'SET lock_configuration = true',
      'SET prefer_range_joins = true',
      'INSTALL json',
      "LOAD 'icu'",
      'LOAD parquet',
      'SET enable_external_access = FALSE',
      'PRAGMA enable_verification',
      'SET preserve_insertion_order = false',
      "SET memory_limit = '4GB'",
      "PRAGMA max_memory='4GB'",
      'RESET memory_limit',
      "SET temp_directory = '/tmp'",
      "SET schema = 'main'",
      "SET search_path = 'main'",
      'USE memory',
      'USE memory.main',
      'RESET search_path',
      "SET home_directory = '/tmp'",
      "PRAGMA disabled_optimizers = 'filter_pushdown'",
      'SET pivot_limit = 10',
    ]) {
      expect((await own.run(sql)).summary.message, sql).toMatch(/^Nothing was changed/)
      expect(await own.engine.check(own.call(sql), new AbortController().signal), sql).toEqual([])
    }
    expect((await own.run("SELECT current_setting('memory_limit')")).cells).toEqual([['1.8 GiB']])
    const settings = "SELECT current_setting('threads'), current_setting('default_null_order')"
    const native = await nativeSession()
    await native('SET threads = 1')
    expect((await own.run(settings)).cells).toEqual(
      await native(settings.replace("('threads')", "('threads')::VARCHAR")),
    )
  })

  it('are refused where a macro or a view of theirs is used', async () => {
    const own = await Session.open()
    own.add(['my_ws', 'd', 't'], await loadText('a\n1\n'))
    for (const [make, use] of [
      ["CREATE MACRO files() AS TABLE FROM read_csv('x.csv')", 'FROM files()'],
      ["CREATE MACRO all_files() AS (SELECT count(*) FROM glob('*'))", 'SELECT all_files()'],
      ["CREATE MACRO secrets() AS TABLE FROM which_secret('x', 's3')", 'FROM secrets()'],
      ['CREATE MACRO dynamic(t) AS TABLE FROM query_table(t)', "FROM dynamic('x.csv')"],
    ]) {
      const made: unknown = await own.run(make).catch((error: unknown) => error)
      if (made instanceof EngineError) expect([make, made.code]).toEqual([make, 'sql-not-allowed'])
      for (const sql of [use, `CREATE TABLE x AS SELECT * FROM (${use})`, `PREPARE p AS ${use}`])
        expect([sql, await own.run(sql).catch((error: unknown) => error)]).toMatchObject([sql, { tag: 'EngineError' }])
    }
    expect(own.engine.temporary()).toEqual([])
  })

  it('see nothing but their own names in the lists of what there is', async () => {
    for (const list of [
      ...['databases', 'schemas', 'tables', 'views', 'columns', 'constraints', 'indexes', 'settings', 'types'].map(
        (name) => `FROM duckdb_${name}()`,
      ),
      ...['tables', 'columns', 'schemata', 'views'].map((name) => `FROM information_schema.${name}`),
      'FROM sqlite_master',
      'FROM duckdb_tables',
      'FROM pg_catalog.pg_class',
      'FROM pg_catalog.pg_database',
      'FROM pg_catalog.pg_views',

      'SHOW TABLES',
      'FROM (SHOW ALL TABLES)',
      'FROM (SHOW DATABASES)',
      'PRAGMA database_list',
      'CALL duckdb_databases()',
    ]) {
      const { cells } = await session.run(list)
      const hidden = /\b[tf]_[0-9a-f]{8}|\/[0-9a-f]{8}-/.exec(JSON.stringify(cells))
      expect([list, hidden]).toEqual([list, null])
    }
    const { cells } = await session.run(
      "SELECT table_catalog, table_schema, table_name FROM information_schema.tables WHERE table_catalog <> 'system' ORDER BY 1",
    )
    expect(cells).toEqual([
      ['local', 'main', 'people'],
      ['memory', 'main', 'own'],
      ['my_ws', 'Sales 2024', 'orders'],
    ])
  })

  it('learn nothing from errors, and problems either', async () => {
    for (const sql of [
      'SELECT pin',
      'SELECT nofun(1)',
      `SELECT pin FROM ${T}`,
      'SELECT f_.x',
      "SELECT error('x')",
      'FROM pg_clas',
      'SELECT * FROM f_.main.t_',
      `SELECT t_0.id FROM ${T}`,
      'SELECT SELECT',
      'FROM duckdb_table',
      'SELECT duckdb_tabl()',
      `SELECT id.x FROM ${T}`,
      `FROM ${T} WHERE nope = 1`,
      'INSERT INTO nowhere VALUES (1)',
      'DROP TABLE nowhere',
    ]) {
      expectNoLeak(await refused(sql), sql)
      const problems = await session.engine.check(session.call(sql), QUIET)
      expectNoLeak(problems, sql)
    }
  }, 120_000)

  it('see their own names in plans', async () => {
    for (const explain of ['EXPLAIN', 'EXPLAIN (FORMAT JSON)', 'EXPLAIN ANALYZE', 'EXPLAIN (ANALYZE)']) {
      const { cells } = await session.run(`${explain} SELECT customer FROM ${T} WHERE id = 1`)
      const text = cells.map(([, plan]) => plan).join('\n')
      expect(text).toContain('Sales 2024')
      expectNoLeak(text, explain)
    }
  })
})

function expectNoLeak(told: unknown, sql: string): void {
  const text =
    told instanceof EngineError ? JSON.stringify([told.message, told.remedy, told.details]) : JSON.stringify(told)
  const more = sql.split(/\W+/).reduce((left, word) => (word === '' ? left : left.replaceAll(word, '')), text)
  expect(more, sql).not.toMatch(/[tf]_[0-9a-f]{8}|\/[0-9a-f]{8}-|duckdb_|pg_|Please try/i)
}
