import { describe, expect, it } from 'vitest'
import { defaultOptions, type CsvOptions, type ImportPlan } from '../../tables/plan.ts'
import { textPlan } from '../../tables/changes/verbatim.ts'
import { adoptFile } from './adopt.ts'
import { MemoryOutputs } from '../storage/output.ts'
import { convert, inspect } from '../testing/run.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'

const CSV = defaultOptions('csv') as CsvOptions
const NORMAL: CsvOptions = { ...CSV, normalize: true }

async function written(
  content: string | Uint8Array<ArrayBuffer>,
  {
    target = 'csv',
    options = defaultOptions(target),
    change,
    request,
  }: {
    readonly target?: 'csv' | 'tsv'
    readonly options?: CsvOptions | ReturnType<typeof defaultOptions>
    readonly change?: (plan: ImportPlan) => ImportPlan
    readonly request?: InspectRequest
  } = {},
): Promise<string> {
  const { files, result } = await convert(new File([content], 'a.csv'), target, options, change, request)
  expect(result.outputs[0].receipts[0].verdict).toBe('match')
  return files[0].text()
}

/** Changes one of the columns like a person. */
const changing =
  (index: number, patch: Readonly<Record<string, unknown>>) =>
  (plan: ImportPlan): ImportPlan => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => (column.index === index ? { ...column, ...patch } : column)),
    })),
  })

/* As exported by spreadsheets, R and banks. */
const SPREADSHEET = 'd,f,b,t,e\n31/12/2023,2.50,TRUE,12:30:10.500,1.5E+10\n13/01/2024,10,FALSE,08:05:00,2.25\n'
const BANK = 'Buchungstag;Betrag;Name;Name;\n31.12.2023;1.234,50;Müller;;x\n01.02.2024;-5,00;"";"a;b";\n'

describe('from delimited text to delimited text', () => {
  it('every value keeps the characters that it has in the file', async () => {
    const { inspection } = await inspect(new File([SPREADSHEET], 'a.csv'))
    expect(inspection.tables[0].columns.map(({ type }) => type)).toEqual([
      'DATE',
      'DOUBLE',
      'BOOLEAN',
      'TIME',
      'DOUBLE',
    ])
    expect(await written(SPREADSHEET)).toBe(SPREADSHEET)
    expect(await written(SPREADSHEET, { target: 'tsv' })).toBe(SPREADSHEET.replaceAll(',', '\t'))
  })

  it('so do codes, signs, zeros and instants with an offset', async () => {
    const text =
      'code,plus,exact,at\n007,+1,0.10,2024-01-01T10:00:00+02:00\n1e5,+49 30,1.00000000000000000001,2024-01-02T10:00Z\n'
    expect(await written(text)).toBe(text)
  })

  it('names stay: repeated ones, empty ones, one that is null’s text', async () => {
    expect(await written(BANK, { options: { ...CSV, delimiter: ';' } })).toBe(BANK)
    expect(await written('a,a,,\n1,2,3,4\n', { target: 'tsv' })).toBe('a\ta\t\t\n1\t2\t3\t4\n')
    expect(await written('""\nx\ny\n', { request: { settings: { kind: 'csv', header: true } } })).toBe('""\nx\ny\n')
    expect(await written('NA,b\nx,\n', { options: { ...CSV, nullString: 'NA' } })).toBe('NA,b\nx,NA\n')
  })

  it('nulls and empty texts are still told apart, and rows that don’t fit left out', async () => {
    expect(await written('a,b\n1,\n2,""\n3,x,y\n,z\n')).toBe('a,b\n1,\n2,""\n,z\n')
  })

  it('whatever the encoding is', async () => {
    const latin1 = new Uint8Array(Buffer.from('prix;date\n2,50 \u00e9;31.12.2023\n3,00 \u00e9;13.01.2024\n', 'latin1'))
    const text = await written(latin1, { request: { settings: { kind: 'csv', encoding: 'windows-1252' } } })
    expect(text).toBe('prix,date\n"2,50 é",31.12.2023\n"3,00 é",13.01.2024\n')
  })

  it('a file without a header gets names, as options say', async () => {
    const text = '1.50,TRUE\n2.25,FALSE\n'
    const request = { settings: { kind: 'csv', header: false } } as const
    expect(await written(text, { request })).toBe(`column_1,column_2\n${text}`)
    expect(await written(text, { request, options: { ...CSV, header: false } })).toBe(text)
  })

  it('what the person changes is changed, and nothing else', async () => {
    expect(await written(SPREADSHEET, { change: changing(1, { type: 'DECIMAL(6,3)' }) })).toBe(
      SPREADSHEET.replace('2.50,', '2.500,').replace('10,FALSE', '10.000,FALSE'),
    )
    expect(await written(SPREADSHEET, { change: changing(0, { name: 'day' }) })).toBe(SPREADSHEET.replace('d,', 'day,'))
    expect(await written('a,a\n2.50,1\n3,2\n', { change: changing(1, { name: 'b' }) })).toBe('a,b\n2.50,1\n3,2\n')
    const format = { dateFormat: '%m/%d/%Y' }
    expect(await written('d,e\n31/12/2023,01/02/2024\n', { change: changing(1, { type: 'DATE', format }) })).toBe(
      'd,e\n31/12/2023,2024-01-02\n',
    )
  })

  it('two names that the person makes the same are refused', async () => {
    await expect(written('a,b\n1,2\n', { change: changing(1, { name: 'a' }) })).rejects.toThrow(
      'Two columns are named “a”.',
    )
  })

  it('values and names have the standard form where that is wanted', async () => {
    expect(await written(SPREADSHEET, { options: NORMAL })).toBe(
      'd,f,b,t,e\n2023-12-31,2.5,true,12:30:10.5,15000000000.0\n2024-01-13,10.0,false,08:05:00,2.25\n',
    )
    expect(await written('a,a,\n1,2,3\n', { options: NORMAL })).toBe('a,a_1,column_3\n1,2,3\n')
  })

  it('numbers aren’t taken for formulas', async () => {
    const options = { ...CSV, safeForSpreadsheets: true }
    expect(await written('n,s\n-5,-5+1\n-6,=A1\n', { options })).toBe("n,s\n-5,'-5+1\n-6,'=A1\n")
  })
})

describe('from delimited text to another format', () => {
  it.each(['parquet', 'json', 'xlsx', 'arrow'] as const)(
    'each change of form is on the receipt: %s',
    async (target) => {
      const { result } = await convert(new File([SPREADSHEET], 'a.csv'), target)
      const changes = result.outputs[0].receipts[0].changes.filter(({ code }) => code === 'rewritten')
      expect(changes.map(({ column, count, example }) => [column, count, example?.from, example?.to])).toEqual([
        ['d', 2, '31/12/2023', '2023-12-31'],
        ['f', 2, '2.50', '2.5'],
        ['b', 2, 'TRUE', 'true'],
        ['t', 1, '12:30:10.500', '12:30:10.5'],
        ['e', 1, '1.5E+10', '15000000000.0'],
      ])
    },
  )

  it('there is none on it where the text stays', async () => {
    const { result } = await convert(new File([SPREADSHEET], 'a.csv'), 'tsv')
    expect(result.outputs[0].receipts[0].changes).toEqual([])
  })

  it('values have the form of their type', async () => {
    const { files } = await convert(new File([SPREADSHEET], 'a.csv'), 'json')
    expect(JSON.parse(await files[0].text())).toMatchObject([
      { d: '2023-12-31', f: 2.5, b: true, e: 15_000_000_000 },
      {},
    ])
  })
})

it('what is sent to a service as Parquet comes back as the text that stands in the file', async () => {
  const source = new File([SPREADSHEET], 'a.csv')
  const parquet = await convert(source, 'parquet', defaultOptions('parquet'), (plan) => textPlan(plan, CSV))
  const there = await convert(parquet.files[0], 'csv')
  expect(await there.files[0].text()).toBe(SPREADSHEET)
  const made = there.files[0]
  let plan: ImportPlan | null = null
  await convert(source, 'csv', CSV, (given) => (plan = given))
  if (!plan) throw new Error('no plan')
  const context = { signal: new AbortController().signal, progress: () => undefined, storage: new MemoryOutputs() }
  const adopted = await adoptFile(source, { jobId: 'job', plan, target: 'csv', options: CSV, made }, context)
  expect(adopted.outputs[0].receipts[0].verdict).toBe('match')
})
