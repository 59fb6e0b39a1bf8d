import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { loadText, Warehouse, type Loaded } from '../testing/tables.ts'

/* Tables by whatever name the service lets them have. */

let warehouse: Warehouse
let people: Loaded
beforeAll(async () => {
  warehouse = await Warehouse.open()
  people = await loadText('id,name\n1,Ann\n2,Bob\n')
}, 120_000)

/** Runs a statement that sees one table. */
async function run(name: readonly [string, string, string], sql: string): Promise<readonly (readonly unknown[])[]> {
  warehouse.tables.length = 0
  warehouse.add(name, people)
  return (await warehouse.run(sql)).rows
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const OWN = ['main', 'information_schema', 'pg_catalog', 'system', 'temp', 'memory', 'default', 'select', 'pg_temp']

describe('names', () => {
  it.each(OWN)('reach a dataset, a workspace and a table called %s', async (name) => {
    for (const own of [
      ['w', name, 't'],
      [name, 'd', 't'],
      [name, name, name],
      ['w', 'd', name],
    ] as const) {
      const dotted = own.map(quoted).join('.')
      expect.soft(await run(own, `SELECT count(*) FROM ${dotted}`)).toEqual([[2]])
      expect.soft(await run(own, `SELECT max(${dotted}.id) FROM ${dotted.toUpperCase()}`)).toEqual([[2]])
      expect.soft(await run(own, `DESCRIBE ${dotted}`)).toHaveLength(2)
      expect.soft(await run(own, `SUMMARIZE ${dotted}`)).toHaveLength(2)
      expect.soft(await run(own, `EXPLAIN FROM ${dotted}`)).toHaveLength(1)
      expect.soft(await run(own, `PIVOT ${dotted} ON name USING sum(id)`)).toHaveLength(1)
    }
  })

  it('leave what isn’t a table’s name as it was', async () => {
    const own = ['main', 'main', 'main'] as const
    expect(await run(own, `SELECT 'main.main.main', id AS main FROM main.main.main WHERE id = 1`)).toEqual([
      ['main.main.main', 1],
    ])
    expect(await run(own, 'SELECT main.main.id FROM main.main.main ORDER BY 1')).toEqual([[1], [2]])
    expect(await run(own, 'SELECT main.id FROM main /* . */ .main.main AS main ORDER BY 1')).toEqual([[1], [2]])
    await expect(run(own, 'SELECT *\nFROM main.main.main WHERE nope')).rejects.toMatchObject({
      details: { line: 2, column: 27 },
    })
  })

  it.each<[name: readonly [string, string, string], sql: string, table: string]>([
    [['w', 'main', 't'], 'FROM w.t', 'w.t'],
    [['w', 'main', 't'], 'FROM main.t', 'main.t'],
    [['main', 'main', 't'], 'FROM main.t', 'main.t'],
    [['w', 'w', 't'], 'FROM w.t', 'w.t'],
    [['w', 'information_schema', 't'], 'FROM w.information_schema.u', 'w.information_schema.u'],
    [['main', 'main', 't'], 'FROM main.main.u', 'main.main.u'],
    [['w', 'temp', 't'], 'FROM temp.t', 'temp.t'],
    [['memory', 'd', 't'], 'FROM d.t', 'd.t'],
  ])('%s isn’t reached by %s', async (name, sql, table) => {
    await expect(run(name, sql)).rejects.toMatchObject({ code: 'unknown-table', details: { table } })
  })

  it.each<[name: readonly [string, string, string], sql: string]>([
    [['w', 'Umsätze', 't'], 'FROM w."UMSÄTZE".t'],
    [['w', 'Umsätze', 't'], 'FROM w.umsätze.T'],
    [['w', 'Umsätze', 'Größen'], 'SELECT GRÖßEN.* FROM W.UMSÄTZE.GRÖßEN JOIN w.Umsätze.größen g USING (id, name)'],
    [['w', 'Umsa\u0308tze', 'ДАННЫЕ'], 'FROM w."umsätze"."данные"'],
    [['w', 'Umsätze', 't'], 'FROM w.UMSA\u0308TZE.t'],
    [['w', 'main', '\u03c5\u0308\u0300'], 'FROM w.main."\u03a5\u0308\u0300"'],
  ])('%s is reached by %s', async (name, sql) => {
    expect(await run(name, sql)).toHaveLength(2)
    expect(await run(name, `EXPLAIN ${sql}`)).toHaveLength(1)
  })

  it('may be anything', async () => {
    const name = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
    const any = fc.oneof(name, fc.constantFrom(...OWN, 'a.b', '"', "'; --", 'ǅ', 'İ', '\u{1F600}', ' '))
    const slug = fc.oneof(fc.stringMatching(/^[a-z][a-z0-9_]{0,8}$/), fc.constantFrom(...OWN))
    await fc.assert(
      fc.asyncProperty(slug, any, any, fc.boolean(), async (workspace, dataset, table, upper) => {
        const own = [workspace, dataset, table] as const
        const dotted = own
          .map((part) =>
            quoted(upper && part.toUpperCase().toLowerCase() === part.toLowerCase() ? part.toUpperCase() : part),
          )
          .join('.')
        expect(await run(own, `FROM ${dotted}`)).toHaveLength(2)
      }),
      { numRuns: 150 },
    )
  }, 120_000)
})
