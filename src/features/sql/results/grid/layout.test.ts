import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeLayout, headWidth, isPlain, plainLayout, type LayoutChange } from './layout.ts'

const COLUMNS = 6
const index = fc.nat(COLUMNS - 1)
const change: fc.Arbitrary<LayoutChange> = fc.oneof(
  fc.record({ type: fc.constant('move' as const), from: index, to: index }),
  fc.record({ type: fc.constantFrom('pin' as const, 'unpin' as const, 'hide' as const), column: index }),
  fc.record({ type: fc.constant('show' as const), column: index }),
  fc.record({ type: fc.constant('resize' as const), column: index, width: fc.option(fc.nat(500)) }),
)

test('after any changes, each column is shown at most once, at least one is, and pinned ones are shown', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      let layout = plainLayout(COLUMNS)
      for (const each of changes) {
        if (each.type === 'move' && Math.max(each.from, each.to) >= layout.shown.length) continue
        layout = changeLayout(layout, each)
        expect(new Set(layout.shown).size).toBe(layout.shown.length)
        expect(layout.shown.length).toBeGreaterThan(0)
        expect(layout.pinned).toBeGreaterThanOrEqual(0)
        expect(layout.pinned).toBeLessThanOrEqual(layout.shown.length)
      }
    }),
  )
})

test('pinning moves to the left, unpinning releases, and showing restores', () => {
  let layout = changeLayout(plainLayout(4), { type: 'pin', column: 2 })
  expect([layout.shown, layout.pinned]).toEqual([[2, 0, 1, 3], 1])
  layout = changeLayout(layout, { type: 'hide', column: 1 })
  expect(layout.shown).toEqual([2, 0, 3])
  layout = changeLayout(layout, { type: 'show', column: 1 })
  expect(layout.shown).toEqual([2, 0, 1, 3])
  layout = changeLayout(layout, { type: 'move', from: 0, to: 2 })
  expect([layout.shown, layout.pinned]).toEqual([[0, 1, 2, 3], 0])
  expect(isPlain(layout, 4)).toBe(true)
})

test.each([
  // As Chromium draws them in Liberation Sans.
  ['amount', 38],
  ['customer_no', 66],
  ['TOTAL_PRICE', 72],
])('the head of %s has room for its name, its menu, and the arrow of its order', (name, drawn) => {
  const [sides, menu, arrow] = [25, 17, 17]
  expect(headWidth(name, 1)).toBeGreaterThanOrEqual(sides + drawn + arrow + menu)
})
