import { describe, expect, it } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import type { ImportPlan } from '../../tables/plan.ts'
import { carried, fileOf, jsonRows, rejectedRows, TARGETS, typed } from '../testing/bad-input.ts'
import { convert } from '../testing/run.ts'

/*
 * Types that the person chose: rows with values that don't fit go to the file of rejected rows, all others to the
 * output.
 */

const TEXT = 'id,v\n1,10\n2,x\n3,12345678901\n4,1.5\n5,\n6,<b>1</b>\n7,-7\n'
const REFUSED: readonly (readonly [row: number, value: string])[] = [
  [2, 'x'],
  [3, '12345678901'],
  [4, '1.5'],
  [6, '<b>1</b>'],
]
const asInteger = (plan: ImportPlan): ImportPlan => typed(plan, ({ name }) => (name === 'v' ? 'INTEGER' : undefined))

async function sourceIn(format: FormatId): Promise<File> {
  const asText = (plan: ImportPlan): ImportPlan => typed(plan, ({ name }) => (name === 'v' ? 'VARCHAR' : undefined))
  return (await convert(fileOf('x.csv', TEXT), format, undefined, asText)).files[0]
}

describe.each(TARGETS)('from %s', (source) => {
  it('the file of rejected rows has exactly the rows that don’t fit', async () => {
    const found = await carried(await sourceIn(source), 7, { change: asInteger })
    expect(await jsonRows(found)).toEqual([
      { id: 1, v: 10 },
      { id: 5, v: null },
      { id: 7, v: -7 },
    ])
    const kept = await rejectedRows(found)
    expect(kept.map(({ row, value }) => [Number(row), value])).toEqual(REFUSED)
    for (const { reason, column, message, raw, value } of kept) {
      expect({ reason, column }).toEqual({ reason: 'value', column: 'v' })
      expect(message).toMatch(/of type “Whole number”\.$/)
      expect(raw).toContain(value)
    }
  })
})

it('gives the line and the raw text, even after values that span lines', async () => {
  const text = 'id,v\n1,"a\nb"\n2,"c\n\nd"\n3,"7"\n4,"x ""y"""\n'
  const found = await carried(fileOf('x.csv', text), 4, { change: asInteger })
  expect(await rejectedRows(found)).toMatchObject([
    { row: '1', line: '2', raw: '1,"a\nb"' },
    { row: '2', line: '4', raw: '2,"c\n\nd"' },
    { row: '4', line: '8', raw: '4,"x ""y"""', value: 'x "y"' },
  ])
})

it('lists rows that were rejected for different reasons in the order of the source', async () => {
  const text = 'id,v\n1,x\n2\n3,"open\n4,9\n5,1,2\n6,z\n'
  const request = { settings: { kind: 'csv', shortRows: 'reject' } } as const
  const found = await carried(fileOf('x.csv', text), 6, { change: asInteger, request })
  expect((await rejectedRows(found)).map(({ row, line, reason }) => [row, line, reason])).toEqual([
    ['1', '2', 'value'],
    ['2', '3', 'ragged'],
    ['3', '4', 'quoting'],
    ['5', '6', 'ragged'],
    ['6', '7', 'value'],
  ])
})

it.each(['DATE', 'BOOLEAN', 'DECIMAL(4,1)', 'UUID', 'TIMESTAMP', 'BLOB', 'INTEGER[]', 'STRUCT(a INTEGER)'])(
  'accounts for every row of every format if a column is read as %s',
  async (type) => {
    const change = (plan: ImportPlan): ImportPlan => typed(plan, ({ name }) => (name === 'v' ? type : undefined))
    for (const source of ['csv', 'json', 'xlsx', 'parquet'] as const) {
      await carried(await sourceIn(source), 7, { change, target: 'csv' })
    }
  },
)

it('writes all of many thousand rejected rows', async () => {
  const rows = Array.from({ length: 50_000 }, (_, i) => `${i},${i % 2 ? 'odd' : i}`)
  const found = await carried(fileOf('x.csv', ['id,v', ...rows].join('\n')), 50_000, {
    change: asInteger,
    target: 'parquet',
  })
  expect(found.rejected).toBe(25_000)
  expect(found.result.rejected).toHaveLength(200)
  expect((await rejectedRows(found)).every(({ row }, i) => row === String(2 * i + 2))).toBe(true)
})
