import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CsvSettings } from '../../../tables/settings.ts'
import { inspect, readAll } from './testing.ts'

/** Inspects a text, and applies the proposal to leave out its last row if there is one. */
async function found(text: string) {
  let inspection = await inspect(text)
  const [{ proposals = [] }] = inspection.tables
  const total = proposals.find(({ code }) => code === 'total-row')
  if (total?.change.kind === 'reading') inspection = await inspect(text, total.change.settings as Partial<CsvSettings>)
  const [{ columns }] = inspection.tables
  return {
    names: columns.map(({ name }) => name),
    types: columns.map(({ type }) => type),
    rows: (await readAll(text, inspection)).rows,
    proposed: proposals.map(({ label }) => label),
  }
}

const BOOKED = [
  '01.03.2025;Miete;-1.200,00 €;3.800,00 €',
  '03.03.2025;Rewe;-26,06 €;3.773,94 €',
  '05.03.2025;Café;-10,00 €;3.763,94 €',
]
const NAMES = ['Buchungstag', 'Verwendungszweck', 'Betrag', 'Saldo']

describe('rows above the header, filled up to the table’s width', () => {
  test.each([
    ['titles and keys', ['Kontoauszug;;;', 'Konto;DE02120300000000202051;;', '']],
    ['a blank row of delimiters', ['Kontoauszug;;;', 'Konto;DE02120300000000202051;;', 'Saldo;1.234,56 €;;', ';;;']],
    ['no blank row', ['Kontoauszug;;;', 'Konto;DE02120300000000202051;;']],
    ['keys as wide as the table', ['Von;01.03.2025;bis;31.03.2025']],
    ['keys with nothing but words', ['Bank;Musterbank;;', 'Inhaberin;Anna;;', 'Filiale;Mitte;;']],
    ['a key with a colon', ['Kundin:;Anna;;']],
  ])('%s', async (_, preamble) => {
    const text = [...preamble, NAMES.join(';'), ...BOOKED, 'Summe;;-1.236,06 €;', ''].join('\n')
    const { names, types, rows, proposed } = await found(text)
    expect(names).toEqual(NAMES)
    expect(proposed).toEqual(['Apply: leave out the last row'])
    expect(types).toEqual(['DATE', 'VARCHAR', 'DECIMAL(6,2)', 'DECIMAL(6,2)'])
    expect(rows).toEqual([
      ['2025-03-01', 'Miete', '-1200.00', '3800.00'],
      ['2025-03-03', 'Rewe', '-26.06', '3773.94'],
      ['2025-03-05', 'Café', '-10.00', '3763.94'],
    ])
  })

  test('a total of the amounts, below the balances', async () => {
    const text = ['Kontoauszug;;;', '', NAMES.join(';'), ...BOOKED, 'Summe;;;-1.236,06 €', ''].join('\r\n')
    const { names, types, rows, proposed } = await found(text)
    expect([names, types[0], rows.length, proposed]).toEqual([NAMES, 'DATE', 3, ['Apply: leave out the last row']])
  })

  test('codes of currencies are no words', async () => {
    const text = 'Report,Ann,\nAccount,NL91ABNA0417164300,\nWhat,Who,Amount\na,b,EUR 1.50\nc,d,EUR 2.25\n'
    expect((await found(text)).names).toEqual(['What', 'Who', 'Amount'])
  })

  test('the line is told that the table begins in', async () => {
    const text = `"Kontoauszug\nfür März";;;\nKonto;DE02120300000000202051;;\n\n${NAMES.join(';')}\n${BOOKED.join('\n')}\n`
    const { settings, notes } = await inspect(text)
    expect(settings).toMatchObject({ skipLines: 4, header: true, delimiter: ';' })
    expect(notes.map(({ message }) => message)).toContain('The first 4 lines are not part of the table and skipped.')
  })
})

describe('keys and remarks above the header, narrower than the table', () => {
  const table = `${NAMES.join(';')};Währung\n${BOOKED.map((row) => `${row};EUR`).join('\n')}\n`
  test.each([
    [
      'with values of several widths and a remark, as ING has them',
      'Umsatzanzeige;Datei erstellt am: 02.05.2025 10:12;\n\nIBAN;DE02 5001 0517 0000 2020 51\nKontoname;Girokonto\nBank;ING\nZeitraum;01.04.2025 - 30.04.2025\nSaldo;1.503,11;EUR\n\nDie vorgemerkten Umsätze werden nicht aufgenommen, auch wenn sie angezeigt werden.\n\n',
      10,
    ],
    [
      'with colons, quoted, as DKB has them',
      '"Kontonummer:";"DE02120300000000202051 / Girokonto"\n\n"Von:";"01.01.2025"\n"Bis:";"31.03.2025"\n"Kontostand vom 31.03.2025:";"12.345,67 EUR"\n\n',
      6,
    ],
  ])('%s', async (_, preamble, skipLines) => {
    const { settings, tables, notes } = await inspect(preamble + table)
    expect(settings).toMatchObject({ skipLines, header: true })
    expect(tables[0].columns.map(({ type }) => type)).toEqual([
      'DATE',
      'VARCHAR',
      'DECIMAL(6,2)',
      'DECIMAL(6,2)',
      'VARCHAR',
    ])
    expect(tables[0]).toMatchObject({ rows: 3 })
    expect(notes.map(({ message }) => message)).not.toContainEqual(expect.stringContaining('Another table'))
  })

  test.each([
    ['words', 'Name;Team\nAda;A\nBob;B\nEva;C\n\n'],
    ['numbers here and there', 'Name;Value\nAda;1\nBob;see below\nEva;see there\n\n'],
  ])('a small table of %s is one', async (_, first) => {
    const { settings, notes } = await inspect(first + table)
    expect(settings).toMatchObject({ skipLines: 0 })
    expect(notes.map(({ message }) => message)).toContainEqual(expect.stringContaining('Another table'))
  })
})

describe('a header that is the first row all the same', () => {
  test.each([
    ['groups above names', 'Store,Sales,,\nName,Q1,Q2,Q3\na,1,2,3\nb,4,5,6\nc,7,8,9\n', 'Store Name'],
    ['groups with a blank between', 'Region,Q1,,Q2,\n,Units,Revenue,Units,Revenue\nN,1,2,3,4\nS,5,6,7,8\n', 'Region'],
    ['names that lack at the end', 'id,name,\n1,Ann,x\n2,Bob,y\n3,Cleo,z\n', 'id'],
    ['a row of words among numbers', 'a,b,\n1,2,\nx,y,z\n4,5,6\n7,8,9\n', 'a'],
    [
      'another table below',
      'Region,Units,\nNorth,10,\nSouth,20,\nEast,5,\n,,\nProduct,Price,Stock\nPen,1.5,3\nInk,2,4\n',
      'Region',
    ],
    ['a row of words after a blank one', 'a,b,\n1,2,\n\nx,y,z\n4,5,6\n7,8,9\n', 'a'],
  ])('%s', async (_, text, first) => {
    expect((await found(text)).names[0]).toBe(first)
  })
})

const word = fc.stringMatching(/^[A-Z][a-z]{2,8}$/)
const amount = fc.double({ min: -9999, max: 9999, noNaN: true }).map((value) => value.toFixed(2))
const day = fc
  .date({ min: new Date('2001-01-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))
const table = fc.record({
  names: fc.uniqueArray(word, { minLength: 4, maxLength: 8 }),
  rows: fc.array(fc.tuple(day, amount, word), { minLength: 3, maxLength: 12 }),
})
const linesOf = ({ names, rows }: { names: string[]; rows: string[][] }): string[] => [
  names.join(','),
  ...rows.map(([date, value, text]) => names.map((_, i) => [date, value, `${text} ${text}`, value][i % 4]).join(',')),
]
const keys = fc.array(fc.tuple(word, fc.oneof(word, fc.constantFrom('DE02120300000000202051', '1234567', 'Q1 2024'))), {
  minLength: 1,
  maxLength: 5,
})

describe('tables by chance', () => {
  test('with keys above a blank row: the names are those after it', async () => {
    await fc.assert(
      fc.asyncProperty(table, keys, async ({ names, rows }, above) => {
        const pad = ','.repeat(names.length - 2)
        const preamble = above.map(([key, value]) => `${key},${value}${pad}`)
        const text = ['Report'.padEnd(6 + names.length - 1, ','), ...preamble, '', ...linesOf({ names, rows })]
        const { tables } = await inspect(`${text.join('\n')}\n`)
        expect(tables[0].columns.map(({ name }) => name)).toEqual(names)
        expect(tables[0].rows).toBe(rows.length)
      }),
      { numRuns: 60 },
    )
  })

  test('with nothing above: the first row is the header', async () => {
    await fc.assert(
      fc.asyncProperty(table, async ({ names, rows }) => {
        const { tables } = await inspect(`${linesOf({ names, rows }).join('\n')}\n`)
        expect(tables[0].columns.map(({ name }) => name)).toEqual(names)
        expect(tables[0].rows).toBe(rows.length)
      }),
      { numRuns: 60 },
    )
  })
})
