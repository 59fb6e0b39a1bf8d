import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { batchOf, cellsOf, columnData, columnsOf, writeTables, type TextColumn } from '../testing/write.ts'

/* Checks our files with other programs. Each test runs if its program is installed. */

const PYTHON = ['/usr/bin/python3', 'python3'].find(
  (python) => spawnSync(python, ['-c', 'import openpyxl']).status === 0,
)
const hasOffice = spawnSync('soffice', ['--version']).status === 0
const hasFile = spawnSync('file', ['--version']).status === 0

const folder = mkdtempSync(join(tmpdir(), 'xlsx-'))
const path = join(folder, 'test.xlsx')
afterAll(() => rmSync(folder, { recursive: true }))

const COLUMNS: readonly TextColumn[] = [
  { name: 'flag', type: 'BOOLEAN', values: ['true', 'false', null] },
  { name: 'n', type: 'INTEGER', values: ['-5', '2147483647', null] },
  { name: 'big', type: 'BIGINT', values: ['9223372036854775807', '999999999999999', null] },
  { name: 'price', type: 'DECIMAL(9,2)', values: ['0.10', '-1234567.89', null] },
  { name: 'x', type: 'DOUBLE', values: ['0.1', '1e+21', null] },
  { name: 'day', type: 'DATE', values: ['2024-02-29', '1900-03-01', null] },
  { name: 'at', type: 'TIMESTAMP', values: ['2024-02-29 23:59:59', '2024-01-01 00:00:00.125', null] },
  { name: 'time', type: 'TIME', values: ['23:59:59', '00:00:00.5', null] },
  { name: 'spent', type: 'INTERVAL', values: ['38:15:00', '-00:00:01.5', null] },
  { name: 'code', type: 'VARCHAR', values: ['007', '=1+1', null] },
  { name: 'text', type: 'VARCHAR', values: [' <&> "x" ', 'line\nbreak\ttab', ''] },
  { name: 'odd', type: 'VARCHAR', values: ['_x0041_', '日本 😀', 'a_b'] },
]

beforeAll(async () => {
  const columns = columnsOf(COLUMNS)
  const batches = [batchOf(COLUMNS.map(columnData))]
  const second = { name: 'A & B', columns: columns.slice(1, 2), batches: [batchOf([columnData(COLUMNS[1])])] }
  const { bytes } = await writeTables([{ name: 'Größe “1”', columns, batches }, second])
  writeFileSync(path, bytes)
})

const OPENPYXL = `
import json, sys, warnings, openpyxl
warnings.simplefilter('error')
book = openpyxl.load_workbook(sys.argv[1])
show = lambda v: None if v is None else [type(v).__name__, v if isinstance(v, (bool, int, float, str)) else v.total_seconds() if hasattr(v, 'total_seconds') else v.isoformat()]
first = book.worksheets[0]
print(json.dumps({
  'sheets': book.sheetnames,
  'rows': [[show(cell.value) for cell in row] for row in first.iter_rows()],
  'formats': [cell.number_format for cell in first[2]],
  'bold': [cell.font.b for cell in first[1]] + [first['A2'].font.b],
  'panes': [sheet.freeze_panes for sheet in book.worksheets],
}))
`

interface Found {
  readonly sheets: readonly string[]
  readonly rows: readonly (readonly ([string, unknown] | null)[])[]
  readonly formats: readonly string[]
  readonly bold: readonly boolean[]
  readonly panes: readonly string[]
}

describe.skipIf(!PYTHON)('openpyxl', () => {
  test('finds the same values, types and formats', () => {
    const found = JSON.parse(execFileSync(PYTHON ?? '', ['-c', OPENPYXL, path], { encoding: 'utf8' })) as Found
    expect(found.sheets).toEqual(['Größe “1”', 'A & B'])
    expect(found.panes).toEqual(['A2', 'A2'])
    expect(found.bold).toEqual([...COLUMNS.map(() => true), false])
    const text = (value: string): [string, unknown] => ['str', value]
    expect(found.rows[0]).toEqual(COLUMNS.map(({ name }) => text(name ?? '')))
    expect(found.rows.slice(1).map((row) => row.slice(0, 11))).toEqual([
      [
        ['bool', true],
        ['int', -5],
        text('9223372036854775807'),
        ['float', 0.1],
        ['float', 0.1],
        ['datetime', '2024-02-29T00:00:00'],
        ['datetime', '2024-02-29T23:59:59'],
        ['time', '23:59:59'],
        ['timedelta', 137_700],
        text('007'),
        text(' <&> "x" '),
      ],
      [
        ['bool', false],
        ['int', 2_147_483_647],
        ['int', 999_999_999_999_999],
        ['float', -1_234_567.89],
        ['float', 1e21],
        ['datetime', '1900-03-01T00:00:00'],
        ['datetime', '2024-01-01T00:00:00.125000'],
        ['time', '00:00:00.500000'],
        ['timedelta', -1.5],
        text('=1+1'),
        text('line\nbreak\ttab'),
      ],
      [...Array.from({ length: 10 }, () => null), text('')],
    ])
    expect(found.formats).toEqual([
      'General',
      '0',
      '@',
      '0.00',
      'General',
      'yyyy\\-mm\\-dd',
      'yyyy\\-mm\\-dd\\ hh:mm:ss',
      'hh:mm:ss',
      '[h]:mm:ss',
      '@',
      '@',
      '@',
    ])
  })
})

describe.skipIf(!hasOffice)('LibreOffice', () => {
  const office = (to: string, file = path): void => {
    const profile = `-env:UserInstallation=file://${folder}/profile`
    execFileSync('soffice', [profile, '--headless', '--convert-to', to, '--outdir', join(folder, 'out'), file], {
      stdio: 'ignore',
      timeout: 60_000,
    })
  }

  test('shows each time of day to the second', async () => {
    const seconds = Array.from({ length: 1000 }, (_, i) => (i * 86_399) % 86_400)
    const two = (part: number): string => String(part).padStart(2, '0')
    const times = seconds.map((s) => `${two(Math.floor(s / 3600))}:${two(Math.floor(s / 60) % 60)}:${two(s % 60)}`)
    const column = { name: 'time', type: 'TIME', values: times } as const
    const table = { name: 'T', columns: columnsOf([column]), batches: [batchOf([columnData(column)])] }
    const file = join(folder, 'times.xlsx')
    writeFileSync(file, (await writeTables([table])).bytes)
    office('csv', file)
    const [, ...shown] = readFileSync(join(folder, 'out', 'times.csv'), 'utf8')
      .trim()
      .split('\n')
    // In English, it shows twelve-hour times.
    expect(shown.map((text) => text.replace(/^\d+| [AP]M$/g, ''))).toEqual(times.map((text) => text.slice(2)))
  })

  test('opens it, and saves it with the same cells', () => {
    office('xlsx:Calc MS Excel 2007 XML')
    const [ours, theirs] = [path, join(folder, 'out', 'test.xlsx')].map((file) =>
      cellsOf(readFileSync(file)).map((row) => COLUMNS.map((_, i) => [row?.[i]?.t, row?.[i]?.v])),
    )
    expect(theirs.length).toBe(ours.length)
    for (const [r, row] of ours.entries()) {
      for (const [c, [type, value]] of row.entries()) {
        const [otherType, other] = theirs[r][c]
        // LibreOffice drops empty texts; a date and time has 15 digits.
        if (value === '') continue
        expect(otherType).toBe(type)
        if (type === 'n') expect(other).toBeCloseTo(value as number, 9)
        else expect(other).toBe(value)
      }
    }
  })
})

test.skipIf(!hasFile)('`file` tells that it is a workbook', () => {
  expect(execFileSync('file', ['-b', path], { encoding: 'utf8' })).toMatch(/Microsoft (Excel|OOXML)/)
})
