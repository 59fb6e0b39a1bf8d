import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseType, VARCHAR } from '../../../tables/types.ts'
import { jsonReader } from './reader.ts'
import { columnsOf, fileOf, inspect, load, readAll, typesOf } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'
import { refusal } from '../../testing/refusal.ts'

const ROWS = [
  ['1', 'x'],
  ['2', null],
]
const lines = (...rows: string[]): File => fileOf(rows.join('\n'), 'rows.ndjson')

describe('layouts', () => {
  it.each([
    ['an array', '[{"a":1,"b":"x"},{"a":2,"b":null}]', { layout: 'array', path: [] }],
    ['a pretty array', '[\r\n  {"a" : 1, "b" : "x"}\r\n, {"a": 2}\r\n]\r\n', { layout: 'array' }],
    ['lines', '{"a":1,"b":"x"}\n{"a":2,"b":null}\n', { layout: 'lines' }],
    ['lines with \\r\\n, blank lines and no end', '\r\n{"a":1,"b":"x"}\r\n\r\n \n{"a":2}', { layout: 'lines' }],
    ['objects without anything between', '{"a":1,"b":"x"}{"a":2}', { layout: 'array', path: [] }],
    ['objects that end in \\r', '{"a":1,"b":"x"}\r{"a":2}\r', { layout: 'array', path: [] }],
    ['objects of several lines', '{\n"a":1,\n"b":"x"}\n{"a":2}\n', { layout: 'array', path: [] }],
    ['columns', '{"a":[1,2],"b":["x",null]}', { layout: 'columns' }],
    ['columns of pandas', '{"a":{"0":1,"1":2},"b":{"0":"x","1":null}}', { layout: 'columns' }],
    ['wrapped rows', '{"next":null,"data":[{"a":1,"b":"x"},{"a":2}],"n":{"of":[2]}}', { path: ['data'] }],
    ['rows wrapped twice', '{"response":{"n":2,"items":[{"a":1,"b":"x"},{"a":2}]}}', { path: ['response', 'items'] }],
    ['arrays with a header', '[["a","b"],[1,"x"],[2,null]]', { rows: 'arrays', header: true }],
    ['arrays that pandas split', '{"columns":["a","b"],"index":[0,1],"data":[[1,"x"],[2,null]]}', { path: ['data'] }],
  ])('reads %s', async (_, text, settings) => {
    const { inspection, rows, rejected } = await load(fileOf(text))
    expect(inspection.settings).toMatchObject(settings)
    expect(rejected).toEqual([])
    expect(rows).toEqual(ROWS)
    expect(typesOf(inspection)).toEqual(['a INTEGER', 'b VARCHAR'])
    expect(inspection.tables[0]).toMatchObject({ rows: 2, rejectedCount: 0 })
  })

  it.each([
    ['one object', '{"a":1,"b":{"c":[{"d":2}]}}', ['a INTEGER', 'b STRUCT(c STRUCT(d INTEGER)[])']],
    ['values', '[1,2.5,null]', ['value DOUBLE']],
    ['arrays', '[[1,"x"],[2]]', ['column_1 INTEGER', 'column_2 VARCHAR']],
    ['one column', '{"a":[1,2]}', ['a INTEGER']],
    ['a value', '"x"', ['value VARCHAR']],
    ['lines of arrays', '[1,"x"]\n[2,"y"]\n', ['column_1 INTEGER', 'column_2 VARCHAR']],
  ])('reads %s', async (_, text, types) => {
    const { inspection, rejected } = await load(fileOf(text))
    expect([typesOf(inspection), rejected]).toEqual([types, []])
  })

  it('says what is beside wrapped rows', async () => {
    const { inspection } = await load(fileOf('{"n":1,"items":[{"a":1}],"errors":[]}'))
    expect(inspection.tables[0]?.notes).toEqual([
      {
        code: 'rows-inside',
        message: 'The rows are those under “items”. What is beside them (2 values) is left out.',
      },
    ])
  })

  it('lets the person choose', async () => {
    const file = fileOf('{"n":1,"items":[{"a":1}],"others":[{"b":1},{"b":2}]}')
    expect(typesOf(await inspect(file, { kind: 'json', path: ['others'] }))).toEqual(['b INTEGER'])
    expect(typesOf(await inspect(file, { kind: 'json', path: [] }))).toHaveLength(3)
  })

  it('reads gzip, a byte order mark and other encodings', async () => {
    const text = '[{"a":1,"b":"Grüße €"}]'
    const utf16 = Uint8Array.from(Buffer.from(`\ufeff${text}`, 'utf16le'))
    for (const content of [`\ufeff${text}`, utf16, new Uint8Array(gzipSync(text)), new Uint8Array(gzipSync(utf16))]) {
      expect((await load(fileOf(content))).rows).toEqual([['1', 'Grüße €']])
    }
  })
})

describe('names', () => {
  it('takes any key, as it is', async () => {
    const { inspection, rows } = await load(fileOf('[{"__proto__":1,"":2,"<b>":3,"a\\"\\u00e9":4,"constructor":5}]'))
    expect(inspection.tables[0]?.columns.map(({ source, name }) => [source, name])).toEqual([
      ['__proto__', '__proto__'],
      ['', 'column_2'],
      ['<b>', '<b>'],
      ['a"é', 'a"é'],
      ['constructor', 'constructor'],
    ])
    expect(rows).toEqual([['1', '2', '3', '4', '5']])
  })

  it('takes the last of two, and says so', async () => {
    const { inspection, rows } = await load(lines('{"a":1,"b":{"c":1,"c":2},"a":3}'))
    expect(rows).toEqual([['3', '{"c":2}']])
    expect(inspection.tables[0]?.notes).toMatchObject([
      { code: 'duplicate-keys', count: 1 },
      { code: 'duplicate-keys-within', count: 1 },
    ])
  })

  it('keeps the order in which keys were first seen', async () => {
    const { inspection, rows } = await load(lines('{"a":1}', '{"b":2,"a":3}', '{"c":4}', '{"c":7,"b":6,"a":5}'))
    expect(typesOf(inspection)).toEqual(['a INTEGER', 'b INTEGER', 'c INTEGER'])
    expect(rows).toEqual([
      ['1', null, null],
      ['3', '2', null],
      [null, null, '4'],
      ['5', '6', '7'],
    ])
  })
})

describe('types over all rows', () => {
  it.each([
    ['INTEGER', '1', '-2147483648'],
    ['BIGINT', '1', '9007199254740993'],
    ['UBIGINT', '1', '18446744073709551615'],
    ['HUGEINT', '-1', '18446744073709551615'],
    ['HUGEINT', '1', '18446744073709551616'],
    ['JSON', '1', '9'.repeat(39)],
    ['DOUBLE', '1', '1.0'],
    ['DOUBLE', '0.1', '1e5'],
    ['DOUBLE', '-0', '1'],
    ['DOUBLE', '123456789012345680000', '0.30000000000000004'],
    ['DECIMAL(20,19)', '1.5', '0.1234567890123456789'],
    ['DECIMAL(18,2)', '9007199254740993', '0.25'],
    ['JSON', '0.1234567890123456789', '1e5'],
    ['JSON', '1.5', '1e400'],
    ['JSON', '1.5', '1e-400'],
    ['BOOLEAN', 'true', 'false'],
    ['VARCHAR', '"true"', '"false"'],
    ['VARCHAR', '"1"', '"2"'],
    ['DATE', '"2024-02-29"', 'null'],
    ['VARCHAR', '"2024-02-29"', '"29.02.2024"'],
    ['VARCHAR', '"29.02.2024"', '"13.01.2024"'],
    ['TIMESTAMP', '"2024-02-29T12:00:00"', '"2024-02-29 12:00:00.123456"'],
    ['TIMESTAMP_NS', '"2024-02-29T12:00:00"', '"2024-02-29 12:00:00.123456789"'],
    ['TIMESTAMP WITH TIME ZONE', '"2024-02-29T12:00:00Z"', '"2024-02-29T12:00:00+02:00"'],
    ['JSON', '"x"', '1.10'],
    ['JSON', '{"a":1}', '"x"'],
    ['VARCHAR', 'null', 'null'],
    ['DOUBLE[]', '[1]', '[2.5, null]'],
    ['VARCHAR[]', '[]', 'null'],
    ['JSON', '[1]', '["x"]'],
    ['STRUCT(a JSON)', '{"a":[1]}', '{"a":[[1]]}'],
    ['STRUCT(a INTEGER, b DATE[])', '{"a":1}', '{"b":["2024-01-01"]}'],
    ['MAP(VARCHAR, VARCHAR)', '{}', '{}'],
  ])('%s holds %s and %s', async (type, first, second) => {
    const { inspection, rejected, rows } = await load(lines(`{"v":${first}}`, `{"v":${second}}`))
    expect(typesOf(inspection)).toEqual([`v ${type}`])
    expect(rejected).toEqual([])
    expect(rows.map(([cell]) => cell === null)).toEqual([first === 'null', second === 'null'])
    expect(inspection.tables[0]?.columns[0]?.reason).toMatch(/^[A-Z].*\.$/)
  })

  it('keeps what isn’t text as its JSON, when text is wanted', async () => {
    const values = ['1.10', '12345678901234567890123', 'true', '{ "a" : [1,\n 2 , "x y" ] }', '"\\u0041"', 'null']
    const file = fileOf(`[${values.map((value) => `{"v":${value}}`).join(',')}]`)
    const { settings, tables } = await inspect(file)
    expect(tables[0]?.columns[0]?.type).toBe('JSON')
    const { rows } = await readAll(file, settings, [{ index: 0, source: 'v', name: 'v', type: VARCHAR }])
    expect(rows.flat()).toEqual(['1.10', '12345678901234567890123', 'true', '{"a":[1,2,"x y"]}', 'A', null])
  })

  it('tells why values are mixed', async () => {
    const { inspection } = await load(lines('{"v":1}', '{"v":2}', '{"v":"n/a"}'))
    expect(inspection.tables[0]?.columns[0]).toMatchObject({
      type: 'JSON',
      flags: ['mixed-types'],
      reason:
        'Values of several types: 2 numbers, 1 string; the first string is in row 3. JSON keeps each as it is; other formats get strings as they are, the others as JSON text.',
    })
  })

  it('makes a map of objects with ever new keys', async () => {
    const rows = Array.from({ length: 60 }, (_, i) => `{"m":{"k${i}":${i},"l${i}":0.5}}`)
    expect(typesOf(await inspect(lines(...rows)))).toEqual(['m MAP(VARCHAR, DOUBLE)'])
    const many = Array.from({ length: 3000 }, (_, i) => `{"m":{"k${i}":{"a":${i}}}}`)
    expect(typesOf(await inspect(lines(...many)))).toEqual(['m MAP(VARCHAR, STRUCT(a INTEGER))'])
  })
})

describe('rows that don’t fit', () => {
  it('rejects broken lines and goes on', async () => {
    const broken = [
      ['{"a":2,}', 'syntax'],
      ['[3]', 'shape'],
      ['nonsense', 'syntax'],
      ['{"a":"\\ud800"}', 'encoding'],
      ['{"a":5} {"a":6}', 'syntax'],
      ['{"a":7},', 'syntax'],
      ['{"a":nan}', 'syntax'],
      ['{"a":"x\ty"}', 'syntax'],
      ['{"new":1,"a"', 'syntax'],
    ]
    const { inspection, rows, rejected } = await load(
      lines('{"a":1}', '', ...broken.map(([raw = '']) => raw), '{"a":9}'),
    )
    expect(rows).toEqual([['1'], ['9']])
    expect(rejected.map(({ raw, reason }) => [raw, reason])).toEqual(broken)
    expect(rejected[0]).toEqual({
      row: 2,
      line: 3,
      reason: 'syntax',
      message: 'The line isn’t valid JSON. There is a comma with no value after it: remove the comma.',
      column: null,
      value: null,
      raw: '{"a":2,}',
    })
    expect(inspection.tables[0]).toMatchObject({ rows: 2, rejectedCount: 9, rejected })
    expect(typesOf(inspection)).toEqual(['a INTEGER'])
  })

  it('rejects bytes that aren’t text, wherever the row is whole', async () => {
    const bad = Uint8Array.from(Buffer.from('[{"a":"x"},\n{"a":"?"}, 7]'))
    bad[bad.indexOf(0x3f)] = 0xff
    const { rows, rejected } = await load(fileOf(bad), { encoding: 'utf-8' })
    expect(rows).toEqual([['x']])
    expect(rejected).toMatchObject([
      { row: 2, line: 2, reason: 'encoding', raw: '{"a":"\ufffd"}' },
      { row: 3, line: 2, reason: 'shape', message: 'The row is a number where an object should be.' },
    ])
  })

  it('rejects values that aren’t of the type wanted', async () => {
    const file = lines('{"a":1,"b":"x"}', '{"a":"2","b":"y"}', '{"a":"two","b":"z"}', '{"a":[1]}', '{"a":1e3}', '{}')
    const { settings } = await inspect(file)
    const columns = ['b', 'a'].map((source, index) => ({
      index,
      source,
      name: source,
      type: parseType(source === 'a' ? 'INTEGER' : 'VARCHAR'),
    }))
    const { rows, rejected } = await readAll(file, settings, columns)
    expect(rows).toEqual([
      ['x', '1'],
      ['y', '2'],
      [null, null],
    ])
    expect(rejected).toMatchObject([
      {
        row: 3,
        line: 3,
        reason: 'value',
        column: 'a',
        value: 'two',
        message: '“two” isn’t a value of type “Whole number”.',
      },
      { row: 4, column: 'a', value: '[1]' },
      { row: 5, column: 'a', value: '1e3' },
    ])
  })

  it('rejects rows of columns with their values', async () => {
    const file = fileOf('{"a":[1,"x"],"b":[null,"\\n"]}')
    const { settings } = await inspect(file)
    const columns = [{ index: 0, source: 'a', name: 'a', type: parseType('INTEGER') }]
    const { rejected } = await readAll(file, settings, columns)
    expect(rejected).toMatchObject([{ row: 2, line: null, column: 'a', value: 'x', raw: '{"a":"x","b":"\\n"}' }])
  })
})

describe('columns', () => {
  it('rejects a row with a value that is no text, and keeps all columns', async () => {
    const { inspection, rows, rejected } = await load(fileOf('{"a":["\\ud800","x"],"b":[1,2],"a2":[null,{"c":[1]}]}'))
    expect(typesOf(inspection)).toEqual(['a VARCHAR', 'b INTEGER', 'a2 STRUCT(c INTEGER[])'])
    expect(rows).toEqual([['x', '2', '{"c":[1]}']])
    expect(rejected).toMatchObject([{ row: 1, reason: 'encoding', raw: '{"a":"\\ud800","b":1,"a2":null}' }])
  })

  it('reads only those that are wanted, in any order, and null for what isn’t there', async () => {
    const file = fileOf('{"a":[1,2],"b":["x","y"]}')
    const { settings } = await inspect(file)
    const columns = ['none', 'b'].map((source, index) => ({ index, source, name: source, type: parseType('VARCHAR') }))
    expect((await readAll(file, settings, columns)).rows).toEqual([
      [null, 'x'],
      [null, 'y'],
    ])
  })

  it('can be cancelled among the rows', async () => {
    const controller = new AbortController()
    const values = Array.from({ length: 200_000 }, (_, i) => i).join(',')
    const file = fileOf(`{"a":[${values}],"b":[${values}]}`)
    let seen = 0
    const context = { signal: controller.signal, progress: () => (seen++ > 0 ? controller.abort() : undefined) }
    await expect(jsonReader.inspect(file, {}, context)).rejects.toThrow(/abort/i)
  })
})

describe('files that can’t be read', () => {
  it.each([
    ['[{"a":1},\n {"a":2,}]', 'line 2, column 9', 'There is a comma with no value after it: remove the comma.'],
    ['[{"é":1},\n\n // no\n]', 'line 3, column 2', 'There is a comment here, which JSON doesn’t allow: remove it.'],
    ['[{"a":NAN}]', 'line 1, column 7', 'There is “NAN” where a value was expected.'],
    ['[{"é":1} {"a":2}]', 'line 1, column 10', 'There is “{” where a comma or “]” was expected.'],
    ['[{"a":1},\n{"a":', 'line 2, column 6', 'The text ends before it is complete.'],
    ['[{"a":1}]\n {"a":2}', 'line 2, column 2', 'There is text after the end of the array.'],
    ['{"data":[{"a":1}]', 'line 1, column 18', 'The text ends before it is complete.'],
    ['{"data":[{"a":1}], "n": 01}', 'line 1, column 25', 'A number begins with a zero, which JSON doesn’t allow.'],
    [`[${'['.repeat(600)}`, 'line 1, column 515', 'Values are nested more than 512 levels deep.'],
  ])('%s', async (text, place, message) => {
    const error = await refusal(load(fileOf(text)))
    expect(error).toMatchObject({ code: 'corrupt-file', place, message: `The file isn’t valid JSON. ${message}` })
    expect(error.remedy).toBeTruthy()
  })

  it('refuses files without a table', async () => {
    for (const text of ['[]', ' \n', '[{},{}]', '{"data":[]}']) {
      expect((await refusal(load(fileOf(text)))).code).toBe('empty-file')
    }
    const error = await refusal(load(lines('nonsense', 'more')))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'line 1' })
  })

  it('refuses columns of unequal lengths', async () => {
    const { settings } = await inspect(fileOf('{"a":[1,2],"b":["x","y"]}'))
    const file = fileOf('{"a":[1,2],"b":["x"]}')
    const columns = [{ index: 0, source: 'a', name: 'a', type: parseType('INTEGER') }]
    await expect(readAll(file, settings, columns)).rejects.toMatchObject({ code: 'corrupt-file', place: 'row 2' })
  })

  it('refuses more columns than a table has', async () => {
    const many = Array.from({ length: 100_001 }, (_, i) => `"k${i}":1`).join(',')
    expect((await refusal(load(fileOf(`[{${many}}]`)))).code).toBe('too-large')
  })
})

describe('size', () => {
  it('reads 10,000 columns, and what is missing as null', async () => {
    const row = (from: number) =>
      `{${Array.from({ length: 10_000 - from }, (_, i) => `"k${from + i}":${i}`).join(',')}}`
    const { inspection, rows } = await load(fileOf(`[${row(0)},${row(9000)}]`))
    expect(inspection.tables[0]?.columns).toHaveLength(10_000)
    expect([rows[1]?.[8999], rows[1]?.[9000]]).toEqual([null, '0'])
  })

  it('stops at the limit, and lets go when it is cancelled', async () => {
    const file = lines(...Array.from({ length: 1000 }, (_, i) => `{"a":${i}}`))
    const inspection = await inspect(file)
    expect((await readAll(file, inspection.settings, columnsOf(inspection), 3)).rows).toEqual([['0'], ['1'], ['2']])
    const aborted = AbortSignal.abort()
    await expect(jsonReader.inspect(file, {}, { ...QUIET, signal: aborted })).rejects.toBe(aborted.reason)
  })

  it('is the same wherever the file is cut into slices', async () => {
    const { Window } = await import('./window.ts')
    const [{ ArrayRows, STEP }, { LineRows }] = await Promise.all([import('./rows.ts'), import('./line-rows.ts')])
    const rows = ['{"a":1,"é":"x\\u00e9\\ud83d\\ude00"}', '{"a":-2.5e3,"é":{"b":[1,[],{}]}}', '{"é":null}', '[7]']
    const array = `[ ${rows.join(' ,\n')} ] `
    await fc.assert(
      fc.asyncProperty(
        fc.boolean(),
        fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 40 }),
        async (asLines, sizes) => {
          const bytes = new TextEncoder().encode(asLines ? rows.join('\n') : array)
          async function* chunks(): AsyncGenerator<Uint8Array> {
            let at = 0
            for (const size of [...sizes, bytes.length]) {
              if (at < bytes.length) yield bytes.slice(at, at + size)
              at += size
            }
          }
          const window = new Window(chunks(), true)
          const source = asLines ? new LineRows(window, 'objects') : new ArrayRows(window, 'objects', [])
          const found: string[] = []
          for (let step = source.next(); step !== STEP.done; step = source.next()) {
            if (step === STEP.more) await source.more()
            else found.push(`${step} ${source.rejection().line} ${source.rejection().raw}`)
          }
          expect(found).toEqual(rows.map((row, i) => `${row === '[7]' ? STEP.rejected : STEP.row} ${i + 1} ${row}`))
        },
      ),
    )
  })
})
