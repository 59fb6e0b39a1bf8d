import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { tries } from '../../../lib/testing.ts'
import type { JsonSettings } from '../../../tables/plan.ts'
import { helped } from '../../testing/inspection-helper.ts'
import { inspect } from './inspect.ts'
import { inspectRest, secondHalf } from './second-half.ts'
import { QUIET } from '../../testing/quiet.ts'

/* Two threads that inspect half a file each must find the same as one thread that reads all of it. */

const file = (text: string): File => new File([text], 'a.json')
const alone = (text: string) => inspect(file(text), {}, QUIET)
const together = (text: string) => inspect(file(text), {}, helped(inspectRest).context)

const scalar = fc.oneof(
  fc.constantFrom<unknown>(null, true, false, 1, -7, 2.5, 1e300, -0, '2024-01-31', '2024-01-31 10:00:00', '10:00', ''),
  fc
    .constantFrom('9007199254740993', '18446744073709551616', '0.1234567890123456789', '1e5', '-0', 'NaN', '-Infinity')
    .map((digits) => ({ raw: digits })),
  fc.string({ maxLength: 6 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const nested = fc.oneof(
  fc.array(scalar, { maxLength: 3 }),
  fc.dictionary(fc.constantFrom('x', 'y', 'id', 'é', 'long key'), scalar, { maxKeys: 3 }),
  fc.array(fc.dictionary(fc.constantFrom('id', 'x'), scalar, { maxKeys: 2 }), { maxLength: 3 }),
)
const row = fc.dictionary(
  fc.constantFrom('id', 'a', 'b', 'é', 'two words', '\u0001'),
  fc.oneof({ weight: 5, arbitrary: scalar }, { weight: 1, arbitrary: nested }),
  { maxKeys: 5 },
)

/** Keeps the digits of numbers as they are. */
function print(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if ('raw' in value && typeof value.raw === 'string') return value.raw
  return `{${Object.entries(value)
    .map(([key, each]) => `${JSON.stringify(key)}:${print(each)}`)
    .join(',')}}`
}

const odd = fc.constantFrom(
  '',
  '  ',
  '{"id":1',
  '{"id":1}}',
  '[1]',
  '"text"',
  '{"id":1,"id":"two"}',
  '{"a":"\t"}',
  '\uFEFF{"id":2}',
)
const line = fc.oneof({ weight: 8, arbitrary: row.map(print) }, { weight: 1, arbitrary: odd })

async function same(text: string): Promise<void> {
  const whole = await alone(text).catch((error: unknown) => error)
  expect(await together(text).catch((error: unknown) => error)).toEqual(whole)
}

describe('NDJSON', () => {
  it('comes to the same in halves', async () => {
    const lines = fc.array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 40 })
    await fc.assert(
      fc.asyncProperty(lines, (rows) => same(`{"id":0}\n{"id":0}\n${rows.map((each) => each.join('')).join('')}`)),
      { numRuns: tries(100) },
    )
  })

  it('counts rows and lines on from the first half', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `{"a":${i},"b":"${i === 900 ? 'x' : '2024-01-01'}"}`)
    rows[800] = 'ragged'
    const { context, inspected } = helped(inspectRest)
    const found = await inspect(file(`${rows.join('\n')}\n`), {}, context)
    expect(inspected).toHaveBeenCalledWith(expect.objectContaining({ rejectedCount: 1 }))
    expect(found.tables[0]).toMatchObject({ rows: 999, rejected: [{ row: 801, line: 801 }] })
    expect(found.tables[0]?.columns[1]?.reason).toContain('row 901')
  })

  it('reads on alone when too many keys come in the second half to tell all apart', async () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `{"id":${i},"map":{"key ${i}":${i}}}`)
    const { context, inspected } = helped(inspectRest)
    const found = await inspect(file(rows.join('\n')), {}, context)
    expect(inspected).toHaveBeenCalled()
    expect(found).toEqual(await alone(rows.join('\n')))
  })
})

describe('an array', () => {
  it('comes to the same in halves', async () => {
    const between = fc.constantFrom(',', ',\n', ',\n  ', ' , ')
    const before = fc.constantFrom('[', '{"meta":{"id":1},"rows":[')
    await fc.assert(
      fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), between, before, (rows, comma, start) => {
        const items = rows.map((each) => print({ id: 1, ...each })).join(comma)
        return same(`${start}${print({ id: 0 })}${comma}${items}${start === '[' ? ']' : ']}'}`)
      }),
      { numRuns: tries(100) },
    )
  })

  it('is inspected by both', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => ({ id: i, items: [{ id: i }, { id: 1 }], text: 'a},{"id":' }))
    for (const text of [rows, { data: rows }, [{ page: 1 }, rows]].flatMap((whole) => [
      JSON.stringify(whole),
      JSON.stringify(whole, null, 2),
    ])) {
      const { context, inspected, ended } = helped(inspectRest)
      expect(await inspect(file(text), {}, context)).toEqual(await alone(text))
      expect(inspected).toHaveBeenCalledTimes(1)
      expect(ended).toHaveBeenCalledTimes(1)
    }
  })

  it('of arrays, with a header, is inspected by both', async () => {
    const rows = Array.from({ length: 500 }, (_, i) => `[${i}, "text ${i}", null]`)
    const text = `[["id", "text", "none"],\n${rows.join(',\n')}]`
    const { context, inspected } = helped(inspectRest)
    const found = await inspect(file(text), {}, context)
    expect(inspected).toHaveBeenCalledWith(expect.objectContaining({ rejectedCount: 0 }))
    expect(found).toEqual(await alone(text))
    expect(found.tables[0]).toMatchObject({ rows: 500, columns: [{ name: 'id' }, { name: 'text' }, { name: 'none' }] })
  })

  it('is read on alone where what looked like a row is within one', async () => {
    const items = Array.from({ length: 2000 }, (_, i) => `{"id":${i}}`).join(',')
    const text = `[{"id":1},{"id":2},{"id":3,"items":[${items}]}]`
    const rest = vi.fn(inspectRest)
    const found = await inspect(file(text), {}, helped(rest).context)
    expect(rest).toHaveBeenCalled()
    expect(found).toEqual(await alone(text))
    expect(found.tables[0]?.rows).toBe(3)
  })

  it('that is broken in its second half is told of as ever', async () => {
    const rows = Array.from({ length: 1000 }, (_, i) => `{"id":${i}}`)
    rows[900] = '{"id":'
    const text = `[${rows.join(',\n')}]`
    const whole = await alone(text).catch((error: unknown) => error)
    expect(whole).toMatchObject({ code: 'corrupt-file', place: 'line 901, column 7' })
    expect(await together(text).catch((error: unknown) => error)).toEqual(whole)
    await same(`[${rows.slice(0, 900).join(',\n')}] x`)
  })
})

it('names the row of a string within lists, not how many strings came before', async () => {
  const dates = '{"days":["2024-01-01","2024-01-02","2024-01-03"]}\n'
  const found = await alone(`${dates.repeat(4)}{"days":["2024-01-01","soon"]}\n`)
  expect(found.tables[0]?.columns[0]?.reason).toContain('row 5')
})

it('reads on alone when the second thread is lost', async () => {
  const lost = helped(() => Promise.reject(new Error('lost')))
  const text = '{"a":1}\n'.repeat(2000)
  expect(await inspect(file(text), {}, lost.context)).toEqual(await alone(text))
  expect(lost.ended).toHaveBeenCalled()
})

it('stops both when it’s cancelled', async () => {
  const controller = new AbortController()
  const { context, ended } = helped(() => {
    controller.abort(new DOMException('stop', 'AbortError'))
    return Promise.resolve(null)
  })
  const inspecting = inspect(file('{"a":1}\n'.repeat(2000)), {}, { ...context, signal: controller.signal })
  await expect(inspecting).rejects.toMatchObject({ name: 'AbortError' })
  expect(ended).toHaveBeenCalled()
})

it('doesn’t split what can’t be read from its middle', async () => {
  const lines = file('{"a":1}\n'.repeat(10))
  const settings = (await alone('{"a":1}\n'.repeat(10))).settings as JsonSettings
  expect(await secondHalf(lines, settings, QUIET)).not.toBeNull()
  expect(await secondHalf(lines, { ...settings, encoding: 'utf-16le' }, QUIET)).toBeNull()
  expect(await secondHalf(lines, { ...settings, compression: 'gzip' }, QUIET)).toBeNull()
  const columns = '{"a":[1,2,3,4],"b":[1,2,3,4]}'
  expect(await secondHalf(file(columns), (await alone(columns)).settings as JsonSettings, QUIET)).toBeNull()
})
