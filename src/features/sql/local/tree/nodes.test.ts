// oxlint-disable-next-line no-restricted-imports -- native DuckDB is the judge of what is written
import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Schema, SchemaTable } from '../../../../lib/duckdb-sql/index.ts'
import { createStatement, flatten, highlight, MOST_FOUND, selectStatement, wordsOf, type TreeRow } from './nodes.ts'
import { processorTime } from '../../../../lib/testing.ts'

const column = (name: string, type = 'INTEGER') => ({ name, type })
const table = (name: string, ...columns: string[]): SchemaTable => ({
  name,
  rowCount: 3,
  columns: columns.map((each) => column(each)),
  reference: `ref.${name}`,
})

const SCHEMA: Schema = {
  local: [{ ...table('trips', 'id', 'fare'), id: 'l1' }],
  temporary: [{ ...table('scratch', 'x'), kind: 'view' }],
  workspaces: [
    {
      name: 'team',
      datasets: [
        { id: 'd1', name: 'Sales 2024', tables: [table('orders', 'id', 'Customer'), table('items', 'order_id')] },
        { id: 'd2', name: 'Weather', tables: [table('stations', 'name')] },
        { id: 'd3', name: 'Empty', tables: [] },
      ],
    },
  ],
}
const NOTHING: ReadonlyMap<string, boolean> = new Map()

const shape = (rows: readonly TreeRow[]): string[] =>
  rows.map(
    ({ level, label, expanded }) =>
      `${'  '.repeat(level - 1)}${expanded === null ? '' : expanded ? '- ' : '+ '}${label}`,
  )
const shown = (query = '', opened = NOTHING): string[] => shape(flatten(SCHEMA, { query, opened }))

/** Expands collapsed rows and collapses expanded ones, by label. */
function toggled(labels: readonly string[], query = ''): ReadonlyMap<string, boolean> {
  let opened = NOTHING
  for (const label of labels) {
    const row = flatten(SCHEMA, { query, opened }).find((each) => each.label === label)
    if (!row) throw new Error(`no line ${label}`)
    opened = new Map([...opened, [row.key, !row.expanded]])
  }
  return opened
}

describe('flatten', () => {
  it('shows collapsed sections', () => {
    expect(shown()).toEqual([
      '- Local files',
      '  + trips',
      '- Temporary',
      '  + scratch',
      '- team',
      '  + Sales 2024',
      '  + Weather',
      '  Empty',
    ])
  })

  it('distinguishes persistent tables from a workspace with the same name', () => {
    const both: Schema = {
      ...SCHEMA,
      local: [],
      temporary: [],
      kept: [{ ...table('mine', 'x'), id: 'k1' }],
      workspaces: [{ name: 'my', datasets: [{ id: 'd1', name: 'mine', tables: [table('t', 'y')] }] }],
    }
    const rows = flatten(both, { query: '', opened: NOTHING })
    expect(shape(rows)).toEqual(['- My tables', '  + mine', '- my', '  - mine', '    + t'])
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
    expect(rows.map(({ localId, datasetId }) => localId ?? datasetId)).toEqual([null, 'k1', null, 'd1', 'd1'])
  })

  it('expands and collapses toggled nodes', () => {
    expect(shown('', toggled(['Local files', 'Temporary', 'Sales 2024', 'items']))).toEqual([
      '+ Local files',
      '+ Temporary',
      '- team',
      '  - Sales 2024',
      '    + orders',
      '    - items',
      '      order_id',
      '  + Weather',
      '  Empty',
    ])
  })

  it('shows the tables of datasets initially if there are few', () => {
    const [workspace] = SCHEMA.workspaces
    const few = { ...SCHEMA, workspaces: [{ name: 'team', datasets: workspace?.datasets.slice(0, 1) ?? [] }] }
    expect(shape(flatten(few, { query: '', opened: NOTHING })).slice(4)).toEqual([
      '- team',
      '  - Sales 2024',
      '    + orders',
      '    + items',
    ])
  })

  it('has each row’s position, number of siblings, and parent', () => {
    const rows = flatten(SCHEMA, { query: '', opened: toggled(['Sales 2024']) })
    const items = rows.find(({ label }) => label === 'items')
    expect(items).toMatchObject({ level: 3, position: 2, size: 2, datasetId: 'd1', reference: 'ref.items' })
    expect(rows[items?.parent ?? -1]?.label).toBe('Sales 2024')
    expect(
      rows.filter(({ level }) => level === 1).map(({ position, size, parent }) => [position, size, parent]),
    ).toEqual([
      [1, 3, -1],
      [2, 3, -1],
      [3, 3, -1],
    ])
    expect(rows.find(({ label }) => label === 'Sales 2024')?.reference).toBe('team."Sales 2024"')
    expect(new Set(rows.map(({ key }) => key)).size).toBe(rows.length)
  })

  it('keeps the key of a local table that is renamed', () => {
    const [local] = SCHEMA.local
    if (!local) throw new Error('none')
    const renamed = { ...SCHEMA, local: [{ ...local, name: 'rides' }] }
    expect(flatten(renamed, { query: '', opened: NOTHING })[1]?.key).toBe(
      flatten(SCHEMA, { query: '', opened: NOTHING })[1]?.key,
    )
  })
})

describe('searching', () => {
  it('finds tables, columns and datasets, and shows their ancestors', () => {
    expect(shown('ITEMS')).toEqual(['- team', '  - Sales 2024', '    + items'])
    expect(shown('cust')).toEqual(['- team', '  - Sales 2024', '    - orders', '      Customer'])
    expect(shown('weath')).toEqual(['- team', '  + Weather'])
    expect(shown('fare')).toEqual(['- Local files', '  - trips', '    fare'])
    expect(shown('nothing')).toEqual([])
  })

  it('matches words along one path', () => {
    expect(shown('sales id')).toEqual([
      '- team',
      '  - Sales 2024',
      '    - orders',
      '      id',
      '    - items',
      '      order_id',
    ])
    expect(shown('weather id')).toEqual([])
  })

  it('lets results be expanded', () => {
    expect(shown('weather', toggled(['Weather'], 'weather'))).toEqual(['- team', '  - Weather', '    + stations'])
    expect(shown('cust', toggled(['orders'], 'cust'))).toEqual(['- team', '  - Sales 2024', '    + orders'])
  })

  it('shows each row that has all words, with its ancestors', () => {
    const name = fc.stringMatching(/^[abc]{1,3}$/)
    const tables = fc.uniqueArray(fc.tuple(name, fc.array(name, { maxLength: 3 })), {
      selector: ([own]) => own,
      maxLength: 4,
    })
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.tuple(name, tables), { selector: ([own]) => own, maxLength: 4 }),
        name,
        (datasets, query) => {
          const schema: Schema = {
            local: [],
            temporary: [],
            workspaces: [
              {
                name: 'w',
                datasets: datasets.map(([own, of], i) => ({
                  id: String(i),
                  name: own,
                  tables: of.map(([t, c]) => table(t, ...c)),
                })),
              },
            ],
          }
          const rows = flatten(schema, { query, opened: NOTHING })
          const hits = rows.filter(({ label }) => label.includes(query)).length
          const expected = datasets.reduce(
            (sum, [own, of]) =>
              sum +
              Number(own.includes(query)) +
              of.reduce(
                (n, [t, c]) => n + Number(t.includes(query)) + c.filter((each) => each.includes(query)).length,
                0,
              ),
            0,
          )
          expect(hits).toBe(expected)
          // A row without the word is shown because a descendant has it.
          for (const [i, row] of rows.entries())
            expect(row.label.includes(query) || rows[i + 1]?.parent === i).toBe(true)
        },
      ),
    )
  })
})

it('handles 1,000 expanded datasets of 20 tables quickly', () => {
  const names = Array.from({ length: 10 }, (_, i) => `column_${i}`)
  const datasets = Array.from({ length: 1000 }, (_, d) => ({
    id: `d${d}`,
    name: `Dataset ${d}`,
    tables: Array.from({ length: 20 }, (_each, t) => table(`table_${t}`, ...names)),
  }))
  const schema: Schema = { local: [], temporary: [], workspaces: [{ name: 'w', datasets }] }
  const closed = flatten(schema, { query: '', opened: NOTHING })
  const opened = new Map(closed.slice(1).map(({ key }) => [key, true]))
  expect(flatten(schema, { query: '', opened })).toHaveLength(21_001)
  expect(flatten(schema, { query: 'column_7', opened: NOTHING })).toHaveLength(MOST_FOUND)
  const begun = processorTime()
  flatten(schema, { query: '', opened })
  flatten(schema, { query: '999 table_19', opened: NOTHING })
  // Far above the usual time, and far below that of a faulty implementation.
  expect(processorTime() - begun).toBeLessThan(1500)
})

it('marks matches', () => {
  expect(highlight('order_id', wordsOf('ID order'))).toEqual([
    ['order', true],
    ['_', false],
    ['id', true],
  ])
  expect(highlight('banana', ['ana'])).toEqual([
    ['b', false],
    ['anana', true],
  ])
  expect(highlight('İx', ['x'])).toEqual([['İx', false]])
  expect(highlight('orders', [])).toEqual([['orders', false]])
})

it('writes a first query', () => {
  expect(selectStatement(table('orders', 'id', 'Unit price', 'order'))).toBe(
    'SELECT id, "Unit price", "order"\nFROM ref.orders\nLIMIT 100;',
  )
  expect(selectStatement(table('wide', ...Array.from({ length: 41 }, (_, i) => `c${i}`)))).toMatch(/^SELECT \*/)
  expect(selectStatement(table('none'))).toMatch(/^SELECT \*/)
})

it('writes a CREATE TABLE statement', async () => {
  const made = createStatement({
    ...table('Orders 2024'),
    columns: [column('id', 'BIGINT'), column('Unit "price"', 'DECIMAL(9,2)'), column('tags', 'VARCHAR[]')],
  })
  const connection = await (await DuckDBInstance.create(':memory:')).connect()
  await connection.run(made)
  const described = await connection.runAndReadAll('SELECT column_name, column_type FROM (DESCRIBE "Orders 2024")')
  expect(described.getRows()).toEqual([
    ['id', 'BIGINT'],
    ['Unit "price"', 'DECIMAL(9,2)'],
    ['tags', 'VARCHAR[]'],
  ])
})
