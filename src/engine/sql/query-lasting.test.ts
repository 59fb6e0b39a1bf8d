import { beforeAll, describe, expect, it } from 'vitest'
import { loadText, Warehouse } from '../testing/tables.ts'
import { processorTime } from '../../lib/testing.ts'

/* What one statement leaves to the next in the same engine. */

let warehouse: Warehouse
beforeAll(async () => {
  warehouse = await Warehouse.open({ keptFiles: 2, memoryLimit: '60MB' })
  for (const name of ['a', 'b', 'c', 'd']) warehouse.add(['w', 'd', name], await loadText(`id,name\n1,${name}\n2,x\n`))
}, 120_000)

const T = 'w.d.a'

describe('an engine that lives on', () => {
  it('goes on when a statement ran out of memory', async () => {
    for (let i = 0; i < 3; i++) {
      const hungry = warehouse.run('SELECT list(repeat(range::VARCHAR, 20)) FROM range(10000000)')
      await expect(hungry).rejects.toMatchObject({ code: 'out-of-memory' })
      expect((await warehouse.run(`SELECT count(*) FROM ${T}`)).rows).toEqual([[2]])
    }
  })

  it('stops when it’s told to, and goes on', async () => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), 50)
    const begun = processorTime()
    // Without memory of its own: that would run out before.
    const endless = 'SELECT sum(range) FROM range(1000000000000)'
    await expect(warehouse.run(endless, 10, controller.signal)).rejects.toMatchObject({ name: 'AbortError' })
    expect(processorTime() - begun).toBeLessThan(10_000)
    expect((await warehouse.run(`SELECT count(*) FROM ${T}`)).rows).toEqual([[2]])
  })

  it('keeps no type that PIVOT made', async () => {
    await warehouse.run(`PIVOT ${T} ON name USING count(*)`)
    await expect(warehouse.run(`PIVOT ${T} ON nope USING count(*)`)).rejects.toMatchObject({ code: 'sql-error' })
    await warehouse.run(`FROM (PIVOT ${T} ON name USING count(*))`)
    const types = warehouse.typesLeft()
    expect(types).toEqual([])
  })

  it('lets go of the files used longest ago, and takes them again', async () => {
    for (const name of ['a', 'b', 'c', 'd', 'a', 'c']) {
      expect((await warehouse.run(`SELECT name FROM w.d.${name} WHERE id = 1`)).rows).toEqual([[name]])
      expect(warehouse.attachedFiles()).toBe(2)
    }
  })

  it('has no file that isn’t given any more', async () => {
    const [{ fileId }] = warehouse.tables
    const file = warehouse.files.get(fileId)
    warehouse.files.delete(fileId)
    await expect(warehouse.run(`FROM ${T}`)).rejects.toMatchObject({ code: 'unknown-table' })
    if (file) warehouse.files.set(fileId, file)
    expect((await warehouse.run(`SELECT count(*) FROM ${T}`)).rows).toEqual([[2]])
  })

  it.each([
    "FROM 'data.csv'",
    'FROM data.csv',
    'FROM "data.csv"',
    "FROM 'https://example.org/a.parquet'",
    'FROM w.data.csv',
  ])('says what %s can’t do', async (sql) => {
    await expect(warehouse.run(sql)).rejects.toMatchObject({
      code: expect.stringMatching(/^(sql-not-allowed|unknown-table)$/) as unknown,
      message: expect.stringMatching(/can’t read files or addresses, only tables|There is no table/) as unknown,
      remedy: expect.stringContaining('workspace.dataset.table') as unknown,
    })
  })
})
