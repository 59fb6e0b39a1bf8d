import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import type { CsvSettings } from '../../../tables/plan.ts'
import { amountOf } from '../layout/ends.ts'
import { csvReader } from './reader.ts'
import { fileOf, inspect, readAll, texts } from './testing.ts'
import { QUIET } from '../../testing/quiet.ts'

async function whole(text: string, given: Partial<CsvSettings> = {}) {
  const inspection = await inspect(text, given)
  const { rows, rejected } = await readAll(text, inspection, texts(inspection))
  const [table] = inspection.tables
  expect(table.rows).toBe(rows.length)
  return {
    names: table.columns.map(({ name }) => name),
    types: table.columns.map(({ type }) => type),
    rows,
    rejected: rejected.map(({ raw }) => raw),
    messages: inspection.notes.map(({ message }) => message),
    proposals: table.proposals ?? [],
    settings: inspection.settings as CsvSettings,
  }
}

type Whole = Awaited<ReturnType<typeof whole>>

const settingsOf = ({ proposals }: Whole, code: string): Partial<CsvSettings> => {
  const change = proposals.find((each) => each.code === code)?.change
  if (change?.kind !== 'reading') throw new Error(`no proposal ${code}`)
  return change.settings as Partial<CsvSettings>
}

const BANK =
  'Kontoauszug;;\n"Kunde: Müller, Jörg";;\n\nBuchungstag;Verwendungszweck;Betrag\n13.04.2024;Miete;-1.250,00\n14.04.2024;"Gehalt; April";3.400,50\n15.04.2024;Strom;-88,25\nSumme;;2.062,25\n'

describe('a total in the last row', () => {
  it('is proposed to be left out; then columns are what the other rows say, and the line is told', async () => {
    const found = await whole(BANK)
    expect(found.names).toEqual(['Buchungstag', 'Verwendungszweck', 'Betrag'])
    expect(found.proposals).toMatchObject([
      { code: 'total-row', message: 'The last row, “Summe”, looks like a total of 1 column: the sums are right.' },
    ])
    const without = await whole(BANK, settingsOf(found, 'total-row'))
    expect(without.rows).toHaveLength(3)
    expect(without.types[0]).toBe('DATE')
    expect(without.messages).toContain('You left out the last row: it was a total.')
    expect(without.settings).toMatchObject({ skipLast: 1, lastLine: 7 })
    expect(without.proposals).toEqual([])
  })

  it.each([
    ['a cent too much', 'Total,,12.01', 0],
    ['of two columns', 'TOTAL,7,12', 1],
    ['of one column of two', 'Totale,8,12', 1],
    ['a row like others', 'Zed,7,12', 0],
  ])('%s', async (_, last, proposals) => {
    const text = `name,n,m\nAnn,1,3\nBob,2,4\nCid,4,5\n${last}\n`
    expect((await whole(text)).proposals.filter(({ ambiguous }) => !ambiguous)).toHaveLength(proposals)
  })

  it('with other sums is for the person to leave out: then columns are what the other rows say', async () => {
    const text = BANK.replace(/\nSumme.*/, '\nSumme;;999,99')
    const found = await whole(text)
    expect(found.types[0]).toBe('VARCHAR')
    expect(found.proposals).toMatchObject([
      {
        code: 'total-row',
        message: 'The last row, “Summe”, looks like a total by its name, but isn’t the sum of the rows above.',
        ambiguous: true,
      },
    ])
    const without = await whole(text, settingsOf(found, 'total-row'))
    expect(without.rows).toHaveLength(3)
    expect(without.types[0]).toBe('DATE')
  })

  it('with remarks after it: all of it goes', async () => {
    const text = 'id,name,n\n1,Ann,3\n2,Bob,4\n3,Cid,5\nTotal,,12\n\nSource: the office\n'
    const found = await whole(text)
    expect(found.rejected).toEqual(['Source: the office'])
    expect(settingsOf(found, 'total-row')).toMatchObject({ skipLast: 2 })
    const without = await whole(text, settingsOf(found, 'total-row'))
    expect([without.rows.length, without.rejected]).toEqual([3, []])
  })
})

describe('a last row without a name', () => {
  const ANALYTICS =
    '# ----\n# All Web Site Data\n# 20240101-20240131\n# ----\n\nSource / Medium,Users,New Users,Sessions,Bounce Rate,Avg. Session Duration,Revenue\n' +
    'google / organic,"1,203",987,"1,502",45.13%,00:01:43,"$1,250.00"\n(direct) / (none),640,512,801,51.20%,00:00:58,$310.50\n' +
    'newsletter / email,88,12,131,22.14%,00:03:21,$99.99\nbing / organic,61,55,70,60.00%,00:00:31,$0.00\n' +
    'partner.example / referral,19,17,22,40.91%,00:02:02,$12.00\n,"1,950","1,583","2,526",46.02%,00:01:29,"$1,672.49"\n'

  it('that has the sums of several columns, as Google Analytics writes it, is proposed to be left out', async () => {
    const found = await whole(ANALYTICS)
    expect(found.rows).toHaveLength(6)
    expect(found.proposals).toMatchObject([
      {
        code: 'total-row',
        label: 'Apply: leave out the last row',
        message: 'The last row has no name, but looks like a total of 3 columns: the sums are right.',
        count: 1,
      },
    ])
    const without = await whole(ANALYTICS, settingsOf(found, 'total-row'))
    expect([without.rows.length, without.proposals]).toEqual([5, []])
  })

  it.each([
    ['another name is missing, too', ANALYTICS.replace('bing / organic', '')],
    ['a word is in it', ANALYTICS.replace(',46.02%', ',high')],
    ['only one column adds up', ANALYTICS.replace('"1,583"', '"1,584"').replace('1,672.49', '1,672.50')],
    ['it has a name', ANALYTICS.replace(',"1,950"', 'yahoo,"1,950"')],
    ['there are too few rows', 'name,n,m\nAnn,1,3\nBob,2,4\nCid,4,5\n,7,12\n'],
  ])('stays where %s', async (_, text) => {
    expect((await whole(text)).proposals).toEqual([])
  })

  it('of any numbers is a total only where two columns or more add up', async () => {
    const number = fc.integer({ min: -30, max: 30 })
    const rows = fc.array(fc.tuple(number, number, number), { minLength: 5, maxLength: 9 })
    const sumOf = (above: readonly (readonly number[])[], column: number): number =>
      above.reduce((sum, row) => sum + row[column], 0)
    await fc.assert(
      fc.asyncProperty(rows, fc.array(fc.boolean(), { minLength: 3, maxLength: 3 }), async (above, right) => {
        const last = right.map((isRight, column) => sumOf(above, column) + (isRight ? 0 : 1))
        const tells = last.filter(
          (total, column) => right[column] && total !== 0 && above.filter((row) => row[column] !== 0).length >= 3,
        )
        const text = (end: string): string =>
          ['name,a,b,c', ...above.map((row, i) => `r${i},${row.join(',')}`), `${end},${last.join(',')}`, ''].join('\n')
        expect((await whole(text('r99'))).proposals).toEqual([])
        expect((await whole(text(''))).proposals.map(({ count }) => count)).toEqual(tells.length < 2 ? [] : [1])
      }),
      { numRuns: 60 },
    )
  })
})

describe('remarks that a spreadsheet filled up', () => {
  const TABLE =
    'Datum;Text;Soll;Haben\n01.04.2025;Miete;1.250,00;\n02.04.2025;Gehalt;;3.412,77\n05.04.2025;Strom;85,90;\n'
  const REMARKS = 'Alle Angaben ohne Gewähr;;;\n'

  it('below a total go with it', async () => {
    const found = await whole(`${TABLE};Summe;1.335,90;3.412,77\n${REMARKS}${REMARKS}`)
    expect([found.types[0], found.rows.length]).toEqual(['VARCHAR', 6])
    expect(found.proposals).toMatchObject([
      {
        code: 'total-row',
        label: 'Apply: leave out the last 3 rows',
        message: 'The row “Summe”, with 2 rows below it, looks like a total of 2 columns: the sums are right.',
        count: 3,
      },
    ])
    expect(found.proposals[0]).not.toHaveProperty('ambiguous')
    expect(found.messages).toContain(
      'The last row above the remarks looks like a total, and is read as a row: line 5, “;Summe;1.335,90;3.412,77”.',
    )
    const without = await whole(
      `${TABLE};Summe;1.335,90;3.412,77\n${REMARKS}${REMARKS}`,
      settingsOf(found, 'total-row'),
    )
    expect([without.types[0], without.rows.length, without.settings.lastLine]).toEqual(['DATE', 3, 4])
    expect(without.proposals).toEqual([])
  })

  it('below the rows can be left out, where they aren’t like those', async () => {
    const text = `${TABLE}${REMARKS}`
    const found = await whole(text)
    expect(found.types[0]).toBe('VARCHAR')
    expect(found.proposals).toMatchObject([
      {
        code: 'remarks-below',
        label: 'Apply: leave out the last row',
        message:
          'The last row, “Alle Angaben ohne Gewähr”, has text in the first column alone, unlike the rows above, as remarks often do.',
        ambiguous: true,
      },
    ])
    const without = await whole(text, settingsOf(found, 'remarks-below'))
    expect([without.types[0], without.rows.length]).toEqual(['DATE', 3])
    expect(without.proposals).toEqual([])
  })

  it('are rows where those above have texts there, too, or a value alone', async () => {
    const names = 'name;n;m\nAnn Lee;1;2\nBob Ray;3;4\nCid Fox;;\n'
    expect((await whole(names)).proposals).toEqual([])
    expect((await whole(`${TABLE}06.04.2025;;;\n`)).proposals).toEqual([])
  })

  it('are found in a file of several batches', async () => {
    const many = Array.from({ length: 20_000 }, (_, i) => `2025-04-01;row ${i};1;2\n`).join('')
    const found = await whole(`Datum;Text;Soll;Haben\n${many}Summe;;20000;40000\n${REMARKS}`)
    expect(settingsOf(found, 'total-row')).toMatchObject({ skipLast: 2 })
  })
})

describe('rows that are left out', () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i},"two\nlines ${i}"\n`).join('')

  it('at the end, in a file of several batches', async () => {
    const { rows: read, settings } = await whole(`a,b\n${rows}`, { skipLast: 3 })
    expect(read).toHaveLength(49_997)
    expect(read.at(-1)).toEqual(['49996', 'two\nlines 49996'])
    expect(settings.lastLine).toBe(1 + 2 * 49_997)
  })

  it('at the end, more than there are', async () => {
    expect((await whole('a,b\n1,2\n', { skipLast: 3 })).rows).toEqual([])
  })

  it('by their line', async () => {
    const { names, rows: read, messages } = await whole('a,b\n1,2\n3,4\n5,6\n', { leaveOut: [3] })
    expect([names, read]).toEqual([
      ['a', 'b'],
      [
        ['1', '2'],
        ['5', '6'],
      ],
    ])
    expect(messages).toEqual(['You left out 1 line.'])
  })

  it('after the last line, and says how many: a longer file next month isn’t cut unsaid', async () => {
    const { rows: read, messages } = await whole('a,b\n1,2\n3,4\n5,6\n\n7,8\n', { lastLine: 2 })
    expect(read).toEqual([['1', '2']])
    expect(messages).toEqual(['You left out 3 lines after line 2.'])
    expect((await whole('a,b\n1,2\n', { lastLine: 2 })).messages).toEqual([])
    const many = await whole(`a,b\n${rows}`, { lastLine: 3 })
    expect(many.messages).toEqual(['You left out 49,999 lines after line 3.'])
  })
})

describe('the last rows, counted from the end', () => {
  const month = (days: number): string =>
    `day;n\n${Array.from({ length: days }, (_, i) => `2024-01-${i + 1};${i}\n`).join('')}Total;${(days * (days - 1)) / 2}\n\nMade by the bank\n`

  it('are left out of a longer file, too, and the first of them is told', async () => {
    for (const days of [5, 9]) {
      const { rows, rejected, messages, types } = await whole(month(days), { skipLast: 2 })
      expect([rows.length, rejected, types]).toEqual([days, [], ['DATE', 'INTEGER']])
      expect(messages).toContain('You left out the last 2 rows, from “Total” on.')
    }
  })

  it('are rows that don’t fit, too, but no comments and none left out by their line', async () => {
    const text = 'a,b\n1,2\n3,4\n5,6\nremark,of,three\n# comment\n'
    const left = async (given: Partial<CsvSettings>): Promise<string[]> => {
      const { rows, rejected } = await whole(text, { comment: '#', ...given })
      return [...rows.map(([cell]) => cell ?? ''), ...rejected]
    }
    expect(await left({ skipLast: 1 })).toEqual(['1', '3', '5'])
    expect(await left({ skipLast: 2 })).toEqual(['1', '3'])
    expect(await left({ skipLast: 1, leaveOut: [5] })).toEqual(['1', '3'])
  })

  it('a total above a line that the person set moves that line', async () => {
    const text = 'id,name,n\n1,Ann,3\n2,Bob,4\n3,Cid,5\nTotal,,12\nx,y,z\nx,y,z\n'
    const found = await whole(text, { lastLine: 5 })
    const without = await whole(text, { lastLine: 5, ...settingsOf(found, 'total-row') })
    expect([without.rows.length, without.messages]).toEqual([3, ['You left out 3 lines after line 4.']])
  })

  const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', ',', '"', '\n', '\r\n', 'é'), maxLength: 4 })
  const quoted = (text: string): string => (text === '' ? '' : `"${text.replaceAll('"', '""')}"`)
  const line = fc.oneof(
    { weight: 5, arbitrary: fc.tuple(cell, cell).map((cells) => cells.map(quoted).join(',')) },
    { weight: 1, arbitrary: fc.constantFrom('one', 'a,b,c', ',') },
  )
  const blank = fc.nat(2).map((count) => '\n'.repeat(count))

  it('gives what the file without them gives', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(line, blank), { maxLength: 8 }), fc.nat(10), async (lines, skipLast) => {
        const given = { delimiter: ',', quote: '"', escape: '"', header: true, skipLines: 0, width: 2 } as const
        const text = (kept: number): string =>
          `k,v\n${lines
            .slice(0, kept)
            .map(([row, after]) => `${row}\n${after}`)
            .join('')}`
        const some = await whole(text(lines.length), { ...given, skipLast })
        const all = await whole(text(Math.max(0, lines.length - skipLast)), given)
        expect([some.names, some.rows, some.rejected]).toEqual([all.names, all.rows, all.rejected])
      }),
    )
  })
})

describe('a header of several rows', () => {
  it('has names that go on to the right', async () => {
    const text =
      'Region,Q1,,Q2,\n,Units,Revenue,Units,Revenue\nNorth,10,99.5,12,120.25\nSouth,20,199,18,180\nEast,5,49.75,7,70.5\n'
    const found = await whole(text)
    expect(found.names).toEqual(['Region', 'Q1 Units', 'Q1 Revenue', 'Q2 Units', 'Q2 Revenue'])
    expect(found.types).toEqual(['VARCHAR', 'INTEGER', 'DOUBLE', 'INTEGER', 'DOUBLE'])
  })

  it('with units, which can be left out', async () => {
    const text = 'Product,Weight,Price\n,[kg],€\nA,1.5,10\nB,2.5,20\nC,3.5,30\n'
    const found = await whole(text)
    expect(found.names).toEqual(['Product', 'Weight [kg]', 'Price €'])
    const without = await whole(text, settingsOf(found, 'units-row'))
    expect(without.names).toEqual(['Product', 'Weight', 'Price'])
    expect(without.rows).toHaveLength(3)
  })

  it('with widths, as the U.S. Geological Survey writes them, which can be left out', async () => {
    const text =
      '# Data for 1 site\n#\nagency_cd\tsite_no\tflow\n5s\t15s\t14n\nUSGS\t01646500\t10200\nUSGS\t01646500\tIce\n'
    const found = await whole(text)
    const without = await whole(text, settingsOf(found, 'units-row'))
    expect(without.names).toEqual(['agency_cd', 'site_no', 'flow'])
    expect(without.rows).toEqual([
      ['USGS', '01646500', '10200'],
      ['USGS', '01646500', 'Ice'],
    ])
  })
})

test('a file’s lines are shown as they stand there: the first and the last ones', async () => {
  const rows = Array.from({ length: 40_000 }, (_, i) => `${i};"x;${i}"\n`).join('')
  const text = `Title\n\n# remark\na;b\n${rows}`
  const { settings } = await inspect(text, { comment: '#', lastLine: 9, leaveOut: [6] })
  const source = await csvReader.source?.(fileOf(text), { settings, table: null }, QUIET)
  expect(source).toMatchObject({ hidden: 40_003 - 80, head: 60 })
  expect(source?.rows.slice(0, 4)).toEqual([
    { number: 1, cells: ['Title'] },
    { number: 3, cells: ['# remark'] },
    { number: 4, cells: ['a', 'b'] },
    { number: 5, cells: ['0', 'x;0'] },
  ])
  expect(source?.rows.at(-1)).toEqual({ number: 40_004, cells: ['39999', 'x;39999'] })
})

test.each<[string, '.' | ',', number]>([
  ['1,234.50', '.', 1234.5],
  ['1.234,50 €', ',', 1234.5],
  ['EUR 12', ',', 12],
  ['(3.50)', '.', -3.5],
  ['3,50-', ',', -3.5],
  ['−1', '.', -1],
  ['1.5', ',', Number.NaN],
  ['12 apples', '.', Number.NaN],
  ['', '.', Number.NaN],
])('%s with %s is %d', (text, mark, value) => expect(amountOf(text, mark)).toBe(value))

describe('a balance below bookings, in a row of fewer fields', () => {
  const NAMES = 'Buchungstag;Wert;Empfänger;Verwendungszweck;IBAN;Soll;Haben;Währung'
  const ROWS = [
    '02.01.2024;02.01.2024;Telekom;RG 12;DE89;-45,95;;EUR',
    '14.01.2024;15.01.2024;Bob;Miete;DE88;;1.250,00;EUR',
    '15.01.2024;15.01.2024;Rewe;Dank;DE87;-12,50;;EUR',
  ]
  const BALANCE = 'Kontostand;31.01.2024;;;2.191,55;EUR'

  it('is proposed to be left out; the person decides', async () => {
    const found = await whole([NAMES, ...ROWS, BALANCE, ''].join('\n'))
    expect(found.proposals).toMatchObject([
      {
        label: 'Apply: leave out the last row',
        message:
          'The last row, “Kontostand;31.01.2024;;;2.191,55;EUR”, has fewer fields than the rows above, as remarks often do.',
        ambiguous: true,
      },
    ])
    const without = await whole([NAMES, ...ROWS, BALANCE, ''].join('\n'), settingsOf(found, 'remarks-below'))
    expect([without.types[0], without.rows.length, without.proposals]).toEqual(['DATE', 3, []])
  })

  it('stays where other rows are short, or it’s like them', async () => {
    for (const lines of [
      [ROWS[0], '03.01.2024;03.01.2024;Netto', ...ROWS.slice(1), BALANCE],
      [...ROWS, '16.01.2024;16.01.2024;Netto'],
    ]) {
      expect((await whole([NAMES, ...lines, ''].join('\n'))).proposals).toEqual([])
    }
  })
})

describe('a balance below bookings, with blank cells beside it', () => {
  const bookings = (...last: readonly string[]): string =>
    `Buchungstag;Zweck;Betrag\n01.01.2025;Miete;-900,00\n02.01.2025;Lohn;3.450,10\n15.01.2025;Strom;-80,00\n${last.join('\n')}\n`

  it('is proposed to be left out, which only the person can decide; then the column has dates', async () => {
    const found = await whole(bookings('Kontostand;;1.234,56'))
    expect(found.types[0]).toBe('VARCHAR')
    expect(found.proposals).toMatchObject([
      {
        code: 'remarks-below',
        label: 'Apply: leave out the last row',
        message:
          'The last row, “Kontostand”, has text and blank cells beside it, unlike the rows above, as balances and averages often do.',
        ambiguous: true,
      },
    ])
    const without = await whole(bookings('Kontostand;;1.234,56'), settingsOf(found, 'remarks-below'))
    expect(without.rows).toHaveLength(3)
    expect(without.types[0]).toBe('DATE')
  })

  it('is so to the right of all bookings, too, as mBank writes it', async () => {
    const row = (day: string, text: string): string =>
      `2025-01-${day};2025-01-${day};PRZELEW;${text};ACME;-45,67;1 234,56;\n`
    const text = `Data;Księgowanie;Opis;Tytuł;Nadawca;Kwota;Saldo;\n${row('31', 'A')}${row('30', 'B')}${row('29', 'C')}${row('28', 'D')}`
    const found = await whole(`${text};;;;;Saldo końcowe;1 234,56 PLN;\n`)
    expect(found.proposals).toMatchObject([{ code: 'remarks-below', ambiguous: true }])
    expect((await whole(text, settingsOf(found, 'remarks-below'))).rows).toHaveLength(3)
    // A booking without a date has more than two values.
    const open = await whole(`${text};;PRZELEW;E;ACME;offen;1,00;\n`)
    expect(open.proposals.filter(({ code }) => code === 'remarks-below')).toEqual([])
  })

  it.each([
    ['a booking without a date', bookings('offen;Gas;-20,00')],
    ['another booking without a text', bookings('offen;;-20,00', '16.01.2025;Gas;-20,00')],
    ['two such rows', bookings('offen;;-20,00', 'Kontostand;;1.234,56')],
    ['a column of words', 'name;Zweck;Betrag\nAnn;a;1\nBob;b;2\nCid;c;3\nDora;;4\n'],
  ])('not so: %s', async (_, text) => {
    expect((await whole(text)).proposals.filter(({ code }) => code === 'remarks-below')).toEqual([])
  })
})
