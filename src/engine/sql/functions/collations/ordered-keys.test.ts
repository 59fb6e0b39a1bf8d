import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OrderedKeys } from './ordered-keys.ts'

const bytes = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const letters = fc.constantFrom(...Array.from('aAäÄáàâåÅeéèoöøzZßñłœ -_.0129\u0301\u0000\u00adあ漢字бж👍'))
const text = fc.string({ unit: letters, maxLength: 6 })

/** Whether keys are ordered as texts are, of neighbours in their order: then of all. */
function expectOrdered(keys: OrderedKeys, texts: readonly string[], compare: (a: string, b: string) => number): void {
  const sorted = texts.toSorted(compare)
  for (let i = 1; i < sorted.length; i++) {
    const order = Math.sign(bytes(keys.get(sorted[i - 1]), keys.get(sorted[i])))
    if (order !== Math.sign(compare(sorted[i - 1], sorted[i])))
      expect.fail(`${sorted[i - 1]} and ${sorted[i]}: ${order}`)
  }
}

describe('keys of texts', () => {
  it.each(['de', 'sv', 'en-US', 'cs', 'ja', 'zh', 'da'])('are ordered as the texts, and stay so: %s', (locale) => {
    const { compare } = new Intl.Collator(locale)
    fc.assert(
      fc.property(fc.array(fc.array(text, { maxLength: 60 }), { maxLength: 20 }), (chunks) => {
        const keys = new OrderedKeys(compare)
        const before = new Map<string, string>()
        for (const chunk of chunks) {
          keys.add([...new Set(chunk)].filter((each) => !keys.has(each)))
          for (const each of chunk) before.set(each, before.get(each) ?? keys.get(each))
        }
        for (const [each, key] of before) expect(keys.get(each)).toBe(key)
        expectOrdered(keys, [...before.keys()], compare)
      }),
    )
  })

  const padded = (i: number): string => String(i).padStart(6, '0')
  const orders: readonly (readonly [name: string, of: (i: number) => string, longest: number])[] = [
    ['in order', padded, 5],
    ['backwards', (i) => padded(100_000 - i), 5],
    ['at random', (i) => padded((i * 7919) % 40_009), 20],
    ['as seven runs', (i) => padded((i % 7) * 10_000 + Math.floor(i / 7)), 15],
    ['from both ends', (i) => (i % 2 ? `a${padded(i)}` : `b${padded(100_000 - i)}`), 400],
  ]
  it.each(orders)('stay short of texts that come %s', (_, of, longest) => {
    const keys = new OrderedKeys(bytes)
    const texts = Array.from({ length: 40_000 }, (__, i) => of(i))
    for (let i = 0; i < texts.length; i += 500) keys.add(texts.slice(i, i + 500))
    expectOrdered(keys, texts, bytes)
    expect(Math.max(...texts.map((each) => keys.get(each).length))).toBeLessThanOrEqual(longest)
  })

  it('are right where one at a time is put between the same two', () => {
    const keys = new OrderedKeys(bytes)
    const texts = Array.from({ length: 2000 }, (_, i) => (i % 2 ? `a${padded(i)}` : `b${padded(9000 - i)}`))
    for (const each of texts) keys.add([each])
    expectOrdered(keys, texts, bytes)
  })
})
