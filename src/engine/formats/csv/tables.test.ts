import { expect, test } from 'vitest'
import type { CsvSettings, Inspection } from '../../../tables/plan.ts'
import { rowActions, rolesOf } from '../../../tables/source.ts'
import { parseType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { inspectCsv } from './inspect.ts'
import { readCsv } from './reader.ts'
import { sourceOfCsv } from './source.ts'
import { QUIET } from '../../testing/quiet.ts'

const fileOf = (...lines: readonly string[]): File => new File([lines.join('\r\n')], 'report.csv')
const inspect = (file: File, given: Partial<CsvSettings> = {}): Promise<Inspection> =>
  inspectCsv(file, 'csv', { kind: 'csv', ...given }, QUIET)

async function rowsOf(file: File, { settings, tables }: Inspection) {
  const all: Record<string, unknown> = {}
  for (const { name, columns, rows, rejectedCount } of tables) {
    const wanted = columns.map(({ type, ...column }) => ({ ...column, type: parseType(type) }))
    const read: (string | null)[][] = []
    for await (const { batch, rejected } of readCsv(file, { settings, table: name, columns: wanted }, QUIET)) {
      expect(rejected).toEqual([])
      for (let row = 0; row < batch.numRows; row++) {
        read.push(wanted.map(({ type }, i) => cellToString(type, batch.data.children[i], row)))
      }
    }
    expect([read.length, rejectedCount]).toEqual([rows, 0])
    all[name ?? ''] = [columns.map((column) => column.name), ...read]
  }
  return all
}

const REPORT = fileOf(
  'Sales by region',
  'Region,Units,Revenue',
  'North,10,99.5',
  'South,20,199.0',
  'East,5,49.75',
  'Total,35,348.25',
  '',
  'Product,Price',
  'Pen,1.50',
  '"Ink,',
  'blue",2.75',
  'Paper,3.25',
  '',
  'Made on 3 May',
)
const NAMES = ['Sales by region', 'Table 2']

test('a second table below is proposed as a table of its own, and read so', async () => {
  const whole = await inspect(REPORT)
  expect(whole.tables[0]?.proposals).toEqual([])
  const [proposal] = whole.proposals ?? []
  expect(proposal).toMatchObject({
    label: 'Apply: read as 2 tables',
    message:
      'The file looks like 2 tables with blank lines between: “Sales by region” from line 2 on, “Table 2” from line 8 on.',
    change: { kind: 'reading', settings: { kind: 'csv', blocks: true } },
  })
  const found = await inspect(REPORT, { blocks: true })
  expect(found.tables.map(({ name }) => name)).toEqual(NAMES)
  expect(found.proposals).toBeUndefined()
  expect(await rowsOf(REPORT, found)).toEqual({
    'Sales by region': [
      ['Region', 'Units', 'Revenue'],
      ['North', '10', '99.5'],
      ['South', '20', '199.0'],
      ['East', '5', '49.75'],
      ['Total', '35', '348.25'],
    ],
    'Table 2': [
      ['Product', 'Price'],
      ['Pen', '1.50'],
      ['Ink,\r\nblue', '2.75'],
      ['Paper', '3.25'],
    ],
  })
  // Lines outside all tables must be reported.
  const told = found.tables.map(({ notes }) => notes.map(({ message }) => message))
  expect(told[0]).toContain('1 line above the table is not part of it: “Sales by region”.')
  expect(told[1]).toContain('1 line after the table is not part of it: “Made on 3 May”.')
})

test('a total of one table is left out of that one alone', async () => {
  const found = await inspect(REPORT, { blocks: true })
  const [proposal] = found.tables[0]?.proposals ?? []
  if (proposal?.change.kind !== 'reading') throw new Error('no proposal')
  expect(proposal.change.settings).toEqual({ kind: 'csv', tables: { 'Sales by region': { skipLast: 1 } } })
  const again = await inspect(REPORT, { blocks: true, ...(proposal.change.settings as Partial<CsvSettings>) })
  expect(again.tables.map(({ rows }) => rows)).toEqual([3, 3])
  expect(Object.values(await rowsOf(REPORT, again)).map((rows) => (rows as unknown[]).length)).toEqual([4, 4])
})

test('tables of one width, padded as Excel writes a sheet', async () => {
  const file = fileOf(
    'Region;Units;',
    'North;10;',
    'South;20;',
    'East;5;',
    ';;',
    'Product;Price;Stock',
    'Pen;1,50;3',
    'Ink;2,75;4',
    'Paper;3,25;5',
  )
  const found = await inspect(file, { blocks: true })
  expect(await rowsOf(file, found)).toEqual({
    'Table 1': [
      ['Region', 'Units'],
      ['North', '10'],
      ['South', '20'],
      ['East', '5'],
    ],
    'Table 2': [
      ['Product', 'Price', 'Stock'],
      ['Pen', '1.50', '3'],
      ['Ink', '2.75', '4'],
      ['Paper', '3.25', '5'],
    ],
  })
  expect((await inspect(file)).proposals).toMatchObject([{ code: 'several-tables' }])
})

test.each([
  ['blank lines within one', ['a,b', '1,x', '2,y', '', '3,z', '4,w', '5,v']],
  ['rows with gaps', ['a,b', '1,', '2,y', ',x', '3,z']],
  ['remarks after it', ['a,b', '1,x', '2,y', '3,z', '', 'made in May']],
])('a table with %s is one', async (_, lines) => {
  const file = fileOf(...lines)
  expect((await inspect(file)).proposals).toBeUndefined()
  expect((await inspect(file, { blocks: true })).tables.map(({ name }) => name)).toEqual([null])
})

test('what each row is can be said for one of the tables', async () => {
  const { settings } = await inspect(REPORT, { blocks: true })
  if (settings.kind !== 'csv') throw new Error('not CSV')
  const source = await sourceOfCsv(REPORT, settings, QUIET.signal)
  expect(rolesOf(settings, 'Table 2', source.rows)).toEqual([
    ...Array.from({ length: 6 }, () => 'above'),
    'header',
    'data',
    'data',
    'data',
    'after',
  ])
  const at = source.rows.findIndex(({ cells }) => cells[0] === 'Pen')
  const out = rowActions(settings, undefined, 'Table 2', source, at).find(({ key }) => key === 'out')
  expect(out?.patch).toEqual({ tables: { 'Table 2': { leaveOut: [9] } } })
  const again = await inspect(REPORT, { blocks: true, ...(out?.patch as Partial<CsvSettings>) })
  expect(again.tables.map(({ rows }) => rows)).toEqual([4, 2])
})

test('a second table of texts, padded to the width of the first, is proposed where it has a title of its own', async () => {
  const first = ['Sales by region,,', 'Region,Units,Revenue', 'North,10,100.5', 'South,20,200.5', 'Total,30,301.0']
  const file = fileOf(...first, ',,', ',,', 'Staff,,', 'Name,Team,', 'Ada,A,', 'Bob,B,')
  expect((await inspect(file)).proposals).toMatchObject([
    {
      code: 'several-tables',
      message:
        'The file looks like 2 tables with blank lines between: “Sales by region” from line 2 on, “Staff” from line 9 on.',
      ambiguous: true,
    },
  ])
  expect(await rowsOf(file, await inspect(file, { blocks: true }))).toEqual({
    'Sales by region': [
      ['Region', 'Units', 'Revenue'],
      ['North', '10', '100.5'],
      ['South', '20', '200.5'],
      ['Total', '30', '301.0'],
    ],
    Staff: [
      ['Name', 'Team'],
      ['Ada', 'A'],
      ['Bob', 'B'],
    ],
  })
})

test('rows under a title within a table are no table of their own', async () => {
  const head = ['Region,Units,Revenue', 'North,10,100.5', 'South,20,200.5', ',,']
  expect((await inspect(fileOf(...head, 'Europe,,', 'France,5,50.5', 'Spain,x,60.5'))).proposals).toBeUndefined()
  expect((await inspect(fileOf(...head, 'Source,,', 'Office,A,'))).proposals).toBeUndefined()
})

test('two tables of texts alone are proposed where their columns are called as columns usually are', async () => {
  const people = ['Name,City', 'Anna,Berlin', 'Ben,Hamburg', 'Cleo,Munich']
  const roles = ['Person,Role,Email', 'Anna,Lead,a@x.com', 'Ben,Dev,b@x.com', 'Dora,Ops,d@x.com']
  const file = fileOf(...people, '', ...roles)
  expect((await inspect(file)).proposals).toMatchObject([{ code: 'several-tables', count: 2, ambiguous: true }])
  const found = await inspect(file, { blocks: true })
  expect(await rowsOf(file, found)).toEqual({
    'Table 1': people.map((line) => line.split(',')),
    'Table 2': roles.map((line) => line.split(',')),
  })
  const prose = fileOf(...people, '', 'We thank,all who,came', 'to this,and other,events', 'of ours,in the,year')
  expect((await inspect(prose)).proposals).toBeUndefined()
})

test('is found below many remarks, as Google Analytics writes them', async () => {
  const line = '# ----------------------------------------'
  const file = fileOf(
    line,
    '# Pages and screens',
    '# Account: Shop',
    '# Property: Shop - GA4',
    line,
    '#',
    '# All Users',
    '# Start date: 20250301',
    '# End date: 20250331',
    'Page title,Views,Users',
    ...Array.from({ length: 9 }, (_, i) => `Page ${i},${900 - i},${400 - i}`),
    '',
    '# Start date: 20250301',
    '# End date: 20250331',
    'Nth day,Views',
    ...Array.from({ length: 9 }, (_, i) => `000${i},${100 + i}`),
  )
  const [proposal] = (await inspect(file)).proposals ?? []
  expect(proposal).toMatchObject({ label: 'Apply: read as 2 tables' })
  const found = await inspect(file, { blocks: true })
  expect(await rowsOf(file, found)).toEqual({
    'Property: Shop - GA4': [
      ['Page title', 'Views', 'Users'],
      ...Array.from({ length: 9 }, (_, i) => [`Page ${i}`, `${900 - i}`, `${400 - i}`]),
    ],
    'Table 2': [['Nth day', 'Views'], ...Array.from({ length: 9 }, (_, i) => [`000${i}`, `${100 + i}`])],
  })
})

test('the same header above each may also be one table in pages, as SAP prints lists', async () => {
  const rule = '-'.repeat(45)
  const page = (number: number): string[] => [
    `01.04.2025        Dynamische Listenausgabe  ${number}`,
    '',
    rule,
    '|Belegnr   |Konto     |Text      |      Betrag|',
    rule,
    ...Array.from({ length: 9 }, (_, i) => `|190000${number}00${i}|0000400${number}0${i}|Miete     |   1.00${i},50-|`),
    rule,
    '',
  ]
  const file = fileOf(...page(1), ...page(2), ...page(3))
  const { tables, proposals = [] } = await inspect(file)
  expect(proposals).toMatchObject([{ label: 'Apply: read as 3 tables' }])
  expect(tables[0]?.proposals).toMatchObject([{ label: 'Apply: leave out 2 repeated headers' }])
  const found = await inspect(file, { repeatedHeaders: 'leave-out' })
  expect(found.tables[0]?.columns.map(({ name, type }) => `${name} ${type}`)).toEqual([
    'Belegnr INTEGER',
    'Konto VARCHAR',
    'Text VARCHAR',
    'Betrag DECIMAL(6,2)',
  ])
  const { '': rows } = await rowsOf(file, found)
  const row = (number: number, i: number): string[] => [
    `190000${number}00${i}`,
    `0000400${number}0${i}`,
    'Miete',
    `-100${i}.50`,
  ]
  expect(rows).toEqual([
    ['Belegnr', 'Konto', 'Text', 'Betrag'],
    ...[1, 2, 3].flatMap((number) => Array.from({ length: 9 }, (_, i) => row(number, i))),
  ])
})

test('may have a single row, above a table of the same width', async () => {
  const file = fileOf(
    'Meeting ID,Topic,Start Time,Duration (Minutes),Participants',
    '812 3456 7890,Weekly,03/01/2025 10:00:11 AM,60,9',
    '',
    'Name,Join Time,Duration (Minutes),Guest,Recording Consent',
    ...Array.from({ length: 9 }, (_, i) => `Ann ${i},03/01/2025 10:0${i}:11 AM,${50 + i},No,`),
  )
  expect((await inspect(file)).proposals).toMatchObject([{ label: 'Apply: read as 2 tables' }])
  const { tables } = await inspect(file, { blocks: true })
  expect(tables.map(({ rows, columns }) => [rows, columns[1]?.name])).toEqual([
    [1, 'Topic'],
    [9, 'Join Time'],
  ])
})

test('is called by a line of words, not by one that is drawn', async () => {
  const line = '# ---------------'
  const file = fileOf(
    line,
    '# All Web Site Data',
    '# Landing Pages',
    '# 20250301-20250331',
    line,
    '',
    'Landing Page,Sessions',
    '/home,1234',
    '/blog,987',
    '/shop,2001',
    '',
    'Day,Sessions,Users',
    '2025-03-01,140,90',
    '2025-03-02,133,80',
    '2025-03-03,155,70',
  )
  const { tables } = await inspect(file, { blocks: true })
  expect(tables.map(({ name }) => name)).toEqual(['Landing Pages', 'Table 2'])
  expect(tables[0]?.notes.map(({ message }) => message)).toContain(
    '5 lines above the table are not part of it: “# All Web Site Data” and others.',
  )
})

test('sections of a statement whose lines say which one they belong to are tables', async () => {
  const file = fileOf(
    'Statement,Header,Field Name,Field Value',
    'Statement,Data,Title,Activity Statement',
    'Statement,Data,Period,"January 1, 2023 - December 31, 2023"',
    'Trades,Header,Asset Category,Currency,Symbol,Date/Time,Quantity,Proceeds',
    'Trades,Data,Stocks,USD,AAPL,"2023-03-02, 09:45:12",10,-1453.1',
    'Trades,Data,Stocks,USD,AAPL,"2023-07-12, 10:01:44",-5,948.4',
    'Trades,Total,,USD,,,5,-504.7',
    'Trades,Header,Asset Category,Currency,Symbol',
    'Trades,Data,Forex,EUR,EUR.USD',
    'Interest,Header,Currency,Date,Amount',
    'Notes,Header,Note',
    'Notes,Data,"All dates, and times, are of New York"',
  )
  const { tables: whole } = await inspect(file)
  expect(whole[0]?.proposals?.find(({ code }) => code === 'sections')).toMatchObject({
    label: 'Apply: read each section as a table',
    message:
      'Each line begins with the name of its section (Statement, Trades, Interest, Notes), as in statements of Interactive Brokers: the sections have columns of their own.',
    change: { kind: 'reading', settings: { kind: 'csv', blocks: true } },
  })
  const found = await inspect(file, { blocks: true })
  expect(found.proposals).toBeUndefined()
  const { Trades: trades, ...others } = await rowsOf(file, found)
  expect(trades).toEqual([
    ['Trades', 'Header', 'Asset Category', 'Currency', 'Symbol', 'Date/Time', 'Quantity', 'Proceeds'],
    ['Trades', 'Data', 'Stocks', 'USD', 'AAPL', '2023-03-02 09:45:12', '10', '-1453.1'],
    ['Trades', 'Data', 'Stocks', 'USD', 'AAPL', '2023-07-12 10:01:44', '-5', '948.4'],
    ['Trades', 'Total', null, 'USD', null, null, '5', '-504.7'],
  ])
  expect(others).toEqual({
    Statement: [
      ['Statement', 'Header', 'Field Name', 'Field Value'],
      ['Statement', 'Data', 'Title', 'Activity Statement'],
      ['Statement', 'Data', 'Period', 'January 1, 2023 - December 31, 2023'],
    ],
    Trades_1: [
      ['Trades', 'Header', 'Asset Category', 'Currency', 'Symbol'],
      ['Trades', 'Data', 'Forex', 'EUR', 'EUR.USD'],
    ],
    Notes: [
      ['Notes', 'Header', 'Note'],
      ['Notes', 'Data', 'All dates, and times, are of New York'],
    ],
  })
})

test('numbered sections of texts below keys are tables, as Microsoft Teams writes who attended', async () => {
  const participants = [
    'Name\tFirst Join\tLast Leave\tEmail\tRole',
    'Ann Lee\t3/14/24, 9:58:12 AM\t3/14/24, 10:31:40 AM\tann@x.com\tOrganizer',
    'Bob Ray\t3/14/24, 10:00:02 AM\t3/14/24, 10:31:12 AM\tbob@x.com\tPresenter',
  ]
  const activities = [
    'Name\tJoin Time\tLeave Time\tEmail',
    'Ann Lee\t3/14/24, 9:58:12 AM\t3/14/24, 10:31:40 AM\tann@x.com',
    'Bob Ray\t3/14/24, 10:00:02 AM\t3/14/24, 10:12:12 AM\tbob@x.com',
    'Bob Ray\t3/14/24, 10:12:12 AM\t3/14/24, 10:31:12 AM\tbob@x.com',
  ]
  const summary = ['1. Summary', 'Meeting title\tWeekly sync', 'Attended participants\t2', 'Duration\t33m 28s']
  const file = fileOf(...summary, '', '2. Participants', ...participants, '', '3. In-Meeting Activities', ...activities)
  expect((await inspect(file)).proposals).toMatchObject([{ code: 'several-tables' }])
  const { tables } = await inspect(file, { blocks: true })
  expect(tables.map(({ name, rows, columns }) => [name, rows, columns[1]?.type])).toEqual([
    ['2. Participants', 2, 'TIMESTAMP'],
    ['3. In-Meeting Activities', 3, 'TIMESTAMP'],
  ])
  expect(tables[0]?.notes.map(({ message }) => message)).toContain(
    '5 lines above the table are not part of it: “1. Summary” and others.',
  )
})
