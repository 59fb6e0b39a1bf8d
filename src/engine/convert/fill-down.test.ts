import { describe, expect, test } from 'vitest'
import { NO_MENDS } from '../../tables/mends.ts'
import { applyEdits, NO_EDITS } from '../../tables/edits.ts'
import { defaultOptions, type ImportPlan, type Inspection } from '../../tables/plan.ts'
import { applyProposals, compatible, openProposals } from '../../tables/proposals.ts'
import { book, sheetOf } from '../formats/xlsx/testing/sheets.ts'
import { convertAsInspected, inspect, type Converted } from '../testing/run.ts'

/* Pivot tables and reports name a group only in its first row. */

const csv = (text: string): File => new File([text], 'report.csv')

/** The labels of a file's proposals to fill blanks, by column. */
const proposalsIn = ({ tables }: Inspection): string[] =>
  tables.flatMap(({ columns }) =>
    columns.flatMap(({ name, proposals = [] }) =>
      proposals
        .filter(({ code }) => code === 'fill-down')
        .map(({ count, ambiguous }) => `${name} ${count}${ambiguous ? ' ambiguous' : ''}`),
    ),
  )

const foundIn = async (text: string): Promise<string[]> => proposalsIn((await inspect(csv(text))).inspection)

/** Applies all proposals, as the button does. */
function applied(inspection: Inspection): ImportPlan {
  const open = compatible(openProposals(inspection, applyEdits(inspection, NO_EDITS)))
  return applyEdits(inspection, applyProposals(inspection, { edits: NO_EDITS, request: {}, applied: [] }, open).edits)
}

async function filled(
  file: File,
  change: (plan: ImportPlan) => ImportPlan = (plan) => plan,
): Promise<Converted & { text: string }> {
  const { inspection } = await inspect(file)
  const made = await convertAsInspected(file, inspection, 'csv', { ...defaultOptions('csv') }, () =>
    change(applied(inspection)),
  )
  return { ...made, text: await made.files[0].text() }
}

const PIVOT = 'Region,City,Units\nNorth,Oslo,3\n,Bergen,4\nSouth,Rome,5\n,Milan,6\n'

describe('names of groups that stand only in the first row of each', () => {
  test('are proposed for the rows below, and told on the receipt with their number', async () => {
    expect(await foundIn(PIVOT)).toEqual(['Region 2'])
    const { text, result } = await filled(csv(PIVOT))
    expect(text).toBe('Region,City,Units\nNorth,Oslo,3\nNorth,Bergen,4\nSouth,Rome,5\nSouth,Milan,6\n')
    const [receipt] = result.outputs[0].receipts
    expect(receipt).toMatchObject({ verdict: 'match', textCompared: true })
    expect(receipt.changes).toEqual([
      { code: 'filled-down', message: 'Blank cells were filled with the value above.', column: 'Region', count: 2 },
    ])
  })

  test('groups within groups: a name ends where the outer group ends', async () => {
    const nested =
      'Land,Region,City,Units\nA,North,Oslo,1\n,,Bergen,2\n,South,Rome,3\nB,West,Cork,4\n,,Bray,5\nB total,,,9\n'
    expect(await foundIn(nested)).toEqual(['Land 3', 'Region 2'])
    const { text } = await filled(csv(nested))
    expect(text).toContain('A,North,Bergen,2\nA,South,Rome,3\nB,West,Cork,4\nB,West,Bray,5\nB total,,,9\n')
  })

  test.each([
    ['an id that a row lacks', 'id,name\n1,a\n2,b\n,c\n4,d\n'],
    ['a word that some rows have', 'title,name,n\nDr,a,1\n,b,2\nProf,c,3\n,d,4\nDr,e,5\n,f,6\n'],
    ['measured values', 'temp,hum\n20.1,30\n,31\n20.5,32\n,33\n'],
    ['a first row without a name', 'parent,id\n,1\na,2\n,3\nb,4\n,5\n'],
    ['one name only', 'title,n\nx,1\n,2\n,3\n'],
  ])('not proposed: %s', async (_, text) => {
    expect(await foundIn(text)).toEqual([])
  })

  test('numbers of groups are proposed, but only the person can tell', async () => {
    expect(await foundIn('year,m,n\n2023,a,1\n,b,2\n2024,a,3\n,b,4\n')).toEqual(['year 2 ambiguous'])
  })

  test('the label of a row that doesn’t fit holds for the rows below it, and is among its cells', async () => {
    const text = 'Region,City,Units\nNorth,Oslo,3\n,Bergen,x\n,Moss,4\nSouth,Rome,y\n,Milan,6\nEast,Kiev,7,7\n,Lviv,8\n'
    const { result, text: made } = await filled(csv(text), (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) =>
          column.name === 'Units'
            ? { ...column, type: 'INTEGER' }
            : { ...column, format: { fillDown: column.name === 'Region' } },
        ),
      })),
    }))
    expect(made).toBe('Region,City,Units\nNorth,Oslo,3\nNorth,Moss,4\nSouth,Milan,6\nEast,Lviv,8\n')
    expect(result.rejected.map(({ row, cells }) => [row, cells])).toEqual([
      [2, ['North', 'Bergen', 'x']],
      [4, ['South', 'Rome', 'y']],
      [6, undefined],
    ])
    expect(result.outputs[0].receipts[0].changes).toContainEqual(
      expect.objectContaining({ code: 'filled-down', column: 'Region', count: 3 }),
    )
  })

  test('a row that doesn’t fit is filled where it’s mended, unless an outer group begins with it', async () => {
    const rows = [
      '"A ""a""",North,Oslo,1',
      ',,Bergen,2,2',
      ',South,Rome,3',
      'B,,Cork,4,4',
      ',West,Bray,5',
      ',,Fermoy,6,6',
    ]
    const file = csv(`Land,Region,City,Units\n${rows.join('\n')}\n`)
    const replacements = [2, 4, 6].map((n) => ({ source: null, find: `,${n},${n}`, replace: `,${n}`, whole: false }))
    const fill = { fillDown: true }
    const { text, result } = await filled(file, (plan) => ({
      ...plan,
      tables: plan.tables.map((table) => ({
        ...table,
        columns: table.columns.map((column) => (column.index < 2 ? { ...column, format: fill } : column)),
        mends: { ...NO_MENDS, putBack: true, replacements },
      })),
    }))
    expect(text.split('\n')).toEqual([
      'Land,Region,City,Units',
      '"A ""a""",North,Oslo,1',
      '"A ""a""",North,Bergen,2',
      '"A ""a""",South,Rome,3',
      'B,,Cork,4',
      'B,West,Bray,5',
      'B,West,Fermoy,6',
      '',
    ])
    expect(result.outputs[0].receipts[0]).toMatchObject({ verdict: 'match', rejectedRows: 0 })
  })

  test('hold across batches, with quotes in them, and blank rows stay blank', async () => {
    const rows = Array.from({ length: 200_000 }, (_, i) => `${i % 50_000 === 0 ? `"g ""${i}"""` : ''},place ${i},${i}`)
    rows.splice(3, 0, ',,')
    const { text, result } = await filled(csv(`g,p,n\n${rows.join('\n')}\n`))
    const lines = text.split('\n')
    expect(lines[4]).toBe(',,')
    expect(lines.filter((line) => line.startsWith('"g ""50000"""')).length).toBe(50_000)
    expect(lines[200_001]).toBe('"g ""150000""",place 199999,199999')
    expect(result.outputs[0].receipts[0].changes).toContainEqual(
      expect.objectContaining({ code: 'filled-down', count: 199_996 }),
    )
  })

  test('in workbooks, too, right of a blank column and where cells aren’t merged', async () => {
    const rows = [
      [null, 'Region', 'City', 'Units'],
      [null, 'North', 'Oslo', 3],
      [null, null, 'Bergen', 4],
      [null, 'South', 'Rome', 5],
      [null, null, 'Milan', 6],
    ]
    const file = book(sheetOf(rows, []))
    expect(proposalsIn((await inspect(file)).inspection)).toEqual(['Region 2'])
    const { text, result } = await filled(file)
    expect(text).toBe('Region,City,Units\nNorth,Oslo,3\nNorth,Bergen,4\nSouth,Rome,5\nSouth,Milan,6\n')
    expect(result.outputs[0].receipts[0].changes).toContainEqual(
      expect.objectContaining({ code: 'filled-down', count: 2 }),
    )
    const merged = book(sheetOf(rows, ['B2:B3', 'B4:B5']))
    expect(proposalsIn((await inspect(merged)).inspection)).toEqual([])
  })

  test('a format without text cells refuses it', async () => {
    const file = new File(['[{"a":"x"},{"a":null}]'], 'a.json')
    const { inspection } = await inspect(file)
    const plan = applied(inspection)
    const tables = plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) => ({ ...column, format: { fillDown: true } })),
    }))
    const made = convertAsInspected(file, inspection, 'csv', defaultOptions('csv'), () => ({ ...plan, tables }))
    await expect(made).rejects.toMatchObject({ code: 'invalid-plan' })
  })
})
