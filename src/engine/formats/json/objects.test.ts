import { describe, expect, it } from 'vitest'
import { fileOf, inspect, load, typesOf } from './testing.ts'

/* A data frame as written by pandas 2.2 in each of its forms; with `index=["x", "y"]` in the second one. */
const NUMBERED = {
  index: '{"0":{"a":1,"b":"p"},"1":{"a":2,"b":null}}',
  columns: '{"a":{"0":1,"1":2},"b":{"0":"p","1":null}}',
  split: '{"columns":["a","b"],"index":[0,1],"data":[[1,"p"],[2,null]]}',
  records: '[{"a":1,"b":"p"},{"a":2,"b":null}]',
  lines: '{"a":1,"b":"p"}\n{"a":2,"b":null}\n',
  values: '[[1,"p"],[2,null]]',
  table:
    '{"schema":{"fields":[{"name":"index","type":"integer"},{"name":"a","type":"integer"},{"name":"b","type":"string"}],"primaryKey":["index"],"pandas_version":"1.4.0"},"data":[{"index":0,"a":1,"b":"p"},{"index":1,"a":2,"b":null}]}',
}
const NAMED = {
  index: '{"x":{"a":1,"b":"p"},"y":{"a":2,"b":null}}',
  columns: '{"a":{"x":1,"y":2},"b":{"x":"p","y":null}}',
}
const ROWS = [
  ['1', 'p'],
  ['2', null],
]

describe('pandas’ to_json', () => {
  it.each(Object.entries(NUMBERED))('gives the same rows of orient=%s', async (orient, text) => {
    const { inspection, rows, rejected } = await load(fileOf(text))
    const before = orient === 'index' || orient === 'table' ? 1 : 0
    expect(rejected).toEqual([])
    expect(rows.map((row) => row.slice(before))).toEqual(ROWS)
    expect(rows.map((row) => row.slice(0, before))).toEqual(before === 0 ? [[], []] : [['0'], ['1']])
    const names = inspection.tables[0]?.columns.map(({ name }) => name).slice(before)
    expect(names).toEqual(orient === 'values' ? ['column_1', 'column_2'] : ['a', 'b'])
  })

  it.each(Object.entries(NAMED))('gives rows and their names of orient=%s', async (orient, text) => {
    const { inspection, rows, rejected } = await load(fileOf(text))
    expect(typesOf(inspection)).toEqual(['key VARCHAR', 'a INTEGER', 'b VARCHAR'])
    expect(rows).toEqual([
      ['x', '1', 'p'],
      ['y', '2', null],
    ])
    expect(rejected).toEqual([])
    expect(inspection.settings).toMatchObject({ layout: orient === 'index' ? 'records' : 'columns' })
    expect(inspection.tables[0]?.notes.map(({ code, column }) => [code, column])).toEqual([['row-keys', 'key']])
  })

  it('says that it leaves out what numbers the rows, and no other keys', async () => {
    const numbered = await inspect(fileOf(NUMBERED.columns))
    expect(numbered.tables[0]?.notes.map(({ code }) => code)).toEqual(['row-numbers'])
    const filtered = await load(fileOf('{"a":{"0":1,"1":2,"5":3},"b":{"0":true,"1":false,"5":null}}'))
    expect(filtered.rows).toEqual([
      ['0', '1', 'true'],
      ['1', '2', 'false'],
      ['5', '3', null],
    ])
    expect(filtered.inspection.settings).toMatchObject({ layout: 'columns', rowKeys: true })
  })

  it('reads dates as keys, and one row', async () => {
    const dates = await load(fileOf('{"2024-01-01":{"a":1,"b":2},"2024-01-02":{"a":3,"b":4}}'))
    expect([typesOf(dates.inspection)[0], dates.rows]).toEqual([
      'key DATE',
      [
        ['2024-01-01', '1', '2'],
        ['2024-01-02', '3', '4'],
      ],
    ])
    expect((await load(fileOf('{"0":{"a":1,"b":"p"}}'))).rows).toEqual([['0', '1', 'p']])
  })

  it('rejects columns whose keys differ, by row and column', async () => {
    const text = '{"a":{"x":1,"y":2},"b":{"y":3,"x":4}}'
    const settings = { kind: 'json', layout: 'columns' } as const
    await expect(inspect(fileOf(text), settings)).rejects.toMatchObject({
      code: 'corrupt-file',
      message: '“b” has the key “y” where the first column has “x”.',
      place: 'row 1',
    })
  })
})

describe('objects of records', () => {
  it('reads what isn’t a record as a rejected row, with its key', async () => {
    const records = Array.from({ length: 19 }, (_, i) => `"n${i}": {"id": ${i}, "tag": "t"}`)
    const { rows, rejected } = await load(fileOf(`{${records.join(',\n')},\n"note": "end"}`))
    expect(rows).toHaveLength(19)
    expect(rejected.map(({ row, line, message, raw }) => [row, line, message, raw])).toEqual([
      [20, 20, 'The row is a string where an object should be.', '"note": "end"'],
    ])
  })

  it('keeps keys as they are: escaped, empty, twice, the name of a column', async () => {
    const { inspection, rows } = await load(
      fileOf('{"a\\"\\u00e9":{"key":1,"n":"x"},"":{"key":2,"n":"x"},"":{"n":"y","key":3}}'),
    )
    expect(typesOf(inspection)).toEqual(['key_1 VARCHAR', 'key INTEGER', 'n VARCHAR'])
    expect(rows).toEqual([
      ['a"é', '1', 'x'],
      ['', '2', 'x'],
      ['', '3', 'y'],
    ])
  })

  it('finds them in an answer, and reads windows of a large one', async () => {
    const inside = await load(fileOf('{"status":"ok","data":{"ann":{"id":1,"n":"x"},"bob":{"id":2,"n":"y"}}}'))
    expect(inside.rows).toEqual([
      ['ann', '1', 'x'],
      ['bob', '2', 'y'],
    ])
    expect(inside.inspection.settings).toMatchObject({ layout: 'records', path: ['data'] })
    const series = '{"Meta Data":{"Symbol":"X"},"Daily":{"2024-01-02":{"open":"1.5"},"2024-01-03":{"open":"1.25"}}}'
    expect((await load(fileOf(series))).rows).toEqual([
      ['2024-01-02', '1.5'],
      ['2024-01-03', '1.25'],
    ])
  })

  it('are columns if they hold a series, as weather services answer', async () => {
    const daily = '"daily":{"time":["2024-05-01","2024-05-02"],"max":[12.5,11]}'
    const times = ['2024-05-01T00:00', '2024-05-01T01:00', '2024-05-01T02:00']
    const hourly = `"hourly":${JSON.stringify({ time: times, temperature_2m: [7.25, null, 6.5] })}`
    const loaded = await load(fileOf(`{"latitude":52.5,"hourly_units":{"time":"iso8601"},${daily},${hourly}}`))
    expect(loaded.rows).toEqual([
      ['2024-05-01T00:00', '7.25'],
      ['2024-05-01T01:00', null],
      ['2024-05-01T02:00', '6.5'],
    ])
    expect(loaded.inspection.settings).toMatchObject({ layout: 'columns', path: ['hourly'] })
    expect(loaded.inspection.tables[0]?.notes.map(({ message }) => message)).toEqual([
      'The rows are those under “hourly”. What is beside them (3 values) is left out. Other rows are under “daily”.',
    ])
    const long = Array.from({ length: 20 }, (_, i) => i).join()
    const named = await load(fileOf(`{"of":"x","values_of":{"a":[${long}],"b":[${long}]}}`))
    expect(named.rows).toHaveLength(20)
    const nested = await load(fileOf('{"of":"x","values_of":{"a":[1,2],"b":[3,4]}}'))
    expect(nested.rows).toHaveLength(1)
  })

  it('are found in long texts', async () => {
    const many = Array.from({ length: 60_000 }, (_, i) => `"k${i}":{"id":${i},"text":"${'x'.repeat(i % 60)}"}`)
    const { rows, rejected } = await load(fileOf(`{${many.join(',')}}`))
    expect([rows.length, rejected.length, rows.at(-1)?.slice(0, 2)]).toEqual([60_000, 0, ['k59999', '59999']])
  })

  it('says when they could be columns, and lets the person choose', async () => {
    const text = '{"from":{"lat":1.5,"lon":2.5},"to":{"lat":3.5,"lon":4.5}}'
    const found = await inspect(fileOf(text))
    expect(found.tables[0]?.notes.map(({ code, doubt }) => [code, doubt])).toEqual([
      ['objects-guess', true],
      ['row-keys', undefined],
    ])
    expect((await load(fileOf(text), { kind: 'json', layout: 'columns' })).rows).toEqual([
      ['lat', '1.5', '3.5'],
      ['lon', '2.5', '4.5'],
    ])
    expect(typesOf(await inspect(fileOf(text), { kind: 'json', layout: 'array' }))).toEqual([
      'from STRUCT(lat DOUBLE, lon DOUBLE)',
      'to STRUCT(lat DOUBLE, lon DOUBLE)',
    ])
  })

  it.each([
    ['a manifest', '{"name":"x","scripts":{"a":"b"},"dependencies":{"c":"1","d":"2"}}'],
    ['sections that differ', '{"server":{"host":"h","port":1},"log":{"level":"x"},"paths":{"root":"/"}}'],
    ['one object', '{"person":{"name":"x","id":1}}'],
    ['empty objects', '{"a":{},"b":{}}'],
  ])('leaves %s one row', async (_, text) => {
    const { settings, tables } = await inspect(fileOf(text))
    expect(settings).toMatchObject({ layout: 'array', path: [] })
    expect(tables[0]?.rows).toBe(1)
  })
})
