import { beforeAll, describe, expect, it } from 'vitest'
import { Session } from '../testing/session.ts'
import { loadText } from '../testing/tables.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
  session.add(
    ['my_ws', 'Sales 2024', 'orders'],
    await loadText('id,customer,amount\n1,Ann,10.50\n2,Bob,20.25\n3,Ann,0.25\n'),
  )
  session.add(['été "x"'], await loadText('a\n1\n2\n'))
}, 120_000)

const T = 'my_ws."Sales 2024".orders'

describe('run', () => {
  it.each<[string, (string | null)[][]]>([
    [`SELECT count(*) FROM ${T}`, [['3']]],
    [
      `select * from MY_WS."sales 2024"."ORDERS" order by id`,
      [
        ['1', 'Ann', '10.50'],
        ['2', 'Bob', '20.25'],
        ['3', 'Ann', '0.25'],
      ],
    ],
    [
      `FROM ${T} SELECT customer, sum(amount) GROUP BY ALL ORDER BY ALL; -- done`,
      [
        ['Ann', '10.75'],
        ['Bob', '20.25'],
      ],
    ],
    ['VALUES (1), (2);;', [['1'], ['2']]],
    ['FROM local."été ""x"""', [['1'], ['2']]],
    ['SELECT 1 AS a, 2 AS a, 3 AS "a"', [['1', '2', '3']]],
    ['SELECT sum(a), 1::HUGEINT FROM local."été ""x"""', [['3', '1']]],
    [`DESCRIBE SELECT id FROM ${T}`, [['id', 'INTEGER', 'YES', null, null, null]]],
    ['SHOW TABLES', [['local."été ""x"""'], ['my_ws."Sales 2024".orders']]],
    ["SELECT typeof(now()), today() > DATE '2020-01-01'", [['TIMESTAMP WITH TIME ZONE', 'true']]],
    ['SELECT 1 WHERE false', []],
  ])('%s', async (sql, cells) => {
    const ran = await session.run(sql)
    expect(ran.cells).toEqual(cells)
    expect(ran.summary).toMatchObject({ rows: cells.length, message: null, leftOut: false })
  })

  it('names tables as they’re written: nothing stands for what is left out', async () => {
    const own = await Session.open()
    own.add(['ws', 'd', 'orders'], await loadText('id\n1\n'))
    own.add(['people'], await loadText('id\n1\n'))
    await own.run('CREATE SCHEMA s')
    await own.run('CREATE TABLE s.mine AS SELECT 1')
    await own.run('CREATE TABLE mine AS SELECT 1')
    for (const [sql, cells] of [
      [
        'SHOW ALL TABLES',
        [
          ['local', 'main', 'people', '["id"]', '["INTEGER"]', 'false'],
          ['memory', 'main', 'mine', '["1"]', '["INTEGER"]', 'false'],
          ['memory', 's', 'mine', '["1"]', '["INTEGER"]', 'false'],
          ['ws', 'd', 'orders', '["id"]', '["INTEGER"]', 'false'],
        ],
      ],
      ['SHOW TABLES', [['local.people'], ['mine'], ['s.mine'], ['ws.d.orders']]],
      ['SHOW DATABASES', [['local'], ['memory'], ['ws']]],
      [
        'SHOW SCHEMAS',
        [
          ['', 's'],
          ['ws', 'd'],
        ],
      ],
      ['SHOW TABLES FROM local', [['people']]],
      ['SHOW TABLES FROM ws.d', [['orders']]],
      ['SHOW TABLES FROM memory.s', [['mine']]],
      ['SHOW TABLES FROM s', [['mine']]],
      ['SHOW TABLES FROM main', [['mine']]],
      ['SHOW TABLES FROM memory.main', [['mine']]],
    ] as const)
      expect([sql, (await own.run(sql)).cells]).toEqual([sql, cells])
    expect(own.engine.transaction).toBeNull()
    await own.run('BEGIN')
    expect(own.engine.transaction).toBe('open')
    await own.run('ROLLBACK')
    expect(own.engine.transaction).toBeNull()
  })

  it('streams all rows of a large result', async () => {
    const { result, summary } = await session.run(
      "SELECT i, 'x' || i AS s, i % 3 = 0 AS b, NULLIF(i % 5, 0) AS n FROM range(300000) t(i)",
    )
    expect(result.rowCount).toBe(300_000)
    expect(summary.rows).toBe(300_000)
    for (const row of [0, 2047, 2048, 100_001, 299_999]) {
      const n = row % 5 === 0 ? null : String(row % 5)
      expect([0, 1, 2, 3].map((column) => result.text(row, column))).toEqual([
        String(row),
        `x${row}`,
        String(row % 3 === 0),
        n,
      ])
    }
  })
})
