import { describe, expect, test } from 'vitest'
import type { PlanOperator } from '../../../../engine/client.ts'
import {
  measured,
  misestimateOf,
  totalTime,
  visibleNodes,
  type PlanNode,
  operatorWords,
  factsOf,
  planText,
  shareText,
  timeText,
} from './plan.ts'
import { treeMove } from '../../../../ui/tree-keys.ts'
import { linesOf } from './PlanTree.tsx'

function operator(
  name: string,
  [estimatedRows, rows, milliseconds]: readonly (number | null)[] = [],
  children: readonly PlanOperator[] = [],
): PlanOperator {
  return {
    name,
    details: name === 'SEQ_SCAN' ? [['Table', 'shop.sales.orders']] : [],
    estimatedRows: estimatedRows ?? null,
    rows: rows ?? null,
    milliseconds: milliseconds ?? null,
    children,
  }
}

const plan = operator(
  'TOP_N',
  [10, 10, 1],
  [operator('HASH_JOIN', [1000, 99, 70], [operator('SEQ_SCAN', [1000, 1000, 29]), operator('FILTER', [5, 5, 0])])],
)
const dry = operator('PROJECTION', [10], [operator('SEQ_SCAN', [1000])])
const all = (root: PlanNode): PlanNode[] => visibleNodes(root, new Set())

describe('highlights', () => {
  test('are shares of the time, the slowest step, and the path to it', () => {
    const nodes = all(measured(plan))
    expect(nodes.map(({ share }) => share)).toEqual([0.01, 0.7, 0.29, 0])
    expect(nodes.map(({ slow }) => slow)).toEqual([true, true, false, false])
    expect(nodes.map(({ slowest }) => slowest)).toEqual([false, true, false, false])
    expect(totalTime(plan)).toBe(100)
  })

  test('have no times if the statement wasn’t run', () => {
    const nodes = all(measured(dry))
    expect(nodes.every(({ share, slow, misestimate }) => share === null && !slow && misestimate === null)).toBe(true)
    expect(totalTime(dry)).toBeNull()
  })

  test('are estimates that are wrong by a factor above ten', () => {
    expect(misestimateOf(operator('', [1000, 99]))).toEqual({ factor: 1000 / 99, direction: 'fewer' })
    expect(misestimateOf(operator('', [10, 101]))).toMatchObject({ direction: 'more' })
    expect(misestimateOf(operator('', [10, 100]))).toBeNull()
    expect(misestimateOf(operator('', [0, 10]))).toBeNull()
    expect(misestimateOf(operator('', [100, 0]))).toMatchObject({ factor: 100 })
    expect(misestimateOf(operator('', [null, 5]))).toBeNull()
  })
})

test('operators are explained in plain words', () => {
  expect(
    ['HASH_JOIN', 'SEQ_SCAN ', 'hash group by', 'READ_SOMETHING_NEW', ''].map(
      (name) => operatorWords(operator(name)).title,
    ),
  ).toEqual(['Hash join', 'Table scan', 'Group by hash', 'Read something new', 'Operator'])
})

test('a plan is written as indented text', () => {
  expect(planText(plan)).toBe(
    `- First rows in order: 10 rows (10 expected), 1.0 ms (1 %)
  - Hash join: 99 rows (1,000 expected), 70 ms (70 %)
    - Table scan: 1,000 rows (1,000 expected), 29 ms (29 %)
        Table: shop.sales.orders
    - Filter: 5 rows (5 expected), 0.0 ms (0 %)
`,
  )
  expect(factsOf(measured(dry))).toBe('about 10 rows expected')
  expect([0.031, 3.14, 42.4, 1234].map(timeText)).toEqual(['0.03 ms', '3.1 ms', '42 ms', '1.23 s'])
  expect([0, 0.001, 0.5].map(shareText)).toEqual(['0 %', '<1 %', '50 %'])
})

test('arrow keys move like in a tree', () => {
  const root = measured(plan)
  const lines = linesOf(all(root), new Set())
  const move = (key: string, at: number) => {
    const found = treeMove(key, lines, at)
    return found && 'go' in found ? { go: lines[found.go]?.key } : found
  }
  expect(move('ArrowDown', 0)).toEqual({ go: '0.0' })
  expect(move('ArrowUp', 0)).toBeNull()
  expect(move('End', 0)).toEqual({ go: '0.0.1' })
  expect(move('Home', 3)).toEqual({ go: '0' })
  expect(move('ArrowRight', 1)).toEqual({ go: '0.0.0' })
  expect(move('ArrowLeft', 1)).toEqual({ toggle: ['0.0'] })
  expect(move('ArrowLeft', 3)).toEqual({ go: '0.0' })
  expect(move('ArrowRight', 3)).toBeNull()
  const closed = new Set(['0.0'])
  const visible = visibleNodes(root, closed)
  expect(visible).toHaveLength(2)
  expect(treeMove('ArrowRight', linesOf(visible, closed), 1)).toEqual({ toggle: ['0.0'] })
})
