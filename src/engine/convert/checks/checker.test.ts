import { describe, expect, it } from 'vitest'
import type { TargetFormat } from '../../../contract/formats.ts'
import type { CheckOutcome, ColumnChecks } from '../../../tables/checks.ts'
import { defaultOptions, type ImportPlan } from '../../../tables/plan.ts'
import { combine, convert } from '../../testing/run.ts'

/** Sets checks by column name. */
const checked =
  (checks: Readonly<Record<string, ColumnChecks>>) =>
  (plan: ImportPlan): ImportPlan => ({
    ...plan,
    tables: plan.tables.map((table) => ({
      ...table,
      columns: table.columns.map((column) =>
        column.name in checks ? { ...column, checks: checks[column.name] } : column,
      ),
    })),
  })

async function outcomes(
  text: string,
  checks: Readonly<Record<string, ColumnChecks>>,
  target: TargetFormat = 'parquet',
): Promise<readonly CheckOutcome[]> {
  const { result } = await convert(new File([text], 'a.csv'), target, defaultOptions(target), checked(checks))
  return result.outputs[0].receipts[0].checks ?? []
}

const failed = (found: readonly CheckOutcome[]) =>
  found.map(({ check, failed: count, first }) => [check, count, ...first.map(({ row, value }) => `${row}:${value}`)])

const ORDERS = 'id,code,price,day\n1,AB,1.50,2024-01-01\n2,,20.00,2024-02-01\n2,abc,,\n4,AB,-3.25,2023-12-31\n'

describe.each(['parquet', 'csv'] as const)('checks of what becomes %s', (target) => {
  it('find the rows that fail', async () => {
    const found = await outcomes(
      ORDERS,
      {
        id: { required: true, unique: true },
        code: { required: true, minLength: 2, maxLength: 2, pattern: '[A-Z]+', enum: ['AB', 'CD'] },
        price: { minimum: '0', maximum: '20' },
        day: { minimum: '2024-01-01', required: true },
      },
      target,
    )
    expect(failed(found)).toEqual([
      ['required', 0],
      ['unique', 1, '3:2'],
      ['required', 1, '2:null'],
      ['minLength', 0],
      ['maxLength', 1, '3:abc'],
      ['pattern', 1, '3:abc'],
      ['enum', 1, '3:abc'],
      ['minimum', 1, '4:-3.25'],
      ['maximum', 0],
      ['required', 1, '3:null'],
      ['minimum', 1, '4:2023-12-31'],
    ])
  })

  it('compare values, not how they’re written', async () => {
    const found = await outcomes(
      'n;t\n1.234,5;2024-01-01 00:00:00\n-0,5;2024-01-01 00:00:01\n7,0;\n',
      { n: { minimum: '-0.5', maximum: '1000', enum: ['1234.50', '7', '-.5'] }, t: { maximum: '2024-01-01 00:00:00' } },
      target,
    )
    expect(failed(found)).toEqual([
      ['minimum', 0],
      ['maximum', 1, '1:1234.5'],
      ['enum', 0],
      ['maximum', 1, '2:2024-01-01 00:00:01'],
    ])
  })

  it('hold for the largest numbers', async () => {
    const text = 'n,h\n9007199254740993,99999999999999999.25\n9007199254740992,-1.00\n'
    const found = await outcomes(
      text,
      { n: { minimum: '9007199254740993' }, h: { minimum: '0', maximum: '99999999999999999.24' } },
      target,
    )
    expect(found.map(({ failed: count }) => count)).toEqual([1, 1, 1])
  })
})

it('rows that were rejected are counted, and not checked', async () => {
  const found = await outcomes('id,b\n1,x\n2,x,surplus\n1,x\n', { id: { unique: true } })
  expect(failed(found)).toEqual([['unique', 1, '3:1']])
})

it('files that are combined are checked as one', async () => {
  const files = ['id,v\n1,a\n2,b\n', 'id,v\n2,c\n3,\n'].map((text, i) => new File([text], `${i}.csv`))
  const { result } = await combine(files, 'csv', undefined, undefined, {
    change: checked({ id: { unique: true }, v: { required: true } }),
  })
  expect(result.outputs[0].receipts[0].checks).toEqual([
    { column: 'id', check: 'unique', expected: '', failed: 1, first: [{ file: '1.csv', row: 1, value: '2' }] },
    { column: 'v', check: 'required', expected: '', failed: 1, first: [{ file: '1.csv', row: 2, value: null }] },
  ])
})

describe('a check that can’t be made', () => {
  it('is refused with what to do', async () => {
    for (const [checks, message] of [
      [{ code: { minimum: '1' } }, '“minimum” can’t be checked for “code”: its type is VARCHAR.'],
      [{ id: { pattern: 'x' } }, '“pattern” can’t be checked for “id”'],
      [
        { price: { maximum: 'much' } },
        '“price” is checked by “much” (maximum), which isn’t a value of type “Number with',
      ],
      [{ code: { pattern: '(' } }, 'isn’t a regular expression'],
    ] as const) {
      await expect(outcomes(ORDERS, checks)).rejects.toMatchObject({
        code: 'invalid-plan',
        message: expect.stringContaining(message) as string,
      })
    }
  })
})
