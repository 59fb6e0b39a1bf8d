import { beforeAll, describe, expect, it } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { formatCells } from './result/copy.ts'
import type { CopyFormat } from './result/types.ts'
import { nativeRows, nativeSession } from '../testing/oracle.ts'
import { convert, inspect } from '../testing/run.ts'
import { Session } from '../testing/session.ts'
import type { ResultSet } from './session-types.ts'

let session: Session
beforeAll(async () => {
  session = await Session.open()
}, 120_000)

const copied = (set: ResultSet, format: CopyFormat): Promise<string> =>
  formatCells(set, { rows: { from: 0, to: set.rowCount }, columns: set.columns.map((_, i) => i) }, format, {
    headers: false,
  })

const exported = async (
  set: ResultSet,
  format: FormatId,
  form?: 'values' | 'text',
): Promise<{ file: File; receipt: Receipt }> => {
  const { result, files } = await convert(await set.file('result.arrow', form), format)
  return { file: files[0], receipt: result.outputs[0].receipts[0] }
}

describe('infinite dates and timestamps', () => {
  const types = ['DATE', 'TIMESTAMP', 'TIMESTAMP_S', 'TIMESTAMP_MS', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE']
  const values = types.flatMap((type) => [`'infinity'::${type}`, `'-infinity'::${type}`])
  const texts = values.map((value) => /-?infinity/.exec(value)?.[0] ?? '')
  const run = () =>
    session.run(
      `SELECT COLUMNS(*) AS c FROM (SELECT ${values.join(', ')}, ['infinity'::DATE, NULL], {t: '-infinity'::TIMESTAMPTZ})`,
    )

  it('are what native DuckDB calls them', async () => {
    const [row] = await nativeRows(`SELECT ${values.map((value) => `(${value})::VARCHAR`).join(', ')}`)
    expect(row).toEqual(texts)
    const { cells } = await run()
    expect(cells).toEqual([[...texts, '["infinity",null]', '{"t":"-infinity"}']])
  })

  it('are copied by their names', async () => {
    const { result } = await run()
    const nested = ['["infinity",null]', '{"t":"-infinity"}']
    expect(await copied(result, 'tsv')).toBe(
      [...texts, ...nested.map((text) => `"${text.replaceAll('"', '""')}"`)].join('\t'),
    )
    const [row] = JSON.parse(await copied(result, 'json')) as Record<string, unknown>[]
    expect(Object.values(row)).toEqual([...texts, ['infinity', null], { t: '-infinity' }])
    const list = await copied((await session.run(`SELECT ${values.join(', ')}`)).result, 'in-list')
    const [[same]] = await nativeRows(`SELECT (${values.join(', ')}) IN ${list}`)
    expect(same).toBe(true)
  })

  it.each(['csv', 'tsv', 'json'] as const)('are exported by their names as %s', async (format) => {
    const { result } = await run()
    const { file, receipt } = await exported(result, format)
    expect(receipt.verdict).toBe('match')
    expect(receipt.found.columns.slice(0, 12).map(({ min, max }) => [min, max])).toEqual(
      texts.map((text) => [text, text]),
    )
    const text = await file.text()
    expect(text.match(/-?infinity/g)).toHaveLength(texts.length + 2)
    expect(text).not.toMatch(/\d{4}-\d\d-\d\d/)
  })

  it.each(['parquet', 'arrow'] as const)('come back from %s', async (format) => {
    const { result } = await run()
    const { file } = await exported(result, format)
    const back = await convert(file, 'csv')
    const line = (await back.files[0].text()).split('\n')[1]
    expect(line.split(',').slice(0, 12)).toEqual(texts)
  })

  it('are told of for Excel, which has none', async () => {
    const { result } = await run()
    const { receipt } = await exported(result, 'xlsx')
    expect(receipt.verdict).toBe('match')
    const told = receipt.changes.filter(({ code }) => code === 'dates-as-text')
    expect(told.reduce((sum, { count = 0 }) => sum + count, 0)).toBe(texts.length)
  })
})

describe('NaN and infinities within lists, structs and maps', () => {
  const run = () =>
    session.run(
      `SELECT ['NaN'::DOUBLE, 'inf'::DOUBLE, NULL, 1] AS l, {a: '-inf'::FLOAT} AS s, MAP {'NaN'::DOUBLE: 'k'} AS m`,
    )

  it('are shown and copied, apart from nulls', async () => {
    const { result, cells } = await run()
    expect(cells).toEqual([['["NaN","Infinity",null,1.0]', '{"a":"-Infinity"}', '[{"key":"NaN","value":"k"}]']])
    expect(JSON.parse(await copied(result, 'json'))).toEqual([
      { l: ['NaN', 'Infinity', null, 1], s: { a: '-Infinity' }, m: [{ key: 'NaN', value: 'k' }] },
    ])
    const list = await copied((await session.run("SELECT ['NaN'::DOUBLE, '-inf'::DOUBLE, NULL, 1]")).result, 'in-list')
    expect(await nativeRows(`SELECT ['NaN'::DOUBLE, '-inf'::DOUBLE, NULL, 1] IN ${list}`)).toEqual([[true]])
  })
})

describe('types that files have no equal of', () => {
  const run = () =>
    session.run(`SELECT * FROM (VALUES
      ('a'::ENUM('a', 'b'), '01'::BIT, '01:02:03+02'::TIMETZ, union_value(n := 1), {e: ['b'::ENUM('b')], b: '1'::BIT}, row(1), 7::UHUGEINT),
      (NULL, NULL, NULL, NULL, NULL, NULL, NULL)) AS t(mood, bits, clock, either, nested, nameless, large)`)
  const told = [
    '“mood” holds ENUM, kept as text (1 value).',
    '“bits” holds BIT, kept as text (1 value).',
    '“clock” holds TIME WITH TIME ZONE, kept as text (1 value).',
    '“either” holds UNION, kept as text (1 value).',
    '“nested” holds ENUM, BIT, kept as text (1 value).',
    '“nameless” holds STRUCT(INTEGER), kept as text (1 value).',
    '“large” holds UHUGEINT, kept as text (1 value).',
  ]

  it.each(['csv', 'tsv', 'json', 'xlsx', 'parquet', 'arrow'] as const)('are told of by name in %s', async (format) => {
    const { receipt } = await exported((await run()).result, format)
    expect(receipt.verdict).toBe('match')
    expect(receipt.notes.map(({ message }) => message)).toEqual(told)
    expect(receipt.notes[4]).toMatchObject({ code: 'type-as-text', column: 'nested', count: 1 })
  })

  it('are kept where they fit: integers of 128 bits, in lists and maps too', async () => {
    const longest = '9'.repeat(38)
    const { result } = await session.run(
      `SELECT ${longest}::HUGEINT AS h, [-${longest}::HUGEINT, NULL] AS l, MAP {'k': {n: 5::HUGEINT}} AS m, [INTERVAL '1 day'] AS i`,
    )
    const { file, receipt } = await exported(result, 'parquet')
    expect(receipt.notes).toEqual([])
    expect(receipt.changes.map(({ column, count }) => [column, count])).toEqual([
      ['h', 1],
      ['l', 1],
      ['m', 1],
      ['i', 1],
    ])
    const { result: back, files } = await convert(file, 'json')
    expect(back.outputs[0].receipts[0].expected.columns.map(({ type }) => type)).toEqual([
      'DECIMAL(38,0)',
      'DECIMAL(38,0)[]',
      'MAP(VARCHAR, STRUCT(n DECIMAL(38,0)))',
      'VARCHAR[]',
    ])
    expect(await files[0].text()).toBe(
      `[\n{"h":${longest},"l":[-${longest},null],"m":{"k":{"n":5}},"i":["1 day"]}\n]\n`,
    )
    const json = await exported(result, 'json')
    expect(await json.file.text()).toBe(await files[0].text())
  })

  it('are text where they don’t, and told of', async () => {
    const digits = '170141183460469231731687303715884105727'
    const { result } = await session.run(`SELECT ${digits} AS h, [1::HUGEINT, ${digits}] AS l, [1::HUGEINT] AS s`)
    const { file, receipt } = await exported(result, 'json')
    expect(receipt.notes.map(({ message }) => message)).toEqual([
      '“h” holds HUGEINT, kept as text (1 value).',
      '“l” holds HUGEINT, kept as text (1 value).',
    ])
    expect(JSON.parse(await file.text())).toEqual([{ h: digits, l: ['1', digits], s: [1] }])
  })
})

describe('copied values', () => {
  const values = [
    "'-170141183460469231731687303715884105728'::HUGEINT",
    '[1::HUGEINT, NULL]',
    '{h: sum(1)}',
    "MAP {'a': MAP {1: [2]}}",
    "MAP {DATE '2024-01-01': 1}",
    'MAP([], [])',
    "MAP {'': NULL}",
    "MAP {{a: 1}: 'x'}",
    "[{a: [1, NULL], b: MAP {'k': [TIMESTAMP '2024-01-01 00:00:00.5']}}]",
    String.raw`['\x00'::BLOB]`,
    String.raw`{b: '\xFF'::BLOB}`,
    "''::BLOB",
    "['a' || chr(0)]",
    "'a' || chr(0) || 'it''s'",
    "['NULL', NULL, '']",
    String.raw`['a,b', 'c"d', 'e''f', '{', ']', '\']`,
    `{"a b": 1, "c""d'": 2}`,
    '3.4028235e38::FLOAT',
    '1e-45::FLOAT',
    '1e22::DOUBLE',
    "['nan'::FLOAT, '-inf', 0.1]",
    "'-0.0'::FLOAT",
    '{a: {b: {c: [[[]]]}}}',
    "INTERVAL '-1 month 30 days -00:00:00.000001'",
    "[TIME '24:00:00', NULL]",
    "[TIMESTAMP_NS '2024-01-01 00:00:00.123456789']",
    '[18446744073709551615::UBIGINT]',
    '[1.5::DECIMAL(38,37)]',
    "DATE '0044-03-15 (BC)'",
    "[TIMESTAMPTZ '0044-03-15 (BC) 00:00:00+00']",
    "MAP {'infinity'::DATE: 'infinity'::TIMESTAMP_NS}",
    '[array_value(1.5, NULL)]',
    "['x'::ENUM('x', 'y''')]",
    "{b: '01'::BIT, t: ['01:02:03+02'::TIMETZ]}",
    '{"from": 1, "end": [2]}',
    '[true, NULL]',
    "[UUID '00000000-0000-0000-0000-000000000000']",
  ]

  it.each(values)('are the same to native DuckDB in an IN list, and JSON: %s', async (value) => {
    const { result } = await session.run(`SELECT ${value} AS x`)
    const list = await copied(result, 'in-list')
    expect(await nativeRows(`SELECT (${value}) IN ${list}`), list).toEqual([[true]])
    expect(JSON.parse(await copied(result, 'json'))).toHaveLength(1)
  })

  it('are JSON where a struct has no names for its fields, too', async () => {
    const { result } = await session.run('SELECT [row(1)] AS l, {r: row(2)} AS s')
    expect(JSON.parse(await copied(result, 'json'))).toEqual([{ l: '[(1)]', s: "{'r': (2)}" }])
  })

  it('are numbers where they are numbers, however many digits they have', async () => {
    const { cells } = await session.run('SELECT [170141183460469231731687303715884105727, NULL], {s: sum(1)}')
    expect(cells).toEqual([['[170141183460469231731687303715884105727,null]', '{"s":1}']])
  })
})

describe('times with a zone, in a session’s own', () => {
  const sql = `SELECT i, CASE WHEN i <> 1 THEN TIMESTAMPTZ '2024-03-31 00:30:00.5+00' + to_hours(i) END AS z FROM range(3) r(i)`
  let set: ResultSet
  beforeAll(async () => {
    const own = await Session.open()
    await own.change("SET TimeZone = 'Europe/Berlin'")
    set = (await own.run(sql)).result
  }, 120_000)
  const lines = (text: string): unknown[] => JSON.parse(text) as unknown[]

  it('are exported as text by its clocks, as native DuckDB writes them', async () => {
    const native = await nativeSession()
    await native("SET TimeZone = 'Europe/Berlin'")
    const wanted = (await native(`SELECT z::VARCHAR FROM (${sql})`)).flat()
    expect(wanted).toEqual(['2024-03-31 01:30:00.5+01', null, '2024-03-31 04:30:00.5+02'])
    const csv = await exported(set, 'csv', 'text')
    expect(csv.receipt.verdict).toBe('match')
    expect(csv.receipt.notes.map(({ code }) => code)).not.toContain('zone-as-utc')
    expect(await csv.file.text()).toBe(`i,z\n0,${wanted[0]}\n1,\n2,${wanted[2]}\n`)
    const json = await exported(set, 'json', 'text')
    expect(lines(await json.file.text())).toEqual(wanted.map((z, i) => ({ i, z })))
  })

  it.each(['parquet', 'arrow'] as const)('are exported as instants: %s', async (format) => {
    const { file, receipt } = await exported(set, format)
    expect(receipt.verdict).toBe('match')
    const { inspection, previews } = await inspect(file)
    expect(inspection.tables[0].columns[1].type).toBe('TIMESTAMP WITH TIME ZONE')
    expect(previews[0].rows.map(([, z]) => z)).toEqual(['2024-03-31 00:30:00.5+00', null, '2024-03-31 02:30:00.5+00'])
  })
})
