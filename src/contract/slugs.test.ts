import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { slugSchema } from './schemas.ts'
import { freeSlug, isReserved, slugOf } from './slugs.ts'

const name = fc.string({ minLength: 1, maxLength: 128, unit: 'grapheme' })

/** Finds a free slug, and counts the lookups. */
function among(taken: ReadonlySet<string>): { find: (slug: string) => Promise<string>; asked: () => number } {
  let asked = 0
  const isTaken = async (slug: string): Promise<boolean> => {
    asked++
    return taken.has(slug)
  }
  return { find: (slug) => freeSlug(slug, isTaken), asked: () => asked }
}

test('any name gets a valid and unique slug', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(name, { maxLength: 20 }), async (names) => {
      const taken = new Set<string>()
      for (const each of [...names, ...names, ...names, 'system']) {
        const slug = await among(taken).find(slugOf(each))
        expect(slugSchema.safeParse(slug).success, slug).toBe(true)
        expect(taken.has(slug) || isReserved(slug)).toBe(false)
        taken.add(slug)
      }
    }),
  )
})

test('the slug of a slug is the same', () => {
  const slug = fc.stringMatching(/^[a-z](?:[a-z0-9]|_[a-z0-9]){0,20}$/)
  fc.assert(fc.property(slug, (each) => slugOf(each) === each))
})

test('no workspace gets the name of the browser’s kept tables', async () => {
  expect(isReserved('my')).toBe(true)
  expect(await among(new Set()).find('my')).toBe('my_2')
})

test('if many slugs are taken, the next number is found with few lookups', async () => {
  const taken = new Set(['a'])
  for (let number = 2; number <= 5000; number++) {
    const { find, asked } = among(taken)
    if (number % 1000 < 3 || number < 10) {
      expect(await find('a')).toBe(`a_${number}`)
      expect(asked()).toBeLessThan(30)
    }
    taken.add(`a_${number}`)
  }
})
