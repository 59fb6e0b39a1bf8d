import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fileOf, inspect, load, typesOf } from './testing.ts'

const ORDERS = [
  {
    id: 1,
    by: { name: 'Ann', at: { city: 'Oslo' } },
    items: [
      { sku: 'a', n: 1 },
      { sku: 'b', n: 2 },
    ],
  },
  { id: 2, by: null, items: [] },
  { id: 3, by: { name: 'B\n"ob"', age: 7 }, items: null },
  { id: 4, by: {}, items: [{ sku: 'c' }] },
]

describe('objects that become columns', () => {
  test('each of their keys is one', async () => {
    const { inspection, rows } = await load(fileOf(JSON.stringify(ORDERS, null, 2)), {
      kind: 'json',
      unfold: [{ column: 'by', as: 'columns' }],
    })
    expect(typesOf(inspection).map((text) => text.split(' ')[0])).toEqual(['id', 'by.name', 'by.at', 'items', 'by.age'])
    expect(rows.map((row) => row.slice(0, 2))).toEqual([
      ['1', 'Ann'],
      ['2', null],
      ['3', 'B\n"ob"'],
      ['4', null],
    ])
    expect(inspection.tables[0].notes).toEqual([
      {
        code: 'flattened',
        message:
          '“by” is flattened: each of its keys is a column (“by.name”). 1 empty object can’t be told from null then.',
        count: 3,
      },
    ])
  })

  test('one level at a time', async () => {
    const inspection = await inspect(fileOf(JSON.stringify(ORDERS)), {
      kind: 'json',
      unfold: [
        { column: 'by', as: 'columns' },
        { column: 'by.at', as: 'columns' },
      ],
    })
    expect(typesOf(inspection)).toContain('by.at.city VARCHAR')
  })

  test('a value that is no object keeps its column', async () => {
    const { inspection, rows } = await load(fileOf('{"a":{"x":1}}\n{"a":"text"}\n'), {
      kind: 'json',
      unfold: [{ column: 'a', as: 'columns' }],
    })
    expect(typesOf(inspection)).toEqual(['a.x INTEGER', 'a VARCHAR'])
    expect(rows).toEqual([
      ['1', null],
      [null, 'text'],
    ])
  })

  test('a column of that name is never overwritten', async () => {
    const file = fileOf('[{"a.x":1},{"a":{"x":2}}]')
    const { inspection, rows } = await load(file, { kind: 'json', unfold: [{ column: 'a', as: 'columns' }] })
    expect(typesOf(inspection)).toEqual(['a.x INTEGER', 'a.x_1 INTEGER'])
    expect(rows).toEqual([
      ['1', null],
      [null, '2'],
    ])
    expect(inspection.tables[0].notes.map(({ message }) => message)).toContain(
      '“a.x_1” is a second column “a.x”: one is of the rows themselves, the other of an object in them.',
    )
    const again = await load(fileOf('[{"a":{"x":1}},{"a.x":2,"a":{"x":3,"x_1":4}}]'), {
      kind: 'json',
      unfold: [{ column: 'a', as: 'columns' }],
    })
    expect(typesOf(again.inspection)).toEqual(['a.x INTEGER', 'a.x_1 INTEGER', 'a.x_1_1 INTEGER'])
    expect(again.rows).toEqual([
      ['1', null, null],
      ['3', '2', '4'],
    ])
  })

  test('places of GeoJSON: properties are columns', async () => {
    const feature = (name: string, population: number): object => ({
      type: 'Feature',
      properties: { name, population },
      geometry: { type: 'Point', coordinates: [1.5, 2] },
    })
    const text = JSON.stringify({ type: 'FeatureCollection', features: [feature('Oslo', 709), feature('Rome', 2873)] })
    const found = await inspect(fileOf(text, 'places.geojson'))
    const [proposal] = found.tables[0].proposals ?? []
    expect(proposal.label).toBe('Apply: properties as columns')
    if (proposal.change.kind !== 'reading') throw new Error('not a reading')
    const { inspection, rows } = await load(fileOf(text, 'places.geojson'), proposal.change.settings)
    expect(typesOf(inspection).map((each) => each.split(' ')[0])).toEqual([
      'type',
      'properties.name',
      'properties.population',
      'geometry',
    ])
    expect(rows.map((row) => row.slice(1, 3))).toEqual([
      ['Oslo', '709'],
      ['Rome', '2873'],
    ])
    expect(inspection.tables[0].proposals).toBeUndefined()
  })
})

describe('objects that hold what rows are about', () => {
  test.each([
    {
      name: 'resources of JSON:API',
      text: { data: [{ type: 'articles', id: '1', attributes: { title: 'A', views: 5 }, links: { self: '/1' } }] },
      label: 'Apply: attributes as columns',
      names: ['type', 'id', 'attributes.title', 'attributes.views', 'links'],
    },
    {
      name: 'hits of Elasticsearch',
      text: { took: 5, hits: { hits: [{ _index: 'o', _id: '1', _score: 1, _source: { total: 10.5 } }] } },
      label: 'Apply: _source as columns',
      names: ['_index', '_id', '_score', '_source.total'],
    },
  ])('are proposed to be columns: $name', async ({ text, label, names }) => {
    const file = fileOf(JSON.stringify(text))
    const [proposal] = (await inspect(file)).tables[0].proposals ?? []
    expect(proposal.label).toBe(label)
    if (proposal.change.kind !== 'reading') throw new Error('not a reading')
    const { tables } = await inspect(file, proposal.change.settings)
    expect(tables[0].columns.map((column) => column.name)).toEqual(names)
    expect(tables[0].proposals).toBeUndefined()
  })
})

test('objects around values, as MongoDB writes them, are proposed to be left out', async () => {
  const lines = [1, 2, 3].map((n) =>
    JSON.stringify({
      _id: { $oid: `65a1f0c2e4b0a1b2c3d4e5f${n}` },
      at: { $date: `2024-01-0${n}T10:00:00.5Z` },
      amount: { $numberDecimal: `${n}0.50` },
      old: { $date: { $numberLong: `170406960000${n}` } },
      by: { $ref: 'users', $id: n },
    }),
  )
  const file = fileOf(lines.join('\n'), 'orders.json')
  const [proposal] = (await inspect(file)).tables[0].proposals ?? []
  expect([proposal.label, proposal.message]).toEqual([
    'Apply: plain values in 4 columns',
    '4 columns (_id, at, amount, old) have an object around each value that says its type, as MongoDB writes them.',
  ])
  if (proposal.change.kind !== 'reading') throw new Error('not a reading')
  const once = await inspect(file, proposal.change.settings)
  const [next] = once.tables[0].proposals ?? []
  expect(next.label).toBe('Apply: plain values in 1 column')
  if (next.change.kind !== 'reading') throw new Error('not a reading')
  const { inspection, rows } = await load(file, next.change.settings)
  expect(typesOf(inspection).slice(0, 4)).toEqual([
    '_id.$oid VARCHAR',
    'at.$date TIMESTAMP WITH TIME ZONE',
    'amount.$numberDecimal VARCHAR',
    'old.$date.$numberLong VARCHAR',
  ])
  expect(rows[0].slice(0, 3)).toEqual(['65a1f0c2e4b0a1b2c3d4e5f1', '2024-01-01 10:00:00.5+00', '10.50'])
  expect(inspection.tables[0].columns[2].proposals?.map(({ label }) => label)).toEqual(['Apply: 10.50'])
  expect(inspection.tables[0].proposals).toBeUndefined()
})

describe('lists that become rows', () => {
  test('an element each, all else repeated; a row without elements stays one', async () => {
    const { inspection, rows } = await load(fileOf(JSON.stringify({ orders: ORDERS })), {
      kind: 'json',
      unfold: [
        { column: 'items', as: 'rows' },
        { column: 'items', as: 'columns' },
      ],
    })
    expect(typesOf(inspection)).toContain('items.sku VARCHAR')
    const at = typesOf(inspection).map((text) => text.split(' ')[0])
    const [id, sku, n] = ['id', 'items.sku', 'items.n'].map((name) => at.indexOf(name))
    expect(rows.map((row) => [row[id], row[sku], row[n]])).toEqual([
      ['1', 'a', '1'],
      ['1', 'b', '2'],
      ['2', null, null],
      ['3', null, null],
      ['4', 'c', null],
    ])
    expect(inspection.tables[0].notes.map(({ message }) => message)).toContain(
      'Each element of “items” is a row, with the other values repeated: the file’s 4 rows became 5. A list without elements is a row with null (1).',
    )
  })

  test('what isn’t a row is rejected all the same, in no line', async () => {
    const { inspection } = await load(fileOf('{"a":[1,2]}\n{"a":[3,\n5\n{"a":[4],"b":"x\ty"}\n'), {
      kind: 'json',
      unfold: [{ column: 'a', as: 'rows' }],
    })
    const [{ rows, rejected }] = inspection.tables
    expect(rows).toBe(2)
    expect(rejected.map(({ row, line, reason }) => ({ row, line, reason }))).toEqual([
      { row: 3, line: null, reason: 'syntax' },
      { row: 4, line: null, reason: 'shape' },
      { row: 5, line: null, reason: 'syntax' },
    ])
  })

  test('more rows than fit in memory at once come one after the other', async () => {
    const many = Array.from({ length: 50_000 }, (_, i) => i)
    const { rows } = await load(fileOf(JSON.stringify([{ a: many, b: 'x'.repeat(40) }])), {
      kind: 'json',
      unfold: [{ column: 'a', as: 'rows' }],
    })
    expect(rows).toHaveLength(50_000)
    expect(rows[49_999][0]).toBe('49999')
  })
})

test('any rows: as JavaScript would flatten them and take the lists apart', async () => {
  const key = fc.constantFrom('k', 'é', 'q"', 'long name', 'z')
  const value = fc.oneof(
    fc.integer({ min: -99, max: 99 }),
    fc.string({ maxLength: 8, unit: 'grapheme' }),
    fc.constant(null),
  )
  const row = fc.record({
    o: fc.oneof(fc.dictionary(key, value, { maxKeys: 3 }), fc.constant(null)),
    l: fc.array(value),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), fc.boolean(), async (table, isArray) => {
      const made = table.flatMap(({ o, l }) => {
        const flat = Object.fromEntries(Object.entries(o ?? {}).map(([name, each]) => [`o.${name}`, each]))
        return (l.length === 0 ? [null] : l).map((element): Record<string, unknown> => ({ ...flat, l: element }))
      })
      const text = isArray ? JSON.stringify(table, null, 1) : table.map((each) => JSON.stringify(each)).join('\n')
      const unfold = [
        { column: 'l', as: 'rows' },
        { column: 'o', as: 'columns' },
      ] as const
      const layout = isArray ? 'array' : 'lines'
      const given = { kind: 'json', layout, path: [], rows: 'objects', unfold } as const
      const hasColumn = table.some(({ o, l }) => l.length > 0 || Object.keys(o ?? {}).length > 0)
      if (!hasColumn) return
      const { inspection, rows } = await load(fileOf(text), given)
      const names = inspection.tables[0].columns.map(({ source }) => source)
      const printed = (cell: unknown): string | null =>
        cell === null || cell === undefined ? null : typeof cell === 'string' ? cell : JSON.stringify(cell)
      expect(rows).toHaveLength(made.length)
      const types = inspection.tables[0].columns.map(({ type }) => type)
      for (const [i, each] of rows.entries()) {
        for (const [column, name] of names.entries()) {
          // Columns with values of several kinds are JSON text.
          const cell = made[i][name]
          const wanted =
            types[column] === 'JSON' && cell !== null && cell !== undefined ? JSON.stringify(cell) : printed(cell)
          if (types[column] === 'JSON' || types[column] === 'VARCHAR' || typeof cell === 'number')
            expect(each[column]).toBe(wanted)
        }
      }
    }),
    { numRuns: 40 },
  )
})
