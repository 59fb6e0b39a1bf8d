import fc from 'fast-check'
import { expect, test } from 'vitest'
import { axesOver } from './measures.ts'

const values = fc.array(
  fc.integer({ min: -1e8, max: 1e8 }).map((value) => value / 100),
  { maxLength: 8 },
)

test('the right axis covers the left one: 0 at 0, or edge at edge', () => {
  fc.assert(
    fc.property(
      values,
      values,
      fc.boolean(),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      (left, right, fromZero, at) => {
        const { toLeft, fromLeft } = axesOver(left, right, fromZero)
        const back = fromLeft(toLeft(at))
        expect(Math.abs(back - at)).toBeLessThanOrEqual(1e-3 * Math.max(1, Math.abs(at), ...right.map(Math.abs)))
        if (fromZero) expect(toLeft(0)).toBeCloseTo(0, 3)
        if (fromZero || right.length === 0 || left.length === 0) return
        const [low, high] = [Math.min(...left), Math.max(...left)]
        const slack = 1e-6 * Math.max(1, Math.abs(low), Math.abs(high))
        for (const value of right) {
          const place = toLeft(value)
          if (low === high) continue
          expect(place).toBeGreaterThanOrEqual(low - slack)
          expect(place).toBeLessThanOrEqual(high + slack)
        }
      },
    ),
  )
})

test('bars of both axes reach the same height', () => {
  const { toLeft, fromLeft } = axesOver([0, 500], [2, 4], true)
  expect([toLeft(4), toLeft(2), toLeft(0), fromLeft(250)]).toEqual([500, 250, 0, 2])
})
