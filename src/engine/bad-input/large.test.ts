import { gzipSync } from 'node:zlib'
import { Schema } from 'apache-arrow'
import { describe, expect, it, vi } from 'vitest'
import { carried, fileOf, refusal } from '../testing/bad-input.ts'
import { inspect } from '../testing/run.ts'
import { processorTime } from '../../lib/testing.ts'

/* Files in which something is huge: the number of columns, a field, a line, the unpacked size of a gzip file. */

const COLUMNS = 10_000
const ROWS = 5
const names = (count: number): string[] => Array.from({ length: count }, (_, i) => `c${i}`)
const wideCsv = (count: number, rows = ROWS): File => {
  const row = Array.from({ length: count }, (_, i) => i).join(',')
  return fileOf('wide.csv', [names(count).join(','), ...Array.from({ length: rows }, () => row)].join('\n'))
}

describe('10,000 columns', { timeout: 120_000 }, () => {
  it('from CSV to Parquet and back', async () => {
    const { files, receipt } = await carried(wideCsv(COLUMNS), ROWS, { target: 'parquet' })
    expect(receipt.found.columns.map(({ max }) => max)).toEqual(names(COLUMNS).map((name) => name.slice(1)))
    const back = await carried(files[0], ROWS, { target: 'csv' })
    expect((await back.files[0].text()).trim()).toBe(await wideCsv(COLUMNS).text())
  })

  it('aren’t looked up by name, which takes quadratic time', async () => {
    const assign = vi.spyOn(Schema.prototype, 'assign')
    const { files } = await carried(wideCsv(50), ROWS, { target: 'parquet' })
    await carried(files[0], ROWS, { target: 'arrow' })
    expect(assign).not.toHaveBeenCalled()
    assign.mockRestore()
  })

  it('from JSON to CSV', async () => {
    const row = `{${names(COLUMNS)
      .map((name, i) => `"${name}":${i}`)
      .join(',')}}`
    const { files } = await carried(fileOf('wide.json', `[${row},${row}]`), 2, { target: 'csv' })
    expect((await files[0].text()).trim()).toBe(await wideCsv(COLUMNS, 2).text())
  })

  it('from CSV to Excel', async () => {
    await carried(wideCsv(COLUMNS, 2), 2, { target: 'xlsx' })
  })

  it('have a preview of fewer rows', async () => {
    const { previews } = await inspect(wideCsv(COLUMNS, 30))
    expect(previews[0].columns).toHaveLength(COLUMNS)
    expect(previews[0].rows.length).toBe(20)
  })

  it('beyond Excel’s limit are refused', async () => {
    const error = await refusal(wideCsv(16_385, 1), { target: 'xlsx' })
    expect(error).toMatchObject({ code: 'unwritable', message: expect.stringContaining('16,384') as string })
  })
})

// formats/{csv,json}/large.test.ts read fields of 100 MB.
describe('a field of 30 MB', { timeout: 180_000 }, () => {
  const SIZE = 30_000_000
  const big = new Uint8Array(SIZE).fill(120)

  it('from CSV to Parquet and back', async () => {
    const parquet = await carried(fileOf('f.csv', 'a,b\n1,"', big, '"\n2,y\n'), 2, { target: 'parquet' })
    const { files } = await carried(parquet.files[0], 2, { target: 'csv' })
    expect(files[0].size).toBe(SIZE + 'a,b\n1,\n2,y\n'.length)
    expect(await files[0].slice(0, 10).text()).toBe('a,b\n1,xxxx')
  })

  it('from NDJSON to CSV', async () => {
    const { files } = await carried(fileOf('f.ndjson', '{"a":1,"b":"', big, '"}\n{"a":2,"b":"y"}\n'), 2, {
      target: 'csv',
    })
    expect(files[0].size).toBe(SIZE + 'a,b\n1,\n2,y\n'.length)
  })

  it('is cut in the preview', async () => {
    const { previews } = await inspect(fileOf('f.csv', 'a,b\n1,"', big, '"\n2,y\n'))
    expect(previews[0].rows[0][1]?.length).toBe(501)
  })
})

describe('long texts', () => {
  it('beyond the limit of an Excel cell are refused with column and row', async () => {
    const error = await refusal(fileOf('f.csv', 'a,b\n1,x\n2,', 'y'.repeat(40_000), '\n'), { target: 'xlsx' })
    expect(error).toMatchObject({ code: 'unwritable', place: 'column “b”, row 2' })
    await carried(fileOf('f.csv', 'a,b\n1,x\n2,', 'y'.repeat(32_767), '\n'), 2, { target: 'xlsx' })
  })

  it('aren’t read as column names', async () => {
    const { result, receipt } = await carried(fileOf('f.csv', 'x'.repeat(2_000_000)), 1)
    expect(receipt.found.columns.map(({ name }) => name)).toEqual(['column_1'])
    expect(JSON.stringify(result).length).toBeLessThan(20_000)
  })

  it('in rejected rows are cut where they’re shown', async () => {
    const { result } = await carried(fileOf('f.csv', 'a,b\n1,2\n3,4,', 'y'.repeat(2_000_000), '\n5,6\n'), 3)
    expect(result.rejected).toMatchObject([{ row: 2, line: 3, reason: 'ragged' }])
    expect(result.rejected[0].raw.length).toBeLessThanOrEqual(10_000)
  })

  it('that make lines of 2 MB are read', async () => {
    const line = Array.from({ length: 200 }, () => 'z'.repeat(10_000)).join(',')
    const text = [names(200).join(','), ...Array.from({ length: 20 }, () => line)].join('\n')
    await carried(fileOf('f.csv', text), 20, { target: 'parquet' })
  })
})

describe('a gzip bomb', { timeout: 180_000 }, () => {
  const members = new Map([0, 120].map((byte) => [byte, gzipSync(new Uint8Array(64_000_000).fill(byte), { level: 1 })]))

  /** About 1 GB in identical members. */
  function bomb(head: string, byte: 0 | 120): Uint8Array {
    const member = members.get(byte) ?? Buffer.alloc(0)
    return Buffer.concat([gzipSync(head), ...Array.from({ length: 16 }, () => member)])
  }

  async function peakOf(work: () => Promise<unknown>): Promise<number> {
    const before = process.memoryUsage().rss
    let peak = before
    const timer = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss)
    }, 10)
    await work()
    clearInterval(timer)
    return peak - before
  }

  it('of zeros is refused after its first bytes', async () => {
    for (const name of ['b.csv.gz', 'b.json.gz', 'b.ndjson.gz']) {
      const started = processorTime()
      expect(await refusal(fileOf(name, bomb('', 0)))).toMatchObject({ code: 'not-text' })
      expect(processorTime() - started).toBeLessThan(5000)
    }
  })

  it('of one endless CSV field is refused in bounded memory, with its line', async () => {
    const file = fileOf('b.csv.gz', bomb('a,b\n1,2\n3,', 120))
    const peak = await peakOf(async () => {
      expect(await refusal(file)).toMatchObject({ code: 'too-large', place: 'line 3' })
    })
    expect(peak).toBeLessThan(1_500_000_000)
  })

  it('of one endless JSON value is refused in bounded memory', async () => {
    const file = fileOf('b.ndjson.gz', bomb('{"a":1}\n{"a":"', 120))
    const peak = await peakOf(async () => {
      expect(await refusal(file)).toMatchObject({ code: 'too-large' })
    })
    expect(peak).toBeLessThan(2_000_000_000)
  })

  it('is refused, but a highly compressed table is read', async () => {
    const lines = gzipSync('1,2\n'.repeat(1_000_000))
    const { receipt } = await carried(fileOf('b.csv.gz', Buffer.concat([gzipSync('a,b\n'), lines])), 1_000_000, {
      target: 'parquet',
    })
    expect(receipt.found.columns.map(({ sum }) => sum)).toEqual(['1000000', '2000000'])
  })
})
