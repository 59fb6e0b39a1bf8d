import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NO_MENDS } from '../../tables/mends.ts'
import { type Mends, type CsvOptions, defaultOptions, type ImportPlan, MAX_RAW } from '../../tables/plan.ts'
import { fromReceiptFile, toReceiptFile } from '../../tables/files/receipt-file.ts'
import { combine, convert, inspect } from '../testing/run.ts'
import { checkTable } from './inspect.ts'
import { tryRows } from './mend.ts'
import { planFrom } from '../../tables/edits.ts'

const { signal } = new AbortController()
const QUIET = { signal, progress: () => undefined }

/** The plan with a type for one column, and fixes. */
function planned(column: string, type: string, mends?: Partial<Mends>): (plan: ImportPlan) => ImportPlan {
  return (plan) => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      ...(mends ? { mends: { ...NO_MENDS, putBack: true, ...mends } } : {}),
      columns: table.columns.map((each) => (each.name === column ? { ...each, type } : each)),
    })),
  })
}

const csv = new File(['id,amount,note\n1,10,a\n2,"n/a",b\n3,30,"c, d"\n4,4O,e\n5,50,f\n'], 'sales.csv')

describe('rows that don’t fit', () => {
  it('are put back where they were, as they were mended', async () => {
    const rows = [{ row: 4, raw: '4,4O,e', cells: ['4', '40', 'e'] }]
    const { result, files } = await convert(
      csv,
      'csv',
      { ...defaultOptions('csv'), normalize: true } as CsvOptions,
      planned('amount', 'INTEGER', { rows }),
    )
    expect(await files[0].text()).toBe('id,amount,note\n1,10,a\n3,30,"c, d"\n4,40,e\n5,50,f\n')
    const [receipt] = result.outputs[0].receipts
    expect(receipt.rejectedRows).toBe(1)
    expect(receipt.found.rows + receipt.rejectedRows).toBe(5)
    expect(receipt.mended).toEqual([{ row: 4, line: 5, raw: '4,4O,e', cells: ['4', '40', 'e'] }])
    expect(receipt.verdict).toBe('match')
    expect(receipt.changes.find(({ code }) => code === 'rows-mended')?.count).toBe(1)
  })

  it('are put after all others, as they were mended, where that was chosen', async () => {
    const rows = [{ row: 4, raw: '4,4O,e', cells: ['4', '40', 'e'] }]
    const replacements = [{ source: null, find: 'n/a', replace: '20', whole: true }]
    const change = planned('amount', 'INTEGER', { rows, replacements, atEnd: true })
    const { result, files } = await convert(csv, 'csv', defaultOptions('csv'), change)
    expect(await files[0].text()).toBe('id,amount,note\n1,10,a\n3,30,"c, d"\n5,50,f\n2,20,b\n4,40,e\n')
    const [receipt] = result.outputs[0].receipts
    expect([receipt.verdict, receipt.rejectedRows, receipt.found.rows]).toEqual(['match', 0, 5])
    expect(receipt.mended?.map(({ row, atEnd }) => [row, atEnd])).toEqual([
      [2, true],
      [4, true],
    ])
    expect(receipt.changes.find(({ code }) => code === 'rows-mended')?.message).toBe(
      '2 rows that didn’t fit are written at the end, as you mended them.',
    )
    expect(fromReceiptFile(JSON.stringify(toReceiptFile([receipt])))).toEqual([receipt])
  })

  it('are put after all others in more than one batch', async () => {
    const many = Array.from({ length: 40_000 }, (_, i) => `${i},x${i}`)
    const file = new File([`id,n\n${many.join('\n')}\n-1,-1\n`], 'a.csv')
    const replacements = [{ source: 'n', find: 'x', replace: '', whole: false }]
    const change = planned('n', 'INTEGER', { replacements, atEnd: true })
    const { files, result } = await convert(file, 'csv', defaultOptions('csv'), change)
    expect(await files[0].text()).toBe(`id,n\n-1,-1\n${many.map((row) => row.replace('x', '')).join('\n')}\n`)
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
  })

  it('are mended in bulk by replacements, and null is what is left of nothing', async () => {
    const replacements = [
      { source: 'amount', find: 'O', replace: '0', whole: false },
      { source: null, find: 'n/a', replace: '', whole: true },
    ]
    const { result, files } = await convert(
      csv,
      'json',
      defaultOptions('json'),
      planned('amount', 'INTEGER', { replacements }),
    )
    const values = JSON.parse(await files[0].text()) as { amount: number | null }[]
    expect(values.map(({ amount }) => amount)).toEqual([10, null, 30, 40, 50])
    expect(result.rejectedCount).toBe(0)
  })

  it.each([
    ['an object of records', '{"x":{"amount":"4O","n":7},"y":{"amount":"1","n":null}}'],
    ['an object of columns', '{"amount":{"x":"4O","y":"1"},"n":{"x":7,"y":null}}'],
  ])('of %s keep their keys', async (_, text) => {
    const replacements = [{ source: 'amount', find: 'O', replace: '0', whole: false }]
    const { result, files } = await convert(
      new File([text], 'keys.json'),
      'json',
      defaultOptions('json'),
      planned('amount', 'INTEGER', { replacements }),
    )
    expect(JSON.parse(await files[0].text())).toEqual([
      { key: 'x', amount: 40, n: 7 },
      { key: 'y', amount: 1, n: null },
    ])
    const [receipt] = result.outputs[0].receipts
    expect(receipt.notes.map(({ code, column }) => [code, column])).toContainEqual(['row-keys', 'key'])
  })

  it('that can’t be taken apart are mended in their text', async () => {
    const file = new File(['id,name\n1,Ann\n2,Bee, GmbH\n3,Cee, GmbH\n4,Dan\n'], 'a.csv')
    const replacements = [{ source: null, find: ', GmbH', replace: ' GmbH', whole: false }]
    const { files, result } = await convert(file, 'csv', defaultOptions('csv'), planned('', '', { replacements }))
    expect(await files[0].text()).toBe('id,name\n1,Ann\n2,Bee GmbH\n3,Cee GmbH\n4,Dan\n')
    expect(result.outputs[0].receipts[0].mended?.map(({ raw }) => raw)).toEqual(['2,Bee, GmbH', '3,Cee, GmbH'])
  })

  it('are mended where lines around the table are left out', async () => {
    const file = new File(['Sales\nid,n\n1,10\n2,x\n3,30\nTotal,40\n'], 'a.csv')
    const settings = { kind: 'csv', skipLines: 1, skipLast: 1 } as const
    const replacements = [{ source: 'n', find: 'x', replace: '20', whole: true }]
    const change = planned('n', 'INTEGER', { replacements })
    const { files } = await convert(file, 'csv', defaultOptions('csv'), change, { settings })
    expect(await files[0].text()).toBe('id,n\n1,10\n2,20\n3,30\n')
  })

  it('stay left out until they’re put back, and where the file says something else by now', async () => {
    const rows = [{ row: 4, raw: '4,4O,e', cells: ['4', '40', 'e'] }]
    for (const mends of [{ rows, putBack: false }, { rows: [{ ...rows[0], raw: '4,41,e' }] }]) {
      const { result } = await convert(csv, 'json', defaultOptions('json'), planned('amount', 'INTEGER', mends))
      expect(result.rejectedCount).toBe(2)
      expect(result.outputs[0].receipts[0].mended).toBeUndefined()
    }
  })

  it('stay left out where a mended row doesn’t fit either', async () => {
    const rows = [{ row: 4, raw: '4,4O,e', cells: ['4', 'four', 'e'] }]
    const { result } = await convert(csv, 'json', defaultOptions('json'), planned('amount', 'INTEGER', { rows }))
    expect(result.rejected.map(({ row }) => row)).toEqual([2, 4])
  })

  it('are mended in JSON, and in a file of types', async () => {
    const json = new File(['[{"id":1,"n":"10"},{"id":2,"n":"x"},{"id":3,"n":null}]'], 'a.json')
    const replacements = [{ source: 'n', find: 'x', replace: '20', whole: true }]
    const { files } = await convert(json, 'csv', defaultOptions('csv'), planned('n', 'INTEGER', { replacements }))
    expect(await files[0].text()).toBe('id,n\n1,10\n2,20\n3,\n')
    const parquet = (await convert(json, 'parquet')).files[0]
    const again = await convert(parquet, 'csv', defaultOptions('csv'), planned('n', 'INTEGER', { replacements }))
    expect(await again.files[0].text()).toBe('id,n\n1,10\n2,20\n3,\n')
  })

  it('are mended in Excel by what its cells show', async () => {
    const book = (await convert(new File(['d,n\n2024-05-01,1\n2024-05-02,x\n2024-05-03,3\n'], 'b.csv'), 'xlsx'))
      .files[0]
    const replacements = [{ source: 'n', find: 'x', replace: '2', whole: true }]
    const { files, result } = await convert(
      book,
      'csv',
      defaultOptions('csv'),
      planned('n', 'INTEGER', { replacements }),
    )
    expect(await files[0].text()).toBe('d,n\n2024-05-01,1\n2024-05-02,2\n2024-05-03,3\n')
    expect(result.outputs[0].receipts[0].mended).toHaveLength(1)
  })
})

it('all rows that don’t fit are found before anything is converted', async () => {
  const lines = Array.from({ length: 50_000 }, (_, i) => `${i},${i % 1351 === 0 ? 'n/a' : i}`)
  const file = new File([`id,n\n${lines.join('\n')}\n`], 'long.csv')
  const { inspection } = await inspect(file)
  const plan = planned('n', 'INTEGER')(planFrom(inspection))
  const found = await checkTable(file, plan, 0, QUIET)
  expect(found.rows).toBe(50_000)
  expect(found.rejectedCount).toBe(38)
  expect(found.rejected[1].row).toBe(1352)
  // Some of the rows that are put back still don't fit.
  const replacements = [{ source: 'n', find: 'n/a', replace: '0', whole: true }]
  const rows = [{ row: 1, raw: '0,n/a', cells: ['0', 'none'] }]
  const counts = async (mends: Partial<Mends>): Promise<[number, number]> => {
    const { rejectedCount, leftOut } = await checkTable(
      file,
      planned('n', 'INTEGER', mends)(planFrom(inspection)),
      0,
      QUIET,
    )
    return [rejectedCount, leftOut]
  }
  expect(await counts({ replacements, rows })).toEqual([38, 1])
  expect(await counts({ replacements, rows, atEnd: true })).toEqual([38, 1])
  expect(await counts({ replacements, rows, putBack: false })).toEqual([38, 38])
  const stopped = new AbortController()
  stopped.abort()
  await expect(checkTable(file, plan, 0, { ...QUIET, signal: stopped.signal })).rejects.toThrow('abort')
})

it('a row that is being mended is tried as text and as cells, and says what is wrong', async () => {
  const { inspection } = await inspect(csv)
  const plan = planned('amount', 'INTEGER')(planFrom(inspection))
  const text = (raw: string) =>
    ({ row: 1, line: 2, reason: 'ragged', message: '', column: null, value: null, raw }) as const
  const rows = [text('7,8,"a, b"'), text('7,8,a, b'), text('7,"8'), ['7', 'x', null], ['7', null, 'y']]
  const tried = await tryRows({ plan, table: 0, rows }, signal)
  expect(tried.map(({ cells }) => cells)).toEqual([['7', '8', 'a, b'], null, null, ['7', 'x', null], ['7', null, 'y']])
  expect(tried.map(({ problem }) => problem?.column ?? (problem ? 'row' : null))).toEqual([
    null,
    'row',
    'row',
    'amount',
    null,
  ])
})

describe('long rows that don’t fit', () => {
  const long = (characters: number): string => 'é '.repeat(characters / 2).trim()

  it.each([12_000, 300_000, 900_000])('of %i characters are mended as others are', async (characters) => {
    const note = long(characters)
    const file = new File([`id,note,n\n1,"${note}",x\n2,${note},surplus,2\n3,c,3\n`], 'a.csv')
    const replacements = [
      { source: 'n', find: 'x', replace: '1', whole: true },
      { source: null, find: ',surplus', replace: '', whole: false },
    ]
    const { files, result } = await convert(
      file,
      'csv',
      { ...defaultOptions('csv'), normalize: true } as CsvOptions,
      planned('n', 'INTEGER', { replacements }),
    )
    expect(await files[0].text()).toBe(`id,note,n\n1,${note},1\n2,${note},2\n3,c,3\n`)
    const [receipt] = result.outputs[0].receipts
    expect(receipt.mended?.map(({ raw }) => raw)).toEqual([`1,"${note}",x`, `2,${note},surplus,2`])
    expect(receipt.changes.find(({ code }) => code === 'rows-mended')?.example?.from).toHaveLength(201)
  })

  it('of JSON are mended as others are', async () => {
    const note = long(50_000)
    const file = new File(
      [
        JSON.stringify([
          { note, n: '1' },
          { note, n: 'x' },
        ]),
      ],
      'a.json',
    )
    const replacements = [{ source: 'n', find: 'x', replace: '2', whole: true }]
    const { files } = await convert(file, 'json', defaultOptions('json'), planned('n', 'INTEGER', { replacements }))
    expect(JSON.parse(await files[0].text())).toEqual([
      { note, n: 1 },
      { note, n: 2 },
    ])
  })

  it('stay left out where there’s more of one than is kept, and keep no other from being mended', async () => {
    const note = long(MAX_RAW)
    const file = new File([`id,note,n\n1,a,x\n2,${note},x\n3,c,3\n`], 'a.csv')
    const replacements = [{ source: 'n', find: 'x', replace: '0', whole: true }]
    const { result, rejectedFile } = await convert(
      file,
      'json',
      defaultOptions('json'),
      planned('n', 'INTEGER', { replacements }),
    )
    const [receipt] = result.outputs[0].receipts
    expect([receipt.rejectedRows, receipt.mended?.map(({ row }) => row)]).toEqual([1, [1]])
    expect(result.rejected[0].raw).toHaveLength(10_000)
    expect(rejectedFile?.size).toBeGreaterThan(MAX_RAW)
  })
})

it('rows after all others of their file keep the numbers that they have there', async () => {
  const files = ['id,n\n1,x\n2,y,surplus\n3,7\n', 'id,n\n4,8\n'].map((text, i) => new File([text], `${i}.csv`))
  const mends = { replacements: [{ source: 'n', find: 'x', replace: '-6', whole: true }], atEnd: true }
  const change = (plan: ImportPlan): ImportPlan => {
    const [table] = planned('n', 'INTEGER', mends)(plan).tables
    const checked = table.columns.map((column) =>
      column.name === 'n' ? { ...column, checks: { minimum: '0' } } : column,
    )
    return { ...plan, tables: [{ ...table, columns: checked }] }
  }
  const choices = () => ({ fileColumn: false, rowColumn: true })
  const { files: made, result } = await combine(files, 'csv', defaultOptions('csv'), choices, { change })
  expect(await made[0].text()).toBe('id,n,row\n3,7,3\n1,-6,1\n4,8,1\n')
  const [receipt] = result.outputs[0].receipts
  expect(receipt.checks?.[0]?.first).toEqual([{ file: '0.csv', row: 1, value: '-6' }])
  expect([receipt.verdict, receipt.rejectedRows]).toEqual(['match', 1])
})

it('whatever rows are mended, all are there in their order, or those after the others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 60 }), fc.boolean(), async (bad, atEnd) => {
      const file = new File([`id,n\n${bad.map((isBad, i) => `${i},${isBad ? `x${i}` : i}\n`).join('')}`], 'a.csv')
      const replacements = [{ source: 'n', find: 'x', replace: '', whole: false }]
      const change = planned('n', 'INTEGER', { replacements, atEnd })
      const { files, result } = await convert(file, 'json', defaultOptions('json'), change)
      const all = bad.map((_, i) => i)
      expect((JSON.parse(await files[0].text()) as { n: number }[]).map(({ n }) => n)).toEqual(
        atEnd ? all.toSorted((a, b) => Number(bad[a]) - Number(bad[b])) : all,
      )
      expect(result.outputs[0].receipts[0].verdict).toBe('match')
    }),
    { numRuns: 40 },
  )
})
