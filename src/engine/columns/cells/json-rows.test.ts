import { describe, expect, it } from 'vitest'
import type { ReadColumn } from '../column-builder.ts'
import { bytesOf, columnsOf, expectRight, FIXED, READABLE, utf8, valuesOf } from './json-testing.ts'

const lines = (...texts: readonly string[]): Uint8Array<ArrayBuffer> =>
  bytesOf(texts.map((text) => `${text}\n`).join(''))

/** A value of each type of `READABLE`, as JSON has it. */
const jsonOf = (i: number): unknown[] =>
  valuesOf(i, i % 2 === 0, i % 5 === 0 ? `line ${i}\n"\u{1f388}"\t\\é${'x'.repeat(i % 40)}` : `name ${i}`)

/** Rows with some keys missing and some null. */
function usualLine(columns: readonly ReadColumn[], i: number): string {
  const values = jsonOf(i)
  const members = columns.map(({ source }, c) => {
    if ((i * 13 + c * 5) % 11 === 0) return []
    return [`${JSON.stringify(source)}:${(i + c) % 9 === 0 ? 'null' : JSON.stringify(values[c % values.length])}`]
  })
  return utf8(`{${members.flat().join(',')}}`)
}

/** Columns of all types, one after the other. */
const wide = (count: number): ReadColumn[] =>
  columnsOf(Object.fromEntries(Array.from({ length: count }, (_, i) => [`column ${i}`, READABLE[i % READABLE.length]])))

describe('the kernel', () => {
  it('reads all rows of a usual table', async () => {
    const bytes = lines(...Array.from({ length: 3000 }, (_, i) => usualLine(FIXED, i)))
    const { whole, ...read } = await expectRight(FIXED, bytes)
    expect([whole.rows, whole.rejected]).toEqual([3000, []])
    expect(read).toEqual({ split: 3000, left: 0, columns: FIXED.length, others: 0 })
  })

  it.each([
    ['an array', '[', ',', ']'],
    ['an array of indented rows', '[\n  ', ',\n  ', '\n]\n'],
    ['values one after another', '', '\n', ''],
  ])('reads all rows of %s but the first', async (_, start, between, end) => {
    const rows = Array.from({ length: 3000 }, (__, i) => usualLine(FIXED, i))
    const { whole, split, left, others } = await expectRight(FIXED, bytesOf(start + rows.join(between) + end), 'array')
    expect([whole.rows, whole.rejected]).toEqual([3000, []])
    // What is first tells which of these it is.
    expect([split + left, left <= 1, others]).toEqual([3000, true, 0])
  })

  it.each(READABLE.map((type, i) => [type, i] as const))('reads all rows of a column of type %s', async (type, i) => {
    const columns = columnsOf({ value: type })
    const texts = Array.from({ length: 500 }, (_, row) => utf8(`{"value":${JSON.stringify(jsonOf(row)[i])}}`))
    const bytes = lines(...texts, '{}', '{"value":null}', '{"other":1}')
    const { whole, ...read } = await expectRight(columns, bytes)
    expect(read).toEqual({ split: 503, left: 0, columns: 1, others: 0 })
    expect(whole.cells[0].slice(-3)).toEqual([null, null, null])
  })

  const types = {
    a: 'INTEGER',
    d: 'DECIMAL(5,2)',
    name: 'VARCHAR',
    x: 'DOUBLE',
    größe: 'BOOLEAN',
    ['k'.repeat(40)]: 'TIMESTAMP WITH TIME ZONE',
    '': 'DATE',
  }
  it.each([
    '{}',
    ' \t\r{ "a" : 1 ,\t"name"\r: "x" }\r',
    '{"x":1,"a":2,"":"2024-02-29"}',
    '{"other":"é","a":1}',
    '{"a ":1,"A":true,"name":"x","nam":null,"names":-1.5e+3,"a":5}',
    '{"a":1,"d":0,"name":"x","x":1,"größe":true}',
    '{"x":1,"größe":null,"a":2}',
    `{"name":"","${'k'.repeat(40)}":"0001-01-01T00:00:00.000001+23:59"}`,
    `{"${'k'.repeat(40)}":"9999-12-31"}`,
    `{"${'k'.repeat(39)}":1,"${'k'.repeat(41)}":2,"${'k'.repeat(40)}":null}`,
    '{"name":"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\uD83D\\uDE00é🎈"}',
    '{"name":true}',
    '{"name":-12345678901234567890.50E-7}',
    '{"a":-2147483648,"x":-0}',
    '{"a":2147483647,"x":0e0}',
    '{"x":0.1}',
    '{"d":-999.99}',
    '{"d":12.3,"x":1}',
    '{"d":-0.01}',
    '{"d":7}',
    '{"x":5e-324}',
    '{"x":-1.7976931348623157e308}',
    '{"x":9007199254740993}',
    '{"x":0.00000000000000000000001234567890123456789}',
    '{"a":"1"}',
    '{"d":"1"}',
    '{"x":"1"}',
    '{"other":{"a":[1,{"b":"}\\""},[ ],{ }]}}',
  ])('reads %s', async (text) => {
    const { split, left, others } = await expectRight(columnsOf(types), lines(utf8(text)))
    expect([split, left, others]).toEqual([1, 0, 0])
  })

  it('reads texts of any length', async () => {
    const columns = columnsOf({ a: 'VARCHAR', b: 'VARCHAR' })
    const units = ['x', 'é', '\\n', '\\u00e9'].map(utf8)
    const lengths = [...Array.from({ length: 70 }, (_, i) => i), 255, 256, 257, 5000]
    const texts = units.flatMap((unit) => lengths.map((length) => `${'x'.repeat(length % 19)}${unit.repeat(length)}`))
    const bytes = lines(
      ...texts.flatMap((text) => [`{"a":"${text}"}`, `{"b":1,"a":"${text}x"}`, `{"a":"","b":"${text}"}`]),
    )
    const { split, others } = await expectRight(columns, bytes)
    expect([split, others]).toEqual([texts.length * 3, 0])
  })

  it.each([
    '[1]',
    '{"a":1',
    '{"a":1}}',
    '{"a":1},',
    '{"a":01}',
    '{"a":1,"a":2}',
    '{"\\u0061":1}',
    '{"name":"\\ud83d"}',
    '{"name":"\t"}',
    '{"name":"\\x"}',
    '{"x":NaN}',
    '{"other":"\xff"}',
    '{"name":"\xed\xa0\x80"}',
    '{"a":1}\0',
    '{"other":{"a":[1,]}}',
    '{"other":{"a" 1}}',
    '{"other":["\\ud83d"]}',
    '{"other":[1}',
    '{"a" 1}',
    '{"a":1 "x":2}',
    '{"a":1,}',
    '{,}',
    '{"a":nul}',
    '{"d":01.5}',
    '\xef\xbb\xbf{}',
  ])('leaves %s, and goes on behind it', async (text) => {
    const columns = columnsOf(types)
    const bytes = lines('{"a":7}', '', ' ', text, '{"a":8}')
    const { split, left } = await expectRight(columns, bytes)
    expect([split, left]).toEqual([2, 1])
  })

  it.each([
    '{"a":2147483648}',
    '{"a":1.0}',
    '{"a":1e0}',
    '{"a":true}',
    '{"a":"\\u0031"}',
    '{"a":""}',
    '{"a":[]}',
    '{"name":{ "b" : 1 }}',
    '{"x":1e400}',
    '{"x":1e-400}',
    '{"":"2023-02-29"}',
    '{"":20230101}',
    '{"d":1000}',
    '{"d":1.234}',
    '{"d":1e2}',
  ])('leaves the column of %s, and no other', async (text) => {
    const columns = columnsOf(types)
    const bytes = lines('{"a":7}', text, '{"a":8}')
    const { whole, ...read } = await expectRight(columns, bytes)
    // Where a row is rejected, all are read again without it; a column that was left is left once more.
    const times = whole.rejected.length > 0 ? 2 : 1
    const count = columns.length * times
    expect(read).toEqual({ split: 3, left: 0, columns: count - times, others: times })
  })

  it('knows a key with escapes once it has been met, whichever way it’s spelled', async () => {
    const columns = columnsOf({ é: 'INTEGER', 'a"b': 'VARCHAR' })
    const spellings = ['\\u00e9', 'é', '\\u00E9'].map(utf8)
    const rows = Array.from({ length: 300 }, (_, i) => `{"${spellings[i % 3]}":${i},"a\\"b":"${i}"}`)
    const { whole, split, left } = await expectRight(columns, lines(...rows))
    // As it stands it's known from the beginning.
    expect([split, left]).toEqual([298, 2])
    expect(whole.cells[1].slice(0, 3)).toEqual(['0', '1', '2'])
  })

  it('reads nothing where there is nothing', async () => {
    for (const text of ['', '\n', '\r\n', ' \n\t\n\n ']) {
      const { whole, split, left } = await expectRight(FIXED, bytesOf(text))
      expect([whole.rows, split, left]).toEqual([0, 0, 0])
    }
  })
})

describe('columns that the kernel doesn’t read', () => {
  it.each([
    'UBIGINT',
    'HUGEINT',
    'FLOAT',
    'DECIMAL(19,2)',
    'DECIMAL(38,0)',
    'BLOB',
    'UUID',
    'INTERVAL',
    'TIMESTAMP_S',
    'TIMESTAMP_MS',
    'TIMESTAMP_NS',
    'INTEGER[]',
    'STRUCT(a INTEGER)',
    'MAP(VARCHAR, INTEGER)',
    'JSON',
  ])('of type %s, are read alone by JavaScript', async (type) => {
    const columns = columnsOf({ a: 'INTEGER', b: type, c: 'VARCHAR' })
    const values = ['1', 'null', '"2024-01-01 10:00:00"', '"x"', '[1, 2]', '{"a": 1}', '1.5']
    const rows = values.flatMap((value, i) => [`{"a":${i},"b":${value},"c":"x"}`, `{"a":1}`])
    const { split, columns: read, others } = await expectRight(columns, lines(...rows))
    expect(split).toBe(rows.length)
    expect(read).toBe(others * 2)
  })

  it('have keys of any kind, formats, and are many', async () => {
    const keys = ['"', 'a"', '\\', 'a\\b', '\n', 'a\0', '\x1f', '\x7f', '', ' ', 'ü', '🎈', "'", '{:,']
    const columns = columnsOf(Object.fromEntries(keys.map((key) => [key, 'INTEGER'])))
    const rows = Array.from({ length: 50 }, (_, i) =>
      utf8(`{${keys.map((key) => `${JSON.stringify(key)}:${i}`).join(',')}}`),
    )
    expect((await expectRight(columns, lines(...rows))).left).toBe(1)
    const many = wide(700)
    expect((await expectRight(many, lines(usualLine(many, 1), usualLine(many, 2)))).others).toBe(0)
    const [first, ...others] = FIXED
    const formatted = [{ ...first, format: { trueValues: ['yes'] } }, ...others]
    const texts = ['{"boolean":"yes"}', '{"boolean":true}', usualLine(FIXED, 1)]
    expect((await expectRight(formatted, lines(...texts))).split).toBe(3)
  })
})

describe('many rows, and large ones', () => {
  it.each([
    [1, 30_000],
    [200, 700],
  ])('of %i columns and more rows than are read at once keep rows and lines in count', async (count, most) => {
    const columns = wide(count)
    const texts = Array.from({ length: most }, (_, i) => (i % 1000 === 17 ? ' \r' : usualLine(columns, i)))
    texts.splice(
      most - 100,
      0,
      '',
      '{"column 0":"?"}',
      '',
      usualLine(columns, 1),
      '\t',
      '{"column 0":[]}',
      '{"column 0"',
    )
    const bytes = lines(...texts)
    const { whole, left } = await expectRight(columns, bytes)
    expect(whole.rejected.map(({ line }) => line)).toEqual([most - 98, most - 94, most - 93])
    // The second is valid: its value isn't.
    expect(left).toBe(1)
  })

  it.each([1, 200])('may have a line of some megabytes, of %i columns', async (count) => {
    const columns = [...wide(count - 1), ...columnsOf({ text: 'VARCHAR' })]
    const unit = ['x', 'é', '\\n', '\\ud83d\\ude00\\\\'].map(utf8)
    for (const one of unit) {
      const long = `{"text":"${one.repeat((3 * 1024 * 1024) / one.length)}","column 0":true}`
      const bytes = lines(
        usualLine(columns, 1),
        long,
        usualLine(columns, 2),
        '',
        long.slice(0, -3),
        usualLine(columns, 3),
      )
      const { whole, split, left } = await expectRight(columns, bytes)
      expect([whole.rows, whole.rejected.map(({ line }) => line)]).toEqual([4, [5]])
      expect([split, left]).toEqual([4, 1])
    }
  })
})
