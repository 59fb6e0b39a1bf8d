import fc from 'fast-check'
import { expect, it, vi } from 'vitest'
import type { CsvSettings, ReadSettings } from '../../../tables/plan.ts'
import { helped } from '../../testing/inspection-helper.ts'
import { inspectCsv } from './inspect.ts'
import { inspectRest, secondHalf } from './pass.ts'
import { QUIET } from '../../testing/quiet.ts'

/* Two threads that inspect half a file each must find the same as one thread that reads all of it. */

const GIVEN: Partial<ReadSettings> = {
  kind: 'csv',
  delimiter: ',',
  quote: '"',
  escape: '"',
  header: true,
  comment: '#',
}

const file = (text: string): File => new File([text], 'a.csv')
const alone = (text: string, given = GIVEN) => inspectCsv(file(text), 'csv', given, QUIET)
const together = (text: string, given = GIVEN) => inspectCsv(file(text), 'csv', given, helped(inspectRest).context)

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '1',
    '-7',
    '007',
    '1.50',
    '2.5e-3',
    '-0',
    'NaN',
    'true',
    'n/a',
    '99999999999',
    '"a, b"',
    '"two\nlines"',
  ),
  fc.constantFrom('2024-01-31', '31/12/2024', '12/31/2024', '2024-01-31 10:00:00.1234567', '2024-01-31T10:00:00Z'),
  fc.string({ maxLength: 6 }).map((text) => `"${text.replaceAll('"', '""')}"`),
  fc.string({ maxLength: 4 }),
)
const line = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(cell, cell, cell).map((cells) => cells.join(',')) },
  { weight: 1, arbitrary: fc.constantFrom('', '# said', 'x', 'a,b,c,d', '"open', '1,"b"c,2', '\uFEFFa,b,c') },
)

it('finds in halves what it finds at once', async () => {
  const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n', '\n', '\r')), { minLength: 1, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(lines, async (rows) => {
      const text = `one,two,three\n${rows.map((row) => row.join('')).join('')}`
      const whole = await alone(text).catch((error: unknown) => error)
      expect(await together(text).catch((error: unknown) => error)).toEqual(whole)
    }),
    { numRuns: 300 },
  )
})

it('counts rows and lines on from the first half', async () => {
  const rows = Array.from({ length: 1000 }, (_, i) => `${i},${i === 900 ? 'x' : i},3`)
  rows[800] = 'ragged'
  const { context, inspected } = helped(inspectRest)
  const found = await inspectCsv(file(`a,b,c\n${rows.join('\n')}\n`), 'csv', GIVEN, context)
  expect(inspected).toHaveBeenCalledWith(expect.objectContaining({ rejectedCount: 1 }))
  expect(found.tables[0]).toMatchObject({ rows: 999, rejected: [{ row: 801, line: 802 }] })
  expect(found.tables[0]?.columns[1]?.reason).toContain('in row 901')
})

it('reads on alone when the second half begins within quotes', async () => {
  const text = `a,b\n1,"${'text\n'.repeat(1000)}"\n2,x\n`
  // Only its start matters: nobody awaits its end.
  const rest = vi.fn(inspectRest)
  const { context, ended } = helped(rest)
  const found = await inspectCsv(file(text), 'csv', GIVEN, context)
  expect(rest).toHaveBeenCalled()
  expect(found).toEqual(await alone(text))
  expect(found.tables[0]).toMatchObject({ rows: 2, rejectedCount: 0 })
  expect(ended).toHaveBeenCalled()
})

it('reads on alone when the second half isn’t UTF-8, or the second thread is lost', async () => {
  const bytes = new TextEncoder().encode(`a,b\n${'1,é\n'.repeat(2000)}`)
  bytes[bytes.length - 3] = 0xe9
  const damaged = new File([bytes], 'a.csv')
  expect(await inspectCsv(damaged, 'csv', GIVEN, helped(inspectRest).context)).toEqual(
    await inspectCsv(damaged, 'csv', GIVEN, QUIET),
  )
  const lost = helped(() => Promise.reject(new Error('lost')))
  const text = `a,b\n${'1,x\n'.repeat(2000)}`
  expect(await inspectCsv(file(text), 'csv', GIVEN, lost.context)).toEqual(await alone(text))
  expect(lost.ended).toHaveBeenCalled()
})

it('stops both when it’s cancelled', async () => {
  const controller = new AbortController()
  const { context, ended } = helped(() => {
    controller.abort(new DOMException('stop', 'AbortError'))
    return Promise.resolve(null)
  })
  const text = `a,b\n${'1,x\n'.repeat(2000)}`
  const inspecting = inspectCsv(file(text), 'csv', GIVEN, { ...context, signal: controller.signal })
  await expect(inspecting).rejects.toMatchObject({ name: 'AbortError' })
  expect(ended).toHaveBeenCalled()
})

it('doesn’t split what can’t be read from its middle', async () => {
  const settings = (await alone('a,b\n1,2\n3,4\n')).settings as CsvSettings
  const big = file('a,b\n1,2\n3,4\n5,6\n')
  expect(await secondHalf(big, settings)).not.toBeNull()
  expect(await secondHalf(big, { ...settings, encoding: 'utf-16le' })).toBeNull()
  expect(await secondHalf(big, { ...settings, compression: 'gzip' })).toBeNull()
  expect(await secondHalf(file('a,b\r1,2\r3,4\r'), settings)).toBeNull()
  // At the beginning of the bytes read, the mark would be taken for a byte order mark.
  const marked = file('aaaaaa\n\uFEFFb\n\uFEFFc\nd\n')
  expect(await secondHalf(marked, settings)).toBe(new TextEncoder().encode('aaaaaa\n\uFEFFb\n\uFEFFc\n').length)
})
