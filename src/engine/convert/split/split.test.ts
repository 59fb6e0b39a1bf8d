import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { defaultOptions } from '../../../tables/plan.ts'
import type { Receipt } from '../../../tables/receipt.ts'
import { hasPeriods, periodOf } from '../../../tables/reshape/split.ts'
import { MemoryOutputs } from '../../storage/output.ts'
import { nativeRows, nativeText } from '../../testing/oracle.ts'
import { combine, convert, split, type Converted } from '../../testing/run.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-split-'))
afterAll(() => rmSync(folder, { recursive: true }))

const csv = (name: string, text: string): File => new File([text], name)

const ORDERS = csv(
  'orders.csv',
  'id,region,amount\n1,north,1.50\n2,south,2\n3,,3\n4,north,4.25\n5,"a/b",5\n6,A:b,6\n7,south,7\n',
)

async function stored(files: readonly File[]): Promise<string> {
  const paths = await Promise.all(
    files.map(async (file, i) => {
      const at = path.join(folder, `${i} ${file.name}`)
      writeFileSync(at, new Uint8Array(await file.arrayBuffer()))
      return `'${at.replaceAll("'", "''")}'`
    }),
  )
  return `[${paths.join(', ')}]`
}

const receiptOf = ({ result }: Converted): Receipt => result.outputs[0].receipts[0]

const total = ({ parts = [] }: Receipt): string =>
  (parts.reduce((sum, { rowChecksum }) => sum + BigInt(`0x${rowChecksum}`), 0n) % 2n ** 64n)
    .toString(16)
    .padStart(16, '0')

describe('a table that is split by a column', () => {
  it('becomes a file for each value, with names that any disk takes', async () => {
    const { files } = await split(ORDERS, 'csv', { by: 'column', column: 'region' })
    expect(files.map(({ name }) => name)).toEqual([
      'orders - north.csv',
      'orders - south.csv',
      'orders - no value.csv',
      'orders - a_b.csv',
      'orders - A_b (2).csv',
    ])
    expect(await files[0].text()).toBe('id,region,amount\n1,north,1.50\n4,north,4.25\n')
    expect(await files[2].text()).toBe('id,region,amount\n3,,3\n')
  })

  it('has one receipt, to which the files’ rows and checksums add up', async () => {
    const made = await split(ORDERS, 'parquet', { by: 'column', column: 'region' })
    const receipt = receiptOf(made)
    const whole = receiptOf(await convert(ORDERS, 'parquet'))
    expect(made.result.outputs.map(({ receipts }) => receipts.length)).toEqual([1, 0, 0, 0, 0])
    expect(receipt.parts?.map(({ value, rows }) => [value, rows])).toEqual([
      ['north', 2],
      ['south', 2],
      [null, 1],
      ['a/b', 1],
      ['A:b', 1],
    ])
    expect([receipt.expected, receipt.found, receipt.verdict]).toEqual([whole.found, whole.found, 'match'])
    expect(total(receipt)).toBe(whole.found.rowChecksum)
    expect(receipt.output).toEqual({
      name: '5 files',
      size: made.files.reduce((sum, { size }) => sum + size, 0),
      format: 'parquet',
    })
    expect(receipt.changes.find(({ code }) => code === 'split')?.message).toBe(
      'Split into 5 files by the values of “region”. Rows without a value are in “orders - no value.parquet”.',
    )
  })

  it('is the same where a second thread writes', async () => {
    const by = { by: 'column', column: 'region' } as const
    const [one, two] = [
      await split(ORDERS, 'parquet', by),
      await split(ORDERS, 'parquet', by, defaultOptions('parquet'), { threads: 2 }),
    ]
    expect(receiptOf(two).parts).toEqual(receiptOf(one).parts)
    expect(await nativeText(`FROM read_parquet(${await stored(two.files)}) ORDER BY id`)).toEqual(
      await nativeText(`FROM read_parquet(${await stored(one.files)}) ORDER BY id`),
    )
  })

  it('has in each file the rows that native DuckDB finds for its value', async () => {
    const regions = ['north', 'south', '', 'Łódź', '漢字', "o'hara"]
    const lines = Array.from({ length: 5000 }, (_, i) => `${i},"${regions[(i * 7) % 6] ?? ''}",${i % 97}.5\n`)
    const file = csv('big.csv', `id,region,amount\n${lines.join('')}`)
    const made = await split(file, 'parquet', { by: 'column', column: 'region' })
    const source = path.join(folder, 'big.csv')
    writeFileSync(source, await file.text())
    for (const [i, { value, rows }] of (receiptOf(made).parts ?? []).entries()) {
      const part = `read_parquet(${await stored([made.files[i]])})`
      const is = value === null ? 'IS NULL' : `= '${value?.replaceAll("'", "''") ?? ''}'`
      const wanted = `SELECT id::INTEGER, region, amount::DOUBLE FROM read_csv('${source}') WHERE region ${is}`
      const found = `SELECT id::INTEGER, region, amount::DOUBLE FROM ${part}`
      expect(await nativeRows(`SELECT count(*)::INTEGER FROM ${part}`)).toEqual([[rows]])
      expect(await nativeRows(`(${wanted}) EXCEPT ALL (${found})`)).toEqual([])
    }
  })

  it('is refused where there are more than 1,000 values, or no such column', async () => {
    const many = csv('many.csv', `id,v\n${Array.from({ length: 1001 }, (_, i) => `${i},x\n`).join('')}`)
    await expect(split(many, 'csv', { by: 'column', column: 'id' })).rejects.toMatchObject({
      code: 'too-large',
      message: '“id” has more than 1,000 different values: each would become a file.',
    })
    await expect(split(many, 'csv', { by: 'column', column: 'nil' })).rejects.toMatchObject({
      code: 'invalid-plan',
      message: 'The table has no column “nil” to split by. Choose another, or don’t split it.',
    })
  })

  it('keeps rows that don’t fit apart, and tells the rest', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => (i === 7 ? '7,x,surplus\n' : `${i},${i % 2}\n`))
    const made = await split(csv('bad.csv', `id,odd\n${rows.join('')}`), 'csv', { by: 'column', column: 'odd' })
    expect(made.result.rejectedCount).toBe(1)
    expect(receiptOf(made).parts?.map(({ rows: count }) => count)).toEqual([20, 19])
    expect(receiptOf(made).rejectedRows).toBe(1)
  })
})

describe('a table that is split by the months or years of its dates', () => {
  const BOOKINGS = csv('b.csv', 'day,n\n31.12.2023,1\n02.01.2024,2\n,3\n28.01.2024,4\n01.02.2024,5\n')
  const contents = async ({ files }: Converted): Promise<[string, string][]> =>
    Promise.all(files.map(async (file) => [file.name, await file.text()] as [string, string]))

  it('becomes a file for each, with dates as the file spells them where text stays text', async () => {
    const made = await split(BOOKINGS, 'csv', { by: 'column', column: 'day', period: 'month' })
    expect(await contents(made)).toEqual([
      ['b - 2023-12.csv', 'day,n\n31.12.2023,1\n'],
      ['b - 2024-01.csv', 'day,n\n02.01.2024,2\n28.01.2024,4\n'],
      ['b - no value.csv', 'day,n\n,3\n'],
      ['b - 2024-02.csv', 'day,n\n01.02.2024,5\n'],
    ])
    expect(receiptOf(made).changes.find(({ code }) => code === 'split')?.message).toBe(
      'Split into 4 files by the months of “day”. Rows without a value are in “b - no value.csv”.',
    )
    const years = await split(BOOKINGS, 'json', { by: 'column', column: 'day', period: 'year' })
    expect(years.files.map(({ name }) => name)).toEqual(['b - 2023.json', 'b - 2024.json', 'b - no value.json'])
    expect(receiptOf(years).parts?.map(({ value, rows }) => [value, rows])).toEqual([
      ['2023', 1],
      ['2024', 3],
      [null, 1],
    ])
  })

  it('also where files are combined', async () => {
    const more = csv('c.csv', 'day,n\n29.01.2024,6\n')
    const by = { by: 'column', column: 'day', period: 'month' } as const
    const made = await combine([BOOKINGS, more], 'csv', undefined, () => ({ fileColumn: false }), { split: by })
    expect((await contents(made)).slice(0, 2).map(([, text]) => text)).toEqual([
      'day,n\n31.12.2023,1\n',
      'day,n\n02.01.2024,2\n28.01.2024,4\n29.01.2024,6\n',
    ])
    const days = csv('d.csv', 'day,n\n2024-01-31,1\n')
    const times = csv('t.csv', 'day,n\n2024-01-01 10:00:00,2\n')
    const both = await combine([days, times], 'csv', undefined, () => ({ fileColumn: false }), { split: by })
    expect(receiptOf(both).parts?.map(({ value, rows }) => [value, rows])).toEqual([['2024-01', 2]])
  })

  it('has for each month the rows that native DuckDB finds, also of timestamps with a zone, which are UTC’s', async () => {
    const moments = Array.from({ length: 500 }, (_, i) => {
      const at = new Date(Date.UTC(2022, 0, 1) + i * 53 * 3_600_000).toISOString().slice(0, 19)
      return `${i},${at.replace('T', ' ')}${i % 2 === 0 ? '+02:00' : '-05:00'}\n`
    })
    const file = csv('z.csv', `id,seen\n${moments.join('')}`)
    const made = await split(file, 'parquet', { by: 'column', column: 'seen', period: 'month' })
    const { changes, parts = [] } = receiptOf(made)
    expect(changes.find(({ code }) => code === 'split')?.message).toContain('by the months of “seen”, in UTC.')
    const source = path.join(folder, 'z.csv')
    writeFileSync(source, await file.text())
    const wanted = `SELECT strftime(seen AT TIME ZONE 'UTC', '%Y-%m') AS part, count(*)::INTEGER FROM read_csv('${source}', types = {seen: 'TIMESTAMPTZ'}) GROUP BY 1 ORDER BY 1`
    expect(parts.map(({ value, rows }) => [value, rows])).toEqual(await nativeRows(wanted))
  })

  it('is refused where a column has none', async () => {
    await expect(split(BOOKINGS, 'csv', { by: 'column', column: 'n', period: 'year' })).rejects.toMatchObject({
      code: 'invalid-plan',
      message: expect.stringContaining('“n” isn’t a column of dates, so it has no years to split by.') as string,
    })
  })

  it('keeps dates before our era and without an end apart', () => {
    expect(['DATE', 'TIMESTAMP_NS', 'TIMESTAMP WITH TIME ZONE'].every((type) => hasPeriods({ type }))).toBe(true)
    expect(['TIME', 'DATE[]', 'TIMESTAMP[]'].some((type) => hasPeriods({ type }))).toBe(false)
    expect(periodOf('0044-03-15 (BC)', 'month')).toBe('0044-03 (BC)')
    expect(periodOf('0044-03-15 10:00:00 (BC)', 'year')).toBe('0044 (BC)')
    expect(periodOf('12024-03-15', 'month')).toBe('12024-03')
    expect(periodOf('infinity', 'month')).toBe('infinity')
  })
})

describe('a table that is split by rows', () => {
  it('becomes files of so many, numbered so that they sort', async () => {
    const file = csv('n.csv', `n\n${Array.from({ length: 21 }, (_, i) => `${i}\n`).join('')}`)
    const made = await split(file, 'csv', { by: 'rows', rows: 2 })
    const { files } = made
    expect(receiptOf(made).changes.find(({ code }) => code === 'split')?.message).toBe(
      'Split into 11 files of up to 2 rows each.',
    )
    expect([files.length, files[0].name, files[10].name]).toEqual([11, 'n - 01.csv', 'n - 11.csv'])
    expect(await files[10].text()).toBe('n\n20\n')
  })

  it('becomes one file where it has no rows', async () => {
    const { files } = await split(csv('none.csv', 'a,b\n'), 'csv', { by: 'rows', rows: 5 })
    expect(await files[0].text()).toBe('a,b\n')
    expect(files.length).toBe(1)
  })

  it('is refused where that would be too many files, before any is made', async () => {
    const file = csv('n.csv', `n\n${Array.from({ length: 1001 }, (_, i) => `${i}\n`).join('')}`)
    await expect(split(file, 'csv', { by: 'rows', rows: 1 })).rejects.toMatchObject({ code: 'invalid-plan' })
    await expect(split(file, 'csv', { by: 'rows', rows: 0.5 })).rejects.toMatchObject({ code: 'invalid-plan' })
  })
})

describe('what is split and then combined', () => {
  const cell = fc.oneof(
    { arbitrary: fc.constantFrom('north', 'south', 'a/b', 'CON', '..', 'x'.repeat(200)), weight: 3 },
    { arbitrary: fc.string({ unit: 'grapheme', maxLength: 6 }), weight: 1 },
  )
  const anyRows = fc.array(fc.record({ id: fc.nat(), region: fc.option(cell), ok: fc.boolean() }), {
    minLength: 2,
    maxLength: 40,
  })
  const asJson = (rows: readonly object[]): File => new File([JSON.stringify(rows)], 'rows.json')

  it('by a column is the same rows again', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.constantFrom('id', 'region', 'ok'), async (rows, column) => {
        const made = await split(asJson(rows), 'parquet', { by: 'column', column })
        const names = made.files.map(({ name }) => name.toLowerCase())
        expect(new Set(names).size).toBe(names.length)
        const back = await combine(made.files, 'parquet', undefined, () => ({ fileColumn: false }))
        expect(receiptOf(back).found).toEqual(receiptOf(made).found)
        expect(total(receiptOf(made))).toBe(receiptOf(back).found.rowChecksum)
      }),
      { numRuns: 15 },
    )
  })

  it('by rows is the same file again', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 50 }), async (rows, size) => {
        const whole = await convert(asJson(rows), 'parquet')
        const made = await split(whole.files[0], 'parquet', { by: 'rows', rows: size })
        const back = await combine(made.files, 'json', undefined, () => ({ fileColumn: false }))
        const direct = await convert(whole.files[0], 'json')
        expect(await back.files[0].text()).toBe(await direct.files[0].text())
      }),
      { numRuns: 15 },
    )
  })
})

it('is cancelled between rows, and leaves nothing', async () => {
  const file = csv('n.csv', `n\n${Array.from({ length: 50_000 }, (_, i) => `${i}\n`).join('')}`)
  const cancel = new AbortController()
  const storage = new MemoryOutputs()
  const made = split(file, 'csv', { by: 'rows', rows: 100 }, defaultOptions('csv'), {
    signal: cancel.signal,
    storage,
    progress: (told) => {
      if (told.phase === 'split') cancel.abort()
    },
  })
  await expect(made).rejects.toThrow('abort')
  expect(storage.files.size).toBe(0)
})
