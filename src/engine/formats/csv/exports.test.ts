import { describe, expect, it } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { inspect, readAll } from './testing.ts'

/* Files exported by programs, with nothing set by hand. */

async function columnsOf(text: string) {
  const inspection = await inspect(text)
  const [{ columns, rows, rejectedCount, proposals = [] }] = inspection.tables
  const types = Object.fromEntries(columns.map(({ name, type }) => [name, type]))
  const settings = inspection.settings as CsvSettings
  return { inspection, types, rows, rejectedCount, proposals, columns, settings }
}

describe('A file whose first line', () => {
  it('says more of the file than its rows have fields, has its header below', async () => {
    const text = `"EXTF";700;21;"Buchungsstapel";12;20240301120000000;;"RE";"Admin";"";1001;10001
Umsatz;Kennzeichen;WKZ;Konto;Belegdatum;Buchungstext
119,00;"S";"EUR";4400;1501;"Erlöse"
59,50;"H";"EUR";4930;2001;"Bürobedarf"
1234,56;"S";"EUR";4400;3101;"Erlöse"
`
    const { types, rows, rejectedCount, settings } = await columnsOf(text)
    expect(types).toMatchObject({ Umsatz: 'DECIMAL(6,2)', Konto: 'INTEGER', Buchungstext: 'VARCHAR' })
    expect([rows, rejectedCount, settings.skipLines]).toEqual([3, 0, 1])
  })

  it('is a header with more names than its rows have fields, keeps it', async () => {
    const { settings, types } = await columnsOf('id,name,note,\n1,Anna\n2,Ben\n3,Cleo\n')
    expect([settings.skipLines, settings.header]).toEqual([0, true])
    expect(Object.keys(types).slice(0, 2)).toEqual(['id', 'name'])
  })
})

describe('Timestamps', () => {
  it('may have a blank before their offset, and be in UTC by its name', async () => {
    const text = `paid at,created
2024-03-01 10:15:00 +0100,2024-03-01 09:15:00 UTC
2024-03-02 11:00:00 -0530,2024-03-02 11:00:00 UTC
`
    const { inspection, types, columns } = await columnsOf(text)
    expect(Object.values(types)).toEqual(['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE'])
    expect(columns.map(({ rewritten }) => rewritten?.count)).toEqual([2, 2])
    const { rows, rejected } = await readAll(text, inspection)
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['2024-03-01 09:15:00+00', '2024-03-01 09:15:00+00'],
      ['2024-03-02 16:30:00+00', '2024-03-02 11:00:00+00'],
    ])
  })

  it('may have an offset after GMT, as shops write it', async () => {
    const text = 'paid\n1 Dez. 2024 09:12:33 GMT+1\n3 Dez. 2024 23:01:02 GMT-07:00\n14 Dez. 2024 00:00:00 GMT\n'
    const { inspection, columns } = await columnsOf(text)
    expect(columns[0].format?.dateFormat).toBe('%d %b %Y %H:%M:%S %z')
    const { rows } = await readAll(text, inspection)
    expect(rows).toEqual([['2024-12-01 08:12:33+00'], ['2024-12-04 06:01:02+00'], ['2024-12-14 00:00:00+00']])
  })

  it('may be written otherwise than ISO and have an offset', async () => {
    const text = `settled\tposted
01.02.2024 00:00:00 UTC\t15/Mar/2024 9:15 AM +0100
17.02.2024 23:30:00 UTC\t16/Mar/2024 11:05 PM +0100
`
    const { inspection, types, columns } = await columnsOf(text)
    expect(Object.values(types)).toEqual(['TIMESTAMP WITH TIME ZONE', 'TIMESTAMP WITH TIME ZONE'])
    expect(columns.map(({ format }) => format?.dateFormat)).toEqual(['%d.%m.%Y %H:%M:%S %z', '%d/%b/%Y %I:%M %p %z'])
    expect(columns[0].rewrittenInJson?.example).toEqual({
      from: '01.02.2024 00:00:00 UTC',
      to: '2024-02-01T00:00:00Z',
    })
    const { rows, rejected } = await readAll(text, inspection)
    expect(rejected).toEqual([])
    expect(rows).toEqual([
      ['2024-02-01 00:00:00+00', '2024-03-15 08:15:00+00'],
      ['2024-02-17 23:30:00+00', '2024-03-16 22:05:00+00'],
    ])
  })
})

describe('The end of a file', () => {
  it('of two columns may be remarks, which are proposed to be left out', async () => {
    const text = `Tabelle: 12411-0001
Bevölkerung
Stichtag;Bevölkerung
31.12.2018;83019213
31.12.2019;83166711
31.12.2020;83155031
31.12.2021;83237124
__________
Stand: 05.03.2024 / 10:00:00
© Statistisches Bundesamt
`
    const { proposals } = await columnsOf(text)
    expect(proposals).toMatchObject([{ code: 'remarks-below', count: 3, ambiguous: true }])
  })

  it('may be lines of a text alone, and what follows them: they are proposed to be left out, beside subtotals', async () => {
    const text = `id,group,amount
1,a,2
2,a,3
Total a,,5
3,b,4

Disclaimer:
Made by hand, no warranty
`
    const { inspection, proposals, rejectedCount } = await columnsOf(text)
    expect(rejectedCount).toBe(1)
    expect(proposals.map(({ code, count }) => [code, count])).toEqual([['subtotal-rows', 1]])
    const wide = text.replaceAll(/^(\d|Total a|id)(.*)$/gm, '$1$2,x')
    const found = await columnsOf(wide)
    expect(found.proposals.map(({ code, count, ambiguous }) => [code, count, ambiguous])).toEqual([
      ['subtotal-rows', 1, undefined],
      ['remarks-below', 2, undefined],
    ])
    const [, { message, change }] = found.proposals
    expect(message).toBe(
      'The last 2 rows, of which the last one is “Made by hand, no warranty”, have fewer fields than the rows above, as remarks often do.',
    )
    expect(inspection.tables[0].rows).toBe(5)
    const settings = change.kind === 'reading' ? (change.settings as Partial<CsvSettings>) : {}
    const [without] = (await inspect(wide, settings)).tables
    expect([without.rows, without.rejectedCount]).toEqual([4, 0])
  })

  it('may have several totals, which are left out together', async () => {
    const text = `Campaign,Clicks,Cost
Brand,1234,555.30
Generic,50,60.00
Total: Campaigns,1284,615.30
Total: Account,1284,615.30
`
    const { proposals, inspection } = await columnsOf(text)
    expect(proposals).toMatchObject([{ code: 'total-row', count: 2 }])
    expect(proposals[0].message).toBe(
      'The row “Total: Campaigns”, with 1 row below it, looks like a total of 2 columns: the sums are right.',
    )
    expect(inspection.notes.map(({ message }) => message)).toContain(
      'The first of the rows at the end looks like a total, and is read as a row: line 4, “Total: Campaigns,1284,615.30”.',
    )
  })
})

it('What statistical offices write for no value is proposed to be null', async () => {
  const { columns } = await columnsOf('geo\t2019\t2020\nDE\t3.0\t..\nFR\t8.4\t8.0\nUK\t:\t3.7\nIT\t9.3\t9.5\n')
  expect(columns.slice(1).map(({ proposals }) => proposals?.[0].change)).toMatchObject([
    { patch: { type: 'DECIMAL(2,1)', format: { nullValues: [':'] } } },
    { patch: { type: 'DECIMAL(2,1)', format: { nullValues: ['..'] } } },
  ])
})

it('Lines of two texts above a blank line and a wider table are none of its rows', async () => {
  const rows = Array.from(
    { length: 20 },
    (_, i) => `0${(i % 9) + 1}.07.2026;Gutschrift;Kunde ${String(i)};1.${String(100 + i)},50`,
  )
  const text = `Umsatzanzeige;Datei erstellt am: 03.10.2026 09:12
Girokonto;DE12 5001 0517 0648 4898 90
Zeitraum:;01.07.2026 - 30.09.2026

Buchungstag;Umsatzart;Auftraggeber;Betrag (€)
${rows.join('\n')}
`
  const found = await columnsOf(text)
  expect(found.types).toMatchObject({ Buchungstag: 'DATE', 'Betrag (€)': 'DECIMAL(6,2)' })
  expect([found.rows, found.rejectedCount, found.settings.skipLines]).toEqual([20, 0, 4])
})

it('Keys with words and numbers as values are none of its rows, even where they’re called as columns are', async () => {
  const keys = 'Name,Ann Lee\nAddress,"1 Main St, Springfield"\nAccount Number,1234567890\nService,Service 1\n\n'
  const rows = Array.from({ length: 24 }, (_, hour) => `Electric usage,2025-03-01,${hour}:00,0.${hour + 10},kWh`)
  const found = await columnsOf(`${keys}TYPE,DATE,START TIME,USAGE,UNITS\n${rows.join('\n')}\n`)
  expect(found.types).toMatchObject({ DATE: 'DATE', USAGE: 'DECIMAL(3,2)', UNITS: 'VARCHAR' })
  expect([found.rows, found.rejectedCount, found.settings.skipLines]).toEqual([24, 0, 5])
})

it('Names that all begin with “#” are no remark, whatever the lines above are', async () => {
  const text = `mBank S.A.;
#Klient;
JAN KOWALSKI;

#Za okres:;
01.03.2025;31.03.2025;

#Lista nie jest dokumentem;

#Waluta;#Wpływy;#Wydatki;
PLN;1 000,00;-500,50;

#Data operacji;#Opis operacji;#Kategoria;#Kwota;
2025-03-01;"ZAKUP";"Dom";-1 001,50 PLN;;
2025-03-02;"PRZELEW";"";500,00 PLN;;
2025-03-03;"ZAKUP";"Auto";-20,25 PLN;;
2025-03-04;"ZAKUP";"Auto";-20,25 PLN;;
`
  const found = await columnsOf(text)
  expect(found.types).toEqual({
    '#Data operacji': 'DATE',
    '#Opis operacji': 'VARCHAR',
    '#Kategoria': 'VARCHAR',
    '#Kwota': 'DECIMAL(6,2)',
  })
  expect([found.rows, found.rejectedCount, found.settings.comment]).toEqual([4, 0, null])
  expect(found.columns.flatMap(({ proposals = [] }) => proposals.map(({ label }) => label))).toContain(
    'Apply: the name “Kwota”',
  )
})

it('A name alone above values is the header, below titles', async () => {
  const text = `Acme LLC,,
Profit and Loss,,
"January - March, 2025",,
,,
,Total,
Income,,
   Sales,"10,000.00",
   Services,"5,000.00",
Total Income,"$15,000.00",
Gross Profit,"$15,000.00",
Expenses,,
   Rent,"2,000.00",
Total Expenses,"$2,000.00",
Net Income,"$13,000.00",
`
  const found = await columnsOf(text)
  expect(Object.keys(found.types)).toEqual(['column_1', 'Total'])
  expect([found.rows, found.rejectedCount, found.settings.skipLines]).toEqual([9, 0, 4])
})

it('A first table that is narrower than a second one keeps its header', async () => {
  const text =
    'Name,City\nAnna,Berlin\nBen,Hamburg\nCleo,Munich\n\nPerson,Role,Mail\nAnna,Lead,a@x.com\nBen,Dev,b@x.com\nDora,Ops,d@x.com\n'
  const { types } = await columnsOf(text)
  expect(types).not.toHaveProperty('row_name')
})

it('A line that databases draw below the names is none of the rows', async () => {
  const text = `id,name,created
--,----,-------
1,Anna,2024-01-05 10:00:00.0000000
2,NULL,NULL

(2 rows affected)
`
  const { columns, rows } = await columnsOf(text)
  expect([rows, columns.map(({ name }) => name)]).toEqual([2, ['id', 'name', 'created']])
  expect(columns[2].proposals?.map(({ message }) => message)).toEqual([
    '“NULL” (1 value) would be null; the values are dates with times then.',
  ])
})

describe('A header of years', () => {
  it('may leave some out, below a title', async () => {
    const { columns, rows } = await columnsOf(`"Data Source","World Development Indicators",

"Country Name","Country Code","1960","1970","2023",
"Aruba","ABW","54922","59063","107359",
"Kosovo","XKX","947000","1210000","1756366",
`)
    expect(rows).toBe(2)
    expect(columns.map(({ name, type }) => [name, type])).toEqual([
      ['Country Name', 'VARCHAR'],
      ['Country Code', 'VARCHAR'],
      ['1960', 'INTEGER'],
      ['1970', 'INTEGER'],
      ['2023', 'INTEGER'],
    ])
  })

  it('or days stands below what they are, with remarks below that outnumber the rows', async () => {
    const { types, rows, rejectedCount, settings } = await columnsOf(`Tabelle: 12411-0010
Bevölkerung: Bundesländer, Stichtag
Bundesländer;Stichtag;;
Bundesländer;31.12.2021;31.12.2022;31.12.2023
Bayern;13176989;13369393;13435062
Berlin;3677472;3755251;3782202
Bremen;676463;684864;691703
__________
Ab 31.12.2011: Ergebnisse auf Basis des Zensus 2011.
__________
© Statistisches Bundesamt
Stand: 05.01.2025
`)
    expect([settings.delimiter, rows, rejectedCount]).toEqual([';', 3, 5])
    expect(Object.entries(types)).toEqual([
      ['Bundesländer', 'VARCHAR'],
      ['Stichtag 31.12.2021', 'INTEGER'],
      ['Stichtag 31.12.2022', 'INTEGER'],
      ['Stichtag 31.12.2023', 'INTEGER'],
    ])
  })

  it('may be one of days, above numbers or words', async () => {
    const numbers = await columnsOf('Land;31.12.2021;31.12.2022\nBayern;13176989;13369393\nBerlin;3677472;...\n')
    expect([numbers.rows, Object.keys(numbers.types)]).toEqual([2, ['Land', '31.12.2021', '31.12.2022']])
    expect(numbers.types['31.12.2021']).toBe('INTEGER')
    const words = await columnsOf('Name,2024-03-01,2024-03-02\nAnna,F,S\nBen,,F\nCleo,S,\n')
    expect(Object.keys(words.types)).toEqual(['Name', '2024-03-01', '2024-03-02'])
    const none = await columnsOf('Anna,2024-03-01,2024-03-02,12\nBen,2024-03-03,,15\nCleo,,2024-03-09,11\n')
    expect([none.rows, Object.values(none.types)]).toEqual([3, ['VARCHAR', 'DATE', 'DATE', 'INTEGER']])
  })

  it('has units below it, above a single row', async () => {
    const { types, rows } = await columnsOf('Land;2019;2020\n;EUR;EUR\nDE;1,5;2,5\n')
    expect([rows, types]).toEqual([1, { Land: 'VARCHAR', '2019 EUR': 'DECIMAL(2,1)', '2020 EUR': 'DECIMAL(2,1)' }])
  })
})

describe('A pivot table of pandas, with years above halves,', () => {
  const rows = 'North,Kiel,1,2,3,4\nNorth,Lübeck,5,6,7,8\nSouth,Ulm,9,10,11,12\n'
  it.each([
    ['keys alone', ',,2023,2023,2024,2024\n,,H1,H2,H1,H2\nregion,city,,,,\n', ['region', 'city']],
    [
      'levels, too',
      'year,,2023,2023,2024,2024\nhalf,,H1,H2,H1,H2\nregion,city,,,,\n',
      ['year half region', 'year half city'],
    ],
  ])('has names of %s', async (_, header, keys) => {
    const { types, rows: count } = await columnsOf(header + rows)
    const names = [...keys, '2023 H1', '2023 H2', '2024 H1', '2024 H2']
    expect([count, Object.keys(types)]).toEqual([3, names])
    expect(Object.values(types)).toEqual(['VARCHAR', 'VARCHAR', 'INTEGER', 'INTEGER', 'INTEGER', 'INTEGER'])
  })

  it('has one name for its key, and headings among its rows stay rows', async () => {
    const header = 'metric,price,price,qty,qty\nstat,mean,max,mean,max\n'
    const keyed = await columnsOf(`${header}region,,,,\nN,1.5,2,3,4\nE,5.5,6,7,8\nS,9.5,10,11,12\n`)
    expect([keyed.rows, Object.keys(keyed.types)[0]]).toEqual([3, 'metric stat region'])
    const headed = await columnsOf(`${header}North,,,,\nA,1.5,2,3,4\nB,5.5,6,7,8\nSouth,,,,\nC,9.5,10,11,12\n`)
    expect([headed.rows, Object.keys(headed.types)[0]]).toEqual([5, 'metric stat'])
  })
})

it('Metres aren’t millions', async () => {
  const { columns } = await columnsOf('station,height\nA,34 m\nB,519 m\nC,0 m\n')
  expect(columns[1].type).toBe('VARCHAR')
  expect(columns[1].proposals?.map(({ label, change }) => [label, change])).toEqual([
    ['Apply: 34 (m)', { kind: 'column', patch: { type: 'INTEGER', format: { unit: 'm' } } }],
  ])
})

it('Keys whose colon is a cell of its own are above the table (State Bank of India)', async () => {
  const bookings = Array.from(
    { length: 4 },
    (_, i) => `0${i + 1} Jan 2025\t0${i + 1} Jan 2025\tTO TRANSFER-UPI\tTRANSFER TO ${i}\t456.70\t \t1,2${i},456.78\n`,
  )
  const { types, rows, rejectedCount } = await columnsOf(
    `Account Name\t:\tMr RAM\nAddress\t:\tPUNE\nDate\t:\t31 Jan 2025\nAccount Number\t:\t_00000012345678901\nBalance as on 1 Jan 2025\t:\t1,23,456.78\n\nTxn Date\tValue Date\tDescription\tRef No./Cheque No.\t        Debit\tCredit\tBalance\n${bookings.join('')}`,
  )
  expect(types).toMatchObject({ 'Txn Date': 'DATE', Balance: 'DECIMAL(8,2)' })
  expect([rows, rejectedCount]).toEqual([4, 0])
})
