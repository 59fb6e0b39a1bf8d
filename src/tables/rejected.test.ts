import { expect, it } from 'vitest'
import { type RejectedRow, MAX_RAW } from './plan.ts'
import { FirstRejected, isCut } from './rejected.ts'

const rejected = (row: number, characters: number): RejectedRow => ({
  row,
  line: row + 1,
  reason: 'ragged',
  message: '',
  column: null,
  value: null,
  raw: 'x'.repeat(characters),
})

it('the first rejected rows are kept up to a number and a size, and none after one that doesn’t fit', () => {
  const few = new FirstRejected(2)
  few.add([rejected(1, 5), rejected(2, 5), rejected(3, 5)])
  expect(few.rows.map(({ row }) => row)).toEqual([1, 2])
  const long = new FirstRejected(1000)
  long.add(Array.from({ length: 12 }, (_, i) => rejected(i, MAX_RAW)))
  long.add([rejected(13, 1)])
  expect(long.rows.map(({ row }) => row)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8])
  const cells = new FirstRejected(1000)
  const wide = { ...rejected(1, 10), cells: ['y'.repeat(20_000_000)] }
  cells.add([wide, rejected(2, 1)])
  expect(cells.rows).toEqual([wide])
})

it('a row counts as cut if it may be longer than what is kept', () => {
  expect([MAX_RAW - 1, MAX_RAW].map((size) => isCut(rejected(1, size)))).toEqual([false, true])
})
