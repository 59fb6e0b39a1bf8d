import { describe, expect, it } from 'vitest'
import { convert } from '../../testing/run.ts'
import { fileOf, inspect, load, typesOf } from './testing.ts'

/* Objects whose keys are ids or otherwise ever new: a column for each would need unlimited memory. */

const objects = Array.from({ length: 5000 }, (_, i) => {
  const own = i % 3 === 0 ? '' : `,"k${i.toString(36)}": {"n" : ${i}.50}`
  return `{"id":${i},"name":"user ${i}"${own}${i % 2 === 0 ? `,"\\u00e9${i}":null` : ''}}`
})
const FILES = [
  ['lines', () => fileOf(`${objects.join('\n')}\n`, 'a.ndjson')],
  ['an array', () => fileOf(`[${objects.join(',\n')}]`)],
  ['wrapped', () => fileOf(`{"n":1,"items":[${objects.join(',')}]}`)],
] as const

describe.each(FILES)('%s with ever new keys', (_, file) => {
  it('keep those of few rows together', async () => {
    const { inspection, rows } = await load(file())
    expect(typesOf(inspection)).toEqual(['id INTEGER', 'name VARCHAR', 'other keys JSON'])
    const { rows: count, notes, columns } = inspection.tables[0]
    expect([count, columns[2].nulls]).toEqual([5000, 833])
    expect(notes.at(-1)).toMatchObject({ code: 'many-keys', column: 'other keys', count: 4167 })
    expect(rows[0]).toEqual(['0', 'user 0', String.raw`{"\u00e90":null}`])
    expect(rows[2]).toEqual(['2', 'user 2', String.raw`{"k2":{"n":2.50},"\u00e92":null}`])
    expect(rows[3]).toEqual(['3', 'user 3', null])
  })

  it('have them all from JSON to JSON, each in its row', async () => {
    const { result, files } = await convert(file(), 'json')
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
    const text = await files[0].text()
    expect(JSON.parse(text)).toEqual(JSON.parse(`[${objects.join(',')}]`))
    expect(text).toContain('"name":"user 1","k1":{"n":1.50}}')
  })

  it('become JSON text elsewhere', async () => {
    const { result, files } = await convert(file(), 'csv')
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
    expect((await files[0].text()).split('\n').slice(0, 3)).toEqual([
      'id,name,other keys',
      String.raw`0,user 0,"{""\u00e90"":null}"`,
      '1,user 1,"{""k1"":{""n"":1.50}}"',
    ])
  })
})

it.each([
  ['lines', (rows: readonly string[]) => fileOf(rows.join('\n'), 'a.ndjson')],
  ['an array', (rows: readonly string[]) => fileOf(`[${rows.join(',')}]`)],
])('keeps NaN and infinities among them, as text, in %s', async (_, file) => {
  const rows = objects.map((text, i) =>
    i % 100 === 0 ? `${text.slice(0, -1)},"n${i}":{"m":[${i % 200 === 0 ? 'NaN' : '-Infinity'},1]}}` : text,
  )
  const { inspection, rows: read, rejected } = await load(file(rows))
  expect([typesOf(inspection), rejected]).toEqual([['id INTEGER', 'name VARCHAR', 'other keys VARCHAR'], []])
  expect([read[0]?.[2], read[100]?.[2], read[1]?.[2]]).toEqual([
    String.raw`{"\u00e90":null,"n0":{"m":[NaN,1]}}`,
    String.raw`{"k2s":{"n":100.50},"\u00e9100":null,"n100":{"m":[-Infinity,1]}}`,
    '{"k1":{"n":1.50}}',
  ])
  const notes = inspection.tables[0].notes.filter(({ code }) => code === 'not-finite')
  expect(notes).toMatchObject([{ column: 'other keys', count: 50 }])
  for (const target of ['csv', 'json'] as const) {
    const { result, files } = await convert(file(rows), target)
    expect(result).toMatchObject({ rejectedCount: 0, outputs: [{ receipts: [{ verdict: 'match' }] }] })
    if (target === 'json') {
      const written = JSON.parse(await files[0].text()) as readonly Record<string, unknown>[]
      expect(written[0]).toEqual({ id: 0, name: 'user 0', 'other keys': read[0]?.[2] })
    }
  }
})

it('keeps all keys of wide tables as columns', async () => {
  const row = `{${Array.from({ length: 3000 }, (_, i) => `"c${i}":${i}`).join(',')}}`
  const wide = [row, row, row]
  const { tables } = await inspect(fileOf(wide.join('\n')))
  expect(tables[0].columns).toHaveLength(3000)
})

it('calls the column otherwise where a key has its name', async () => {
  const rows = objects.map((text) => text.replace('"name"', '"other keys"'))
  const { tables } = await inspect(fileOf(rows.join('\n')))
  expect(tables[0].columns.map(({ name }) => name)).toEqual(['id', 'other keys', 'other keys_1'])
})

it('keeps objects where no key is in many rows', async () => {
  const rows = Array.from({ length: 3000 }, (_, i) => `{"k${i}":${i}}`)
  const { inspection } = await load(fileOf(rows.join('\n')))
  expect(typesOf(inspection)).toEqual(['other keys JSON'])
})

it('refuses lists of which one is far longer than the others', async () => {
  const file = fileOf(`[[${'1,'.repeat(5000)}1]${',[1]'.repeat(500)}]`)
  const failed: unknown = await inspect(file).catch((error: unknown) => error)
  expect(failed).toMatchObject({ code: 'too-large', message: expect.stringContaining('5,001') as unknown })
})
