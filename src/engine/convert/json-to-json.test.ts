import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { defaultOptions, type WriteOptions } from '../../tables/plan.ts'
import { jsonParts as parts } from '../testing/json-parts.ts'
import { convert } from '../testing/run.ts'

/* From JSON to JSON, values keep their kind, numbers keep their notation, and no missing keys are added. */

async function there(text: string, name = 'a.json'): Promise<string> {
  const { result, files } = await convert(new File([text], name), 'json')
  expect(result.rejected).toEqual([])
  expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', changes: [] })
  return files[0].text()
}

const asObject = (members: readonly (readonly [string, string])[]): string =>
  `{${[...new Map(members)].map(([key, text]) => `${JSON.stringify(key)}: ${text}`).join(', ')}}`

const spelled = fc.constantFrom(
  '0',
  '-0',
  '-0.0',
  '0.0',
  '1.0',
  '2.50',
  '1e5',
  '1E+5',
  '1.5e-7',
  '0.0000001',
  '123456789012345678901234567890',
  '0.1',
  '-1',
  '9007199254740993',
  '0.30000000000000004',
  '1e400',
  '12345678901234567890.0',
  '3.14',
)
const string = fc.oneof(
  fc.constantFrom('"2024-03-31T12:00:00+02:00"', '"2024-03-31"', '"1"', '"true"', '"null"', '""', String.raw`"\u0000"`),
  fc.constantFrom(String.raw`"\ud83c\udf88"`, String.raw`"a\/b"`, '"{}"', '"550E8400-E29B-41D4-A716-446655440000"'),
  fc.string({ maxLength: 6, unit: 'grapheme' }).map((text) => JSON.stringify(text)),
)
const scalar = fc.oneof(spelled, string, fc.constantFrom('true', 'false', 'null'))
const { value: anything } = fc.letrec<{ value: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map((items) => `[ ${items.join(', ')} ]`),
    fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c', '', 'é'), tie('value')), { maxLength: 3 }).map(asObject),
  ),
}))
/** Columns with values of one kind, or of all kinds. */
const tables = fc
  .tuple(
    fc.constantFrom(spelled, string, scalar, anything, fc.constantFrom('1', '2'), fc.constantFrom('1.5', 'null')),
    anything,
  )
  .chain(([one, other]) => {
    const row = fc.tuple(fc.option(one), fc.option(one), fc.constant(other), one).map((cells) => {
      const members = cells.flatMap((text, i) => (text === null ? [] : [[`k${i}`, text] as const]))
      return asObject(members)
    })
    return fc.array(row, { minLength: 1, maxLength: 12 })
  })

/** Written by ogr2ogr, Python's json, jq and native DuckDB; with the keys that lead to the rows. */
const FILES = [
  ['places.geojson', ['features']],
  ['places.geojsonl', null],
  ['log.ndjson', null],
  ['graphql.json', ['data', 'repository', 'issues', 'edges']],
  ['duckdb.json', []],
] as const

describe('from JSON to JSON', () => {
  it.each(FILES)('keeps all that is in the rows of %s', async (name, path) => {
    const text = readFileSync(new URL(`../fixtures/json/${name}`, import.meta.url), 'utf8')
    let rows: unknown = parts(path === null ? `[${text.trim().split('\n').join(',')}]` : text)
    for (const key of path ?? []) rows = (rows as Map<string, unknown>).get(key)
    if (name === 'graphql.json') rows = (rows as Map<string, unknown>[]).map((edge) => edge.get('node'))
    expect(parts(await there(text, name))).toEqual(rows)
  })

  it('any table stays what it is', { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(tables, fc.boolean(), async (texts, inLines) => {
        const text = inLines ? texts.join('\n') : `[${texts.join(',\n')}]`
        const found = await there(text, inLines ? 'a.ndjson' : 'a.json')
        expect(parts(found)).toEqual(parts(`[${texts.join(',')}]`))
      }),
      { numRuns: 80 },
    )
  })

  it.each([
    ['kinds that differ', '[{"v":1},{"v":"x"},{"v":true},{"v":{}},{"v":[1.0,null]},{"v":null},{}]'],
    ['numbers of one column', '[{"v":1.0},{"v":2.50},{"v":1e5},{"v":-0.0},{"v":7}]'],
    ['integers beyond any type', `[{"v":${'1234567890'.repeat(5)}},{"v":1}]`],
    ['a decimal that a double rounds', '[{"v":0.1234567890123456789},{"v":1.5}]'],
    ['a price', '[{"v":2.50},{"v":null},{}]'],
    ['keys that a row lacks', '[{"a":1},{},{"b":null},{"a":null,"b":"x"}]'],
    ['twice the same key within', '[{"v":{"a":1,"a":2}},{"v":{"b":[],"a":{}}}]'],
    ['times with a zone', '[{"v":"2024-03-31T12:00:00+02:00"},{"v":"2024-03-31T12:00:00Z"}]'],
    ['integers beyond 2^53 within', '[{"v":[9007199254740993]},{"v":{"n":18446744073709551616}}]'],
  ])('keeps %s', async (_, text) => {
    expect(parts(await there(text))).toEqual(parts(text))
  })

  it('writes values in one spelling and all keys, when that is chosen', async () => {
    const options = { ...defaultOptions('json'), normalize: true } as WriteOptions
    const file = new File(['[{"v":2.50,"t":"2024-03-31T12:00:00+02:00"},{"v":1}]'], 'a.json')
    const { files } = await convert(file, 'json', options)
    expect(await files[0].text()).toBe('[\n{"v":2.5,"t":"2024-03-31T10:00:00Z"},\n{"v":1.0,"t":null}\n]\n')
  })

  it('is text for other formats: strings as they are, the others as JSON', async () => {
    const rows = [
      '{"v":1.0}',
      '{"v":"x"}',
      '{"v":true}',
      '{"v":{ "a": [1] }}',
      '{"w":[1]}',
      '{"w":["x"]}',
      '{"w":null,"s":{"a":[1]}}',
      '{"s":{"a":"x"}}',
    ]
    const file = (): File => new File([`[${rows.join(',')}]`], 'a.json')
    const { result, files } = await convert(file(), 'csv')
    expect(await files[0].text()).toBe(
      'v,w,s\n1.0,,\nx,,\ntrue,,\n"{""a"":[1]}",,\n,[1],\n,"[""x""]",\n,,"{""a"":[1]}"\n,,"{""a"":""x""}"\n',
    )
    expect(result.outputs[0].receipts[0].changes).toMatchObject([
      { code: 'json-as-text', column: 'v' },
      { code: 'json-as-text', column: 'w' },
      { code: 'nested-as-text', column: 's' },
    ])
    for (const [target, within] of [
      ['tsv', 'JSON'],
      ['xlsx', 'JSON'],
      ['parquet', 'VARCHAR'],
      ['arrow', 'VARCHAR'],
    ] as const) {
      const { receipts } = (await convert(file(), target)).result.outputs[0]
      const types = ['VARCHAR', 'VARCHAR', `STRUCT(a ${within})`]
      expect(receipts[0].expected.columns.map(({ type }) => type)).toEqual(types)
      expect(receipts[0].changes).toContainEqual(expect.objectContaining({ code: 'json-as-text', column: 'v' }))
    }
  })

  it('reads JSON text of other formats as values, where that is chosen', async () => {
    const file = new File(['id,v\n1,"{""a"": [1.0, null]}"\n2,\n3,"""x"""\n4,2.50\n5,{a}\n'], 'a.csv')
    const { result, files } = await convert(file, 'json', defaultOptions('json'), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => (column.name === 'v' ? { ...column, type: 'JSON' } : column)),
      })),
    }))
    expect(await files[0].text()).toBe(
      '[\n{"id":1,"v":{"a":[1.0,null]}},\n{"id":2,"v":null},\n{"id":3,"v":"x"},\n{"id":4,"v":2.50}\n]\n',
    )
    expect(result.rejected.map(({ row, value }) => [row, value])).toEqual([[5, '{a}']])
  })

  it('takes the type that the person chose', async () => {
    const file = new File(['[{"v":2.50,"w":1.0},{"v":1,"w":2.5}]'], 'a.json')
    const { files } = await convert(file, 'json', defaultOptions('json'), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => (column.name === 'v' ? { ...column, type: 'DECIMAL(9,3)' } : column)),
      })),
    }))
    expect(await files[0].text()).toBe('[\n{"v":2.500,"w":1.0},\n{"v":1.000,"w":2.5}\n]\n')
  })
})
