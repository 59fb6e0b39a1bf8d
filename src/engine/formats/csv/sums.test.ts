import { printSum } from '../../../lib/bytes.ts'
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { defaultOptions, type CsvSettings, type ImportPlan } from '../../../tables/plan.ts'
import { parseType } from '../../../tables/types.ts'
import { watchKernel, withoutKernel } from '../../columns/cells/csv-testing.ts'
import { convert } from '../../testing/run.ts'
import { readCsv } from './reader.ts'
import { CsvRows } from './rows.ts'
import { RowSums } from './sums.ts'
import { fileOf, inspect } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'
import { planFrom } from '../../../tables/edits.ts'

afterEach(() => vi.restoreAllMocks())

/** The text checksums that a conversion of some columns returns. */
async function told(
  content: string,
  plan: ImportPlan,
  wanted: readonly number[],
): Promise<readonly string[] | undefined> {
  const columns = wanted.map((index) => {
    const { source, type, format } = plan.tables[0].columns[index]
    return { index, source, type: parseType(type), ...(format ? { format } : {}) }
  })
  let checksums: readonly string[] | undefined
  const request = { settings: plan.settings, table: null, columns, checksums: true }
  for await (const batch of readCsv(fileOf(content), request, QUIET)) checksums ??= batch.checksums?.map(printSum)
  return checksums
}

const cell = fc.oneof(
  fc.constantFrom(
    '',
    '""',
    '0',
    '-7',
    '2.50',
    'TRUE',
    'true',
    '2024-03-31',
    '31/12/2023',
    'é',
    '"a,b"',
    '"say ""x"""',
    '"two\nlines"',
  ),
  fc.integer().map(String),
  fc.stringMatching(/^[a-zé ]{0,40}$/),
)
const column = fc.oneof(
  fc.constant(cell),
  fc.constant(fc.integer().map(String)),
  fc.constant(fc.constantFrom('1.5', '2.25', '')),
)
/** The kernel takes over after the first 64 kB. */
const texts = fc
  .array(column, { minLength: 2, maxLength: 4 })
  .chain((cells) => fc.array(fc.tuple(...cells), { minLength: 1, maxLength: 30 }))
  .map((rows) => {
    const lines = rows.map((row) => `${row.join(',')}\n`).join('')
    return `${rows[0].map((_, i) => `c${i}`).join(',')}\n${lines.repeat(Math.ceil(100_000 / lines.length))}`
  })

describe('sums of cells', () => {
  it('are the same for the inspection and the conversion, whether the kernel or JavaScript splits the text', async () => {
    const property = fc.asyncProperty(texts, async (content) => {
      const inspection = await inspect(content, { delimiter: ',', header: true })
      const { columns } = inspection.tables[0]
      const plan = planFrom(inspection)
      const wanted = columns.map(({ index }) => index).filter((index) => index !== 1)
      const expected = wanted.map((index) => columns[index].checksum)
      expect(await told(content, plan, wanted)).toEqual(expected)
      expect(await withoutKernel(() => told(content, plan, wanted))).toEqual(expected)
    })
    const { records } = await watchKernel(() => fc.assert(property, { numRuns: 60 }))
    expect(records).toBeGreaterThan(500)
  })

  it('tell a quoted cell from another, an empty text from none, and any byte from any other', async () => {
    const contents = [
      'a',
      '"a"',
      '""',
      '',
      'b',
      'aa',
      'a\u0000',
      `${'x'.repeat(40)}a`,
      `${'x'.repeat(40)}b`,
      `a${'x'.repeat(40)}`,
    ]
    const sums = await Promise.all(
      contents.map(
        async (text) =>
          (await inspect(`h,i\n${text},1\n`, { header: true, delimiter: ',' })).tables[0].columns[0].checksum,
      ),
    )
    expect(new Set(sums).size).toBe(contents.length)
  })

  it('count rows whose values don’t fit the types that the person chose', async () => {
    const content = 'a,b\n1,x\ntwo,y\n3,z\n'
    const { result } = await convert(fileOf(content), 'json', undefined, (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((each) => (each.index === 0 ? { ...each, type: 'INTEGER' } : each)),
      })),
    }))
    expect(result.rejectedCount).toBe(1)
    expect(result.outputs[0].receipts[0].textCompared).toBe(true)
  })
})

describe('a source that is misread while it’s converted', () => {
  const note = (i: number): string => (i % 97 === 0 ? `"a\nb ${i}"` : `note ${i}`)
  const content = `id,name,note\n${Array.from({ length: 12_000 }, (_, i) => `${i},n${i} é,${note(i)}\n`).join('')}`
  const size = new TextEncoder().encode(content).length
  const refused = async (
    change: (plan: ImportPlan) => ImportPlan = (plan) => plan,
    target: 'csv' | 'parquet' = 'csv',
  ) =>
    convert(fileOf(content), target, defaultOptions(target), change).then(
      () => 'converted',
      (error: { code?: string }) => error.code,
    )
  const reading =
    (patch: Partial<CsvSettings>) =>
    (plan: ImportPlan): ImportPlan => ({ ...plan, settings: { ...(plan.settings as CsvSettings), ...patch } })

  it('is converted when it isn’t', async () => {
    expect(await refused()).toBe('converted')
    expect(await refused(undefined, 'parquet')).toBe('converted')
  })

  it('isn’t converted with another encoding', async () => {
    expect(await refused(reading({ encoding: 'windows-1252' }))).toBe('file-changed')
  })

  /** Makes the conversion read a neighboring cell instead. */
  const misplace = (): void => {
    const add = Reflect.get(RowSums.prototype, 'add')
    let rows = 0
    vi.spyOn(RowSums.prototype, 'add').mockImplementation(function (this: RowSums, batch: CsvRows) {
      rows += batch.count
      const { starts, ends } = batch.tokenizer
      if (rows > 12_000) {
        const [first] = batch.first
        for (const places of [starts, ends])
          [places[first + 1], places[first + 2]] = [places[first + 2], places[first + 1]]
      }
      add.call(this, batch)
    })
  }

  it('isn’t converted where a cell is taken for its neighbour’s', async () => {
    misplace()
    expect(await refused()).toBe('file-changed')
  })

  it('isn’t converted where a reader drops line ends within quotes', async () => {
    const push = Reflect.get(CsvRows.prototype, 'push')
    let bytes = 0
    vi.spyOn(CsvRows.prototype, 'push').mockImplementation(function (this: CsvRows, text: Uint8Array) {
      bytes += text.length
      const dropped = text.slice()
      if (bytes > size) {
        for (let at = dropped.indexOf(0x0a); at >= 0; at = dropped.indexOf(0x0a, at + 1)) {
          if (dropped[at + 1] === 0x62) dropped[at] = 0x20
        }
      }
      push.call(this, dropped)
    })
    expect(await refused()).toBe('file-changed')
  })

  it('says which column it is', async () => {
    misplace()
    await expect(convert(fileOf(content, 'people.csv'), 'tsv')).rejects.toThrow(
      '“people.csv” isn’t read as it was when it was added: “name” holds other text.',
    )
  })
})
