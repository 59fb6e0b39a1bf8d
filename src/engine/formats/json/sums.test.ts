import { printSum } from '../../../lib/bytes.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import type { FormatId } from '../../../contract/formats.ts'
import { defaultOptions, type ImportPlan, type Inspection } from '../../../tables/plan.ts'
import { tries } from '../../../lib/testing.ts'
import { JsonKeys } from '../../kernel/json-keys.ts'
import { counted, withoutKernel } from '../../columns/cells/json-testing.ts'
import { convert } from '../../testing/run.ts'
import { convertInTwoThreads } from '../../testing/second-thread.ts'
import type { ReadBatch } from '../types.ts'
import { jsonReader } from './reader.ts'
import { ColumnInference } from '../../columns/infer/column-inference.ts'
import { ValueStats } from './stats.ts'
import { columnsOf, fileOf, inspect } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'
import { planFrom } from '../../../tables/edits.ts'

afterEach(() => vi.restoreAllMocks())

const foundBy = ({ tables }: Inspection): (string | undefined)[] => tables[0].columns.map(({ checksum }) => checksum)

async function added(batches: AsyncIterable<ReadBatch>, sums: bigint[]): Promise<void> {
  for await (const { checksums } of batches) for (const [i, sum] of (checksums ?? []).entries()) sums[i] += sum
}

/** The text checksums that a conversion returns. */
async function toldBy(text: string, inspection: Inspection): Promise<readonly string[]> {
  const columns = columnsOf(inspection)
  const request = { settings: inspection.settings, table: null, columns, checksums: true }
  const sums = columns.map(() => 0n)
  await added(jsonReader.read(fileOf(text), request, QUIET), sums)
  return sums.map(printSum)
}

const value = fc.oneof(
  fc.constantFrom(
    'null',
    'true',
    '1',
    '-0',
    '1.50',
    '1e5',
    '""',
    '"é"',
    '"a\\"b\\u0041"',
    '"2024-03-31"',
    `"${'x'.repeat(50)}"`,
  ),
  fc.integer().map(String),
  fc.string({ maxLength: 20 }).map((text) => JSON.stringify(text)),
  fc.constantFrom('[1, 2]', '{"a": [ ]}', '{}'),
)
const plain = fc.oneof(fc.integer().map(String), fc.constantFrom('null', '"a"', '""').map(String))
const column = fc.oneof(
  { weight: 3, arbitrary: fc.constant(fc.integer({ min: -1e6, max: 1e6 }).map(String)) },
  { weight: 3, arbitrary: fc.constant(fc.stringMatching(/^[a-zé \\n]{0,30}$/).map((text) => JSON.stringify(text))) },
  { weight: 1, arbitrary: fc.constant(plain) },
  { weight: 1, arbitrary: fc.constant(value) },
)
/** Rows of objects, some of which lack some keys. */
const rows = fc
  .array(column, { minLength: 1, maxLength: 4 })
  .chain((values) =>
    fc.array(fc.tuple(...values.map((each) => fc.option(each, { freq: 8 }))), { minLength: 2, maxLength: 30 }),
  )
  .map((all) =>
    all.map((row) => `{${row.flatMap((each, i) => (each === null ? [] : [`"k${i}": ${each}`])).join(' ,')}}`),
  )
const odd = fc.constantFrom('{"k0":1', 'null', '{"k0":1,"k0":"two"}', '[1]', '{"k0":"\\ud800"}', '{"other":1}', '')

describe('sums of values', () => {
  it('are the same for the inspection, the kernel and the reader in JavaScript', async () => {
    const lines = fc
      .tuple(rows, fc.array(odd, { maxLength: 3 }))
      .map(([all, some]) => [...all, ...some, ...all].join('\n'))
    const property = fc.asyncProperty(lines, async (text) => {
      const settings = { kind: 'json', layout: 'lines', path: [] } as const
      // Objects without keys aren't a table.
      const inspection = await inspect(fileOf(text, 'a.ndjson'), settings).catch(() => null)
      if (!inspection) return
      const alone = await withoutKernel(() => inspect(fileOf(text, 'a.ndjson'), settings))
      expect(alone).toEqual(inspection)
      expect(await toldBy(text, inspection)).toEqual(foundBy(inspection))
    })
    const { split } = await counted(() => Promise.resolve(fc.assert(property, { numRuns: tries(100) })))
    expect(split).toBeGreaterThan(tries(300))
  }, 120_000)

  it('of numbers go with the same findings, whether the kernel passes over whole ones or not', async () => {
    const number = fc.oneof(
      fc.nat(300).map(String),
      fc.nat().map(String),
      fc.constantFrom('-1', '0', '-0', '1.5', '1e3', '2147483648', '12345678901', 'null', '"7"', 'true'),
    )
    const text = fc
      .array(fc.tuple(fc.nat(1e9).map(String), number), { minLength: 1, maxLength: 40 })
      .map((all) => `[${all.map(([a, b], i) => `{"a":${a}${i % 7 === 3 ? '' : `,"b":${b}`}}`).join()}]`)
    const passed = vi.spyOn(ValueStats.prototype, 'pass')
    await fc.assert(
      fc.asyncProperty(text, async (content) => {
        const found = await inspect(fileOf(content))
        const none = vi.spyOn(ColumnInference.prototype, 'countedKind', 'get').mockReturnValue(-1)
        expect(await inspect(fileOf(content))).toEqual(found)
        none.mockRestore()
      }),
      { numRuns: 200 },
    )
    const { calls, results } = passed.mock
    expect(calls.filter(([, , from], i) => (results[i].value as number) > from).length).toBeGreaterThan(200)
  })

  it.each([
    ['an array', (all: readonly string[]) => `[${all.join(',\n')}]`],
    ['rows under a key', (all: readonly string[]) => `{"result": {"items": [${all.join(', ')}]}, "next": null}`],
    ['objects one after another', (all: readonly string[]) => all.join(' ')],
  ])('are the same however often a file is read: %s', async (_, print) => {
    await fc.assert(
      fc.asyncProperty(rows.map(print), async (text) => {
        const inspection = await inspect(fileOf(text)).catch(() => null)
        if (!inspection) return
        expect(await toldBy(text, inspection)).toEqual(foundBy(inspection))
      }),
      { numRuns: tries(40) },
    )
  })

  it('are those of columns, wherever their values stand', async () => {
    const asRows = await inspect(fileOf('[{"a": 1, "b": "x"}, {"a": 2.0, "b": ""}]'))
    const asColumns = '{"a": [1, 2.0], "b": ["x", ""]}'
    const inspection = await inspect(fileOf(asColumns))
    expect(foundBy(inspection)).toEqual(foundBy(asRows))
    expect(await toldBy(asColumns, inspection)).toEqual(foundBy(asRows))
  })

  it('are of the keys that have no column, too', async () => {
    const text = Array.from({ length: 3000 }, (_, i) => `{"id":${i},"k${i}":${i}}`).join('\n')
    const inspection = await inspect(fileOf(text))
    expect(foundBy(inspection)).toHaveLength(2)
    expect(await toldBy(text, inspection)).toEqual(foundBy(inspection))
    const other = await inspect(fileOf(text.replace('"k7":7', '"k7":8')))
    expect(foundBy(other)[0]).toBe(foundBy(inspection)[0])
    expect(foundBy(other)[1]).not.toBe(foundBy(inspection)[1])
  })

  it('tell any spelling from any other, null from no key, and one column from its neighbour', async () => {
    const spellings = [
      '1',
      '1.0',
      '1e0',
      '"1"',
      '"\\u0031"',
      'null',
      'true',
      '""',
      '[]',
      '[ ]',
      '[1,2]',
      '[2,1]',
      '{"1":1}',
    ]
    const long = ['x', 'y'].map((end) => `"${'x'.repeat(300_000)}${end}"`)
    const rowsOf = [...spellings, ...long].map((each) => `[{"a":7,"b":0},{"a":${each},"b":0}]`)
    const texts = [...rowsOf, '[{"a":7,"b":0},{"b":0}]', '[{"a":0,"b":7},{"a":0,"b":1}]']
    const sums = await Promise.all(texts.map(async (text) => foundBy(await inspect(fileOf(text))).join()))
    expect(new Set(sums).size).toBe(texts.length)
  })
})

describe('a source that isn’t read as it was', () => {
  const note = (i: number): string => (i % 97 === 0 ? `a \\"${i}\\"` : `note ${i}`)
  const row = (i: number): string => `{"id": ${1000 + i}, "name": "n${i} é", "note": "${note(i)}", "in": {"a": [${i}]}}`
  const all = Array.from({ length: 400 }, (_, i) => row(i))
  const layouts: Record<string, string> = {
    lines: all.join('\n'),
    array: `[${all.join(',\n')}]`,
    wrapped: `{"data": {"rows": [${all.join(', ')}]}}`,
    columns: `{"id": [${all.map((_, i) => 1000 + i).join()}], "name": [${all.map((_, i) => `"n${i} é"`).join()}]}`,
  }
  /** The file changes between inspection and conversion. */
  const outcome = async (before: string, after: string, target: FormatId) => {
    const plan = planFrom(await inspect(fileOf(before)))
    return convertInTwoThreads(fileOf(after), { target, options: defaultOptions(target), plan }).then(
      ({ outputs: [{ receipts }] }) => [receipts[0].verdict, receipts[0].textCompared],
      (error: { code?: string }) => error.code,
    )
  }

  describe.each(Object.entries(layouts))('%s', (_, text) => {
    it.each(['json', 'csv', 'parquet'] as const)('to %s', async (target) => {
      expect(await outcome(text, text, target)).toEqual(['match', true])
      // Changing digits within values keeps the text valid and the types the same.
      const digits = [...text.matchAll(/[0-9]/g)].map(({ index }) => index)
      const place = fc.integer({ min: 0, max: digits.length - 1 }).map((i) => digits[i])
      await fc.assert(
        fc.asyncProperty(place, fc.integer({ min: 1, max: 8 }), async (at, by) => {
          const other = '123456789'[(Number(text[at]) + by) % 9]
          fc.pre(other !== text[at])
          expect(await outcome(text, text.slice(0, at) + other + text.slice(at + 1), target)).toBe('file-changed')
        }),
        { numRuns: tries(8) },
      )
    })
  })

  it('isn’t converted with another encoding', async () => {
    const text = new File([Buffer.from(layouts.lines, 'utf-8')], 'a.ndjson')
    const misread = (plan: ImportPlan): ImportPlan => ({
      ...plan,
      settings: { ...plan.settings, encoding: 'windows-1252' } as ImportPlan['settings'],
    })
    await expect(convert(text, 'csv', undefined, misread)).rejects.toMatchObject({ code: 'file-changed' })
  })

  it('isn’t converted where the kernel takes a value for its neighbour’s', async () => {
    const text = layouts.lines.replaceAll(/, "in": [^\n]+/g, '}')
    const plan = planFrom(await inspect(fileOf(text)))
    const add = Reflect.get<JsonKeys, 'add'>(JsonKeys.prototype, 'add')
    vi.spyOn(JsonKeys.prototype, 'add').mockImplementation(function (this: JsonKeys, spelling, cell) {
      add.call(this, spelling, [0, 2, 1][cell])
    })
    const request = { target: 'csv', options: defaultOptions('csv'), plan } as const
    const converted = convertInTwoThreads(fileOf(text, 'people.ndjson'), request)
    await expect(converted).rejects.toThrow(
      '“people.ndjson” isn’t read as it was when it was added: “name” holds other text.',
    )
  })

  it('counts rows whose values don’t fit the types that the person chose', async () => {
    const { result } = await convert(fileOf('[{"a": 1}, {"a": "two"}, {"a": 3}]'), 'csv', undefined, (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((each) => ({ ...each, type: 'INTEGER' })),
      })),
    }))
    expect(result.rejectedCount).toBe(1)
    expect(result.outputs[0].receipts[0].textCompared).toBe(true)
  })
})
