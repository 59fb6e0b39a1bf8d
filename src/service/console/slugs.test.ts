import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugSchema } from '../../contract/schemas.ts'
import { freeSlug, isReserved, slugOf } from './slugs.ts'

const name = fc.string({ minLength: 1, maxLength: 128, unit: 'grapheme' })

test('whatever the name, its slug is one, and one of its own', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 20 }), (names) => {
      const taken = new Set<string>()
      for (const each of [...names, ...names, 'system']) {
        const slug = freeSlug(slugOf(each), taken)
        expect(slugSchema.safeParse(slug).success, slug).toBe(true)
        expect(taken.has(slug) || isReserved(slug)).toBe(false)
        taken.add(slug)
      }
    }),
  )
})

test('a slug’s slug is itself', () => {
  const slug = fc.stringMatching(/^[a-z](?:[a-z0-9]|_[a-z0-9]){0,20}$/)
  fc.assert(fc.property(slug, (each) => slugOf(each) === each))
})

test('the name of tables that stay in a browser is no workspace’s', () => {
  expect(isReserved('my')).toBe(true)
  expect(freeSlug('my', new Set())).toBe('my_2')
})
