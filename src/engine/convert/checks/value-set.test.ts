import fc from 'fast-check'
import { expect, it } from 'vitest'
import { ValueSet } from './value-set.ts'

it('knows each value once, as a Set does', () => {
  const some = fc.array(fc.oneof(fc.string(), fc.nat({ max: 3000 }).map(String)), { maxLength: 6000 })
  fc.assert(
    fc.property(some, (values) => {
      const [set, judge] = [new ValueSet('id'), new Set<string>()]
      for (const value of values) {
        expect(set.add((out) => out.text(value))).toBe(!judge.has(value))
        judge.add(value)
      }
    }),
    { numRuns: 30 },
  )
})

it('refuses more than there’s room for', () => {
  const set = new ValueSet('id', 10)
  set.add((out) => out.text('12345'))
  expect(set.add((out) => out.text('12345'))).toBe(false)
  expect(() => set.add((out) => out.text('123456'))).toThrow('“id” has too many different values')
})
