import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { readCsv } from '../../formats/csv/reader.ts'
import type { ReadColumn } from '../column-builder.ts'
import type { EngineContext, ReadBatch } from '../../formats/types.ts'
import { cutUp, inSlices } from '../../testing/slices.ts'
import { byLine, readFile, requestFor, SETTINGS, watchKernel } from './csv-testing.ts'
import { bytesOf, columnsOf, expectSame, FIXED, READABLE, utf8, valuesOf } from './json-testing.ts'
import type { Found } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

const FEW = columnsOf({ id: 'INTEGER', name: 'VARCHAR', x: 'DOUBLE', day: 'DATE' })
const KB = 1024

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** Values of the types of `READABLE`, some missing. */
function textsOf(i: number): string[] {
  const text = i % 5 === 0 ? `line ${i}\n"\u{1f388}", é${'x'.repeat(i % 40)}` : `name ${i}`
  return valuesOf(i, ['true', 'FALSE', 'True'][i % 3], text).map((value, c) =>
    (i * 13 + c * 5) % 11 === 0 ? '' : String(value),
  )
}

/** A record of such values, quoted where they must be, and now and then where not. */
function record(values: readonly string[], i: number): string {
  const written = values.map((value, c) =>
    /[\n",]/.test(value) || (value !== '' && (i + c) % 7 === 0) ? `"${value.replaceAll('"', '""')}"` : value,
  )
  return utf8(written.join(','))
}

const usual = (i: number): string => record(textsOf(i), i)
const few = (i: number): string => record([textsOf(i)[3], textsOf(i)[9], textsOf(i)[8], textsOf(i)[10]], i)

const lines = (texts: readonly string[], end = '\n'): Uint8Array<ArrayBuffer> =>
  bytesOf(texts.map((text) => text + end).join(''))
const many = (count: number, line: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => line(i))

/** Reads records after a header, so that they are as wide as there are columns whatever the first one has. */
async function readBelowHeader(
  columns: readonly ReadColumn[],
  bytes: Uint8Array,
  given: Partial<CsvSettings>,
  alone = false,
): Promise<Found> {
  const settings = { ...SETTINGS, ...given, header: true }
  const header = bytesOf(`${columns.map(() => 'c').join(settings.delimiter)}\n`)
  const { found } = await readFile(requestFor(columns, settings), [header, bytes], alone)
  return {
    ...found,
    rejected: found.rejected.map((row) => ({ ...row, line: row.line === null ? null : row.line - 1 })),
  }
}

/** What is read of records, and how much of it the kernel has split and read. */
async function readOnce(columns: readonly ReadColumn[], bytes: Uint8Array, given: Partial<CsvSettings> = {}) {
  const { result, records, values } = await watchKernel(() => readBelowHeader(columns, bytes, given))
  return { found: result, records: Math.max(0, records - 1), values }
}

/** What JavaScript alone reads of records. */
const readAlone = (columns: readonly ReadColumn[], bytes: Uint8Array, given: Partial<CsvSettings> = {}) =>
  readBelowHeader(columns, bytes, given, true)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the kernel', () => {
  it.each(['\n', '\r\n'])('splits and reads all of a usual table, whose lines end with %j', async (end) => {
    const bytes = lines(many(3000, usual), end)
    const { found, records, values } = await readOnce(FIXED, bytes)
    expect([found.rows, values]).toEqual([3000, 3000 * FIXED.length])
    expect(records).toBeGreaterThan(2980)
    expectSame(FIXED, found, await readAlone(FIXED, bytes))
  })

  it.each(READABLE.map((type, i) => [type, i] as const))('reads all values of type %s', async (type, i) => {
    const columns = columnsOf({ value: type, other: type })
    const bytes = lines(many(500, (row) => record([textsOf(row)[i], textsOf(row + 3)[i]], row)))
    const { found, records, values } = await readOnce(columns, bytes)
    expect([found.rows, records, values]).toEqual([500, 500, 1000])
    expectSame(columns, found, await readAlone(columns, bytes))
  })

  it.each([',', ';', '\t', '|', '!', '~', '\\', '^', '_', '@', '$'])('reads cells between %j', async (delimiter) => {
    for (const quote of ['"', "'", '`', null, '']) {
      const given = { delimiter, quote, escape: quote }
      const mark = quote ?? ''
      const texts = many(100, (i) => [i, `${mark}t ${i}${mark}`, i / 8, `${mark}2024-01-02${mark}`].join(delimiter))
      const bytes = lines(texts)
      const { found, records, values } = await readOnce(FEW, bytes, given)
      expect([found.rows, records, values]).toEqual([100, 100, 400])
      expectSame(FEW, found, await readAlone(FEW, bytes, given))
    }
  })

  it.each([' ', ':', '-', '+', '.', '0', 'e', 'T'])(
    'reads cells between %j, which may stand in values',
    async (delimiter) => {
      const columns = columnsOf({ a: 'INTEGER', b: 'DOUBLE', c: 'VARCHAR', d: 'DATE', e: 'TIME' })
      const cells = ['7', '"2.5e3"', 'x', '"2024-01-02"', '"10:00:07.5"', '', '12', '"0"', 'truf']
      const texts = many(300, (i) => many(5, (c) => cells[(i * 7 + c * c) % cells.length]).join(delimiter))
      const bytes = lines(texts)
      const { found, records } = await readOnce(columns, bytes, { delimiter })
      expect(records).toBeGreaterThan(250)
      expectSame(columns, found, await readAlone(columns, bytes, { delimiter }))
    },
  )

  it('reads columns in any order, one twice, and passes over fields that none is wanted of', async () => {
    const columns = [FIXED[9], FIXED[0], FIXED[14], FIXED[3], FIXED[9]]
    const bytes = lines(['a,'.repeat(FIXED.length - 1), ...many(1000, usual)])
    const request = requestFor(columns)
    const { result, values } = await watchKernel(() => readFile(request, [bytes]))
    expect([result.found.rows, values]).toEqual([1000, 5000])
    const whole = (await readFile(requestFor(FIXED), [bytes], true)).found
    expectSame(columns, result.found, { ...whole, cells: columns.map(({ index }) => whole.cells[index]) })
  })

  it('reads texts of any length', async () => {
    const columns = columnsOf({ a: 'VARCHAR', b: 'VARCHAR' })
    const lengths = [...many(70, String).map(Number), 255, 256, 257, 5000]
    const texts = ['x', 'é', '""', '\r\n', ' '].map(utf8).flatMap((unit) =>
      lengths.flatMap((length) => {
        const text = `${'x'.repeat(length % 19)}${unit.repeat(length)}`
        const plain = /["\n]/.test(text) ? 'x' : `x${text}`
        return [`"${text}","${text}x"`, `${plain},"${text}"`, `"",${plain}`]
      }),
    )
    const bytes = lines(texts)
    const { found, records, values } = await readOnce(columns, bytes)
    expect([found.rows, values]).toEqual([texts.length, texts.length * 2])
    expect(records).toBeGreaterThan(texts.length * 0.99)
    expectSame(columns, found, await readAlone(columns, bytes))
  })

  it('passes over blank lines, and takes line ends within quotes', async () => {
    const { found } = await readOnce(FEW, bytesOf('\n\r\n1,"a\n\r\nb",2,\n\n,,,\r\n\n'))
    expect(found.cells).toEqual([
      [1, null],
      ['a\n\r\nb', null],
      [2, null],
      [null, null],
    ])
  })

  it.each([
    '1,a,2',
    '1,a,2,,',
    '1',
    ' ',
    '+1,a,2,',
    '01,a,2,',
    ' 1,a,2,',
    '1 ,a,2,',
    '2147483648,a,2,',
    '1.0,a,2,',
    '"",a,2,',
    '1,"a"b,2,',
    '1,"a" ,2,',
    '1, "a",2,',
    '1,"a,2,',
    '1,a\r,2,',
    '1,"a\rb",2,',
    '1,a,nan,',
    '1,a,1e400,',
    '1,a,.5,',
    '1,a,2,2023-02-29',
    '1,a,2,2023-01-01 ',
    '1,a,2,"2023-01-01',
    '1,a,"2"",',
    '1\0,a,2,',
    'true,a,2,',
    '1,\xff,2,',
  ])('leaves what is odd of %j', async (text) => {
    const bytes = lines(['7,b,,2024-02-29', '', text, '8,c,1,'])
    const { found } = await readOnce(FEW, bytes)
    expectSame(FEW, found, await readAlone(FEW, bytes))
  })

  it('leaves an empty field that is no null', async () => {
    const bytes = lines(['1,a,2,2024-01-01', '2,b,3,', '3,c,4,2024-01-02', ',,,'])
    const given = { nullStrings: [] }
    const { found } = await readOnce(FEW, bytes, given)
    expect(found.rejected.map(({ row, column }) => [row, column])).toEqual([
      [2, 'day'],
      [4, 'id'],
    ])
    expectSame(FEW, found, await readAlone(FEW, bytes, given))
  })
})

describe('columns that the kernel reads', () => {
  /** How many of the columns it reads, of a few records that it splits. */
  async function readOf(
    given: Partial<CsvSettings>,
    columns: readonly ReadColumn[] = FEW,
  ): Promise<number | 'none split'> {
    const { delimiter } = { ...SETTINGS, ...given }
    const bytes = lines(many(20, () => columns.map(() => '').join(utf8(delimiter))))
    const { records, values } = await readOnce(columns, bytes, given)
    return records === 0 ? 'none split' : values / 20
  }

  it('are between delimiters of one byte, with quotes that stand for themselves', async () => {
    for (const delimiter of [',', ';', ' ', ':', '-', '0']) expect(await readOf({ delimiter }), delimiter).toBe(4)
    for (const delimiter of ['||', '§']) expect(await readOf({ delimiter }), delimiter).toBe('none split')
    expect(await readOf({ quote: "'", escape: "'" })).toBe(4)
    expect(await readOf({ quote: null, escape: null })).toBe(4)
    expect(await readOf({ mergeDelimiters: true })).toBe('none split')
    // Text that JavaScript splits is read by the kernel, too.
    expect(await readOf({ escape: '\\' })).toBe('none split')
    expect(await readOf({ quote: "'", escape: '"' })).toBe('none split')
  })

  it('have any nulls, blanks and comments', async () => {
    const columns = columnsOf({ a: 'INTEGER', b: 'VARCHAR' })
    const bytes = lines(['1,NA', '# said', 'NULL,x', ' 3 , y ', 'NA,NULLx', '7,"NA"'])
    const given = { nullStrings: ['', 'NA', 'NULL'], comment: '#', trim: true }
    const { found, values } = await readOnce(columns, bytes, given)
    expect(found.cells).toEqual([
      [1, null, 3, null, 7],
      [null, 'x', 'y', 'NULLx', 'NA'],
    ])
    expect(values).toBe(10)
    expectSame(columns, found, await readAlone(columns, bytes, given))
  })

  it('have decimal commas, groups of digits, and dates by a pattern', async () => {
    const formats = [
      ['DECIMAL(12,2)', { decimalMark: ',', grouping: '.' }],
      ['DOUBLE', { decimalMark: ',' }],
      ['DATE', { dateFormat: '%d.%m.%Y' }],
      ['TIMESTAMP', { dateFormat: '%d.%m.%Y %H:%M' }],
    ] as const
    const columns = formats.map(([type, format], index) => ({ ...columnsOf({ a: type })[0], index, format }))
    const bytes = lines(
      many(100, (i) => `1.234.${pad(i, 3)},5;${i},25;${pad((i % 28) + 1)}.02.2024;1.2.2024 7:${pad(i % 60)}`),
    )
    const given = { delimiter: ';' }
    const { found, values } = await readOnce(columns, bytes, given)
    expect([found.rows, values]).toEqual([100, 400])
    expect(found.cells.slice(1, 3).map(([cell]) => cell)).toEqual([0.25, 19_754])
    expectSame(columns, found, await readAlone(columns, bytes, given))
    const named = [{ ...FEW[3], index: 0, format: { dateFormat: '%d %b %Y' } }, FEW[1]]
    expect(await readOf({}, named)).toBe(1)
  })

  it('are of plain types, whatever the others are', async () => {
    for (const type of READABLE) expect(await readOf({}, columnsOf({ a: type, b: 'DATE' })), type).toBe(2)
    for (const type of ['UBIGINT', 'HUGEINT', 'FLOAT', 'DECIMAL(19,2)', 'BLOB', 'UUID', 'TIMESTAMP_S', 'INTEGER[]']) {
      expect(await readOf({}, columnsOf({ a: 'DATE', b: type })), type).toBe(1)
    }
    expect(await readOf({}, columnsOf({ a: 'INTEGER' }))).toBe(1)
    expect(await readOf({}, [{ ...columnsOf({ a: 'BOOLEAN' })[0], format: { trueValues: ['yes'] } }, FEW[1]])).toBe(1)
  })

  it('are left alone where they have an odd value, and tried again', async () => {
    const odd = (i: number): boolean => i === 100 || i === 40_000
    const bytes = lines(many(200_000, (i) => `${odd(i) ? '+5' : i},n${i},${i / 2},2024-01-01`))
    const { found, values } = await readOnce(FEW, bytes)
    expect([found.rows, found.rejected]).toEqual([200_000, []])
    expect(found.cells[0][40_000]).toBe(5)
    expect(values).toBeGreaterThan(3 * 200_000 + 60_000)
    expect(values).toBeLessThan(4 * 200_000)
  })
})

/** Lines with something that the kernel leaves, some of them rejected. */
const ODD = ['x,"a\nb",1,', '1,a', '1,a,2,,3', '+5,"q" ,1,', '1,"a"b,2,', '1,a\r2,b,3,', '3,c,9e999,', ' ']

describe('a file', () => {
  const settings: [string, Partial<CsvSettings>][] = [
    ['with names', {}],
    ['without names', { header: false }],
    ['with names below other lines', { skipLines: 3 }],
    ['whose short rows are filled up', { shortRows: 'pad' }],
    ['without null texts', { nullStrings: [], header: false, skipLines: 1 }],
  ]
  it.each(settings)(
    '%s is read as JavaScript alone reads it',
    async (_, given) => {
      const request = requestFor(FEW, { ...SETTINGS, ...given })
      for (const [size, step] of [
        [300, 7],
        [700, 301],
        [2000, 5003],
      ]) {
        const texts = many((size * KB) / 34, (i) => (i % 997 === 5 ? '' : few(i)))
        for (let i = 1; i * step < texts.length; i++) texts.splice(i * step, 0, ODD[i % ODD.length])
        // One byte that isn't UTF-8 leaves much to JavaScript.
        if (size === 300) texts.splice(-2000, 0, '1,\xff,2,')
        const head = [
          ...many(request.settings.kind === 'csv' ? request.settings.skipLines : 0, () => 'skip "this'),
          'a,b,c,d',
        ]
        const bytes = lines(
          [...(given.header === false ? head.slice(0, -1) : head), ...texts],
          step > 300 ? '\r\n' : '\n',
        )
        const whole = await readFile(request, [bytes], true)
        expect(whole.found.rejected.length).toBeGreaterThan(2)
        const slices = [
          [bytes],
          cutUp(bytes, [1, 100_000, 100_001, 200_000]),
          cutUp(
            bytes,
            Array.from({ length: 40 }, (__, i) => i * 7919),
          ),
        ]
        const { records } = await watchKernel(async () => {
          for (const all of slices) {
            const told = await readFile(request, all)
            expect(told.names).toEqual(given.header === false ? [] : [['a', 'b', 'c', 'd']])
            expectSame(FEW, told.found, whole.found)
          }
        })
        expect(records).toBeGreaterThan(texts.length * 2)
      }
    },
    20_000,
  )

  it('cut after each line is read as JavaScript alone reads it', async () => {
    const texts = many(4000, (i) => (i % 50 === 7 ? ODD[((i / 50) % ODD.length) | 0] : few(i)))
    const bytes = lines(['id,name,x,day', ...texts, '9,"open'])
    const request = requestFor(FEW)
    const { result: told, records } = await watchKernel(() => readFile(request, byLine(bytes)))
    expect(records).toBeGreaterThan(3000)
    expect(told.names).toEqual([['id', 'name', 'x', 'day']])
    expectSame(FEW, told.found, (await readFile(request, [bytes], true)).found)
  })

  it('of several megabytes has its rejected rows numbered right after what the kernel reads', async () => {
    const texts = many(40_000, (i) => `${i},${i % 10 === 0 ? '"two\nlines"' : 'one line'},0.5,`)
    const bytes = lines(['id,name,x,day', ...texts, '', 'x,y,1,', ...texts, '1,2'])
    const { result, records } = await watchKernel(() => readFile(requestFor(FEW), [bytes]))
    const { found } = result
    expect(records).toBeGreaterThan(79_000)
    expect(found.rejected.map(({ row, line, reason }) => [row, line, reason])).toEqual([
      [40_001, 44_003, 'value'],
      [80_002, 88_004, 'ragged'],
    ])
    expect(found.rows).toBe(80_000)
  })

  it.each([{ skipLines: 1 }, { comment: '#' }])(
    'cut within a character of a line that is no row is checked (%j)',
    async (given) => {
      const request = requestFor(FEW.slice(0, 2), { ...SETTINGS, ...given, header: false })
      const bytes = bytesOf('# a comment \xc3\xa9\n1,\xff\n')
      const whole = await readFile(request, [bytes], true)
      expect(whole.found.rejected.map(({ reason }) => reason)).toEqual(['encoding'])
      expectSame(request.columns, (await readFile(request, cutUp(bytes, [13]))).found, whole.found)
    },
  )

  it('of which some rows are asked for is read as far as these', async () => {
    const bytes = lines(['id,name,x,day', ...many(20_000, (i) => (i % 10 === 3 ? '1,x,y,' : few(i)))])
    for (const limit of [1, 9, 5000, 15_000, 18_000]) {
      let rows = 0
      let rejected = 0
      for await (const read of readCsv(inSlices([bytes]), { ...requestFor(FEW), limit }, QUIET)) {
        rows += read.batch.numRows
        rejected += read.rejected.length
      }
      expect(rows).toBe(limit)
      expect(rejected).toBeGreaterThanOrEqual(Math.floor((limit - 1) / 9))
      expect(rejected).toBeLessThanOrEqual(Math.ceil(limit / 8))
    }
  })
})

describe('a cancellation', () => {
  const part = lines(many(200_000, (i) => `${i},name,0.5,2024-01-01`))

  async function batchesUntilStopped(open: (context: EngineContext) => AsyncIterable<ReadBatch>): Promise<number> {
    const controller = new AbortController()
    let batches = 0
    // Time goes by fast, so that the signal is looked at after each batch.
    let now = 0
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 100))
    const reading = (async () => {
      for await (const { batch } of open({ signal: controller.signal, progress: () => undefined })) {
        if (batch.numRows > 0 && ++batches === 2) controller.abort()
      }
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    return batches
  }

  it('stops what the kernel reads of a file', async () => {
    const slices = [bytesOf('id,name,x,day\n'), part, part]
    const { result, records } = await watchKernel(() =>
      batchesUntilStopped((context) => readCsv(inSlices(slices), requestFor(FEW), context)),
    )
    expect(result).toBe(2)
    expect(records).toBeLessThan(150_000)
  })
})
