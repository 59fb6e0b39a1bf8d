import { beforeAll, describe, expect, it } from 'vitest'
import { nativeRows } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'
import { FUNCTIONS, TYPES } from './elsewhere.ts'
import { refusal } from '../../testing/refusal.ts'

const COLUMNS = `(SELECT 1 AS a, 2 AS b, '01.02.2024' AS text, TIMESTAMP '2024-01-31 08:00' AS time, [1, 2] AS list, '{"a": 1}'::JSON AS json)`

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await session.change('CREATE TABLE t AS SELECT i AS a, i::VARCHAR AS "b c" FROM range(30) r(i)')
  await session.change('CREATE TABLE keyed (a INTEGER PRIMARY KEY, b INTEGER)')
  await session.change('CREATE SEQUENCE ids')
  await session.change('CREATE MACRO totals() AS TABLE SELECT 1')
}, 120_000)

const remedy = async (sql: string): Promise<string> => (await refusal(session.run(sql), sql)).remedy ?? ''

describe('What other databases write otherwise', () => {
  it('names functions that there aren’t, and what runs instead', async () => {
    const found = await nativeRows('SELECT DISTINCT function_name FROM duckdb_functions()')
    const native = new Set(found.flat())
    for (const [names, instead] of FUNCTIONS) {
      const { cells } = await session.run(`SELECT ${instead} AS x FROM ${COLUMNS}`)
      expect(cells.length, instead).toBeGreaterThan(0)
      for (const name of names.split(' ')) {
        expect(native.has(name), name).toBe(false)
        expect(await remedy(`SELECT ${name}(1, 2)`), name).toBe(`Write ${instead}.`)
      }
    }
  }, 120_000)

  it('names types that there aren’t, and what there is instead', async () => {
    for (const [names, instead] of TYPES) {
      await session.change(`CREATE OR REPLACE TABLE typed (a ${instead.replace(/, after.*/, '')})`)
      for (const name of names.split(' '))
        expect(await remedy(`CREATE TABLE x (a ${name})`), name).toBe(`Write ${instead}.`)
    }
  }, 120_000)

  it.each([
    ['EXEC totals', 'EXECUTE totals for what PREPARE has named, or FROM totals(…)', 'FROM totals()'],
    ['SELECT TOP 10 * FROM t', 'LIMIT 10', 'SELECT * FROM t LIMIT 10'],
    ['SELECT DISTINCT TOP (3) a FROM t', 'LIMIT 3', 'SELECT DISTINCT a FROM t LIMIT 3'],
    ['SELECT a FROM t LIMIT 5, 10', 'LIMIT 10 OFFSET 5', 'SELECT a FROM t LIMIT 10 OFFSET 5'],
    ['SELECT * EXCEPT (a) FROM t', '* EXCLUDE (a)', 'SELECT * EXCLUDE (a) FROM t'],
    ['SELECT t.* EXCEPT (a, "b c") FROM t', '* EXCLUDE (a, "b c")', 'SELECT t.* EXCLUDE (a) FROM t'],
    [
      `SELECT string_agg("b c", ',') WITHIN GROUP (ORDER BY a) FROM t`,
      "string_agg(a, ', ' ORDER BY a)",
      `SELECT string_agg("b c", ',' ORDER BY a) FROM t`,
    ],
    [
      `SELECT group_concat("b c" SEPARATOR '; ') FROM t`,
      "string_agg(a, ', ')",
      `SELECT string_agg("b c", '; ') FROM t`,
    ],
    ['SELECT array_agg(a ORDER BY a LIMIT 2) FROM t', 'list(a ORDER BY a)[:2]', 'SELECT list(a ORDER BY a)[:2] FROM t'],
    ['SELECT a, count(*) FROM t GROUP BY a WITH ROLLUP', 'ROLLUP (a)', 'SELECT a, count(*) FROM t GROUP BY ROLLUP (a)'],
    ['SELECT 1 FROM dual', 'Leave out FROM DUAL', 'SELECT 1'],
    ['SELECT a FROM t WHERE ROWNUM < 5', 'LIMIT 10', 'SELECT a FROM t LIMIT 10'],
    ['SELECT 1 FROM t, keyed WHERE t.a = keyed.a(+)', 'LEFT JOIN', 'SELECT 1 FROM t LEFT JOIN keyed ON t.a = keyed.a'],
    ["SELECT SAFE_CAST('x' AS INT64)", 'TRY_CAST', "SELECT TRY_CAST('x' AS INT64)"],
    ['SELECT STRUCT(1 AS a)', "{'a': 1}", "SELECT {'a': 1}"],
    ['SELECT ARRAY(1, 2)', '[1, 2]', 'SELECT [1, 2]'],
    ['CREATE TABLE made4 (a VARCHAR(MAX))', 'Write VARCHAR', 'CREATE TABLE made4 (a VARCHAR)'],
    ["SELECT TIMESTAMP('2024-01-01')", 'CAST(text AS TIMESTAMP)', "SELECT CAST('2024-01-01' AS TIMESTAMP)"],
    ['ALTER TABLE keyed MODIFY b BIGINT', 'ALTER TABLE keyed ALTER b TYPE', 'ALTER TABLE keyed ALTER b TYPE BIGINT'],
    [
      'CREATE FUNCTION plus(x INT) RETURNS INT AS $$ SELECT x $$',
      'CREATE MACRO name(x) AS x + 1',
      'CREATE MACRO plus(x) AS x + 1',
    ],
    ['GO', 'semicolons', 'SELECT 1'],
    ['SELECT `b c` FROM t', '"b c"', 'SELECT "b c" FROM t'],
    ['SELECT a FROM `t`', '"t"', 'SELECT a FROM "t"'],
    ['SELECT [b c] FROM t', '"b c"', 'SELECT "b c" FROM t'],
    ['SELECT a FROM [t]', '"t"', 'SELECT a FROM "t"'],
    ['SELECT a INTO made FROM t', 'CREATE TABLE made AS', 'CREATE TABLE made AS SELECT a FROM t'],
    ['SELECT 1 MINUS SELECT 2', 'EXCEPT', 'SELECT 1 EXCEPT SELECT 2'],
    [
      'SELECT * FROM t CROSS APPLY (SELECT t.a + 1) u',
      'CROSS JOIN LATERAL',
      'SELECT * FROM t CROSS JOIN LATERAL (SELECT t.a + 1) u',
    ],
    [
      'SELECT * FROM t OUTER APPLY (SELECT t.a + 1) u',
      'LEFT JOIN LATERAL (…) ON true',
      'SELECT * FROM t LEFT JOIN LATERAL (SELECT t.a + 1) u ON true',
    ],
    [
      `SELECT a FROM t WHERE "b c" RLIKE '^1'`,
      `regexp_matches("b c", 'pattern')`,
      `SELECT a FROM t WHERE regexp_matches("b c", '^1')`,
    ],
    ['SELECT a FROM t WITH (NOLOCK)', 'Leave out WITH (NOLOCK)', 'SELECT a FROM t'],
    ['DECLARE @x INT = 5', 'SET VARIABLE name = value', 'SET VARIABLE x = 5'],
    ['SELECT * FROM t WHERE a = @x', "getvariable('name')", "SELECT * FROM t WHERE a = getvariable('x')"],
    [
      'CREATE TABLE made2 (id INT AUTO_INCREMENT, a INT)',
      "DEFAULT nextval('ids')",
      "CREATE TABLE made2 (id INT DEFAULT nextval('ids'), a INT)",
    ],
    [
      'INSERT INTO keyed VALUES (1, 2) ON DUPLICATE KEY UPDATE b = 3',
      'ON CONFLICT DO UPDATE SET',
      'INSERT INTO keyed VALUES (1, 2) ON CONFLICT DO UPDATE SET b = 3',
    ],
    ['REPLACE INTO keyed VALUES (1, 2)', 'INSERT OR REPLACE INTO', 'INSERT OR REPLACE INTO keyed VALUES (1, 2)'],
    ['INSERT IGNORE INTO keyed VALUES (1, 2)', 'INSERT OR IGNORE INTO', 'INSERT OR IGNORE INTO keyed VALUES (1, 2)'],
    [
      "SELECT datediff(day, DATE '2024-01-01', DATE '2024-01-02') FROM t",
      "quotes: 'day'",
      "SELECT datediff('day', DATE '2024-01-01', DATE '2024-01-02')",
    ],
    [`SELECT 'a' + "b c" FROM t`, '||', `SELECT 'a' || "b c" FROM t`],
    ['SELECT (a > 1) && (a < 3) FROM t', 'AND', 'SELECT a > 1 AND a < 3 FROM t'],
    ['SELECT a <=> 3 FROM t', 'IS NOT DISTINCT FROM', 'SELECT a IS NOT DISTINCT FROM 3 FROM t'],
    ['SHOW COLUMNS FROM t', 'DESCRIBE t', 'DESCRIBE t'],
    ['SHOW functions', 'FROM duckdb_functions()', 'FROM duckdb_functions()'],
    ['SHOW ALL SETTINGS', 'FROM duckdb_SETTINGS()', 'FROM duckdb_SETTINGS()'],
    ['.tables', 'SHOW ALL TABLES', 'SHOW ALL TABLES'],
    ['\\d', 'SHOW ALL TABLES', 'SHOW ALL TABLES'],
    ['\\d t', 'DESCRIBE t', 'DESCRIBE t'],
    ['SELECT sysdate', 'now()', 'SELECT now()'],
    ['SHOW CREATE TABLE t', "table_name = 't'", "SELECT sql FROM duckdb_tables() WHERE table_name = 't'"],
    ['CREATE TABLE made3 LIKE t', 'made3 AS FROM t LIMIT 0', 'CREATE TABLE made3 AS FROM t LIMIT 0'],
    [
      'UPDATE keyed JOIN t ON t.a = keyed.a SET b = 1',
      'UPDATE keyed SET … FROM',
      'UPDATE keyed SET b = 1 FROM t WHERE t.a = keyed.a',
    ],
  ])('%s', async (sql, words, instead) => {
    expect(await remedy(sql)).toContain(words)
    expect((await session.change(instead)) ?? 'rows').toBeTruthy()
  })

  it.each([
    'CREATE TABLE made5 (s STRUCT(a INT), b INT c)',
    "SELECT DATE('2024-01-01') 5 6",
    'SELECT ARRAY(SELECT 1) 5 6',
  ])('isn’t blamed for another mistake: %s', async (sql) => {
    expect(await remedy(sql)).not.toMatch(/^Write/)
  })
})
