import { beforeAll, describe, expect, it } from 'vitest'
import { nativeSession } from '../testing/oracle.ts'
import { Session } from '../testing/session.ts'

/* Statements of a person's first hour, over all areas of the language. Native DuckDB is the judge of values and types. */

const SETUP = [
  `CREATE TABLE customers AS FROM (VALUES (1, 'Ada', 'London', DATE '1990-12-10'), (2, 'Bob', 'Paris', DATE '1985-02-28'),
    (3, 'Cleo', NULL, DATE '2000-02-29'), (4, 'Dan', 'Paris', NULL)) t(id, name, city, born)`,
  `CREATE TABLE orders AS SELECT i::INTEGER AS id, (i % 5)::INTEGER AS customer, TIMESTAMP '2024-01-01 08:00:00' + to_hours(7 * i) AS placed,
    ((i * 37) % 100)::DECIMAL(9, 2) / 4 AS amount, CASE WHEN i % 4 = 0 THEN NULL ELSE ['new', 'paid', 'sent'][i % 3 + 1] END AS state FROM range(1, 61) r(i)`,
  `CREATE TABLE quotes AS FROM (VALUES ('A', TIMESTAMP '2024-01-01 09:00', 1.5), ('A', TIMESTAMP '2024-01-02 09:00', 2.5), ('B', TIMESTAMP '2024-01-01 10:00', 9)) t(item, placed, price)`,
  `CREATE TABLE trades AS FROM (VALUES ('A', TIMESTAMP '2024-01-01 12:00', 3), ('A', TIMESTAMP '2024-01-03 00:00', 4), ('B', TIMESTAMP '2024-01-01 08:00', 5)) t(item, placed, count)`,
  `CREATE TABLE nested AS SELECT i, [i, i + 1, NULL] AS l, {'a': i, 'b': 'x' || i} AS s, MAP {'k' || i: i, 'z': 0} AS m FROM range(3) r(i)`,
  `CREATE TYPE mood AS ENUM ('sad', 'ok', 'happy')`,
  `CREATE TABLE moods AS FROM (VALUES (1, 'happy'::mood), (2, 'sad'), (3, NULL)) t(id, mood)`,
  `CREATE SEQUENCE counter START 10 INCREMENT 5`,
  `CREATE MACRO add_tax(x, rate := 0.19) AS x * (1 + rate)`,
  `CREATE MACRO of_city(wanted) AS TABLE SELECT id, name FROM customers WHERE city = wanted`,
  `CREATE TABLE docs AS FROM (VALUES (1, '{"name": "a", "tags": ["x", "y"], "n": {"v": 1}}'), (2, '{"name": "b", "tags": []}'), (3, NULL)) t(id, doc)`,
  `SET VARIABLE threshold = 10`,
]

const STATEMENTS: Readonly<Record<string, readonly string[]>> = {
  joins: [
    'SELECT c.name, o.id FROM customers c JOIN orders o ON o.customer = c.id ORDER BY ALL LIMIT 9',
    'SELECT name, count(o.id) FROM customers c LEFT JOIN orders o ON o.customer = c.id AND o.amount > 10 GROUP BY name ORDER BY name',
    'SELECT c.id, o.customer FROM customers c FULL JOIN (SELECT DISTINCT customer FROM orders) o ON c.id = o.customer ORDER BY ALL',
    'SELECT count(*) FROM customers CROSS JOIN orders',
    'SELECT id, name, city FROM customers JOIN of_city($$Paris$$) USING (id, name) ORDER BY id',
    'SELECT name FROM customers NATURAL JOIN (SELECT 2 AS id) ORDER BY ALL',
    'FROM customers SEMI JOIN orders ON customers.id = orders.customer ORDER BY id',
    'FROM customers ANTI JOIN orders ON customers.id = orders.customer ORDER BY id',
    'SELECT t.item, t.placed, q.price FROM trades t ASOF JOIN quotes q ON t.item = q.item AND t.placed >= q.placed ORDER BY ALL',
    'SELECT t.item, t.count, q.price FROM trades t ASOF LEFT JOIN quotes q USING (item, placed) ORDER BY ALL',
    'SELECT * FROM (SELECT id FROM customers ORDER BY id) POSITIONAL JOIN (SELECT item FROM quotes ORDER BY placed)',
    'SELECT c.name, big.amount FROM customers c, LATERAL (SELECT amount FROM orders WHERE customer = c.id ORDER BY amount DESC, id LIMIT 2) big ORDER BY ALL',
    'SELECT a.id, b.id FROM customers a JOIN customers b ON a.born < b.born ORDER BY ALL',
    'SELECT i, x FROM nested, unnest(l) u(x) ORDER BY ALL',
    'SELECT name FROM customers WHERE EXISTS (FROM orders WHERE customer = customers.id AND amount > 24) ORDER BY name',
    'SELECT name FROM customers WHERE id NOT IN (SELECT customer FROM orders WHERE amount > 24) ORDER BY name',
    'SELECT name, (SELECT max(amount) FROM orders WHERE customer = c.id) AS m FROM customers c ORDER BY name',
    'SELECT id FROM customers WHERE id > ALL (SELECT 1) ORDER BY id',
  ],
  'groups and windows': [
    'SELECT customer, sum(amount), avg(amount), min(placed), max(state) FROM orders GROUP BY customer ORDER BY customer',
    'SELECT customer, state, count(*) FROM orders GROUP BY ALL ORDER BY ALL',
    'SELECT customer, state, sum(amount) FROM orders GROUP BY ROLLUP (customer, state) ORDER BY ALL',
    'SELECT customer, state, grouping(customer, state) AS g, count(*) FROM orders GROUP BY CUBE (customer, state) ORDER BY ALL',
    'SELECT customer, state, count(*) FROM orders GROUP BY GROUPING SETS ((customer), (state), ()) ORDER BY ALL',
    'SELECT customer, count(*) FILTER (state = $$paid$$) AS paid FROM orders GROUP BY customer HAVING paid > 2 ORDER BY customer',
    'SELECT state, list(id ORDER BY id DESC)[:3], string_agg(id, $$-$$ ORDER BY id) FROM orders GROUP BY state ORDER BY state',
    'SELECT approx_count_distinct(state), count(DISTINCT state), median(amount), mode(state), quantile_cont(amount, [0.25, 0.75]) FROM orders',
    'SELECT arg_max(id, amount), max_by(state, id), first(id ORDER BY placed), any_value(customer ORDER BY id), bool_and(amount > 0) FROM orders',
    'SELECT stddev(amount)::DECIMAL(12, 6), corr(id, amount)::DECIMAL(12, 6), regr_slope(amount, id)::DECIMAL(12, 6), entropy(customer)::DECIMAL(12, 6) FROM orders',
    'SELECT histogram(customer), bitstring_agg(customer), product(customer + 1)::VARCHAR, kurtosis(id)::DECIMAL(12, 6) FROM orders WHERE id < 9',
    'SELECT id, row_number() OVER (PARTITION BY customer ORDER BY amount DESC, id) AS r FROM orders ORDER BY id LIMIT 9',
    'SELECT id, rank() OVER w, dense_rank() OVER w, ntile(3) OVER w, cume_dist() OVER w FROM orders WINDOW w AS (ORDER BY amount) ORDER BY id LIMIT 9',
    'SELECT id, lag(amount) OVER w, lead(amount, 2, 0) OVER w, first_value(id) OVER w, nth_value(id, 2) OVER w FROM orders WINDOW w AS (ORDER BY id) ORDER BY id LIMIT 9',
    'SELECT id, sum(amount) OVER (ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW), avg(amount) OVER (ORDER BY placed RANGE BETWEEN INTERVAL 1 DAY PRECEDING AND CURRENT ROW) FROM orders ORDER BY id LIMIT 9',
    'SELECT id, count(*) OVER (ORDER BY customer GROUPS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE TIES) FROM orders ORDER BY id LIMIT 9',
    'SELECT customer, id FROM orders QUALIFY row_number() OVER (PARTITION BY customer ORDER BY amount DESC, id) = 1 ORDER BY ALL',
    'SELECT id, last_value(state IGNORE NULLS) OVER (ORDER BY id) FROM orders ORDER BY id LIMIT 9',
    'SELECT DISTINCT ON (customer) customer, id FROM orders ORDER BY customer, id DESC',
    'SELECT id, amount FROM orders ORDER BY amount DESC NULLS LAST, id LIMIT 3 OFFSET 2',
    'SELECT id FROM orders ORDER BY id LIMIT 10 %',
    'SELECT max(id, 3), min(amount, 2), arg_min(id, amount, 2) FROM orders',
  ],
  pivots: [
    'PIVOT orders ON state USING sum(amount) GROUP BY customer ORDER BY customer',
    'PIVOT orders ON customer IN (1, 2) USING count(*) AS n, max(id) AS m GROUP BY state ORDER BY state',
    'FROM (PIVOT orders ON state USING count(*)) ORDER BY ALL LIMIT 3',
    'SELECT * FROM orders PIVOT (sum(amount) FOR state IN ($$new$$, $$paid$$) GROUP BY customer) ORDER BY customer',
    'UNPIVOT (SELECT id, name, city FROM customers) ON name, city INTO NAME part VALUE text ORDER BY ALL',
    'UNPIVOT (SELECT id, born::VARCHAR AS born, city FROM customers) ON COLUMNS(* EXCLUDE (id)) ORDER BY ALL',
    'SELECT * FROM customers UNPIVOT INCLUDE NULLS (v FOR k IN (name, city)) ORDER BY ALL',
  ],
  'columns and forms': [
    'FROM customers ORDER BY id',
    'FROM orders SELECT id, amount WHERE id < 4 ORDER BY id',
    'SELECT * EXCLUDE (born) FROM customers ORDER BY id',
    'SELECT * REPLACE (upper(name) AS name) FROM customers ORDER BY id',
    'SELECT * RENAME (name AS who) FROM customers ORDER BY id',
    'SELECT COLUMNS($$^(id|na.*)$$) FROM customers ORDER BY id',
    'SELECT max(COLUMNS(*)) FROM customers',
    'SELECT COLUMNS(c -> c LIKE $$%i%$$) FROM customers ORDER BY id',
    'SELECT min(COLUMNS(* EXCLUDE (born))) FROM customers',
    'SELECT * LIKE $$%a%$$ FROM customers ORDER BY ALL',
    'SELECT coalesce(*COLUMNS([$$city$$, $$name$$])) AS c FROM customers ORDER BY id',
    'SELECT customers FROM customers ORDER BY id',
    'SELECT id AS a, a + 1 AS b, b * 2 AS c FROM customers WHERE a > 1 ORDER BY c',
    'SELECT twice: id * 2, id FROM customers ORDER BY id',
    'SELECT 1_000_000 AS n, 1e3 AS e, .5 AS d, 12345678901234567890 AS big',
    'SELECT CASE city WHEN $$Paris$$ THEN 1 ELSE 0 END, if(id > 2, $$x$$, $$y$$), nullif(id, 1), coalesce(city, $$-$$) FROM customers ORDER BY id',
    'SELECT id BETWEEN 2 AND 3, id IN (1, 4), city IS DISTINCT FROM $$Paris$$, NOT city IS NULL FROM customers ORDER BY id',
    'SELECT count() FROM orders USING SAMPLE 100 PERCENT',
    'SELECT count(*) FROM orders TABLESAMPLE reservoir(7 ROWS)',
    'SELECT count(*) <= 60 FROM orders USING SAMPLE 50 PERCENT (bernoulli, 42)',
    'VALUES (1, $$a$$), (2, $$b$$)',
    'TABLE moods ORDER BY id',
    'SELECT 1 AS a UNION SELECT 1 UNION ALL SELECT 2 ORDER BY a',
    'SELECT 1 AS a, 2 AS b UNION ALL BY NAME SELECT 3 AS b, $$x$$ AS c ORDER BY ALL',
    'SELECT unnest([1, 2, 2]) AS x EXCEPT ALL SELECT 2 ORDER BY x',
    'SELECT id FROM customers INTERSECT SELECT customer FROM orders ORDER BY id',
  ],
  'common tables': [
    'WITH big AS (SELECT * FROM orders WHERE amount > 20) SELECT count(*) FROM big',
    'WITH t(a, b) AS MATERIALIZED (SELECT 1, 2) FROM t',
    'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5) SELECT list(i) FROM n',
    'WITH RECURSIVE fib(a, b) AS (SELECT 0, 1 UNION ALL SELECT b, a + b FROM fib WHERE b < 50) SELECT a FROM fib ORDER BY a',
    'WITH RECURSIVE t(k, v) USING KEY (k) AS (SELECT 1, 0 UNION SELECT k, v + 1 FROM t WHERE v < 3) FROM t',
    'WITH a AS (SELECT 1 AS x), b AS (SELECT x + 1 AS x FROM a) SELECT * FROM a UNION ALL FROM b ORDER BY ALL',
  ],
  'lists, structs and maps': [
    'SELECT l[1], l[-1], l[1:2], len(l), list_sum(l), list_sort(l), list_reverse(l) FROM nested ORDER BY i',
    'SELECT list_transform(l, lambda x: x * 2), list_filter(l, lambda x: x > 1), list_reduce([1, 2, 3], lambda a, b: a + b) FROM nested ORDER BY i',
    'SELECT [x * 2 FOR x IN l IF x IS NOT NULL], list_aggregate(l, $$max$$), list_distinct([1, 1, 2]), flatten([[1], [2, 3]]) FROM nested ORDER BY i',
    'SELECT list_zip([1, 2], [$$a$$, $$b$$]), list_contains([1, 2], 2), list_position([5, 6], 6), [1] || [2], list_slice([1, 2, 3, 4], 1, 4, 2)',
    'SELECT s.a, s[$$b$$], struct_pack(x := 1, y := 2), row(1, $$a$$), struct_insert(s, c := 1), s.* FROM nested ORDER BY i',
    'SELECT m[$$z$$], map_keys(m), map_values(m), cardinality(m), map_entries(m), map_from_entries([($$a$$, 1)]) FROM nested ORDER BY i',
    'SELECT unnest([{a: 1, b: 2}, {a: 3, b: 4}], recursive := true)',
    'SELECT unnest(l), generate_subscripts(l, 1) FROM nested ORDER BY ALL',
    'SELECT array_value(1, 2, 3)::INTEGER[3], array_distance([1, 2]::FLOAT[2], [3, 4]::FLOAT[2]), list_cosine_similarity([1, 0], [1, 1])::DECIMAL(9, 6)',
    'SELECT union_value(num := 2), union_tag(union_value(t := $$x$$)), [1, 2, 3] @> [2], list_has_any([1], [2])',
    'SELECT list_grade_up([3, 1, 2]), list_resize([1], 3, 0), array_to_string([1, 2], $$, $$), string_split($$a,b$$, $$,$$), range(3), generate_series(1, 7, 3)',
    'SELECT reduce([1, 2, 3], lambda a, x: a + x, 10), list_transform([1, 2], lambda x, i: x * i), apply([1], lambda x: x)',
  ],
  texts: [
    'SELECT upper(name), length(name), name[1], name[2:3], left(name, 2), right(name, 2), reverse(name), name || $$!$$ FROM customers ORDER BY id',
    'SELECT regexp_matches(name, $$^[A-B]$$), regexp_extract(name, $$(.)(.)$$, 2), regexp_replace(name, $$[aeiou]$$, $$*$$, $$g$$), regexp_extract_all($$a1b2$$, $$\\d$$) FROM customers ORDER BY id',
    'SELECT regexp_split_to_array($$a1b$$, $$\\d$$), regexp_extract($$2024-05$$, $$(\\d+)-(\\d+)$$, [$$y$$, $$m$$]), regexp_full_match($$ab$$, $$a.$$), name SIMILAR TO $$A.*$$ FROM customers ORDER BY id',
    'SELECT name LIKE $$A%$$, name ILIKE $$a%$$, name GLOB $$?o*$$, starts_with(name, $$C$$), contains(name, $$a$$), position($$o$$ IN name) FROM customers ORDER BY id',
    'SELECT lpad($$7$$, 3, $$0$$), trim($$ a $$), replace($$aa$$, $$a$$, $$b$$), split_part($$a-b$$, $$-$$, 2), repeat($$ab$$, 2), translate($$abc$$, $$ab$$, $$xy$$), substring($$hello$$ FROM 2 FOR 3)',
    "SELECT format('{} is {:.2f} and {:>5}|{:,}', 'a', 1.5, 'x', 1234567), printf('%05d %s %.1f', 42, 'b', 2.25), 'it''s', E'a\\tb', chr(65), ascii('A'), unicode('é')",
    'SELECT levenshtein($$kitten$$, $$sitting$$), jaccard($$ab$$, $$bc$$)::DECIMAL(9, 6), md5($$a$$), sha256($$a$$), hash(1) IS NOT NULL, hex($$ab$$), base64($$ab$$::BLOB), strip_accents($$é$$)',
    'SELECT $$a$$ < $$B$$, $$a$$ COLLATE NOCASE = $$A$$, concat_ws($$-$$, 1, NULL, 2), bar(5, 0, 10, 10), nfc_normalize($$é$$), url_encode($$a b$$), parse_path($$/a/b.c$$)',
    'SELECT string_agg(name, $$, $$ ORDER BY name DESC) FROM customers',
  ],
  'numbers and casts': [
    "SELECT '42'::INTEGER, TRY_CAST('x' AS INTEGER), CAST(3.7 AS INTEGER), 7 / 2, 7 // 2, -7 % 3, 2 ** 10, 1::BOOLEAN, 'yes'::BOOLEAN",
    'SELECT round(2.345, 2), ceil(1.2), floor(-1.2), trunc(1.9), sign(-3), abs(-2), gcd(12, 18), lcm(4, 6), greatest(1, 5, 3), least(2, 1), factorial(5), even(3.2)',
    'SELECT 0.1 + 0.2, 0.1::DOUBLE + 0.2, 1.5::DECIMAL(4, 1) * 2.25, 10::DECIMAL(38, 10) / 3, 170141183460469231731687303715884105727::HUGEINT, 1::UTINYINT + 1',
    'SELECT sqrt(2)::DECIMAL(12, 9), ln(2)::DECIMAL(12, 9), exp(1)::DECIMAL(12, 9), pi()::DECIMAL(12, 9), sin(1)::DECIMAL(12, 9), log10(1000)',
    "SELECT 5 & 3, 5 | 3, xor(5, 3), 1 << 4, ~1, bit_count(7), '101'::BIT, isnan('nan'::FLOAT), 'inf'::DOUBLE",
    'SELECT typeof(1), typeof(1.5), typeof([1]), typeof(NULL), typeof({a: 1}), pg_typeof(1), try_cast($$2024-13-01$$ AS DATE), add_tax(100), add_tax(100, rate := 0.07)',
    "SELECT '12345678-1234-1234-1234-123456789012'::UUID, '\\xAA'::BLOB, 'sad'::mood < 'happy'::mood, to_base(255, 16), format_bytes(123456), width_bucket IS NULL FROM (SELECT NULL AS width_bucket)",
  ],
  'dates and times': [
    "SELECT DATE '2024-02-28' + 2, DATE '2024-03-01' - DATE '2024-02-01', DATE '2024-01-31' + INTERVAL 1 MONTH, TIMESTAMP '2024-01-01' - INTERVAL '1 day 2 hours', age(DATE '2024-03-01', DATE '2023-01-15')",
    "SELECT date_trunc('month', placed), date_part('dow', placed), extract(hour FROM placed), year(placed), monthname(placed), dayname(placed), week(placed), quarter(placed), last_day(placed) FROM orders ORDER BY id LIMIT 5",
    "SELECT date_diff('day', placed, TIMESTAMP '2024-03-01'), datesub('month', placed, TIMESTAMP '2024-03-01'), date_add(placed, INTERVAL 1 DAY), placed::DATE, placed::TIME FROM orders ORDER BY id LIMIT 5",
    "SELECT strftime(placed, '%d.%m.%Y %H:%M'), strftime('%Y', placed), strptime('01.02.2024', '%d.%m.%Y'), try_strptime('x', '%Y'), strptime('2024-01-01', ['%d.%m.%Y', '%Y-%m-%d']) FROM orders ORDER BY id LIMIT 2",
    "SELECT make_date(2024, 2, 29), make_time(1, 2, 3.5), make_timestamp(2024, 1, 2, 3, 4, 5), epoch(TIMESTAMP '2024-01-01'), epoch_ms(1704067200000), to_timestamp(0) AT TIME ZONE 'Asia/Tokyo'",
    "SELECT INTERVAL '1 year 2 months', INTERVAL 90 MINUTE, to_days(3), INTERVAL '36 hours' > INTERVAL '1 day', justify IS NULL FROM (SELECT NULL AS justify)",
    "SELECT time_bucket(INTERVAL '1 week', placed) AS w, count(*) FROM orders GROUP BY w ORDER BY w",
    "SELECT * FROM generate_series(DATE '2024-01-01', DATE '2024-01-04', INTERVAL 1 DAY)",
    "SELECT range FROM range(TIMESTAMP '2024-01-01', TIMESTAMP '2024-01-02', INTERVAL 6 HOUR)",
    "SELECT isfinite(DATE 'infinity'), DATE '2024-01-01' < TIMESTAMP '2024-01-01 00:00:01', TIME '10:00' + INTERVAL 90 MINUTE",
    "SELECT julian(DATE '2024-01-01'), era(DATE '2024-01-01'), yearweek(DATE '2024-12-30'), isodow(DATE '2024-12-29'), date_part(['year', 'month'], DATE '2024-05-06')",
  ],
  json: [
    "SELECT doc->>'name', doc->'tags'->>0, doc->>'$.n.v', json_array_length(doc, '$.tags') FROM docs ORDER BY id",
    "SELECT json_extract_string(doc, '$.name'), json_type(doc), json_keys(doc), json_valid(doc), json_exists(doc, '$.n') FROM docs ORDER BY id",
    "SELECT to_json({a: 1, b: [1, 2]})::VARCHAR, json_object('k', 1, 'l', NULL)::VARCHAR, json_array(1, 'a')::VARCHAR, json_group_array(id)::VARCHAR FROM customers",
    'SELECT key, value::VARCHAR FROM json_each(\'{"a": 1, "b": [2]}\')',
    'SELECT from_json(\'{"a": 1}\', \'{"a": "INTEGER"}\'), json_structure(\'{"a": [1]}\')::VARCHAR, json_merge_patch(\'{"a": 1}\', \'{"b": 2}\')::VARCHAR',
  ],
  'what there is': [
    'DESCRIBE orders',
    'DESCRIBE SELECT id, amount * 2 AS twice FROM orders',
    'SELECT column_name, column_type, min, max, null_percentage, count FROM (SUMMARIZE customers)',
    'SELECT column_name, data_type FROM information_schema.columns WHERE table_name = $$moods$$ ORDER BY ordinal_position',
    'SELECT table_name FROM duckdb_tables() WHERE table_name IN ($$orders$$, $$docs$$) ORDER BY 1',
    'SELECT name, type FROM pragma_table_info($$customers$$)',
    'SELECT enum_range(NULL::mood), enum_first(NULL::mood), enum_code($$ok$$::mood), mood FROM moods ORDER BY id LIMIT 1',
    'SELECT nextval($$counter$$), nextval($$counter$$), currval($$counter$$)',
    'SELECT getvariable($$threshold$$), count(*) FROM orders WHERE amount > getvariable($$threshold$$)',
    'FROM of_city($$Paris$$) ORDER BY id',
    'SELECT current_schema(), version() LIKE $$v1.%$$, 1 = 1 AS yes',
    "FROM query('SELECT 42 AS x')",
    'FROM query_table($$moods$$) ORDER BY id',
    'SELECT * FROM repeat(1, 3)',
    'SELECT alias FROM (SELECT alias(id) AS alias FROM customers LIMIT 1)',
  ],
}

let session: Session
let native: Awaited<ReturnType<typeof nativeSession>>
beforeAll(async () => {
  session = await Session.open()
  native = await nativeSession()
  await native("SET TimeZone = 'UTC'")
  for (const sql of SETUP) {
    await native(sql)
    await session.change(sql)
  }
}, 300_000)

/** All values as text; statements that can't stand in another are given as they are. */
const asText = (sql: string): string => `SELECT COLUMNS(*)::VARCHAR FROM (${sql})`
/** JSON is a name for VARCHAR here. */
const typesOf = (sql: string): string => `SELECT replace(column_type, 'JSON', 'VARCHAR') FROM (DESCRIBE ${sql})`
const standsAlone = (sql: string): boolean => /^(?:PIVOT|UNPIVOT|DESCRIBE)/.test(sql)

describe.each(Object.entries(STATEMENTS))('The first hour: %s', (_, statements) => {
  it('is as in native DuckDB', async () => {
    const differing: unknown[] = []
    for (const sql of statements) {
      const answer = async (ask: (text: string) => Promise<unknown>): Promise<unknown> => {
        try {
          return [await ask(asText(sql)), standsAlone(sql) ? null : await ask(typesOf(sql))]
        } catch (error) {
          return String(error).slice(0, 300)
        }
      }
      const own = await answer(async (text) => (await session.run(text)).cells)
      const wanted = await answer(native)
      if (JSON.stringify(own) !== JSON.stringify(wanted)) differing.push({ sql, own, wanted })
    }
    expect(differing).toEqual([])
  }, 300_000)
})
