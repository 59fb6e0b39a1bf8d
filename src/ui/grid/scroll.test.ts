import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GridScroll, TALLEST } from './scroll.ts'

const VIEW = 600
const many = fc.integer({ min: 500_000, max: 1e9 })

describe('scrolling', () => {
  test('few rows uses the element’s own position', () => {
    const scroll = new GridScroll(1000, 30, VIEW)
    expect(scroll.height).toBe(30_000)
    expect([scroll.scrolled(1234), scroll.shift, scroll.scrollTo(90), scroll.settle()]).toEqual([1234, 0, 90, null])
  })

  test('many rows with the scroll bar reaches the first and the last', () => {
    fc.assert(
      fc.property(many, (count) => {
        const scroll = new GridScroll(count, 30, VIEW)
        expect(scroll.height).toBe(TALLEST)
        expect(scroll.scrolled(TALLEST - VIEW)).toBeCloseTo(count * 30 - VIEW, 3)
        expect(scroll.scrolled(0)).toBe(0)
        expect(scroll.scrolled(TALLEST / 2) / (count * 30)).toBeCloseTo(0.5, 1)
      }),
    )
  })

  test('in small steps moves rows by the same number of pixels', () => {
    fc.assert(
      fc.property(many, fc.nat(TALLEST - VIEW), fc.array(fc.integer({ min: -500, max: 500 })), (count, at, steps) => {
        const scroll = new GridScroll(count, 30, VIEW)
        let y = scroll.scrolled(at)
        let top = at
        for (const step of steps) {
          top = Math.min(TALLEST - VIEW, Math.max(0, top + step))
          const next = scroll.scrolled(top)
          expect(Math.abs(next - y)).toBeLessThanOrEqual(Math.abs(step) + 0.01)
          y = next
        }
      }),
    )
  })

  test('is corrected without moving a row, and leaves room to scroll on', () => {
    fc.assert(
      fc.property(
        many,
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: -599, max: 599 }),
        (count, part, step) => {
          const scroll = new GridScroll(count, 30, VIEW)
          const top = scroll.scrollTo(part * (count * 30 - VIEW))
          const y = scroll.scrolled(Math.min(TALLEST - VIEW, Math.max(0, top + step)))
          const settled = scroll.settle()
          if (settled !== null) expect(scroll.scrolled(settled)).toBeCloseTo(y, 2)
          expect(scroll.stuck).toBe(false)
        },
      ),
    )
  })
})
