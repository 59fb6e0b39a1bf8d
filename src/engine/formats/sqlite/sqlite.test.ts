import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Inspection } from '../../../tables/plan.ts'
import { parseType } from '../../../tables/types.ts'
import { cellToString } from '../../arrow/text.ts'
import { EngineError } from '../../errors.ts'
import { fileOf, refusal } from '../../testing/bad-input.ts'
import { convert, inspect } from '../../testing/run.ts'
import { sqliteReader } from './reader.ts'
import { parseTable } from './schema.ts'
import { QUIET } from '../../testing/quiet.ts'

const FIXTURES = new URL('./fixtures/', import.meta.url)
const NAMES = readdirSync(FIXTURES).filter((name) => name.endsWith('.sqlite'))
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(new URL(name, FIXTURES)))
const fixture = (name: string): File => fileOf(name, bytesOf(name))
/** A value as exported by Python: text, bytes as base64, and numbers marked as such. */
type Told = string | null | { readonly integer: string } | { readonly real: string }
type Expected = Readonly<
  Record<string, { readonly columns: readonly string[]; readonly rows: readonly (readonly Told[])[] }>
>

/** Whether a value is preserved in a column of a type: numbers must be equal, other values must have the same text. */
function same(told: Told, type: string, text: string | null): boolean {
  if (told === null || typeof told === 'string') return told === text
  const number = 'integer' in told ? told.integer : told.real
  if (type === 'DOUBLE' || 'real' in told) return text !== null && Object.is(Number(text), Number(number))
  // Whole numbers beyond 2^53 among fractions are decimals.
  return (type.startsWith('DECIMAL') ? text?.replace(/\.0+$/, '') : text) === number
}

async function expectSame(file: File, { tables, settings }: Inspection, expected: Expected): Promise<void> {
  expect(new Set(tables.map(({ name }) => name))).toEqual(new Set(Object.keys(expected)))
  for (const { name, columns, rows: count } of tables) {
    const { rows, columns: names } = expected[name ?? '']
    expect(columns.map(({ source }) => source)).toEqual(names)
    expect(count).toBe(rows.length)
    const types = columns.map(({ type }) => parseType(type))
    const wanted = columns.map(({ index, source }, i) => ({ index, source, type: types[i] }))
    let row = 0
    for await (const { batch, rejected } of sqliteReader.read(
      file,
      { settings, table: name, columns: wanted },
      QUIET,
    )) {
      expect(rejected).toEqual([])
      for (let i = 0; i < batch.numRows; i++, row++) {
        const read = columns.map((_, column) => cellToString(types[column], batch.data.children[column], i))
        const isSame = rows[row].every((told, column) => same(told, columns[column].type, read[column]))
        if (!isSame) expect({ name, row, read }).toEqual({ name, row, read: rows[row] })
      }
    }
    expect(row).toBe(rows.length)
  }
}

describe('files that Python wrote', () => {
  it.each(NAMES)('%s', async (name) => {
    const { inspection } = await inspect(fixture(name))
    expect(inspection.format).toBe('sqlite')
    const expected = JSON.parse(readFileSync(new URL(`${name}.json`, FIXTURES), 'utf8')) as Expected
    await expectSame(fixture(name), inspection, expected)
  })

  it('have the types that all values of a column have', async () => {
    const { inspection } = await inspect(fixture('types.sqlite'))
    const [customers, numbers] = inspection.tables
    expect(customers.columns.map(({ name, type }) => [name, type])).toEqual([
      ['id', 'BIGINT'],
      ['name', 'VARCHAR'],
      ['balance', 'DOUBLE'],
      ['born', 'VARCHAR'],
      ['active', 'BIGINT'],
      ['photo', 'BLOB'],
    ])
    expect(customers.columns[3].reason).toBe('The values are text. It’s declared as DATE.')
    expect(customers.columns.map(({ proposals = [] }) => proposals.map(({ label }) => label))).toEqual([
      [],
      [],
      [],
      ['Apply: dates'],
      ['Apply: 1 is true, 0 is false'],
      [],
    ])
    expect(numbers.columns.map(({ type, flags }) => [type, flags])).toEqual([
      ['BIGINT', ['beyond-2-53']],
      ['DOUBLE', []],
      ['VARCHAR', ['mixed-types', 'as-text']],
    ])
    expect(numbers.notes).toEqual([
      { code: 'type-as-text', message: '“any” holds BLOB, kept as text (1 value).', column: 'any', count: 1 },
    ])
    expect(inspection.notes.map(({ message }) => message)).toEqual([
      '“v” is a view: a query over tables, whose rows aren’t in the file.',
    ])
  })

  it('tell what isn’t read', async () => {
    const notes = async (name: string): Promise<string[]> => {
      const { inspection } = await inspect(fixture(name))
      return [...inspection.notes, ...inspection.tables.flatMap((table) => table.notes)].map(({ message }) => message)
    }
    expect(await notes('search.sqlite')).toEqual([
      '“notes” is a virtual table (fts5): only the tables that it keeps its data in can be read.',
    ])
    const { inspection } = await inspect(fixture('search.sqlite'))
    expect(inspection.tables.filter(({ hidden }) => !hidden).map(({ name }) => name)).toEqual(['plain'])
    expect(await notes('log.sqlite')).toEqual([
      expect.stringMatching(/latest changes in a second file, “-wal”/) as string,
    ])
    expect(await notes('layouts.sqlite')).toEqual([
      '“b” is computed whenever it is asked for, and isn’t in the file: it’s left out.',
    ])
  })

  it('are converted, each table to a file of its own, and verified', async () => {
    const { result, files } = await convert(fixture('types.sqlite'), 'csv')
    expect(result.outputs.map(({ name }) => name).slice(0, 3)).toEqual([
      'types - customers.csv',
      'types - numbers.csv',
      'types - empty.csv',
    ])
    expect(result.outputs.every(({ receipts }) => receipts[0].verdict === 'match')).toBe(true)
    expect((await files[0].text()).split('\n').slice(0, 3)).toEqual([
      'id,name,balance,born,active,photo',
      '-7,王小明,,,1,""',
      '1,Ada,12.5,1815-12-10,1,AP8Q',
    ])
    const parquet = await convert(fixture('layouts.sqlite'), 'parquet')
    expect(parquet.result.outputs.every(({ receipts }) => receipts[0].verdict === 'match')).toBe(true)
  })

  it('have rows that don’t fit a type that is chosen rejected', async () => {
    const { result } = await convert(fixture('types.sqlite'), 'json', undefined, (plan) => ({
      ...plan,
      tables: plan.tables.slice(1, 2).map((table) => ({
        ...table,
        columns: table.columns.map((column) => (column.name === 'any' ? { ...column, type: 'BIGINT' } : column)),
      })),
    }))
    expect(result.outputs[0].receipts[0]).toMatchObject({ rejectedRows: 3, verdict: 'match' })
  })
})

describe('declarations', () => {
  it.each([
    ['CREATE TABLE t(a INTEGER PRIMARY KEY, b)', [true, false]],
    ['CREATE TABLE t(a INTEGER PRIMARY KEY DESC, b)', [false, false]],
    ['CREATE TABLE t(a INT PRIMARY KEY, b)', [false, false]],
    ['create table if not exists "s"."t" (a INTEGER, b, constraint k primary key (A))', [true, false]],
    ['CREATE TABLE t(a INTEGER, b, PRIMARY KEY (a, b))', [false, false]],
    ['CREATE TABLE t("primary" INTEGER PRIMARY KEY) WITHOUT ROWID', [false]],
    [
      "CREATE TABLE t(a CHECK (a IN ('PRIMARY KEY', ')', \"x\")), -- INTEGER PRIMARY KEY,\n b INTEGER PRIMARY KEY)",
      [false, true],
    ],
  ])('%s', (sql, expected) => {
    expect(parseTable(sql)?.columns.map(({ isRowid }) => isRowid)).toEqual(expected)
  })
})

const noPython = spawnSync('python3', ['-c', 'import sqlite3']).status !== 0

describe.skipIf(noPython)('any tables', () => {
  const name = fc.stringMatching(/^[a-zA-Zäß世 "'`[\](),.-]{1,12}$/u).filter((text) => text.trim() !== '')
  const declared = fc.constantFrom(
    '',
    'INTEGER',
    'INT',
    'TEXT',
    'REAL',
    'BLOB',
    'NUMERIC(9, 2)',
    'DATE',
    'VARCHAR (20)',
  )
  const value = fc.oneof(
    fc.constant(null),
    fc.maxSafeInteger().map((integer) => ({ integer: String(integer) })),
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((integer) => ({ integer: String(integer) })),
    fc.double({ noNaN: true }).map((real) => ({ real: Object.is(real, -0) ? '-0.0' : String(real) })),
    fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed()),
    fc.tuple(fc.constantFrom('x', 'näme ', '世界'), fc.nat(3000)).map(([text, times]) => text.repeat(times)),
    fc.uint8Array({ maxLength: 30 }).map((bytes) => ({ bytes: Buffer.from(bytes).toString('base64') })),
  )
  const table = fc.record({
    name,
    columns: fc.uniqueArray(fc.tuple(name, declared), {
      selector: ([own]) => own.toLowerCase(),
      minLength: 1,
      maxLength: 5,
    }),
    key: fc.constantFrom('', 'rowid', 'without rowid'),
    rows: fc.array(fc.array(value, { minLength: 5, maxLength: 5 }), { maxLength: 25 }),
  })
  const database = fc.record({
    page: fc.constantFrom(512, 1024, 4096, 65_536),
    encoding: fc.constantFrom('UTF-8', 'UTF-16le', 'UTF-16be'),
    tables: fc.uniqueArray(table, { selector: (own) => own.name.toLowerCase(), minLength: 1, maxLength: 3 }),
  })

  it('are read as Python reads them', async () => {
    await fc.assert(
      fc.asyncProperty(database, async (wanted) => {
        const input = JSON.stringify(wanted)
        const script = new URL('./fixtures/random.py', import.meta.url).pathname
        const made = execFileSync('python3', [script], { input, maxBuffer: 1e8 })
        const { file: packed, expected } = JSON.parse(made.toString()) as { file: string; expected: Expected }
        const file = fileOf('random.db', Buffer.from(packed, 'base64'))
        const { inspection } = await inspect(file)
        await expectSame(file, inspection, expected)
      }),
      { numRuns: 20 },
    )
  })
})

describe('a damaged file', () => {
  const whole = bytesOf('layouts.sqlite')

  it('is refused with the page, or read as far as it goes', async () => {
    let seed = 7
    const random = (below: number): number => (seed = (seed * 48271) % 2147483647) % below
    for (let i = 0; i < 60; i++) {
      const bytes = Uint8Array.from(whole)
      for (let n = 0; n < 20; n++) bytes[100 + random(bytes.length - 100)] = random(256)
      const found: unknown = await sqliteReader
        .inspect(fileOf('x.sqlite', bytes), {}, QUIET)
        .catch((error: unknown) => error)
      if (found instanceof EngineError) expect(['corrupt-file', 'empty-file']).toContain(found.code)
      else expect(found, String(found)).toHaveProperty('tables')
    }
  })

  it('cut short keeps the tables that are whole, and names the others', async () => {
    for (const cut of [16, 99, 100, 500]) {
      const error = await refusal(fileOf('x.sqlite', whole.subarray(0, cut)))
      expect(error.code).toBe('corrupt-file')
    }
    const { inspection } = await inspect(fileOf('x.sqlite', bytesOf('types.sqlite').subarray(0, 5 * 4096)))
    const damaged = inspection.notes.filter(({ code }) => code === 'damaged-table')
    expect(damaged.length).toBeGreaterThan(0)
    expect(damaged[0].message).toMatch(
      /^The table “.*” is left out\. The SQLite database is damaged: a page isn’t there\. \(page \d+\)$/,
    )
  })

  it('whose pages name each other in a circle is refused', async () => {
    const bytes = Uint8Array.from(bytesOf('log.sqlite'))
    const view = new DataView(bytes.buffer)
    const page = view.getUint16(16)
    // Makes the table's page an interior one whose only child is itself.
    bytes[page] = 5
    view.setUint16(page + 3, 0)
    view.setUint32(page + 8, 2)
    const error = await refusal(fileOf('x.sqlite', bytes))
    expect(error).toMatchObject({ code: 'corrupt-file', place: 'page 2' })
    expect(error.message).toBe('The SQLite database is damaged: its pages name each other in a circle.')
  })

  it('encrypted is told as such', async () => {
    const noise = Uint8Array.from({ length: 8192 }, (_, i) => (i * 7919 + (i >> 3) * 104729) & 255)
    const error = await refusal(fileOf('x.sqlite', noise))
    expect(error.message).toBe('“x.sqlite” is neither an SQLite database, despite its name, nor text.')
    expect(error.remedy).toMatch(/encrypted/)
  })
})

it('reads a file of other programs’ name, and stops when it is cancelled', async () => {
  expect((await inspect(fileOf('data.bin', bytesOf('types.sqlite')))).inspection.format).toBe('sqlite')
  const controller = new AbortController()
  controller.abort()
  const cancelled = sqliteReader.inspect(fixture('types.sqlite'), {}, { ...QUIET, signal: controller.signal })
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
})
