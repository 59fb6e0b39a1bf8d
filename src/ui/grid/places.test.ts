import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cellAt, moved, nextCell, scrollFor, sidesOf } from './places.ts'
import { evenOffsets } from '../table/use-span.ts'

const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false })
const bounds = { rows: 100, columns: 8, page: 20 }

describe('keys', () => {
  test.each([
    ['ArrowDown', false, { row: 6, column: 3 }],
    ['ArrowDown', true, { row: 99, column: 3 }],
    ['ArrowUp', true, { row: -1, column: 3 }],
    ['Home', false, { row: 5, column: 0 }],
    ['Home', true, { row: 0, column: 0 }],
    ['End', true, { row: 99, column: 7 }],
    ['PageUp', false, { row: -1, column: 3 }],
    ['PageDown', false, { row: 25, column: 3 }],
  ])('%s (Ctrl: %s)', (name, ctrl, expected) => {
    expect(nextCell(key(name, ctrl), { row: 5, column: 3 }, bounds)).toEqual(expected)
  })

  test('other keys don’t move', () => expect(nextCell(key('a'), { row: 0, column: 0 }, bounds)).toBeNull())
})

const measures = { offsets: evenOffsets(50, 100), rowHeight: 30, head: 40, lead: 50, pinned: 0 }

test('a whole cell is scrolled into view, but not if it’s already there', () => {
  const at = { y: 0, left: 0, height: 640, width: 550 }
  expect(scrollFor({ row: 3, column: 2 }, measures, at)).toEqual({ left: 0, y: 0 })
  expect(scrollFor({ row: 20, column: 5 }, measures, at)).toEqual({ left: 100, y: 30 })
  expect(scrollFor({ row: 0, column: 0 }, measures, { ...at, y: 900, left: 300 })).toEqual({ left: 0, y: 0 })
  // Pinned columns are always in view, and the columns under them aren't.
  const pinned = { ...measures, pinned: 2 }
  expect(scrollFor({ row: 3, column: 1 }, pinned, { ...at, left: 900 })).toEqual({ left: 900, y: 0 })
  expect(scrollFor({ row: 3, column: 4 }, pinned, { ...at, left: 900 })).toEqual({ left: 200, y: 0 })
})

test('at any scroll position, the cell found at a point is there and isn’t covered', () => {
  const cell = fc.record({ row: fc.nat(9_999_999), column: fc.nat(49) })
  const scrolled = fc.record({ y: fc.nat(290_000_000), left: fc.nat(4500) })
  fc.assert(
    fc.property(cell, scrolled, fc.nat(3), (to, from, pinned) => {
      const own = { ...measures, pinned }
      const size = { height: 640, width: 650 }
      const { left, y } = scrollFor(to, own, { ...size, ...from })
      const x = (own.offsets[to.column] ?? 0) + own.lead - (to.column < pinned ? 0 : left)
      const point = { x: x + 1, y: own.head + to.row * own.rowHeight - y + 1 }
      expect(point.y).toBeGreaterThan(own.head)
      expect(point.y + own.rowHeight - 2).toBeLessThanOrEqual(size.height)
      expect(cellAt(point, own, { ...size, left, y }, 10_000_000)).toEqual(to)
    }),
  )
})

test('a range has the same sides whichever corner it starts from', () => {
  const cell = fc.record({ row: fc.nat(1000), column: fc.nat(100) })
  fc.assert(
    fc.property(cell, cell, (anchor, end) => {
      const sides = sidesOf({ anchor, end })
      expect(sidesOf({ anchor: end, end: anchor })).toEqual(sides)
      expect(sides.top <= sides.bottom && sides.left <= sides.right).toBe(true)
    }),
  )
})

test('moving keeps all items, and the order of the others', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.nat(), { minLength: 1 }), fc.nat(), fc.nat(), (items, a, b) => {
      const [from, to] = [a % items.length, b % items.length]
      const after = moved(items, from, to)
      expect(after[to]).toBe(items[from])
      expect(after.filter((item) => item !== items[from])).toEqual(items.filter((_, i) => i !== from))
    }),
  )
})
