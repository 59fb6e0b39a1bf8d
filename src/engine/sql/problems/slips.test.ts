import { beforeAll, describe, expect, it } from 'vitest'
import { Session } from '../../testing/session.ts'
import type { EngineError } from '../../errors.ts'
import { refusal } from '../../testing/refusal.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
  await session.change(
    `CREATE TABLE orders AS SELECT i AS id, 'North' AS region, DATE '2024-01-01' AS day, 1.5 AS amount FROM range(5) r(i)`,
  )
  await session.change(`CREATE TABLE customers AS SELECT 1 AS id, 'Ada' AS name`)
}, 120_000)

const failure = (sql: string): Promise<EngineError> => refusal(session.run(sql), sql)

describe('A slip', () => {
  it.each([
    ['SELECT id FROM orders ORDER id', 'Write ORDER BY.', 'SELECT id FROM orders ORDER BY id'],
    [
      'SELECT sum(id) OVER (partition region) FROM orders',
      'Write PARTITION BY.',
      'SELECT sum(id) OVER (PARTITION BY region) FROM orders',
    ],
    [
      'SELECT 1 AS "order" FROM orders WHERE order = 1',
      'double quotes: "order"',
      'SELECT o."order" FROM (SELECT 1 AS "order") o',
    ],
    ['SELECT order FROM orders', 'double quotes: "order"', 'SELECT "order" FROM (SELECT 1 AS "order")'],
    ['SELECT id FROM order', 'double quotes: "order"', 'WITH "order" AS (SELECT 1 AS id) SELECT id FROM "order"'],
    ['SELECT id end FROM orders', 'double quotes: "end"', 'SELECT id "end" FROM orders'],
    ['SELECT sum(id) end, 1 FROM orders', 'double quotes: "end"', 'SELECT sum(id) "end", 1 FROM orders'],
    ['SELECT * FROM orders SAMPLE (10)', 'USING SAMPLE 10.', 'SELECT * FROM orders USING SAMPLE 10'],
    ['SELECT * FROM orders SAMPLE 2', 'USING SAMPLE 2.', 'SELECT * FROM orders USING SAMPLE 2'],
    [
      'SELECT day * 2 FROM orders',
      'year(date), or date - DATE',
      "SELECT year(day), day - DATE '2024-01-01' FROM orders",
    ],
    [
      'SELECT month(id) FROM orders',
      "strptime(20240131::VARCHAR, '%Y%m%d')",
      "SELECT month(strptime(20240131::VARCHAR, '%Y%m%d')), month(to_timestamp(id)) FROM orders",
    ],
    ['CREATE TABLE made (id INT, end DATE)', 'double quotes: "end"', 'CREATE TABLE made (id INT, "end" DATE)'],
    ['SELECT id FROM orders WHERE id IN 1, 2', 'IN (1, 2)', 'SELECT id FROM orders WHERE id IN (1, 2)'],
    [
      'SELECT id FROM orders WHERE id BETWEEN 1, 3',
      'BETWEEN 1 AND 3',
      'SELECT id FROM orders WHERE id BETWEEN 1 AND 3',
    ],
    [`SELECT id FROM orders WHERE region IS 'North'`, 'Write = or <>', `SELECT id FROM orders WHERE region = 'North'`],
    ['SELECT id FROM orders WHERE region NULL', 'IS NULL', 'SELECT id FROM orders WHERE region IS NULL'],
    ['SELECT id FROM orders WHERE id => 1', '>=', 'SELECT id FROM orders WHERE id >= 1'],
    ['SELECT id FROM orders WHERE id =< 1', '<=', 'SELECT id FROM orders WHERE id <= 1'],
    ['WITH a AS SELECT 1 SELECT * FROM a', 'in parentheses', 'WITH a AS (SELECT 1) SELECT * FROM a'],
    ['WITH a AS (SELECT 1), SELECT * FROM a', 'Leave out the comma', 'WITH a AS (SELECT 1) SELECT * FROM a'],
    ['SELECT id,, region FROM orders', 'Leave out the comma', 'SELECT id, region FROM orders'],
    ['CREATE TABLE copied AS orders', 'AS FROM orders', 'CREATE TABLE copied AS FROM orders'],
    ['SELECT DISTINCT ON region FROM orders', 'DISTINCT ON (region)', 'SELECT DISTINCT ON (region) id FROM orders'],
    ['SELECT CAST(id, VARCHAR) FROM orders', 'CAST(a AS INTEGER)', 'SELECT CAST(id AS VARCHAR) FROM orders'],
    [
      'FROM (SELECT [1] AS l) WHERE l CONTAINS 1',
      'list_contains(l',
      'FROM (SELECT [1] AS l) WHERE list_contains(l, 1)',
    ],
    ['SHOW INDEXES FROM orders', 'FROM duckdb_indexes()', 'FROM duckdb_indexes()'],
    ['UPDATE orders amount = 5', 'UPDATE t SET a = 1', 'UPDATE orders SET amount = 5'],
    ['UPDATE orders SET amount == 5', 'Write = once', 'UPDATE orders SET amount = 5'],
    ['DELETE orders WHERE id = 99', 'DELETE FROM orders', 'DELETE FROM orders WHERE id = 99'],
    ['DELETE * FROM orders WHERE id = 99', 'DELETE FROM without *', 'DELETE FROM orders WHERE id = 99'],
    [`INSERT customers VALUES (2, 'B')`, 'INSERT INTO customers', `INSERT INTO customers VALUES (2, 'B')`],
    [
      'SELECT name FROM orders JOIN customers USING id',
      'USING (id)',
      'SELECT name FROM orders JOIN customers USING (id)',
    ],
    [
      'SELECT 1 FROM orders o JOIN customers c WHERE o.id = c.id',
      'ON … after the JOIN',
      'SELECT 1 FROM orders o JOIN customers c ON o.id = c.id',
    ],
    [
      'SELECT 1 FROM orders OUTER JOIN customers ON true',
      'LEFT, RIGHT or FULL',
      'SELECT 1 FROM orders FULL OUTER JOIN customers ON true',
    ],
    [
      'SELECT 1 FROM orders LEFT customers ON true',
      'Write LEFT JOIN.',
      'SELECT 1 FROM orders LEFT JOIN customers ON true',
    ],
    [`SELECT CASE WHEN id = 1 THEN 'a' FROM orders`, 'Write END', `SELECT CASE WHEN id = 1 THEN 'a' END FROM orders`],
    ['SELECT id FROM orders ORDER BY id, LIMIT 1', 'Leave out the comma', 'SELECT id FROM orders ORDER BY id LIMIT 1'],
    [
      'SELECT id FROM orders ORDER BY id UNION SELECT 1',
      'after the last SELECT',
      'SELECT id FROM orders UNION SELECT 1 ORDER BY id',
    ],
    ['SELECT id FROM orders WHERE id = 1 WHERE id < 5', 'AND', 'SELECT id FROM orders WHERE id = 1 AND id < 5'],
    ['SELECT id FROM orders LIMIT 3 WHERE id < 5', 'WHERE, GROUP BY', 'SELECT id FROM orders WHERE id < 5 LIMIT 3'],
    ['SELECT :id', '$name', null],
    ['SELECT {{id}}', '$name', null],
    ['SELECT 1 + 2)', 'no parenthesis is open', 'SELECT 1 + 2'],
    ['SELECT count(* FROM orders', 'Close the parenthesis', 'SELECT count(*) FROM orders'],
    ['SELECT id, region amount day FROM orders', 'missing before it', 'SELECT id, region, amount, day FROM orders'],
    [
      `SELECT id FROM orders WHERE region = "North"`,
      `single quotes: 'North'`,
      `SELECT id FROM orders WHERE region = 'North'`,
    ],
    ['SELECT id FROM orders WHERE region LIKE %N%', "LIKE '%a%'", "SELECT id FROM orders WHERE region LIKE '%N%'"],
    [
      "SELECT id FROM orders WHERE region = 'O'Brien'",
      'written twice',
      "SELECT id FROM orders WHERE region = 'O''Brien'",
    ],
    ['SELECT id FROM orders WHERE id > 1,000', 'comma: 1000', 'SELECT id FROM orders WHERE id > 1000'],
    ['WITH a (SELECT 1) SELECT * FROM a', 'WITH a AS (SELECT …)', 'WITH a AS (SELECT 1) SELECT * FROM a'],
    [
      "SELECT * FROM orders PIVOT sum(amount) FOR region IN ('North')",
      'PIVOT (sum(a)',
      "SELECT * FROM orders PIVOT (sum(amount) FOR region IN ('North'))",
    ],
    ['orders', 'FROM orders', 'FROM orders'],
    ['SELECT id FROM', 'a table’s name after FROM', 'SELECT id FROM orders'],
    ['SELECT id FROM orders WHERE', 'condition after WHERE', 'SELECT id FROM orders'],
    ['SELECT id FROM orders WHERE id > 1 AND', 'condition after AND', 'SELECT id FROM orders WHERE id > 1'],
    ['SELECT id FROM orders GROUP BY', 'column after GROUP BY', 'SELECT id FROM orders GROUP BY id'],
    ['SELECT 1 FROM orders o JOIN customers c', 'ON … after the JOIN', 'SELECT 1 FROM orders o CROSS JOIN customers c'],
    ['SELECT (id + 1', 'closing parenthesis', 'SELECT (id + 1) FROM orders'],
    ['SELECT id FROM orders WHERE region = ´North´', 'straight quotes', `SELECT id FROM orders WHERE region = 'North'`],
    ['SELECT id FROM orders WHERE region = ‘North’', 'straight quotes', `SELECT id FROM orders WHERE region = 'North'`],
  ])('%s', async (sql, words, instead) => {
    expect((await failure(sql)).remedy).toContain(words)
    if (instead !== null) expect((await session.change(instead)) ?? 'rows').toBeTruthy()
  })

  it.each([
    ['SELCT id FROM orders', 'SELECT', 0],
    ['SELECT id FORM orders', 'FROM', 10],
    ['SELECT id FROM orders WHRE id = 1', 'WHERE', 22],
    ['SELECT id FROM orders ORDER BY id dsc', 'DESC', 34],
    ['SELECT id FROM orders GRUOP BY id', 'GROUP', 22],
  ])('in a word of SQL: %s', async (sql, word, from) => {
    const { remedy, details } = await failure(sql)
    expect(remedy).toBe(`Did you mean ${word}?`)
    expect(details).toMatchObject({ from, suggestions: [word] })
  })

  it.each([
    ['SELECT id FROM orders o JOIN customers c ON o.id = c.id', 'id'],
    ['SELECT c.id FROM orders o JOIN customers c ON o.id = c.id WHERE id > 1 ORDER BY id', 'id'],
    ['SELECT region FROM orders HAVING id > 1', 'id'],
    ['SELECT id FROM orders WHERE', 'WHERE'],
    ["SELECT DATE '2024-13-01'", "'2024-13-01'"],
    ["SELECT date_trunc('mnth', day) FROM orders", "'mnth'"],
    ['SELECT region COLLATE klingon FROM orders', 'klingon'],
    ["FROM sqlite_scan('a.db', 't')", 'sqlite_scan'],
  ])('is marked where it stands: %s', async (sql, marked) => {
    const { from, to } = (await failure(sql)).details as { from: number; to: number }
    expect(sql.slice(from, to)).toBe(marked)
  })

  it('names each column that may be meant once', async () => {
    const { message, remedy } = await failure('SELECT id FROM orders o JOIN customers c ON o.id = c.id')
    expect(`${message} ${remedy}`).toBe('Ambiguous reference to column name "id". Did you mean o.id or c.id?')
  })

  it('isn’t marked where it may be one of several', async () => {
    const { details } = await failure('SELECT id FROM (SELECT id FROM orders JOIN customers ON true)')
    expect(details ?? {}).not.toHaveProperty('from')
  })

  it.each([
    ['SELECT CASE WHEN id 5 THEN 1 END FROM orders', 'missing before it'],
    ['INSERT INTO customers VALUES (1 NULL)', 'there, or just before'],
    ['SELECT left FROM orders', 'double quotes: "left"'],
    ['SELECT sum(id) OVER (ORDER BY day FROM orders', 'Close the parenthesis'],
  ])('isn’t taken for another one: %s', async (sql, words) => {
    expect((await failure(sql)).remedy).toContain(words)
  })

  it('isn’t seen in names that are like such words', async () => {
    expect((await failure('SELECT value 5 FROM orders 6')).remedy).toBe(
      'A comma, an operator or a word is missing before it.',
    )
  })
})
