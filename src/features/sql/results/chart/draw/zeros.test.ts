import { expect, test } from 'vitest'
import { withZeros, type Mark } from './parts.ts'

const mark = (x: Mark['x'], series: string, value: number): Mark => ({
  x,
  x2: null,
  y: null,
  y2: null,
  value,
  series,
  size: 0,
  title: '',
})
const shape = (marks: readonly Mark[]) => marks.map(({ x, series, value }) => [Number(x), series, value])

test('stacked areas have a value of each series at every position', () => {
  const [first, second] = [new Date(1000), new Date(2000)]
  const marks = withZeros([mark(first, 'a', 5), mark(second, 'b', 7)])
  expect(shape(marks)).toEqual([
    [1000, 'a', 5],
    [1000, 'b', 0],
    [2000, 'b', 7],
    [2000, 'a', 0],
  ])
  expect(shape(withZeros([mark(1, 'a', 2), mark(0, 'a', 3)]))).toEqual([
    [0, 'a', 3],
    [1, 'a', 2],
  ])
  expect(withZeros([mark('x', 'a', 1), mark('y', 'b', 2)]).map(({ x, series }) => `${String(x)}${series}`)).toEqual([
    'xa',
    'yb',
    'ya',
    'xb',
  ])
})
