import { beforeAll, describe, expect, it } from 'vitest'
import { EngineError } from '../errors.ts'
import { Session } from '../testing/session.ts'
import { loadText } from '../testing/tables.ts'

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

async function refusal(sql: string): Promise<EngineError> {
  const error: unknown = await session.run(sql).then(
    ({ summary, cells }) => new Error(`not refused: ${sql}: ${JSON.stringify([summary, cells])}`),
    (reason: unknown) => reason,
  )
  if (!(error instanceof EngineError)) throw error
  return error
}

const NOT_ALLOWED = [
  'SELECT 1; SELECT 2',
  `SELECT 1; DROP VIEW ${T}`,
  'CREATE MACRO m() AS 1',
  "CREATE TYPE t AS ENUM ('a')",
  'CREATE SCHEMA s',
  'CREATE SEQUENCE s',
  'CREATE INDEX i ON own(a)',
  'CREATE SECRET s (TYPE s3)',
  'DROP SCHEMA main',
  'DROP MACRO now',
  'DROP SCHEMA my_ws."Sales 2024"',
  'ALTER SEQUENCE s OWNED BY own',
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
  'MERGE INTO own USING range(3) ON true WHEN MATCHED THEN DELETE',
  'SET threads = 1',
  'SET VARIABLE x = 1',
  'RESET threads',
  'PRAGMA database_list',
  "PRAGMA table_info('x')",
  'CALL duckdb_tables()',
  "COPY (SELECT 1) TO 'x.csv'",
  "COPY own FROM 'x.csv'",
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
  "COMMENT ON TABLE own IS 'a'",
  'UPDATE EXTENSIONS',
  'EXPLAIN SET threads = 1',
  "EXPLAIN COPY (SELECT 1) TO 'x.csv'",
  'EXPLAIN CREATE TABLE x AS SELECT 1',
  'EXPLAIN ANALYZE CREATE TABLE x AS SELECT 1',
  'EXPLAIN ANALYZE INSERT INTO own VALUES (2)',
  'WITH x AS (SELECT 1) INSERT INTO own SELECT 2 FROM x',
  'INSERT INTO own VALUES (1) RETURNING a',
  "CREATE TABLE x AS FROM 'file.csv'",
  "CREATE VIEW x AS FROM read_csv('/etc/passwd')",
  'CREATE VIEW x AS FROM duckdb_settings()',
  "CREATE TABLE x (a VARCHAR DEFAULT current_setting('threads'))",
  'INSERT INTO own SELECT count(*) FROM duckdb_tables()',
  'UPDATE own SET a = (SELECT count(*) FROM duckdb_tables())',
  "CREATE VIEW x AS SELECT getenv('HOME')",
  "FROM 'file.csv'",
  'FROM data.csv',
  "SELECT * FROM 'https://example.com/x.csv'",
  "SELECT * FROM read_csv('/etc/passwd')",
  "FROM read_blob('/*')",
  "FROM glob('*')",
  'FROM duckdb_tables()',
  'FROM duckdb_settings()',
  'FROM duckdb_views',
  'FROM information_schema.tables',
  'FROM pg_catalog.pg_class',
  'FROM sqlite_master',
  'FROM (SHOW ALL TABLES)',
  'DESCRIBE duckdb_tables',
  "FROM query('FROM duckdb_settings()')",
  "SELECT current_setting('allowed_directories')",
  "SELECT 'threads'.current_setting()",
  "SELECT nextval('s')",
  'FROM enable_logging()',
  'FROM checkpoint()',
]

describe('hostile statements', () => {
  it('are refused with a reason and a remedy, and leave nothing behind', async () => {
    const found: string[] = []
    for (const sql of NOT_ALLOWED) {
      const error = await refusal(sql).catch((other: unknown) => other as Error)
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
      expectNoLeak(await refusal(sql), sql)
      const problems = await session.engine.check(session.call(sql), QUIET)
      expectNoLeak(problems, sql)
    }
  }, 120_000)

  it('see their own names in plans', async () => {
    for (const explain of ['EXPLAIN', 'EXPLAIN (FORMAT JSON)', 'EXPLAIN ANALYZE']) {
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
  expect(text, sql).not.toMatch(/[tf]_[0-9a-f]{8}|\/[0-9a-f]{8}-|duckdb_(?!tabl)|pg_(?!clas)|Please try/i)
}
