import { beforeAll, describe, expect, it } from 'vitest'
import type { EngineError } from '../../errors.ts'
import { Session } from '../../testing/session.ts'
import { load } from '../../testing/tables.ts'
import { refusal } from '../../testing/refusal.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

const failure = (sql: string): Promise<EngineError> => refusal(session.run(sql), sql)

describe('messages', () => {
  it.each([
    ['SELECT 1::FOO', 'There is no type FOO here.'],
    ['CREATE TABLE q (a FOO)', 'There is no type FOO here.'],
    ["SELECT 'a' COLLATE foo < 'b'", 'There is no collation foo here: there are languages, such as de'],
    ['SELECT foo(1)', 'There is no function foo here.'],
    ["SELECT icu_sort_key('a', 'de')", 'its values order texts within one statement alone'],
    ["SELECT icu_collate_de('a')", 'its values order texts within one statement alone'],
    ['SELECT j.a FROM (SELECT \'{"a":1}\' AS j)', "write j ->> 'a' for the text there, j -> 'a' for JSON"],
    ["SELECT j['a'] FROM (SELECT '{}' AS j)", "If it’s JSON, write -> 'a' instead of ['a']."],
    ['PREPARE p(INTEGER) AS SELECT $1', 'PREPARE takes no types.'],
    ['FROM foo(1)', 'There is no table function foo here.'],
    ["SELECT 'a' + 1", 'There is no VARCHAR + INTEGER. Cast one side to a type that fits the other.'],
    [
      "SELECT strftime('2020', '%Y')",
      'There is no strftime(VARCHAR, VARCHAR). There is strftime(TIMESTAMP, VARCHAR), ',
    ],
    ["SELECT COLUMNS(c -> c IN getvariable('none')) FROM range(2)", 'No column fits COLUMNS.'],
    ["SELECT current_setting('nope')", 'There is no setting nope.'],
    ['LOAD spatial', 'LOAD isn’t run here: extensions can’t be loaded'],
    ["COPY t TO 'a.csv'", 'COPY isn’t run here: a statement can’t'],
    ["SELECT 1 + 'a'::VARCHAR", 'There is no INTEGER + VARCHAR. Cast one side to a type that fits the other.'],
    ["SELECT [1] + {'a': 1}", 'There is no INTEGER[] + STRUCT(a INTEGER).'],
    [
      "SELECT substr(5, 'a', [1])",
      'There is no substr(INTEGER, VARCHAR, INTEGER[]). There is substr(VARCHAR, BIGINT, BIGINT). Cast',
    ],
    [
      "SELECT sum('a')",
      'There is no sum(VARCHAR). There is sum(DECIMAL), sum(BOOLEAN), sum(SMALLINT), and 5 more. Cast',
    ],
  ])('are short and name what there is: %s', async (sql, message) => {
    expect((await failure(sql)).message).toContain(message)
  })

  it.each([
    ["SELECT 'to BOOL'::INTEGER", "Could not convert string 'to BOOL' to INTEGER."],
    ["SELECT 'x'::BOOLEAN", "Could not convert string 'x' to BOOLEAN."],
    [
      "SELECT 1 FROM (SELECT 'x' AS a) WHERE a",
      "Could not convert string 'x' to BOOLEAN when casting from source column a.",
    ],
    ["UNPIVOT (SELECT 1 AS a, 'x' AS b) ON a, b", 'Cannot unpivot columns of types INTEGER and VARCHAR.'],
    ['SELECT 300::UTINYINT', "INTEGER with value 300 can't be cast because the value is out of range for UTINYINT."],
    ['SELECT 2147483647::INTEGER + 1::INTEGER', 'Overflow in addition of INTEGER (2147483647 + 1)!'],
    ['SELECT rank() FROM range(2)', 'rank is a window function: write OVER (…) after it.'],
    ["SELECT round(1.5, 'a')", "Failed to cast value: Could not convert string 'a' to INTEGER."],
    ["SELECT 'a'::UUID", "Could not convert string 'a' to HUGEINT or UUID."],
    ["SELECT 'x'::ENUM('a', 'b')", "Could not convert string 'x' to UTINYINT or an ENUM."],
    [
      "SELECT DATE '2024-01-01' > 5",
      'Cannot compare values of type DATE and type INTEGER - an explicit cast is required.',
    ],
    [
      "SELECT * FROM range(3) WHERE range LIKE '1%'",
      'There is no BIGINT LIKE VARCHAR. Cast one side to a type that fits the other.',
    ],
    [
      "SELECT coalesce('a'::VARCHAR, 0)",
      'Cannot mix values of type VARCHAR and INTEGER in COALESCE operator - an explicit cast is required.',
    ],
    ["SELECT upper('a', 2)", 'There is no upper(VARCHAR, INTEGER). There is upper(VARCHAR).'],
    [
      'SELECT i, count(*) FROM range(3) r(i)',
      'column "i" must appear in the GROUP BY clause or must be part of an aggregate function.',
    ],
    ["SELECT strptime('1.2', '%Y')", 'Could not parse string "1.2" according to format specifier "%Y".'],
    ['SELECT (1, 2) = (1, 2, 3)', 'A row of 2 values can’t be compared with one of 3.'],
    ['SELECT (1, 2) IN ((1, (2, 3), 4))', 'A row of 2 values can’t be compared with one of 3.'],
    ['SELECT * FROM range(0, 10, 0)', 'The step of a range can’t be 0.'],
    ["SELECT split_part('a', 'b')", 'split_part takes other arguments: split_part(string, delimiter, position).'],
    ['SELECT `a` FROM range(3)', 'Names can’t be quoted with backticks.'],
    ['SELECT !true', 'There is no operator ! here.'],
    ['SELECT t.ab FROM range(3) AS t(b)', 'Table "t" does not have a column named "ab"\n\nCandidate bindings: "b".'],
  ])('name types and functions as SQL does: %s', async (sql, message) => {
    expect((await failure(sql)).message).toBe(message)
  })

  it.each([
    ["SELECT 'x'::INTEGER", 'TRY_CAST'],
    ["SELECT DATE '2024-01-01' + INTERVAL 1", 'INTERVAL 1 DAY'],
    ["SELECT date_trunc('month', '2024-01-01'::VARCHAR)", '::DATE'],
    ['CREATE TABLE made (a INTGER)', 'Did you mean INTEGER?'],
    ['SELECT 1::WHATEVER', 'CREATE TYPE'],
    ['SELECT range FROM range(1), range(1)', 'Write the one'],
    ['SELECT [1] || 2', 'list || [value]'],
    ['SELECT histogram_values(1)', 'after FROM'],
    ["SELECT current_setting('nope')", 'duckdb_settings()'],
    ["COPY t (a, b) FROM 'a.csv' (HEADER)", "INSERT INTO t (a, b) FROM 'a.csv'."],
    ["COPY t TO 'a.csv'", 'Run FROM t, and use “Export”.'],
    ["COPY (SELECT 1) TO 'a.csv'", 'Run the query alone, and use “Export”.'],
    ['DROP VIEW nope', 'IF EXISTS'],
    ['DROP MACRO nope', 'IF EXISTS'],
    ['DROP SCHEMA nope', 'IF EXISTS'],
    ['SELECT 300::UTINYINT', 'TRY_CAST'],
    ["SELECT '[1, 2'::INTEGER[]", 'TRY_CAST'],
    ["SELECT COLUMNS(c -> c IN getvariable('none')) FROM range(2)", 'A variable that isn’t set'],
    ["UNPIVOT (SELECT 1 AS a, 'x' AS b) ON a, b", '::VARCHAR'],
    ['SELECT b.i FROM range(2) a(i)', 'after FROM'],
    ['SELECT sum(i) OVER w FROM range(2) r(i)', 'WINDOW w AS'],
    ["SELECT DATE '30.02.2024'", 'strptime'],
    ["SELECT strptime('x', '%Y')", 'try_strptime'],
    ["SELECT strftime(DATE '2024-01-01', '%e')", '%Y-%m-%d'],
    ['SELECT 1 = [1]', 'values of the same kind'],
    ['SELECT 2147483647::INTEGER + 1::INTEGER', 'HUGEINT'],
    ['SELECT ln(0)', 'TRY(…)'],
    ['SELECT asin(2)', 'TRY(…)'],
    ["SELECT unhex('zz')", 'TRY(…)'],
    ["SELECT json_extract('{', '$.a')", 'json_valid'],
    ['SELECT i FROM range(2) r(i) GROUP BY i % 2', 'GROUP BY ALL'],
    ['SELECT nothing FROM range(2) r(i)', 'single quotes'],
    ['SELECT nmae FROM (SELECT 1 AS name)', 'Did you mean name?'],
    ['SELECT amount FROM (SELECT 1 AS name)', 'Write one of these instead.'],
    ['SELECT r.nothing FROM range(2) r(i)', 'Write one of these instead.'],
    ['SELECT {a: 1}.b', 'Write one of these instead.'],
    ['SELECT i FROM range(2) a(i) JOIN range(2) b(i) ON a.i = b.i', 'Did you mean a.i or b.i?'],
    ['WITH a AS (SELECT 1) SELECT * FROM a, a', 'with AS'],
    ['SELECT i FROM range(2) r(i) WHERE sum(i) > 1', 'HAVING'],
    ['SELECT i FROM range(2) r(i) WHERE rank() OVER () > 1', 'QUALIFY'],
    ['SELECT i FROM range(2) r(i) QUALIFY i > 1', 'WHERE'],
    ['SELECT sum(sum(i)) FROM range(2) r(i)', 'subquery'],
    ['SELECT 1 FROM range(2) r(i) GROUP BY sum(i)', 'HAVING'],
    ['SELECT (FROM range(2))', 'LIMIT 1'],
    ['SELECT (SELECT 1, 2)', 'one column'],
    ['SELECT 1 UNION SELECT 1, 2', 'UNION BY NAME'],
    ["SELECT coalesce(1, DATE '2024-01-01')", 'Cast one of them'],
    ["SELECT sum('a')", '::DOUBLE'],
    ["SELECT upper('a', 2)", 'as many values as it takes'],
    ["FROM postgres_scan('a', 'b', 'c')", 'export the table to a file'],
    ["FROM st_read('x.shp')", 'coordinates as numbers'],
    ['SELECT l.a FROM (SELECT [1] AS l)', 'unnest(list)'],
    ["SELECT 'a' COLLATE foo", 'NOCASE.NOACCENT'],
    ["SELECT year('2024-01-01')", '::DATE'],
    ['SELECT upper(range) FROM range(2)', '::VARCHAR'],
    ["SELECT DATE '2024-01-01' > 20240101", "DATE '2024-01-31'"],
    ["SELECT 1 FROM (SELECT DATE '2024-01-01' AS d) WHERE d = 2024", 'year(date) = 2024'],
    ["SELECT strftime('2024', '%Y')", 'text::DATE'],
    ["SELECT DATE '2024-01-01' + '1 day'::VARCHAR", 'INTERVAL 1 DAY'],
    ["SELECT '5'::VARCHAR * 2", 'text::DOUBLE'],
    ["SELECT range LIKE '1%' FROM range(2)", "id::VARCHAR LIKE '1%'"],
    ['SELECT count(DISTINCT range, 1) FROM range(2)', 'count(DISTINCT (a, b))'],
    ['SELECT format(1.5, 2)', "format('{:,.2f}'"],
    ["SELECT date_trunc(DATE '2024-01-01', 'month')", 'part first'],
    ['SELECT rank() FROM range(2)', 'OVER (PARTITION BY a'],
    ['SELECT * WHERE true', 'Write FROM'],
    ['SELECT id', 'Write FROM'],
    ["SELECT 'a' ~* 'b'", 'ILIKE'],
    ['SELECT FROM range(2) WHERE', 'a condition after WHERE'],
    ['SELECT 1 FROM range(2) ORDER', 'missing at its end'],
    ['SELECT FROM range(2)', 'write *'],
    ['SELECT (1', 'closing parenthesis'],
    ['SELECT 1 *', 'missing at its end'],
    ['SELECT 1 / * 2', 'there, or just before'],
    ["SELECT 'a", 'another quote'],
    ["SELECT date_part('foo', DATE '2024-01-01')", 'millisecond'],
    ["SELECT regexp_matches('a', '(')", 'regular expression'],
    ['SELECT 1 LIMIT -1', '0 or more'],
    ['SELECT 1 ORDER BY 5', 'number or the name'],
    ['SELECT unnest(5)', '[x]'],
    ['SELECT [1, 2]::INTEGER[3]', 'as many values'],
    ["SELECT MAP {'a': 1, 'a': 2}", 'once'],
    ['SELECT foo(1)', 'suggested as you type'],
    ["SELECT nextval('nothing')", 'CREATE SEQUENCE'],
    ['SELECT (1, 2) = (1, 2, 3)', 'the same number of values'],
    ['SELECT (1, 2) IN (SELECT 1)', 'as many columns'],
    ['FROM range(0, 10, 0)', 'below 0'],
    ["SELECT time_bucket(INTERVAL 0 DAY, DATE '2024-01-01')", 'INTERVAL 1 DAY'],
    ["SELECT * FROM read_csv((SELECT 'a'))", "getvariable('v')"],
    ['SELECT 10::DECIMAL(40, 2)', 'DECIMAL(38, 10)'],
    ['SELECT 10::DECIMAL(2, 5)', 'all digits'],
    ['SELECT sum(range) OVER (RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) FROM range(3)', 'ROWS for RANGE'],
    [
      'SELECT sum(range) OVER (ORDER BY range ROWS BETWEEN 1 FOLLOWING AND 1 PRECEDING) FROM range(3)',
      'earlier row first',
    ],
    ['SELECT * FROM range(3) WHERE unnest([true])', 'after FROM'],
    ['SELECT * FROM range(3) a ASOF JOIN range(3) u ON true', 'a.time >= b.time'],
    ['SELECT sum(sum(range) OVER ()) FROM range(3)', 'subquery'],
    ['PIVOT range(3) ON range USING range', 'USING sum(value)'],
    ["SELECT list_sort([1], 'foo')", "'DESC'"],
    ['SELECT array_value(1, 2) = array_value(1, 2, 3)', 'INTEGER[]'],
    ["SELECT format('{}')", 'each {}'],
    ["SELECT printf('%d', 'a')", '%s for text'],
    ['COMMIT', 'Start one with BEGIN'],
    ['SELECT `a` FROM range(3)', 'double quotes'],
    ['SELECT !true', 'NOT'],
    ['SELECT ifnull(1)', 'takes two'],
    ['SELECT range FROM range(3) HAVING range > 1', 'GROUP BY ALL'],
    ["SELECT COLUMNS('(') FROM range(3)", 'regular expression'],
    ['SELECT * FROM range(3) t LEFT JOIN range(3) u', 'after a JOIN'],
    ["SELECT '102'::BIT", 'TRY_CAST'],
    ['SELECT make_date(2024, 13, 1)', 'TRY(…)'],
    ['EXPLAIN (FORMAT VERSE) SELECT 1', 'EXPLAIN (FORMAT JSON)'],
    ['EXPLAIN (ANALYZE, FORMAT JSON) SELECT 1', 'Write EXPLAIN ANALYZE'],
    ["PRAGMA Calendar = 'japanese'", 'strftime'],
    ["SELECT json_serialize_sql('SELECT 1')", 'write EXPLAIN'],
    ['SELECT to_json(union_value(n := 42))', 'union_extract'],
    ["SELECT to_json(row(1, 'a'))", 'with names'],
    ["SET default_order = 'up'", "'DESC'"],
    ['SET old_implicit_casting = true', 'Cast where'],
    ['SET default_collation', "'NOCASE'"],
    ['SET no_such_setting = 1', 'SET VARIABLE'],
    ['SET search_path = a, b', 'in one text'],
    ['USE elsewhere', 'CREATE SCHEMA elsewhere'],
    ['LOAD spatial', 'drop the file'],
    ['USE my', 'Write my. before'],
    ['USE local', 'Leave this statement out'],
    ['USE temp', 'the name of a TEMP table finds it'],
    ["SET search_path = 'temp.main'", 'as temp.name'],
    ['SHOW TABLES FROM nope', 'SHOW ALL TABLES'],
    ['SHOW TABLES FROM memory.nope', 'SHOW ALL TABLES'],
    ['CREATE SCHEMA temp.zz', 'Write CREATE SCHEMA zz.'],
    ['CREATE TABLE temp.u AS SELECT 1', 'Write CREATE TEMP TABLE u.'],
    ['CREATE OR REPLACE VIEW temp.main.u AS SELECT 1', 'Write CREATE TEMP VIEW u.'],
    ['CREATE TEMP TABLE memory.main.u AS SELECT 1', 'Write CREATE TEMP TABLE u, or leave out TEMP.'],
    ['FROM duckdb_memory()', 'information_schema.tables'],
    ['FROM duckdb_prepared_statements()', 'EXECUTE name'],
    ['FROM nothing', 'my.name'],
    ['FROM local.nothing', 'SHOW ALL TABLES'],
    ['FROM my.x', 'CREATE TABLE my.x AS'],
    ['FROM my.main."a b"', 'write my."a b"'],
    ["SELECT getenv('HOME')", 'SET VARIABLE'],
  ])('come with what to do: %s', async (sql, remedy) => {
    expect((await failure(sql)).remedy).toContain(remedy)
  })

  it('suggest columns of views, subqueries and local tables by their aliases', async () => {
    session.add(['people'], await load(new File(['name,born\nAda,1815\n'], 'people.csv')))
    await session.change('CREATE TABLE staff AS SELECT 1 AS id, 2 AS name')
    await session.change('CREATE VIEW names AS SELECT name FROM staff')
    const statements: readonly (readonly [sql: string, ...meant: string[]])[] = [
      ['SELECT p.nmae FROM people p', 'p.name'],
      ['SELECT p.nmae FROM local.people p JOIN staff s ON p.name = s.name', 'p.name'],
      ['SELECT 1 FROM people p JOIN staff s ON p.name = s.nam', 's.name'],
      ['SELECT names.nam FROM names', 'names.name'],
      ['SELECT abs(v.nam) FROM names v WHERE v.name > 1', 'v.name'],
      ['SELECT d.nmae FROM (SELECT * FROM staff) d', 'd.name'],
      ['WITH c AS (SELECT 1 AS "two words") SELECT é, c.two_words FROM (SELECT 1 AS é), c', 'c."two words"'],
      ['WITH c AS (SELECT 1 AS x) SELECT (SELECT max(c.y) FROM c)'],
      ['CREATE TABLE more AS SELECT p.nmae FROM people p', 'p.name'],
      ['INSERT INTO staff SELECT p.nmae, 1 FROM people p', 'p.name'],
      ['INSERT INTO staff (nmae) VALUES (1)', 'name'],
      ['UPDATE staff SET nmae = 1', 'name'],
      ['SELECT s.nmae FROM (SELECT {name: 1} AS s)', 'name'],
      ['SELECT staf.name FROM staff', 'staff.name'],
    ]
    for (const [sql, ...meant] of statements) {
      const { remedy, message, details } = await failure(sql)
      const { from, to } = details as { from: number; to: number }
      expect(details, sql).toMatchObject({ suggestions: meant })
      if (meant.length === 0) continue
      expect(message, sql).not.toContain('Candidate')
      expect(remedy, sql).toBe(`Did you mean ${meant.join(' or ')}?`)
      // The suggestion fits where the mistake is.
      const mended = sql.slice(0, from) + meant.join('') + sql.slice(to)
      expect(await session.engine.check(session.call(mended), new AbortController().signal), mended).toEqual([])
    }
    session.use({ published: [], local: [] })
    for (const sql of ['DROP VIEW names', 'DROP TABLE staff']) await session.change(sql)
  })

  it('say nothing that doesn’t work', async () => {
    const rows = async (sql: string): Promise<unknown[][]> => (await session.run(sql)).cells
    expect(await rows('SELECT TRY(make_date(2024, 13, 1)) AS v, TRY(1 << 100) AS w')).toEqual([[null, null]])
    await session.change('SET VARIABLE v = (SELECT 2)')
    expect(await rows("FROM repeat(1, getvariable('v'))")).toHaveLength(2)
    expect(await rows('FROM range(3, 0, -2)')).toHaveLength(2)
    expect(await rows('SELECT value FROM (SELECT [1, 2] AS list) t, unnest(t.list) AS u(value)')).toHaveLength(2)
  })

  it('come with what to do about values that a table doesn’t take', async () => {
    await session.change('CREATE TABLE strict (a INTEGER PRIMARY KEY, b INTEGER NOT NULL CHECK (b > 0))')
    await session.change('CREATE TABLE refers (a INTEGER REFERENCES strict (a))')
    const remedies: readonly (readonly [sql: string, remedy: string])[] = [
      ['INSERT INTO strict VALUES (1)', 'name the columns'],
      ['INSERT INTO strict VALUES (1, 1), (1, 2)', 'ON CONFLICT'],
      ['INSERT INTO strict VALUES (1, NULL)', 'Give it a value.'],
      ['INSERT INTO strict VALUES (1, -1)', 'meet the check'],
      ['UPDATE strict SET c = 1', 'Write one of these'],
      ['DROP VIEW strict', 'DROP TABLE'],
      ['INSERT INTO refers VALUES (1)', 'Add the row'],
      ['DROP TABLE strict', 'other table first'],
      ['DELETE FROM strict RETURNING a::HUGEINT + 1', 'RETURNING a + 1 AS b'],
      ['ALTER TABLE strict ADD b INTEGER', 'another name'],
      ['ALTER TABLE strict RENAME TO refers', 'another name'],
      ['ALTER TABLE strict DROP COLUMN a', 'EXCLUDE (a)'],
    ]
    for (const [sql, remedy] of remedies) expect((await failure(sql)).remedy, sql).toContain(remedy)
    await session.change('DROP TABLE refers')
    await session.change('DROP TABLE strict')
  })

  it.each([
    'SELECT SUM(age FROM people',
    'SELECT nvl(1, 2)',
    'SELECT "North" FROM range(2)',
    "SELECT DATE '2024-01-01' * 2",
    'FROM nowhere.at.all',
    'SELECT sum(i) FROM range(3) r(i) WHERE sum(i) > 1',
    'SELECT v.nmae FROM (SELECT 1 AS name) v',
  ])('are the same while typing: %s', async (sql) => {
    const { message, remedy, details } = await failure(sql)
    const [problem] = await session.engine.check(session.call(sql), new AbortController().signal)
    const { suggestions } = details as { suggestions: string[] }
    expect(problem).toMatchObject({ message, remedy, suggestions })
  })

  it.each([['INSTALL spatial', 'nothing is fetched']])('tell of extensions: %s', async (sql, message) => {
    expect((await failure(sql)).message).toContain(message)
  })

  it.each(['SET TimeZone = Europe/Berlin', 'SET TIME ZONE INTERVAL 2 HOURS'])('tell of the zone: %s', async (sql) => {
    expect((await failure(sql)).remedy).toContain("Write SET TimeZone = 'Europe/Berlin'")
  })

  it('name temporary tables as people do', async () => {
    await session.run('CREATE TEMP TABLE short_lived AS SELECT 1 AS a')
    for (const sql of [
      'SELECT x.a FROM short_lived',
      'SELECT elsewhere.short_lived.a FROM short_lived',
      'SELECT b FROM temp.short_lived',
      'INSERT INTO short_lived VALUES (1, 2)',
      'CREATE TEMP TABLE short_lived (b INTEGER)',
      'CREATE TEMP TABLE other (a INTEGER REFERENCES missing (a))',
      'DROP TABLE temp.missing',
    ]) {
      const { message, remedy, details } = await failure(sql)
      expect(`${message} ${remedy} ${JSON.stringify(details)}`).not.toContain('__temp')
    }
    await session.run('DROP TABLE short_lived')
  })
})
