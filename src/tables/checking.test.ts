import { describe, expect, it } from 'vitest'
import type { RowCountCheck } from './checks.ts'
import { checkRowCount, describeCheck, withRowCounts } from './checking.ts'

const check: RowCountCheck = { least: 50, most: 200, last: [{ table: null, rows: 1000 }] }

describe('row counts', () => {
  it.each([
    [500, 0, '500 rows; last time 1,000, 50 % of them (50 % to 200 % are allowed)'],
    [2000, 0, '2,000 rows; last time 1,000, 200 % of them (50 % to 200 % are allowed)'],
    [499, 1, '499 rows; last time 1,000, 49.9 % of them (50 % to 200 % are allowed)'],
    [2001, 1, '2,001 rows; last time 1,000, 200.1 % of them (50 % to 200 % are allowed)'],
    [1, 1, '1 row; last time 1,000, 0.1 % of them (50 % to 200 % are allowed)'],
  ])('%i of them', (rows, failed, said) => {
    const outcome = checkRowCount(check, null, rows)
    expect(outcome?.failed).toBe(failed)
    expect(outcome && describeCheck(outcome)).toBe(said)
  })

  it('are compared with last time’s if they’re known, even if they were 0', () => {
    expect(checkRowCount(check, 'Sheet 2', 5)).toBe(null)
    const none = withRowCounts(check, [{ table: null, rows: 0 }])
    expect(none.last).toEqual([{ table: null, rows: 0 }])
    expect([0, 1].map((rows) => checkRowCount(none, null, rows)?.failed)).toEqual([0, 1])
    expect(withRowCounts(check, [{ table: 'b', rows: 5 }]).last).toHaveLength(2)
  })
})
