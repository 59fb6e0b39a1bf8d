// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of statements and literals
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createCatalog } from './catalog.ts'
import { parseStatement } from './parse.ts'
import { scopeAt } from './scope.ts'
import { comparedAt, frequentSql, literalOf, originOf } from './values.ts'

/** `|` marks the cursor. */
function compared(marked: string): ReturnType<typeof comparedAt> {
  return comparedAt(marked.replace('|', ''), marked.indexOf('|'))
}

describe('where a value is expected', () => {
  test.each([
    ['from t where region = |', ['region'], []],
    ['from t where region=|', ['region'], []],
    ["from t where region <> 'no|", ['region'], []],
    ["from t where o.region != 'no|rth' and x", ['o', 'region'], []],
    ['from t where ws.o."ship to" == nor|', ['ws', 'o', 'ship to'], []],
    ['from t where region in (|', ['region'], []],
    ["from t where region in ('it''s', |", ['region'], ["it's"]],
    ["from t where region not in ('a', 'b', '|')", ['region'], ['b', 'a']],
    ['from t where id in (1, |', ['id'], ['1']],
    ['from t where id between |', ['id'], []],
    ["from t where o.day not between '2024|", ['o', 'day'], []],
    ["from t where region between 'a' and |", ['region'], []],
    ['from t where id between -1 and x|', ['id'], []],
    ["from t where day between date '2024-01-01' and '|", ['day'], []],
    ['from t where a = 1 and /* which */ id /* one */ = |', ['id'], []],
  ])('%s', (marked, path, taken) => {
    expect(compared(marked)).toMatchObject({ path, taken })
  })

  test.each([
    'from t where region |',
    'from t where count(*) = |',
    'from t where region = 1|',
    "from t where region = 'a'|",
    'from t where region = $a|',
    'from t where region > |',
    'from t where region in (select |',
    'from t where between |',
    'from t where region between 1 and 2 and |',
    "from t where region = 'a' and |",
    'from t where region in (lower(|',
    'select f(a, |',
    "select 'region = |",
    '-- region = |',
    'select [|',
    '|',
  ])('isn’t in %s', (marked) => {
    expect(compared(marked)).toBeNull()
  })

  test('for any text and cursor, nothing throws and positions are valid', () => {
    const part = fc.constantFrom(
      ...`a b.c "d e" = <> in between ( , ) not 'x' ' 1 - null and select -- /* $p`.split(' '),
      '\n',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 20 }), fc.nat(), (parts, cursor) => {
        const text = parts.join(' ')
        const position = cursor % (text.length + 1)
        const found = comparedAt(text, position)
        if (!found) return
        expect(found.from).toBeLessThanOrEqual(position)
        expect(found.to).toBeGreaterThanOrEqual(position)
        expect(found.path.length).toBeGreaterThan(0)
      }),
      { numRuns: 1000 },
    )
  })
})

const orders = {
  name: 'orders',
  rowCount: 9,
  reference: 'local.orders',
  columns: [
    { name: 'Region', type: 'VARCHAR' },
    { name: 'tags', type: 'VARCHAR[]' },
    { name: 'id', type: 'BIGINT' },
    { name: 'prices', type: 'MAP(VARCHAR, DECIMAL(10,2))' },
  ],
}
const catalog = createCatalog({ workspaces: [], local: [{ id: '1', ...orders }], temporary: [] })

function origin(marked: string): ReturnType<typeof originOf> {
  const position = marked.indexOf('|')
  const parsed = parseStatement(marked.replace('|', ''))
  const at = comparedAt(parsed.text, position)
  if (!at) throw new Error('nothing compared')
  return originOf(scopeAt(parsed, position), at, { catalog, described: () => undefined })
}

test('the table of a column is found', () => {
  const found = { source: 'local.orders', column: 'Region', isKey: false, type: 'VARCHAR', rowCount: 9 }
  expect(origin('from local.orders where region = |')).toEqual(found)
  expect(origin('from local.orders o where o.region in (|')).toEqual(found)
  expect(origin('select * from (from local.orders where region = |)')).toEqual(found)
  expect(origin('from local.orders o where x.region = |')).toBeNull()
  expect(origin('from local.orders where gone = |')).toBeNull()
  expect(origin('from local.orders where tags = |')).toBeNull()
  const keys = { source: 'local.orders', column: 'prices', isKey: true, type: 'VARCHAR', rowCount: 9 }
  expect(origin("select o.prices['eu|'] from local.orders o")).toEqual(keys)
  expect(origin('from local.orders where PRICES[|')).toEqual(keys)
  expect(origin('from local.orders where tags[|')).toBeNull()
  expect(origin('from local.orders where prices = |')).toBeNull()
  // The values of a subquery would have to be computed first.
  expect(origin('with orders as (select 1 as region) from orders where region = |')).toBeNull()
  expect(origin("from (select 'a' as region) as s where region = |")).toBeNull()
})

test('values are sorted by frequency, and written so that the engine reads the same', async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(`CREATE TABLE "o ""x""" AS SELECT
    ['north', 'it''s', 'it''s', 'ü; --', NULL][i % 5 + 1] AS "the region",
    (i % 3)::DECIMAL(10, 2) / 4 AS price, i % 2 = 0 AS flag, DATE '2024-02-29' + (i % 2)::INTEGER AS day,
    TIMESTAMP '2024-02-29 12:00:00.000001' AS at, -(i % 2)::BIGINT AS id, uuid() AS key
    FROM range(10) t(i)`)
  const source = '"o ""x"""'
  const types = {
    'the region': 'VARCHAR',
    price: 'DECIMAL(10,2)',
    flag: 'BOOLEAN',
    day: 'DATE',
    at: 'TIMESTAMP',
    id: 'BIGINT',
    key: 'UUID',
  }
  for (const [column, type] of Object.entries(types)) {
    const sql = frequentSql({ source, column, isKey: false, type, rowCount: null })
    const rows = (await connection.runAndReadAll(sql)).getRowsJson() as [string, string, boolean][]
    expect(rows.length).toBeGreaterThan(0)
    for (const [text, count, more] of rows) {
      expect(more).toBe(false)
      const where = `SELECT count(*) FROM ${source} WHERE "${column}" = ${literalOf(type, text)}`
      expect([column, text, (await connection.runAndReadAll(where)).getRowsJson()]).toEqual([column, text, [[count]]])
    }
    if (column === 'the region') expect(rows.map(([text]) => text)).toEqual(["it's", 'north', 'ü; --'])
  }
  const long = frequentSql({ source: 'range(100001) t(n)', column: 'n', isKey: false, type: 'BIGINT', rowCount: null })
  expect((await connection.runAndReadAll(long)).getRowsJson()[0]?.[2]).toBe(true)
  const map = `(SELECT MAP {'a': 1, 'it''s': i} AS "the map" FROM range(3) t(i) UNION ALL SELECT MAP {'a': 0} UNION ALL SELECT NULL) AS m`
  const keys = frequentSql({ source: map, column: 'the map', isKey: true, type: 'VARCHAR', rowCount: null })
  const listed = (await connection.runAndReadAll(keys)).getRowsJson()
  expect(listed).toEqual([
    ['a', '4', false],
    ["it's", '3', false],
  ])
  expect([literalOf('DOUBLE', 'nan'), literalOf('BLOB', 'x'), literalOf('INTEGER[]', '1')]).toEqual([null, null, null])
})
