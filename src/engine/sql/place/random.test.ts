import fc from 'fast-check'
import { expect, it } from 'vitest'
import { duckParquet } from '../../formats/parquet/testing/oracle.ts'
import { nativeSession } from '../../testing/oracle.ts'
import { Session } from '../../testing/session.ts'

const COLUMNS = `i::INTEGER AS id, (i % 13)::BIGINT AS a, CASE WHEN i % 3 = 0 THEN NULL ELSE (i * 7 % 101) / 4.0 END AS b,
  'text ' || (i * 31 % 17) AS s, DATE '2020-02-27' + (i % 40)::INTEGER AS d, (i % 50 - 25)::DECIMAL(18,3) / 8 AS m,
  CASE WHEN i % 7 = 0 THEN NULL ELSE i % 2 = 0 END AS f, TIMESTAMP '2024-01-01' + to_hours(i) AS t, [i % 5, NULL] AS l,
  {'x': i % 4, 'y': 'v' || i % 3} AS st, (i * 12345678901234567890)::HUGEINT AS h`

const value = fc.constantFrom(
  'id',
  'a',
  'b',
  's',
  'd',
  'm',
  'f',
  't',
  'l',
  'st.y',
  'l[1]',
  'a + id',
  'upper(s)',
  'coalesce(b, m)',
  'CASE WHEN f THEN s END',
  'h % 7',
  'd + 1',
  '1',
)
const condition = fc.constantFrom(
  'id > 40',
  'a = 3',
  'b IS NULL',
  "s IN ('text 3', 'text 5')",
  "d BETWEEN DATE '2020-03-01' AND DATE '2020-03-05'",
  'm < 0',
  'f',
  'NOT f OR a < 2',
  "t >= TIMESTAMP '2024-01-03'",
  'st.x = 2',
  "s LIKE '%1'",
  'a = (SELECT max(a) FROM o)',
  'EXISTS (SELECT 1 FROM o x WHERE x.id = o.id + 5)',
  'id < 0',
  'h > 100',
)
const aggregate = fc.constantFrom(
  'count(*)',
  'count(b)',
  'sum(id)',
  'min(s)',
  'max(d)',
  'count(DISTINCT a)',
  'sum(m) FILTER (WHERE f)',
  'any_value(1)',
  'max(h)',
)
const where = fc
  .array(condition, { maxLength: 2 })
  .map((each) => (each.length > 0 ? ` WHERE ${each.join(' AND ')}` : ''))
const values = fc
  .array(value, { minLength: 1, maxLength: 4 })
  .map((all) => all.map((each) => `(${each})::VARCHAR`).join(', '))
const limit = fc.option(fc.nat(30), { nil: null }).map((rows) => (rows === null ? '' : ` LIMIT ${rows}`))
const source = fc.constantFrom(
  'o',
  'local.o',
  'v',
  '(FROM o WHERE a > 4) AS o',
  '(SELECT * FROM o ORDER BY id DESC LIMIT 50) AS o',
)

/** Statements, and whether their rows have an order. */
const statement = fc.oneof(
  fc.tuple(values, source, where, limit).map(([list, from, filter, most]) => ({
    sql: `SELECT ${list} FROM ${from.includes(' AS ') ? from : `${from} AS o`}${filter}${most}`,
    ordered: true,
  })),
  fc.tuple(values, where, fc.nat(20)).map(([list, filter, most]) => ({
    sql: `SELECT ${list} FROM o${filter} ORDER BY id DESC LIMIT ${most}`,
    ordered: true,
  })),
  fc.tuple(value, fc.array(aggregate, { minLength: 1, maxLength: 3 }), source, where).map(([by, of, from, filter]) => ({
    sql: `SELECT (${by})::VARCHAR AS k, ${of.map((each) => `(${each})::VARCHAR`).join(', ')} FROM ${from.includes(' AS ') ? from : `${from} AS o`}${filter} GROUP BY ${by}`,
    ordered: false,
  })),
  fc
    .tuple(aggregate, where)
    .map(([of, filter]) => ({ sql: `SELECT (${of})::VARCHAR FROM o${filter}`, ordered: false })),
  fc.tuple(where, limit).map(([filter]) => ({
    sql: `SELECT x.id, (y.b)::VARCHAR FROM o x JOIN o y ON x.a = y.a AND x.id < y.id WHERE x.id IN (SELECT id FROM o${filter}) AND y.id < 60`,
    ordered: false,
  })),
  values.map((list) => ({ sql: `SELECT DISTINCT ${list} FROM o`, ordered: false })),
  fc.tuple(values, where).map(([list, filter]) => ({
    sql: `WITH q AS (SELECT * FROM o${filter}) SELECT ${list} FROM q AS o UNION ALL SELECT ${list} FROM v AS o`,
    ordered: true,
  })),
)

it('answers any statement over a Parquet file in place as native DuckDB does', async () => {
  const file = fc.record({
    rows: fc.constantFrom(0, 1, 100, 3000, 5000),
    group: fc.constantFrom('', 'ROW_GROUP_SIZE 2048'),
    narrow: fc.boolean(),
    statements: fc.array(statement, { minLength: 10, maxLength: 10 }),
  })
  const sessions = { wide: await Session.open(), narrow: await Session.open({ placedBudget: 400_000 }) }
  const native = await nativeSession()
  // With several, rows that nothing orders come in another order now and then.
  await native('SET threads=1')
  await native(`ATTACH ':memory:' AS local`)
  await native(`SET search_path='memory.main,local.main'`)
  let files = 0
  await fc.assert(
    fc.asyncProperty(file, async ({ rows, group, narrow, statements }) => {
      const made = await duckParquet(`SELECT ${COLUMNS} FROM range(${rows}) r(i)`, group)
      const session = narrow ? sessions.narrow : sessions.wide
      session.use({ published: [], local: [] })
      const stored = { fileId: `c/${files++}`, rowCount: 0, byteSize: 0, schema: [] }
      session.add(['o'], { stored, file: made.file })
      await native(`CREATE OR REPLACE VIEW local.main.o AS FROM '${made.path}'`)
      for (const run of [(sql: string) => session.run(sql), native])
        await run('CREATE OR REPLACE VIEW v AS FROM o WHERE a < 9')
      for (const { sql, ordered } of statements) {
        const expected = await native(sql)
        const found = await session.run(sql).then(
          ({ cells }) => cells,
          (error: { code?: string }) => error.code,
        )
        // It says so where a statement needs more than it may keep.
        if (found === 'out-of-memory' && narrow) continue
        const inOrder = (cells: unknown): unknown =>
          ordered || !Array.isArray(cells) ? cells : cells.map((row) => JSON.stringify(row)).sort()
        expect([sql, inOrder(found)]).toEqual([sql, inOrder(expected)])
      }
    }),
    { numRuns: 4 },
  )
})
