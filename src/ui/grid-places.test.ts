import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nextCell, placesOf, scrollFor } from './grid-places.ts'
import { evenOffsets } from './use-span.ts'

const key = (name: string, ctrlKey = false) => ({ key: name, ctrlKey, metaKey: false })
const bounds = { rows: 100, columns: 8, page: 20 }

describe('places of rows', () => {
  test('few rows stand where they stand', () => {
    const places = placesOf(1000, 30, 600)
    expect(places.height).toBe(30_000)
    expect(places.top(10, 90)).toBe(300)
    expect(places.rowAt(300)).toBe(10)
  })

  test('of more rows than a browser can draw, the first and the last are reached and rows keep their height', () => {
    fc.assert(
      fc.property(fc.integer({ min: 500_000, max: 1e9 }), (count) => {
        const places = placesOf(count, 30, 600)
        expect(places.height).toBeLessThanOrEqual(12_000_000)
        expect(places.rowAt(0)).toBe(0)
        const end = places.height - 600
        expect(places.rowAt(end) + 20).toBeCloseTo(count, 0)
        expect(places.top(count - 1, end) + 30 - end).toBeCloseTo(600, 0)
        expect(places.top(7, 60) - places.top(6, 60)).toBeCloseTo(30, 3)
        expect(places.rowAt(places.scrollTo(count >> 1))).toBeCloseTo(count >> 1, 0)
      }),
    )
  })
})

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

  test('others don’t move', () => expect(nextCell(key('a'), { row: 0, column: 0 }, bounds)).toBeNull())
})

test('a cell comes wholly into view, and one that is there moves nothing', () => {
  const measures = { places: placesOf(1000, 30, 600), offsets: evenOffsets(50, 100), rowHeight: 30, head: 40, lead: 50 }
  const at = { scrollTop: 0, scrollLeft: 0, clientHeight: 640, clientWidth: 550 }
  expect(scrollFor({ row: 3, column: 2 }, measures, at)).toEqual({ left: 0, top: 0 })
  expect(scrollFor({ row: 20, column: 5 }, measures, at)).toEqual({ left: 100, top: 30 })
  expect(scrollFor({ row: 0, column: 0 }, measures, { ...at, scrollTop: 900, scrollLeft: 300 })).toEqual({
    left: 0,
    top: 0,
  })
})
