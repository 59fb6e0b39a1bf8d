import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nativeNames, nativeSession } from '../testing/oracle.ts'
import { Session } from '../testing/session.ts'

/* What a session's statements may do to what they made themselves, with native DuckDB as the judge. */

/** Scripts whose every statement that gives rows gives those that native DuckDB gives. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'rows after WITH': `
    CREATE TABLE t AS SELECT i AS a, i * 2 AS b FROM range(5) r(i);
    WITH x(q) AS (SELECT 10), y AS MATERIALIZED (FROM x) INSERT INTO t SELECT q, 0 FROM y;
    WITH x AS (SELECT 1 AS q) UPDATE t SET b = 99 FROM x WHERE a = q;
    WITH x AS (SELECT 2 AS q) DELETE FROM t USING x WHERE a = q;
    FROM t ORDER BY a;
    WITH "insert" AS (SELECT 3 AS a) SELECT a FROM "insert"`,
  RETURNING: `
    CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR);
    INSERT INTO t VALUES (1, 'x'), (2, 'y') RETURNING *;
    INSERT INTO t VALUES (1, 'z') ON CONFLICT DO UPDATE SET b = excluded.b RETURNING a, b || '!' AS c, a;
    INSERT INTO t VALUES (1, 'q') ON CONFLICT DO NOTHING RETURNING a;
    UPDATE t SET b = upper(b) RETURNING b;
    DELETE FROM t WHERE a = 2 RETURNING *;
    FROM t`,
  'RETURNING values that Arrow lacks': `
    CREATE TYPE kind AS ENUM ('a', 'b');
    CREATE TABLE t (A HUGEINT, b UHUGEINT, "c d" BIT, k kind, N INTEGER, l INTEGER[2]);
    INSERT INTO t VALUES (170141183460469231731687303715884105727, 340282366920938463463374607431768211455, '101', 'a', 1, [1, 2])
      RETURNING *;
    INSERT INTO t VALUES (-1, 3, '1', 'b', 2, NULL) RETURNING a, n, t."c d", (a * (2 + 1)) AS "m,n", t.* /* all */;
    UPDATE t SET n = 3 WHERE a < 0 RETURNING k, l, a + n AS "sum";
    MERGE INTO t USING (SELECT -1 AS id) s ON t.a = s.id WHEN MATCHED THEN UPDATE SET n = 9 RETURNING merge_action, *;
    DELETE FROM t WHERE n = 9 RETURNING a`,
  'MERGE INTO': `
    CREATE TABLE t AS FROM (VALUES (1, 'a'), (2, 'b')) v(id, name);
    MERGE INTO t USING (VALUES (2, 'B'), (3, 'C')) n(id, name) ON t.id = n.id
      WHEN MATCHED THEN UPDATE SET name = n.name WHEN NOT MATCHED THEN INSERT VALUES (n.id, n.name);
    FROM t ORDER BY id;
    WITH gone AS (SELECT 1 AS id) MERGE INTO t USING gone ON t.id = gone.id WHEN MATCHED THEN DELETE
      RETURNING merge_action, *;
    FROM t ORDER BY id;
    MERGE INTO t USING (SELECT 3 AS id, 'x' AS name) n USING (id) WHEN MATCHED THEN UPDATE WHEN NOT MATCHED BY SOURCE THEN DELETE;
    FROM t ORDER BY id;
    MERGE INTO t USING (FROM (VALUES (4, 'y')) v(id, name)) n ON t.id = n.id
      WHEN NOT MATCHED THEN INSERT WHEN NOT MATCHED BY SOURCE THEN UPDATE SET name = 'gone' RETURNING merge_action, t.id, t.name;
    FROM t ORDER BY id`,
  'indexes, keys and comments': `
    CREATE TABLE t AS SELECT i AS a, i % 2 AS b FROM range(4) r(i);
    CREATE UNIQUE INDEX by_a ON t (a);
    CREATE INDEX IF NOT EXISTS by_b ON main.t (b);
    SELECT a FROM t WHERE a = 3;
    DROP INDEX by_b;
    DROP INDEX by_a;
    ALTER TABLE t ADD PRIMARY KEY (a);
    COMMENT ON TABLE t IS 'mine';
    COMMENT ON COLUMN t.a IS 'a key';
    SELECT comment FROM duckdb_tables() WHERE table_name = 't';
    SELECT column_name, comment FROM duckdb_columns() WHERE table_name = 't' ORDER BY 1;
    VACUUM; ANALYZE; CHECKPOINT; VACUUM ANALYZE t;
    FROM t ORDER BY a`,
  macros: `
    CREATE MACRO area(r, pi := 3) AS pi * r * r;
    CREATE OR REPLACE FUNCTION top(n) AS TABLE FROM range(10) r(i) ORDER BY i DESC LIMIT n;
    SELECT area(2), area(2, pi := 4), (SELECT sum(i) FROM top(2));
    CREATE TEMP MACRO two(a) AS a, (a, b) AS a + b;
    SELECT two(1), two(1, 2);
    CREATE VIEW v AS SELECT area(i) AS a FROM top(3);
    FROM v ORDER BY a;
    DROP MACRO area;
    DROP MACRO TABLE IF EXISTS top`,
  types: `
    CREATE TYPE mood AS ENUM ('sad', 'ok');
    CREATE TYPE point AS STRUCT(x INTEGER, y INTEGER);
    CREATE TYPE found AS ENUM (SELECT DISTINCT chr(65 + i::INTEGER) FROM range(3) r(i) ORDER BY 1);
    CREATE TABLE t (m mood, p point);
    INSERT INTO t VALUES ('ok', {x: 1, y: 2});
    SELECT m, p.x, enum_range(NULL::found)::VARCHAR FROM t;
    DROP TYPE found;
    DROP TABLE t; DROP TYPE IF EXISTS mood CASCADE`,
  sequences: `
    CREATE SEQUENCE s START 5 INCREMENT 2;
    SELECT nextval('s');
    SELECT nextval('s'), currval('s');
    CREATE TABLE t (id INTEGER DEFAULT nextval('s'), a INTEGER);
    INSERT INTO t (a) VALUES (1), (2) RETURNING id;
    DROP SEQUENCE s CASCADE`,
  schemas: `
    CREATE SCHEMA own;
    CREATE TABLE own.t AS SELECT 1 AS a;
    CREATE TABLE t AS SELECT 2 AS a;
    CREATE VIEW memory.own.v AS FROM own.t;
    CREATE MACRO own.plus(x) AS x + 1;
    CREATE TYPE own.answer AS ENUM ('y');
    INSERT INTO own.t VALUES (3) RETURNING a;
    SELECT own.plus(a), 'y'::own.answer FROM own.v ORDER BY 1;
    ALTER TABLE own.t ADD COLUMN b INTEGER DEFAULT 7;
    FROM own.t JOIN t USING (a);
    CREATE SCHEMA IF NOT EXISTS own;
    DROP SCHEMA own CASCADE;
    FROM t`,
  'schemas in use': `
    CREATE SCHEMA s; CREATE SCHEMA "Two words";
    CREATE TABLE s.t AS SELECT 1 AS a; CREATE TABLE t AS SELECT 2 AS a; CREATE TABLE other AS SELECT 3 AS a;
    SELECT current_schemas(true), current_schemas(false);
    USE s;
    FROM t JOIN other ON t.a < other.a;
    FROM main.t;
    SELECT current_schema(), current_schemas(false), json_keys('{"a": 1}');
    CREATE TABLE made AS FROM t; INSERT INTO made VALUES (5) RETURNING a; ALTER TABLE other ADD COLUMN b INTEGER;
    CREATE MACRO one() AS 1; CREATE TYPE y AS ENUM ('y'); CREATE VIEW v AS SELECT one() AS o, 'y'::y AS y;
    DROP TABLE IF EXISTS none; UPDATE other SET b = 4;
    FROM v; FROM other;
    SELECT schema_name, table_name FROM duckdb_tables() ORDER BY ALL;
    SET search_path = '"Two words",s';
    CREATE TABLE t AS SELECT 9 AS a;
    FROM t;
    SELECT current_schemas(true);
    SET schema = 'main';
    FROM t;
    USE "Two words";
    FROM t;
    DROP TABLE t;
    FROM (FROM s.t);
    USE memory.s; DROP VIEW v; DROP TYPE y; DROP MACRO one; SELECT current_schema();
    USE memory; FROM t;
    RESET search_path;
    SELECT current_schemas(false)`,
  'temporary tables': `
    CREATE TEMP TABLE x AS SELECT 1 AS a; CREATE TABLE z AS SELECT 2 AS a;
    FROM temp.x; SELECT x.a FROM temp.main.x JOIN z ON x.a < z.a;
    WITH x AS (SELECT a + 1 AS a FROM temp.x) FROM x;
    INSERT INTO temp.x VALUES (3); SELECT sum(a) FROM temp.x;
    DESCRIBE temp.x;
    DELETE FROM temp.x WHERE a = 1; FROM x;
    DROP TABLE temp.x`,
  'temporary things beside a schema': `
    CREATE SCHEMA s; USE s;
    CREATE TEMP TABLE y AS SELECT 4 AS a; CREATE OR REPLACE TEMPORARY VIEW twice AS SELECT a * 2 AS a FROM temp.y;
    CREATE TEMP MACRO one() AS 1; CREATE TEMP TABLE temp.u (a INTEGER); CREATE TABLE u AS SELECT 9 AS a;
    FROM temp.y; FROM y; SELECT a + one() FROM twice;
    INSERT INTO temp.u VALUES (5); UPDATE temp.u SET a = 6; ALTER TABLE temp.u ADD COLUMN b INTEGER; FROM temp.u; FROM s.u;
    USE memory;
    FROM y; FROM twice; SELECT one();
    DROP VIEW temp.twice; DROP TABLE temp.u; FROM s.u;
    DROP TABLE y; DROP MACRO one`,
  'temporary tables before others': `
    CREATE TABLE t AS SELECT 1 AS a; CREATE TEMP TABLE t AS SELECT 2 AS a; CREATE SCHEMA s; CREATE TABLE s.t AS SELECT 3 AS a;
    FROM t; SELECT t.a FROM t JOIN s.t AS o ON o.a > t.a; FROM temp.t; FROM main.t; FROM memory.main.t; CREATE TEMP TABLE main.u AS SELECT 1 AS i; FROM temp.u; INSERT INTO main.u VALUES (2); DROP TABLE main.u; TABLE t; DESCRIBE t; SUMMARIZE t;
    SELECT database_name, schema_name, table_name, temporary FROM duckdb_tables() ORDER BY ALL;
    SELECT table_catalog, table_schema, table_name, table_type FROM information_schema.tables ORDER BY ALL;
    SELECT database_name, schema_name, column_name FROM duckdb_columns() WHERE NOT internal ORDER BY ALL;
    SHOW ALL TABLES; SHOW TABLES FROM s; SHOW TABLES FROM temp; SHOW TABLES FROM memory.main;
    USE s; FROM t; INSERT INTO t VALUES (4); UPDATE t SET a = a * 10; FROM t ORDER BY a; FROM s.t; DELETE FROM t WHERE a > 30;
    CREATE OR REPLACE TEMP VIEW v AS FROM t; CREATE VIEW w AS FROM s.t; FROM v; FROM s.w; WITH t AS (SELECT 7 AS a) FROM t;
    CREATE INDEX i ON t (a); ALTER TABLE t ADD COLUMN b INTEGER; COMMENT ON TABLE t IS 'x'; FROM t;
    SELECT database_name, view_name, temporary FROM duckdb_views() WHERE NOT internal ORDER BY ALL;
    SELECT current_schema(), current_schemas(false);
    CREATE TEMP SEQUENCE n; SELECT nextval('n'); CREATE TEMP TYPE mood AS ENUM ('a'); SELECT 'a'::mood; DROP TYPE mood; DROP SEQUENCE n;
    CREATE TEMP TABLE parent (i INTEGER PRIMARY KEY); CREATE TEMP TABLE child (i INTEGER REFERENCES parent (i)); INSERT INTO parent VALUES (1); INSERT INTO child VALUES (1);
    DROP TABLE child; DROP TABLE parent; DROP VIEW v; DROP INDEX i; DROP TABLE t; FROM t; DROP TABLE t; USE memory; FROM t;
    CREATE TEMP TABLE t AS SELECT 8 AS a; SELECT temp.t.a FROM temp.t; SELECT main.t.a FROM main.t; SELECT t.a, q.a FROM t, (SELECT 3 AS a) AS q;
    USE s; WITH t AS (FROM t WHERE a > 0) FROM t; WITH x AS (SELECT 1), t (a) AS MATERIALIZED (SELECT 9) SELECT t.a FROM t;
    WITH RECURSIVE t AS (SELECT 1 AS a UNION ALL SELECT a + 1 FROM t WHERE a < 3) FROM t ORDER BY a;
    CREATE OR REPLACE TEMP TABLE t AS FROM t WHERE a = 8; FROM t; CREATE VIEW v AS FROM t; FROM v; DROP VIEW v;
    SELECT sql FROM duckdb_tables() WHERE temporary; USE memory;
    DROP TABLE IF EXISTS temp.t; FROM t`,
  'temporary macros, types and sequences before others': `
    CREATE MACRO g(x) AS x * 2; CREATE TEMP MACRO g(x) AS x * 3; CREATE TYPE m AS ENUM ('k'); CREATE TEMP TYPE m AS VARCHAR;
    CREATE SEQUENCE n START 50; CREATE TEMP SEQUENCE n;
    SELECT g(2), g(x := 3) AS b, list_transform([1], lambda y: g(y)) AS c, sum(g(i)) FILTER (g(i) > 0) AS d, temp.g(1) AS e, main.g(1) AS f FROM range(3) g(i);
    WITH g(x) AS (SELECT 5), h AS (FROM g) SELECT g(x) AS v FROM h; SELECT (SELECT g(1)) + g(2) AS v;
    SELECT 'q'::m, CAST('zz' AS m) AS v, TRY_CAST('zz' AS m) AS w, typeof('k'::m) AS t;
    SELECT nextval('n') AS a, nextval('temp.n') AS b, nextval('main.n') AS c; SELECT currval('n');
    CREATE TABLE made AS SELECT g(1); FROM made; CREATE TABLE g (x INTEGER); INSERT INTO g (x) VALUES (g(7)); FROM g;
    CREATE TABLE d (a m, b INTEGER DEFAULT nextval('n')); INSERT INTO d (a) VALUES ('k'); FROM d; CREATE TEMP TABLE e (a m); INSERT INTO e VALUES ('z'); FROM e;
    CREATE VIEW v AS SELECT g(1) AS g, typeof('q'::m) AS t; FROM v; CREATE MACRO uses(x) AS g(x) + 100;
    CREATE TEMP MACRO tm(a) AS TABLE SELECT a + 1 AS s; CREATE MACRO tm(a) AS TABLE SELECT a * 9 AS p; FROM tm(1); CREATE OR REPLACE TEMP MACRO g(x) AS x * 4;
    CREATE SCHEMA s; USE s; SELECT g(1); USE memory;
    DROP VIEW v; DROP TABLE e; DROP TABLE d; DROP MACRO g; SELECT g(1); DROP MACRO g; DROP SEQUENCE n; SELECT nextval('n'); DROP TYPE temp.m; SELECT 'k'::m;
    DROP MACRO TABLE tm; FROM tm(1)`,
  'all tables': `
    SHOW ALL TABLES;
    CREATE SCHEMA s; CREATE TABLE t (a INTEGER, "b c" VARCHAR[]); CREATE TABLE s."it's" AS SELECT 1 AS i; CREATE VIEW v AS FROM t;
    SHOW ALL TABLES; DESCRIBE; PRAGMA show_tables_expanded`,
  plans: `
    CREATE TABLE t AS SELECT 1 AS a, 'x' AS b;
    EXPLAIN SELECT 1;
    EXPLAIN SELECT b, count(*) FROM t JOIN range(3) r(i) ON i = a WHERE b > 'a' GROUP BY b ORDER BY b;
    EXPLAIN (FORMAT JSON) SELECT a FROM t WHERE a = 1;
    EXPLAIN (FORMAT GRAPHVIZ) FROM t;
    EXPLAIN INSERT INTO t VALUES (2, 'y')`,
  'whole numbers': `
    SET integer_division = true; SELECT 7 / 2, 7 // 2, 7.5 / 2;
    CREATE MACRO m(x) AS x / 2; SELECT m(5), date_part('hour', TIME '12:00') / 5;
    RESET integer_division; SELECT 7 / 2, m(5)`,
  variables: `
    SET VARIABLE x = 42;
    SET VARIABLE names = ['a', 'b'];
    SHOW VARIABLES;
    SELECT getvariable('x') + 1, getvariable('names')[2], typeof(getvariable('x'));
    SET VARIABLE x = (SELECT max(i) FROM range(3) r(i));
    CREATE MACRO doubled() AS getvariable('x') * 2;
    SELECT doubled(), typeof(getvariable('x'));
    RESET VARIABLE x;
    SELECT getvariable('x')`,
  'settings of its own': `
    CREATE TABLE t AS FROM (VALUES (2), (NULL), (1)) v(i);
    SET default_null_order = 'nulls_first';
    FROM t ORDER BY i;
    SELECT list_sort(list(i)), first(i ORDER BY i DESC), current_setting('default_null_order') FROM t;
    PRAGMA null_order = 'sqlite';
    SELECT i, rank() OVER (ORDER BY i) FROM t ORDER BY i DESC;
    SET GLOBAL default_null_order TO 'postgres';
    FROM t ORDER BY i DESC LIMIT 1;
    SET default_null_order = default;
    FROM t ORDER BY i;
    SET scalar_subquery_error_on_multiple_rows = false;
    SELECT (SELECT i FROM t ORDER BY i);
    RESET scalar_subquery_error_on_multiple_rows;
    SET order_by_non_integer_literal = true;
    SELECT 1 ORDER BY 'a';
    RESET order_by_non_integer_literal`,
  'order and collation by default': `
    CREATE TABLE t AS SELECT unnest(['hEllO', 'WöRlD', 'wozld', 'Ä', 'b', 'HELLO']) AS s;
    PRAGMA default_order = 'desc';
    FROM range(3) ORDER BY 1;
    SELECT list_sort([1, 3, 2]), list(s ORDER BY s), row_number() OVER (ORDER BY s) AS r FROM t GROUP BY s ORDER BY s ASC;
    DESCRIBE t;
    RESET default_order;
    FROM range(3) ORDER BY 1;
    SET default_collation = 'NOCASE';
    SELECT count(*) FROM t WHERE s = 'hello';
    SELECT lower(min(s)), count(*) FROM t GROUP BY s ORDER BY s;
    CREATE VIEW v AS SELECT s FROM t WHERE s IN ('HELLO', 'B');
    SELECT count(*) FROM v;
    SELECT json_type('{"A": 1}', '$.A'), date_trunc('DAY', TIMESTAMP '2024-01-02 03:04:05'), timezone('utc', TIMESTAMP '2024-01-02');
    PRAGMA default_collation = 'NOCASE.NOACCENT';
    SELECT s FROM t WHERE s LIKE 'w%' OR s = 'wozld' OR s = 'a' ORDER BY s;
    SET GLOBAL default_collation = 'de';
    FROM t WHERE s <> 'HELLO' ORDER BY s;
    SET SESSION default_collation = '';
    FROM t ORDER BY s;
    SET SESSION default_collation = 'NOCASE';
    RESET default_collation;
    SELECT count(*) FROM t WHERE s = 'hello';
    RESET SESSION default_collation;
    SELECT count(*) FROM t WHERE s = 'hello'`,
  'prepared statements': `
    CREATE TABLE t AS SELECT i AS a, DATE '2024-01-01' + i::INTEGER AS d FROM range(5) r(i);
    PREPARE days AS SELECT a, d::VARCHAR FROM t WHERE d > ? AND a < ? ORDER BY a;
    EXECUTE days('2024-01-02', 4);
    PREPARE add AS INSERT INTO t (a) VALUES ($1), ($1 + $2);
    EXECUTE add(10, 5);
    PREPARE named AS SELECT $low::INTEGER + $high AS sum;
    EXECUTE named(high := 2, low := -1);
    EXECUTE named(high := (3), low := +1);
    PREPARE keywords AS SELECT $name AS n, $value + 1 AS v;
    EXECUTE keywords(name := 'c', value := 2);
    PREPARE lists AS SELECT len(?) + ?;
    EXECUTE lists([1, 2], 3);
    PREPARE mixed AS SELECT $1, ?, $2;
    EXECUTE mixed(4, 2);
    SELECT a FROM t ORDER BY a;
    DEALLOCATE days; DEALLOCATE days`,
  transactions: `
    CREATE TABLE t AS SELECT 1 AS a;
    BEGIN TRANSACTION;
    INSERT INTO t VALUES (2);
    CREATE TABLE made AS FROM t;
    SELECT count(*) FROM made JOIN t USING (a);
    ROLLBACK;
    FROM t;
    BEGIN;
    CREATE TABLE made AS SELECT 5 AS b;
    DELETE FROM t RETURNING a;
    COMMIT;
    SELECT (SELECT count(*) FROM t), b FROM made`,
  'random numbers from a seed': `SELECT setseed(0.25); SELECT random() BETWEEN 0 AND 1, random() < 2`,
  'names in texts': `
    CREATE TABLE t AS SELECT 1 AS a;
    FROM query('SELECT a + 1 AS b FROM t');
    FROM query('SELECT a + 2 AS b ' || 'FROM t' || $$ WHERE a::VARCHAR <> 'x'$$);
    FROM query_table('t');
    FROM query_table(['t', 't']);
    CREATE VIEW v AS SELECT a FROM t;
    SELECT pg_get_viewdef(oid) FROM pg_class WHERE relname = 'v'`,
  pragmas: `
    CREATE TABLE t (a INTEGER PRIMARY KEY, b VARCHAR DEFAULT 'x');
    PRAGMA table_info('t');
    PRAGMA table_info(t);
    CALL pragma_table_info('t');
    PRAGMA table_info = t;
    PRAGMA table_info = 't';
    DESCRIBE TABLES;
    SHOW DATABASES;
    CALL range(3);
    CALL checkpoint();
    CREATE MACRO doubled(x) AS x * 2;
    SELECT function_name FROM duckdb_functions() WHERE NOT internal AND (function_name = 'doubled' OR function_name LIKE 'json%');
    PRAGMA show_tables;
    DESCRIBE t`,
  'what there is': `
    CREATE SCHEMA s; CREATE TABLE s.t (a INTEGER NOT NULL, b VARCHAR); CREATE VIEW v AS FROM s.t; CREATE TABLE z AS SELECT 1 AS c;
    CREATE TYPE mood AS ENUM ('a'); CREATE MACRO m(x) AS x; CREATE SEQUENCE q;
    SELECT table_schema, table_name, table_type FROM information_schema.tables ORDER BY ALL;
    SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns ORDER BY ALL;
    SELECT schema_name FROM information_schema.schemata WHERE catalog_name = 'memory' ORDER BY 1;
    SELECT schema_name, table_name, has_primary_key FROM duckdb_tables() ORDER BY ALL;
    SELECT schema_name, view_name FROM duckdb_views() WHERE NOT internal;
    SELECT type_name FROM duckdb_types() WHERE database_name = 'memory' AND type_name = 'mood';
    SELECT type_name, database_name FROM duckdb_types() WHERE type_name IN ('bigint', 'mood') ORDER BY ALL;
    SELECT count(*) FROM pg_catalog.pg_type WHERE typname = 'int8';
    SELECT function_name, function_type FROM duckdb_functions() WHERE function_name = 'm';
    SELECT sequence_name FROM duckdb_sequences();
    SELECT name, type FROM sqlite_master ORDER BY 1;
    SELECT count(*) FROM pg_catalog.pg_tables;
    SELECT name FROM duckdb_settings() WHERE name = 'threads';
    SELECT current_schema(), current_database(), current_setting('default_null_order')`,
}

let session: Session
let native: Awaited<ReturnType<typeof nativeSession>>
beforeAll(async () => {
  session = await Session.open()
  native = await nativeSession()
}, 120_000)

/** What drops all that a script made, in an order that goes. */
const CLEANING = `
  SELECT 'DROP SCHEMA "' || schema_name || '" CASCADE' FROM duckdb_schemas() WHERE database_name = 'memory' AND NOT internal
  UNION ALL SELECT 'DROP VIEW IF EXISTS main."' || view_name || '"' FROM duckdb_views() WHERE database_name = 'memory' AND NOT internal
  UNION ALL SELECT 'DROP TABLE IF EXISTS main."' || table_name || '"' FROM duckdb_tables() WHERE database_name = 'memory'
  UNION ALL SELECT DISTINCT 'DROP ' || CASE function_type WHEN 'macro' THEN 'MACRO' ELSE 'MACRO TABLE' END || ' IF EXISTS main."' || function_name || '"'
    FROM duckdb_functions() WHERE database_name = 'memory' AND function_name IN ('area', 'top', 'two', 'doubled', 'm')
  UNION ALL SELECT 'DROP TYPE IF EXISTS main."' || type_name || '"' FROM duckdb_types() WHERE database_name = 'memory' AND NOT internal
  UNION ALL SELECT 'DROP SEQUENCE IF EXISTS main."' || sequence_name || '"' FROM duckdb_sequences() WHERE database_name = 'memory'`

beforeEach(async () => {
  for (const [drop] of (await session.run(CLEANING)).cells) await session.run(drop ?? '')
  for (const [drop] of await native(CLEANING)) await native(drop ?? '')
})

describe('statements give what native DuckDB gives', () => {
  it.each(Object.entries(SCRIPTS))(
    '%s',
    async (_, script) => {
      let compared = 0
      for (const { text } of session.engine.split(script)) {
        const { result, cells } = await session.run(text)
        const expected = await native(text)
        if (result.columns.length === 0) continue
        expect([text, cells]).toEqual([text, expected])
        compared++
      }
      expect(compared).toBeGreaterThan(0)
    },
    60_000,
  )
})

it('calls columns of EXECUTE by what stands for their values', async () => {
  const own = await Session.open()
  const statements = [
    'CREATE TABLE t AS SELECT 1 AS i',
    'PREPARE a AS SELECT $1, upper($2), CAST(? AS INTEGER) + 1, i + $1 AS named, i FROM t',
    "EXECUTE a(1, 'it''s', 3)",
    'PREPARE b AS SELECT $low, concat($high, $low), list_transform([1], x -> x + $high)',
    'EXECUTE b(high := (1 + 2), low := 4)',
    'SELECT (1), abs((2))',
    'PREPARE c AS SELECT (1), abs($1)',
    'EXECUTE c(2)',
    'SELECT (1), abs((2))',
    "PREPARE d AS SELECT js->>?, date_trunc($1, DATE '2024-05-06') FROM (SELECT '{\"a\": 1}'::JSON AS js) LIMIT ?",
    "EXECUTE d('month', 5)",
  ]
  const found: string[][] = []
  for (const sql of statements) found.push((await own.run(sql)).result.columns.map(({ name }) => name))
  const expected = await nativeNames(statements)
  // What changes something gives no rows here.
  expect(found.map((names, i) => (names.length === 0 ? expected[i] : names))).toEqual(expected)
  expect(found.filter((names) => names.length > 0)).toHaveLength(6)
}, 60_000)
