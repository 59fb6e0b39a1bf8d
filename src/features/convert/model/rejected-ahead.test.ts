import { expect, test } from 'vitest'
import { column, inspection, table } from '../../../tables/testing.ts'
import type { Job } from './job.ts'
import { rejectedAhead } from './rejected-ahead.ts'
import { planFrom } from '../../../tables/edits.ts'

/**
 * @param count rows that don't fit
 * @param leftOut how many of them stay out; null if none was corrected
 */
function said(count: number, leftOut: number | null, rows: readonly object[] = [], putBack = true): string | null {
  const found = inspection(table([column('id', 'BIGINT')], { rows: 10, rejectedCount: count }))
  const plan = planFrom(found)
  const [first] = plan.tables
  if (!first) throw new Error('no table')
  const mends = { source: [], rows, replacements: [], putBack } as unknown as NonNullable<typeof first.mends>
  const mended = { ...plan, tables: [{ ...first, mends }] }
  const checked = [{ rejectedCount: count, rejected: [], leftOut }] as unknown as Job['checked']
  const words = rejectedAhead({
    inspection: found,
    previews: [],
    ...(leftOut === null ? { plan, checked: {} } : { plan: mended, checked }),
  })
  return words && `${words.isMended ? 'good' : 'amber'}: ${words.said} ${words.after.split('.')[0] ?? ''}.`
}

test.each([
  [
    3,
    null,
    'amber: 3 rows of this file don’t fit its columns. They’ll be set aside, and you’ll be asked before you download the file without them.',
  ],
  [
    1,
    null,
    'amber: 1 row of this file doesn’t fit its columns. It’ll be set aside, and you’ll be asked before you download the file without it.',
  ],
  [3, 3, 'amber: 3 rows of this file don’t fit its columns. Those that fit now will be put back.'],
  [3, 1, 'amber: 1 of 3 rows that didn’t fit is still left out. Those that fit now will be put back.'],
  [3, 0, 'good: 3 rows that didn’t fit before fit now. They will be put back.'],
])('of %j rows %j left out', (count, leftOut, words) => expect(said(count, leftOut)).toBe(words))

test('rows that were corrected but not put back are still left out, which is said', () => {
  expect(said(3, 3, [{}], false)).toBe(
    'amber: 3 rows of this file don’t fit its columns. You changed some, but haven’t put them back: until you do, all are set aside.',
  )
  expect(said(1, 1, [{}], false)).toBe(
    'amber: 1 row of this file doesn’t fit its columns. You changed it, but haven’t put it back: until you do, it’s set aside.',
  )
})

test.each([
  [0, '5 rows of this file don’t fit the types that you chose.'],
  [2, '5 rows of this file don’t fit its columns or the types that you chose.'],
])('where types are chosen, and %i rows fit no type', (ragged, words) => {
  const found = inspection(table([column('id', 'BIGINT')], { rows: 10, rejectedCount: ragged }))
  const plan = planFrom(found)
  const tables = plan.tables.map((each) => ({
    ...each,
    columns: each.columns.map((one) => ({ ...one, type: 'DATE' })),
  }))
  const checked = [{ rejectedCount: 5, rejected: [], leftOut: 5 }] as unknown as Job['checked']
  expect(rejectedAhead({ inspection: found, previews: [], plan: { ...plan, tables }, checked })?.said).toBe(words)
})
