import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import { makeBook } from '../formats/xlsx/testing/read.ts'
import { nativeRows } from '../testing/oracle.ts'
import { carried, fileOf, jsonRows, refusal, TARGETS, typed } from '../testing/bad-input.ts'
import { convert, inspect } from '../testing/run.ts'

/* Names that are duplicate or empty, occur in JavaScript's prototypes, or look like HTML: from and to every format. */

const TRAPS = ['a', 'A', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '<b>x</b>', "it's", 'a.b', 'ä']
const HTML = '<img src=x onerror=alert(1)>'
const VALUES = TRAPS.map((name, i) => (name === '<b>x</b>' ? HTML : i))

async function trapFile(format: FormatId): Promise<File> {
  const { files } = await convert(fileOf('x.csv', `${TRAPS.join(',')}\n${VALUES.join(',')}\n`), format)
  return files[0]
}

describe.each(TARGETS)('odd names from %s', (source) => {
  it.each(TARGETS)('are unchanged in %s', async (target) => {
    const { files, receipt } = await carried(await trapFile(source), 1, { target })
    expect(receipt.found.columns.map(({ name }) => name)).toEqual(TRAPS)
    const [row] = await jsonRows(await carried(files[0], 1))
    expect(Object.entries(row)).toEqual(TRAPS.map((name, i) => [name, VALUES[i]]))
  })
})

describe('duplicate and empty names', () => {
  const text = 'a,a,,A,,a_1\n1,2,3,4,5,6\n'
  const names = ['a', 'a_2', 'column_3', 'A', 'column_5', 'a_1']

  it.each(TARGETS)('from CSV become unique in %s, or stay the same in delimited text', async (target) => {
    const { receipt } = await carried(fileOf('x.csv', text), 1, { target })
    const expected = target === 'csv' || target === 'tsv' ? ['a', 'a', '', 'A', '', 'a_1'] : names
    expect(receipt.found.columns.map(({ name, max }) => [name, max])).toEqual(
      expected.map((name, i) => [name, `${i + 1}`]),
    )
  })

  it('from Excel become unique', async () => {
    const cell = (column: string, row: number, value: string): string =>
      `<c r="${column}${row}" t="inlineStr"><is><t>${value}</t></is></c>`
    const heads = ['a', 'a', '', 'A', 'a_1'].map((name, i) => (name ? cell('ABCDE'[i], 1, name) : '')).join('')
    const values = Array.from('ABCDE', (column, i) => `<c r="${column}2"><v>${i}</v></c>`).join('')
    const book = makeBook({ sheets: [`<row r="1">${heads}</row><row r="2">${values}</row>`] })
    const { receipt } = await carried(book, 1)
    const found = receipt.found.columns.map(({ name }) => name)
    expect(new Set(found).size).toBe(5)
    expect(found[0]).toBe('a')
    expect(receipt.found.columns.map(({ max }) => max)).toEqual(['0', '1', '2', '3', '4'])
  })

  it('from JSON: the last value of a duplicate key counts, with a note', async () => {
    const file = fileOf('x.json', '[{"a":1,"a":2,"":3,"A":4,"__proto__":5,"constructor":{"__proto__":6}}]')
    const { inspection } = await inspect(file)
    expect(inspection.tables[0].notes.map(({ code }) => code)).toContain('duplicate-keys')
    const [row] = await jsonRows(await carried(file, 1))
    expect(JSON.stringify(row)).toBe('{"a":2,"column_2":3,"A":4,"__proto__":5,"constructor":{"__proto__":6}}')
  })

  it('that a plan gives to two columns are refused', async () => {
    const twice = await refusal(fileOf('x.csv', 'a,b\n1,2\n'), {
      change: (plan) => ({
        ...plan,
        tables: plan.tables.map((table) => ({
          ...table,
          columns: table.columns.map((column) => ({ ...column, name: 'a' })),
        })),
      }),
    })
    expect(twice).toMatchObject({ code: 'invalid-plan', message: 'Two columns are named “a”.' })
    const type = await refusal(fileOf('x.csv', 'a,b\n1,2\n'), { change: (plan) => typed(plan, () => 'NUMBER(x)') })
    expect(type).toMatchObject({ code: 'invalid-plan' })
  })
})

it('odd names in another program’s Parquet file are read', async () => {
  const path = join(mkdtempSync(join(tmpdir(), 'rowhouse-names-')), 'x.parquet')
  await nativeRows(`COPY (SELECT 1 AS x, 2 AS "<i>", 3 AS "__proto__") TO '${path}' (FORMAT parquet)`)
  const bytes = readFileSync(path)
  const [row] = await jsonRows(await carried(fileOf('x.parquet', bytes), 1))
  expect(Object.entries(row)).toEqual([
    ['x', 1],
    ['<i>', 2],
    ['__proto__', 3],
  ])
})

describe('sheets', () => {
  const rows = '<row r="1"><c r="A1" t="inlineStr"><is><t>a</t></is></c></row><row r="2"><c r="A2"><v>1</v></c></row>'
  const names = ['a/b', '..', 'CON: &lt;x&gt;', 'p\\q|*?', '__proto__', 'constructor']
  const book = makeBook({ sheets: names.map(() => rows), names })

  it.each(['csv', 'parquet'] as const)('with names that no file can have get valid file names (%s)', async (target) => {
    const { result } = await convert(book, target)
    expect(result.outputs).toHaveLength(names.length)
    for (const { name, receipts } of result.outputs) {
      expect(name).toMatch(new RegExp(`^book - [^/\\\\:*?"<>|]+\\.${target}$`))
      expect(receipts).toMatchObject([{ verdict: 'match', expected: { rows: 1 } }])
    }
  })

  it('become one workbook', async () => {
    const { result } = await convert(book, 'xlsx')
    expect(result.outputs).toHaveLength(1)
    expect(result.outputs[0].receipts).toHaveLength(names.length)
    expect(result.outputs[0].receipts.every(({ verdict }) => verdict === 'match')).toBe(true)
  })
})
