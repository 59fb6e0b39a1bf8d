import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readDirectory, unpackedBytes } from '../../lib/zip/read.ts'
import type { ReadSettings } from '../../tables/settings.ts'
import { inspectFile } from '../convert/inspect.ts'
import { QUIET } from '../testing/quiet.ts'

/* Files by other programs: what we read must be what another program reads. See README.md. */

type Row = readonly (string | null)[]
type Sheets = readonly (readonly Row[])[]
type Tables = Readonly<Record<string, readonly Readonly<Record<string, string | null>>[]>>

const here = import.meta.dirname
const expectedIn = <T>(folder: string): [string, T][] =>
  Object.entries(JSON.parse(readFileSync(path.join(here, folder, 'expected.json'), 'utf8')) as Record<string, T>)

const fileIn = (folder: string, name: string): File =>
  new File([new Uint8Array(readFileSync(path.join(here, folder, name)))], name)

/** The number of data rows in each table, by workbook, without empty sheets. */
const ROWS: Readonly<Record<string, readonly number[]>> = {
  dates: [4],
  'dates-1904': [4],
  errors: [5],
  merged: [4],
  sheets: [6, 4, 3],
  formulas: [6],
  umlauts: [4],
  numbers: [6],
  texts: [4],
  hidden: [8],
  protected: [5],
  offset: [5],
}

const contentOf = (name: string): string => name.replace(/-(perl|libreoffice|gnumeric(-95)?)\.\w+$/, '')

/**
 * Normalizes what programs show differently: numbers to 12 digits without grouping, errors to null, dates to dashes
 * (Gnumeric shows slashes), booleans to numbers (LibreOffice shows comparisons in .xls as 1 and 0).
 */
function plain(cell: string | null | undefined): string | null {
  if (cell === null || cell === undefined || cell === '' || /^(#(DIV|N|VALUE|REF|NUM|NAME)|Err:)/.test(cell))
    return null
  if (/^(true|false)$/i.test(cell)) return plain(/true/i.test(cell) ? '1' : '0')
  if (/^\d{4}\/\d\d\/\d\d/.test(cell)) return cell.replaceAll('/', '-')
  const number = cell.replaceAll(',', '')
  return /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(number) && !/^0\d/.test(cell) ? Number(number).toPrecision(12) : cell
}

/** Removes columns that are empty in all rows. */
function withoutEmpty(rows: readonly Row[]): (string | null)[][] {
  const width = Math.max(...rows.map((row) => row.length))
  const filled = Array.from({ length: width }, (_, i) => i).filter((i) => rows.some((row) => plain(row[i]) !== null))
  return rows.map((row) => filled.map((i) => plain(row[i])))
}

const filledRows = (rows: readonly Row[]): Row[] =>
  withoutEmpty(rows).filter((row) => row.some((cell) => cell !== null))

describe.each(['xls', 'xlsx', 'xlsm', 'ods'])('%s of other programs', (folder) => {
  it.each(expectedIn<Sheets>(folder))('%s', async (name, sheets) => {
    const { previews } = await inspectFile(fileIn(folder, name), {}, QUIET)
    const filled = sheets.filter((rows) => rows.length > 0)
    const counts = ROWS[contentOf(name)] ?? []
    const read = previews.filter(({ columns }) => columns.length > 0)
    expect(read.map(({ rows }) => rows.length)).toEqual(counts)
    for (const [i, { rows, columns }] of read.entries()) {
      const judged = filled[i] ?? []
      const body = withoutEmpty(judged).slice(-rows.length)
      expect(withoutEmpty([columns.map((column) => column.name), ...rows]).slice(1)).toEqual(body)
      const header = withoutEmpty(judged).at(-rows.length - 1) ?? []
      // If a header has several rows, names contain the last row's text.
      for (const [at, { name: called }] of columns.entries()) expect(called).toContain(header[at] ?? '')
    }
  })

  it('has an expectation for every file', () => {
    const files = readdirSync(path.join(here, folder)).filter((name) => name.endsWith(`.${folder}`))
    expect(files.sort()).toEqual(
      expectedIn(folder)
        .map(([name]) => name)
        .sort(),
    )
    expect(files.length).toBeGreaterThanOrEqual(10)
  })
})

describe('xlsb of other programs', () => {
  it.each(expectedIn<Sheets>('xlsb'))('%s', async (name, sheets) => {
    const file = fileIn('xlsb', name)
    const { inspection } = await inspectFile(file, {}, QUIET)
    // Read every cell as data, even if it looks like a header or a remark.
    const ofAll = <T>(value: T): Record<string, T> =>
      Object.fromEntries(inspection.tables.map((table) => [table.name ?? '', value]))
    const settings = { kind: 'xlsx', headerRow: ofAll(null), range: ofAll('A1:Z999') } as const
    const { previews } = await inspectFile(file, { settings }, QUIET)
    const read = previews.filter(({ rows }) => rows.length > 0).map(({ rows }) => filledRows(rows))
    // A preview has the first hundred rows.
    expect(read).toEqual(sheets.filter((rows) => rows.length > 0).map((rows) => filledRows(rows).slice(0, 100)))
  })
})

/** The proposals to apply to a workbook, and the resulting tables' rows by table name, header first. */
interface Office {
  readonly apply: readonly string[]
  readonly tables: Readonly<Record<string, readonly Row[]>>
}

describe('workbooks as offices lay them out', () => {
  it.each(expectedIn<Office>('office'))('%s', async (name, { apply, tables }) => {
    const file = fileIn('office', name)
    let found = await inspectFile(file, {}, QUIET)
    let settings: Partial<ReadSettings> = {}
    for (const code of apply) {
      const proposal = found.inspection.tables
        .flatMap(({ proposals = [] }) => proposals)
        .find((each) => each.code === code)
      if (proposal?.change.kind !== 'reading') throw new Error(`no proposal ${code}`)
      settings = { ...settings, ...proposal.change.settings } as Partial<ReadSettings>
      found = await inspectFile(file, { settings }, QUIET)
    }
    const read = found.previews.map(({ columns, rows }, i) => [
      found.inspection.tables[i].name,
      [columns.map((column) => column.name), ...rows.map((row) => row.map(plain))],
    ])
    const judged = Object.entries(tables).map(([table, [names, ...rows]]) => [
      table,
      [names, ...rows.map((row) => row.map(plain))],
    ])
    expect(read).toEqual(judged)
  })
})

const ITEMS = JSON.parse(readFileSync(path.join(here, 'text', 'expected.json'), 'utf8')) as readonly Row[]

async function itemsIn(folder: string, name: string): Promise<void> {
  const { previews } = await inspectFile(fileIn(folder, name), {}, QUIET)
  expect(previews.map(({ columns }) => columns.map((column) => column.name))).toEqual([
    ['item', 'qty', 'price', 'city'],
  ])
  // make-text.sh gave `column` names without blanks and commas.
  const bare = (row: Row): (string | null)[] => row.map((cell) => plain(cell?.replace(/[_ ]/g, ' ').replace(', ', ' ')))
  expect(previews[0]?.rows.map(bare)).toEqual(ITEMS.map(bare))
}

describe('tables in columns and between lines', () => {
  const names = readdirSync(path.join(here, 'text')).filter((name) => name.endsWith('.txt'))
  it.each(names)('%s', (name) => itemsIn('text', name))
})

describe('packed text', () => {
  const names = readdirSync(path.join(here, 'packed')).filter((name) => !name.endsWith('.zip'))
  it.each(names)('%s', (name) => itemsIn('packed', name))
})

describe('zip archives', () => {
  const names = readdirSync(path.join(here, 'packed')).filter((name) => name.endsWith('.zip'))
  it.each(names)('%s', async (name) => {
    const archive = fileIn('packed', name)
    const entries = (await readDirectory(archive)).filter((entry) => entry.name.endsWith('.csv'))
    const streamed = name === 'zip-streamed.zip'
    expect(entries.map((entry) => entry.name).sort()).toEqual(streamed ? ['a.csv'] : ['a.csv', 'sub/ö.csv'])
    for (const entry of entries) {
      const source = await unpackedBytes(archive, entry)
      const parts: Uint8Array[] = []
      for (let part = await source.read(); part; part = await source.read()) parts.push(part)
      expect(Buffer.concat(parts).equals(readFileSync(path.join(here, 'packed', 'plain.csv')))).toBe(true)
    }
  })
})

describe('SQLite databases of sqlite3', () => {
  it.each(expectedIn<Tables>('sqlite'))('%s', async (name, tables) => {
    const { inspection, previews } = await inspectFile(fileIn('sqlite', name), {}, QUIET)
    const read = inspection.tables.map((table, i) => {
      const { columns, rows } = previews[i]
      return [table.name, rows.map((row) => columns.map((column, at) => [column.name, plainValue(row[at])]))] as const
    })
    const judged = Object.entries(tables).map(
      ([table, rows]) =>
        [table, rows.map((row) => Object.entries(row).map(([column, value]) => [column, plainValue(value)]))] as const,
    )
    expect(Object.fromEntries(read)).toEqual(Object.fromEntries(judged))
  })
})

/** Normalizes numbers that a double can hold, and cuts long texts as a preview does. */
function plainValue(value: string | null | undefined): string | null {
  if (value === null || value === undefined) return null
  if (/^-?\d+$/.test(value)) return BigInt(value).toString()
  if (/^-?\d+\.\d+(e[+-]?\d+)?$/.test(value)) return String(Number(value))
  return value.slice(0, 500).replace(/…$/, '')
}
