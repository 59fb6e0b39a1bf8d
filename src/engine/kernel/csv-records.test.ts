import { afterEach, describe, expect, it, vi } from 'vitest'
import type { CsvSettings } from '../../tables/plan.ts'
import { csvParts, readCsv } from '../formats/csv/read.ts'
import type { EngineContext, ReadBatch, ReadColumn } from '../formats/types.ts'
import { quiet } from '../testing/inspection-helper.ts'
import { cutUp, inSlices } from '../testing/slices.ts'
import { CsvRecords } from './csv-records.ts'
import { byLine, partReader, readFile, requestFor, SETTINGS, watchKernel } from './csv-testing.ts'
import { bytesOf, columnsOf, expectSame, READABLE, utf8 } from './json-testing.ts'
import { nothing, takeBatch, type Found } from './testing.ts'

const FIXED = columnsOf(Object.fromEntries(READABLE.map((type) => [type.toLowerCase(), type])))
const FEW = columnsOf({ id: 'INTEGER', name: 'VARCHAR', x: 'DOUBLE', day: 'DATE' })
const KB = 1024

const pad = (value: number, width = 2): string => String(value).padStart(width, '0')

/** Values of the types of `READABLE`, some missing. */
function valuesOf(i: number): string[] {
  const day = `${1950 + (i % 120)}-${pad((i % 12) + 1)}-${pad((i % 28) + 1)}`
  const time = `${pad(i % 24)}:${pad((i * 7) % 60)}:${pad((i * 11) % 60)}${i % 3 === 0 ? `.${pad(i % 1000, 3)}` : ''}`
  const text = i % 5 === 0 ? `line ${i}\n"\u{1f388}", é${'x'.repeat(i % 40)}` : `name ${i}`
  const values = [
    ['true', 'FALSE', 'True'][i % 3],
    (i % 256) - 128,
    (i * 31) % 32_768,
    i * 65_537 - 2 ** 30,
    -i * 2 ** 33,
    i % 256,
    (i * 17) % 65_536,
    i * 40_009,
    i / 7 - 1,
    text,
    day,
    time,
    `${day} ${time}`,
    `${day}T${time}${['Z', '+02:00', '-07', ''][i % 4]}`,
    (i - 500) / 100,
    (i * 1_000_003) / 1e6,
  ]
  return values.map((value, c) => ((i * 13 + c * 5) % 11 === 0 ? '' : String(value)))
}

/** A record of such values, quoted where they must be, and now and then where not. */
function record(values: readonly string[], i: number): string {
  const written = values.map((value, c) =>
    /[\n",]/.test(value) || (value !== '' && (i + c) % 7 === 0) ? `"${value.replaceAll('"', '""')}"` : value,
  )
  return utf8(written.join(','))
}

const usual = (i: number): string => record(valuesOf(i), i)
const few = (i: number): string => record([valuesOf(i)[3], valuesOf(i)[9], valuesOf(i)[8], valuesOf(i)[10]], i)

const lines = (texts: readonly string[], end = '\n'): Uint8Array<ArrayBuffer> =>
  bytesOf(texts.map((text) => text + end).join(''))
const many = (count: number, line: (i: number) => string): string[] => Array.from({ length: count }, (_, i) => line(i))

function recordsOf(columns: readonly ReadColumn[], given: Partial<CsvSettings> = {}, width = columns.length) {
  const records = CsvRecords.of(columns, { ...SETTINGS, ...given }, width)
  if (!records) throw new Error('The kernel can’t read such columns.')
  return records
}

/** What a single call reads. */
function readOnce(records: CsvRecords, columns: readonly ReadColumn[], bytes: Uint8Array): Found {
  const found = nothing(columns)
  takeBatch(found, columns, records.read(bytes))
  expect(records.rows).toBe(found.rows)
  return found
}

/** What JavaScript alone reads of a part. */
const readAlone = async (
  columns: readonly ReadColumn[],
  bytes: Uint8Array,
  given: Partial<CsvSettings> = {},
): Promise<Found> => (await partReader(requestFor(columns, { ...SETTINGS, ...given }), true)(bytes)).found

afterEach(() => {
  vi.restoreAllMocks()
})

describe('the kernel', () => {
  it.each(['\n', '\r\n'])('reads all rows of a usual table in one go, whose lines end with %j', async (end) => {
    const bytes = lines(many(3000, usual), end)
    const records = recordsOf(FIXED)
    const found = readOnce(records, FIXED, bytes)
    const within = many(3000, usual).join('').split('\n').length - 1
    expect([found.rows, records.bytes, records.lines]).toEqual([3000, bytes.length, 3000 + within])
    expectSame(FIXED, found, await readAlone(FIXED, bytes))
  })

  it.each(READABLE.map((type, i) => [type, i] as const))('reads all values of type %s', async (type, i) => {
    const columns = columnsOf({ value: type, other: type })
    const bytes = lines(many(500, (row) => record([valuesOf(row)[i], valuesOf(row + 3)[i]], row)))
    const records = recordsOf(columns)
    const found = readOnce(records, columns, bytes)
    expect([found.rows, records.bytes]).toEqual([500, bytes.length])
    expectSame(columns, found, await readAlone(columns, bytes))
  })

  it.each([',', ';', '\t', '|', '!', '~', '\\', '^', '_', '@'])('reads fields between %j', async (delimiter) => {
    for (const quote of ['"', "'", null, '']) {
      const given = { delimiter, quote, escape: quote }
      const mark = quote ?? ''
      const texts = many(100, (i) => [i, `${mark}t ${i}${mark}`, i / 8, `${mark}2024-01-02${mark}`].join(delimiter))
      const bytes = lines(texts)
      const records = recordsOf(FEW, given)
      const found = readOnce(records, FEW, bytes)
      expect([found.rows, records.bytes, records.lines]).toEqual([100, bytes.length, 100])
      expectSame(FEW, found, await readAlone(FEW, bytes, given))
    }
  })

  it('reads columns in any order, and passes over fields that none is wanted of', async () => {
    const columns = [FIXED[9], FIXED[0], FIXED[14], FIXED[3]]
    const bytes = lines(many(1000, (i) => usual(i).replaceAll('\n', ' ')))
    const records = recordsOf(columns, {}, FIXED.length)
    const found = readOnce(records, columns, bytes)
    expect([found.rows, records.bytes]).toEqual([1000, bytes.length])
    const whole = await readAlone(FIXED, bytes)
    expectSame(columns, found, { ...whole, cells: columns.map(({ index }) => whole.cells[index]) })
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
    const records = recordsOf(columns)
    const found = readOnce(records, columns, bytes)
    expect([found.rows, records.bytes]).toEqual([texts.length, bytes.length])
    expectSame(columns, found, await readAlone(columns, bytes))
  })

  it('counts lines of blank ones and of line ends within quotes', () => {
    const records = recordsOf(FEW)
    const found = readOnce(records, FEW, bytesOf('\n\r\n1,"a\n\r\nb",2,\n\n,,,\r\n\n'))
    expect(found.cells).toEqual([
      [1, null],
      ['a\n\r\nb', null],
      [2, null],
      [null, null],
    ])
    expect([records.bytes, records.lines]).toEqual([23, 8])
    expect(readOnce(records, FEW, bytesOf('\n\r\n\n')).rows).toBe(0)
    expect([records.bytes, records.lines]).toEqual([4, 3])
    expect(readOnce(records, FEW, bytesOf('')).rows).toBe(0)
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
  ])('leaves %j, and takes nothing of it', async (text) => {
    const bytes = lines(['7,b,,2024-02-29', '', text, '8,c,1,'])
    const records = recordsOf(FEW)
    const found = readOnce(records, FEW, bytes)
    expect([found.rows, records.bytes, records.lines]).toEqual([1, 17, 2])
    expect(found.cells).toEqual([[7], ['b'], [null], [19_782]])
    const request = requestFor(FEW)
    const part = await partReader(request)(bytes)
    expectSame(FEW, part.found, await readAlone(FEW, bytes))
  })

  it('leaves an empty field that is no null, and counts no nulls for it', async () => {
    const bytes = lines(['1,a,2,2024-01-01', '2,b,3,', '3,c,4,2024-01-02', ',,,'])
    const records = recordsOf(FEW, { nullStrings: [] })
    expect(readOnce(records, FEW, bytes).rows).toBe(1)
    expectSame(
      FEW,
      readOnce(recordsOf(FEW, { nullStrings: [] }), FEW, bytes),
      await readAlone(FEW, bytes.subarray(0, 17), { nullStrings: [] }),
    )
  })

  it('leaves a record that isn’t whole, and text that isn’t UTF-8', () => {
    const records = recordsOf(FEW)
    expect(readOnce(records, FEW, bytesOf('1,a,2,\n2,b,3,')).rows).toBe(1)
    expect(records.bytes).toBe(7)
    expect(readOnce(records, FEW, bytesOf('1,"a\n2,b,3,\n')).rows).toBe(0)
    expect(records.bytes).toBe(0)
    expect(readOnce(records, FEW, bytesOf('1,a,2,\n2,\xff,3,\n')).rows).toBe(0)
    expect([records.bytes, records.lines]).toEqual([0, 0])
  })
})

describe('columns that the kernel reads', () => {
  const isRead = (given: Partial<CsvSettings>, columns: readonly ReadColumn[] = FEW, width = columns.length): boolean =>
    CsvRecords.of(columns, { ...SETTINGS, ...given }, width) !== null

  it('are between delimiters that are no part of a value', () => {
    for (const delimiter of [',', ';', '\t', '|', '!', '*', '/', '~']) expect(isRead({ delimiter })).toBe(true)
    for (const delimiter of [' ', ':', '-', '+', '.', '0', 'e', 'T', '"', "'", '||', '§', '\0']) {
      expect(isRead({ delimiter }), delimiter).toBe(false)
    }
  })

  it('have usual quotes, nulls and no comments', () => {
    expect(isRead({ quote: "'", escape: "'" })).toBe(true)
    expect(isRead({ quote: null, escape: null })).toBe(true)
    expect(isRead({ quote: '', escape: '' })).toBe(true)
    expect(isRead({ nullStrings: [] })).toBe(true)
    expect(isRead({ nullStrings: ['', ''] })).toBe(true)
    expect(isRead({ comment: '' })).toBe(true)
    expect(isRead({ shortRows: 'pad', header: false, skipLines: 3 })).toBe(true)
    expect(isRead({ escape: '\\' })).toBe(false)
    expect(isRead({ escape: null })).toBe(false)
    expect(isRead({ quote: '`', escape: '`' })).toBe(false)
    expect(isRead({ quote: "'", escape: '"' })).toBe(false)
    expect(isRead({ nullStrings: ['NA'] })).toBe(false)
    expect(isRead({ nullStrings: ['', 'NULL'] })).toBe(false)
    expect(isRead({ comment: '#' })).toBe(false)
  })

  it('are some, of plain types, each of a field of its own, and not all there is to a record', () => {
    for (const type of READABLE) expect(isRead({}, columnsOf({ a: type, b: 'DATE' })), type).toBe(true)
    for (const type of ['UBIGINT', 'HUGEINT', 'FLOAT', 'DECIMAL(19,2)', 'BLOB', 'UUID', 'TIMESTAMP_S', 'INTEGER[]']) {
      expect(isRead({}, columnsOf({ a: 'DATE', b: type })), type).toBe(false)
    }
    expect(isRead({}, [])).toBe(false)
    expect(isRead({}, [], 2)).toBe(false)
    expect(isRead({}, columnsOf({ a: 'DATE' }))).toBe(false)
    expect(isRead({}, columnsOf({ a: 'DATE' }), 2)).toBe(true)
    expect(isRead({}, FEW, 3)).toBe(false)
    expect(isRead({}, [...FEW, FEW[1]])).toBe(false)
    expect(isRead({}, [{ ...FEW[0], format: { trueValues: ['yes'] } }, FEW[1]])).toBe(false)
  })
})

/** Lines that the kernel leaves, some of them rejected. */
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
        const tally = watchKernel()
        const slices = [
          [bytes],
          cutUp(bytes, [1, 100_000, 100_001, 200_000]),
          cutUp(
            bytes,
            Array.from({ length: 40 }, (__, i) => i * 7919),
          ),
        ]
        for (const all of slices) {
          const told = await readFile(request, all)
          expect(told.names).toEqual(given.header === false ? [] : [['a', 'b', 'c', 'd']])
          expectSame(FEW, told.found, whole.found)
        }
        // Where odd lines are near to each other, and empty fields are no nulls, JavaScript reads most.
        if (step > 5000 && !given.nullStrings) expect(tally.rows).toBeGreaterThan(texts.length / 4)
        vi.restoreAllMocks()
      }
    },
    20_000,
  )

  it('cut behind each line is read as JavaScript alone reads it', async () => {
    const texts = many(4000, (i) => (i % 50 === 7 ? ODD[((i / 50) % ODD.length) | 0] : few(i)))
    const bytes = lines(['id,name,x,day', ...texts, '9,"open'])
    const request = requestFor(FEW)
    const tally = watchKernel()
    const told = await readFile(request, byLine(bytes))
    expect(tally.rows).toBeGreaterThan(3000)
    expect(told.names).toEqual([['id', 'name', 'x', 'day']])
    expectSame(FEW, told.found, (await readFile(request, [bytes], true)).found)
  })

  it('of several megabytes has its rejected rows numbered right behind what the kernel reads', async () => {
    const texts = many(40_000, (i) => `${i},${i % 10 === 0 ? '"two\nlines"' : 'one line'},0.5,`)
    const bytes = lines(['id,name,x,day', ...texts, '', 'x,y,1,', ...texts, '1,2'])
    const tally = watchKernel()
    const { found } = await readFile(requestFor(FEW), [bytes])
    expect(tally.rows).toBeGreaterThan(60_000)
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

  it('of which some rows are asked for is left to JavaScript', async () => {
    const tally = watchKernel()
    const bytes = lines(['id,name,x,day', ...many(20_000, few)])
    let rows = 0
    for await (const { batch } of readCsv(inSlices([bytes]), { ...requestFor(FEW), limit: 19_000 }, quiet)) {
      rows += batch.numRows
    }
    expect([rows, tally.calls]).toEqual([19_000, 0])
  })

  it('in parts has each read by the kernel at once, but the first', async () => {
    const tally = watchKernel()
    const request = requestFor(FEW)
    const [ours, theirs] = [partReader(request), partReader(request, true)]
    const parts = [lines(['id,name,x,day', ...many(10, few)]), lines(many(2000, few)), lines([...ODD, ...many(9, few)])]
    for (const [i, bytes] of [...parts, lines(many(50, few)), bytesOf(''), lines(['', ''])].entries()) {
      const told = await ours(bytes, i)
      expectSame(FEW, told.found, (await theirs(bytes, i)).found)
      expect(told.names).toEqual(i === 0 ? [['id', 'name', 'x', 'day']] : [])
    }
    expect(tally.rows).toBe(2050)
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
    const tally = watchKernel()
    const slices = [bytesOf('id,name,x,day\n'), part, part]
    expect(await batchesUntilStopped((context) => readCsv(inSlices(slices), requestFor(FEW), context))).toBe(2)
    expect(tally.rows).toBeLessThan(50_000)
  })

  it('stops what the kernel reads of a part', async () => {
    const tally = watchKernel()
    const read = (context: EngineContext) => csvParts.open(requestFor(FEW), context)({ index: 1, from: 0, bytes: part })
    expect(await batchesUntilStopped(read)).toBe(2)
    expect(tally.rows).toBeLessThan(50_000)
  })
})
