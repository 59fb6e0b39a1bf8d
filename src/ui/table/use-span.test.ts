import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { evenOffsets, offsetsOf, spanOf } from './use-span.ts'

describe('spanOf', () => {
  it('has the items in view, and some more', () => {
    const offsets = evenOffsets(100, 30)
    expect(spanOf(offsets, 0, 300, 0)).toEqual({ start: 0, end: 11 })
    expect(spanOf(offsets, 600, 900, 5)).toEqual({ start: 15, end: 36 })
  })

  it('stays within the items', () => {
    expect(spanOf(evenOffsets(3, 30), 0, 1000, 10)).toEqual({ start: 0, end: 3 })
    expect(spanOf(evenOffsets(0, 30), 0, 1000, 10)).toEqual({ start: 0, end: 0 })
    expect(spanOf(evenOffsets(3, 30), 5000, 6000, 0)).toEqual({ start: 3, end: 3 })
  })

  it('has every item that touches the view, whatever the sizes', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 200 })
    fc.assert(
      fc.property(sizes, fc.nat(5000), fc.nat(2000), fc.nat(5), (list, from, length, overscan) => {
        const offsets = offsetsOf(list)
        const { start, end } = spanOf(offsets, from, from + length, overscan)
        for (let i = 0; i < list.length; i++) {
          const inView = offsets[i]! <= from + length && offsets[i + 1]! > from
          if (inView) expect(i >= start && i < end).toBe(true)
        }
      }),
    )
  })
})
