import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonOptions } from '../../tables/plan.ts'
import type { Unfolding } from '../../tables/settings.ts'
import { convert } from '../testing/run.ts'

const TEXT = '[{"id":1,"by":{"n":2.50,"t":"a"},"l":[1,2.0]},\n{"id":2,"by":null,"l":[]}]'

/** Reads the rows with nested values unfolded. */
const unfold = [
  { column: 'l', as: 'rows' },
  { column: 'by', as: 'columns' },
] as const
const AS_UNFOLDED = [undefined, undefined, { settings: { kind: 'json', unfold } }] as const

describe('nested columns that are taken apart', () => {
  test('to JSON: values keep their spelling, and nothing is added', async () => {
    const { result, files } = await convert(new File([TEXT], 'a.json'), 'json', ...AS_UNFOLDED)
    expect(result.outputs[0].receipts[0].verdict).toBe('match')
    expect((await files[0].text()).replaceAll(/\s/g, '')).toBe(
      '[{"id":1,"by.n":2.50,"by.t":"a","l":1},{"id":1,"by.n":2.50,"by.t":"a","l":2.0},{"id":2}]',
    )
  })

  test.each(['csv', 'parquet', 'xlsx', 'arrow'] as const)('to %s: the receipt matches, and says so', async (target) => {
    const { result } = await convert(new File([TEXT], 'a.json'), target, ...AS_UNFOLDED)
    const [receipt] = result.outputs[0].receipts
    expect(receipt.verdict).toBe('match')
    expect(receipt.expected.rows).toBe(3)
    expect(receipt.notes.map(({ code }) => code)).toEqual(['row-per-element', 'flattened'])
  })
})

describe('columns of objects’ keys that become objects again', () => {
  const again = async (text: string, steps: readonly Unfolding[], more: Partial<JsonOptions> = {}) => {
    const options: JsonOptions = { kind: 'json', layout: 'array', normalize: false, nested: true, ...more }
    const reading = { settings: { kind: 'json', unfold: steps } } as const
    const made = await convert(new File([text], 'a.json'), 'json', options, undefined, reading)
    const [receipt] = made.result.outputs[0].receipts
    expect(receipt.verdict, JSON.stringify(receipt.differences)).toBe('match')
    const codes = receipt.changes.map(({ code }) => code)
    return { text: await made.files[0].text(), receipt, codes }
  }
  const columns = (...names: string[]): Unfolding[] => names.map((column) => ({ column, as: 'columns' }))

  test('are as they were, to the letter', async () => {
    const rows = [
      '{"id":1,"by":{"n":2.50,"at":{"c.d":"x","e":null}},"z":1e5}',
      '{"id":2,"by":null,"z":0}',
      '{"id":3,"by":{"n":-0,"at":{"c.d":"y"}},"z":1}',
    ]
    const made = await again(`[${rows.join(',')}]`, columns('by', 'by.at'))
    expect(made.text).toBe(`[\n${rows.join(',\n')}\n]\n`)
    expect(made.codes).toEqual(['nested-again', 'nested-again'])
    expect(made.receipt.output.readBack?.settings).toMatchObject({ unfold: columns('by', 'by.at') })
  })

  test.each([
    ['{"id":1,"by":{"n":1}}\n{"id":2}\n', ''],
    ['{"id":1,"by":{"n":1}}\n{"id":2,"by":{}}\n', ''],
    ['{"by":{"n":1},"id":1}\n{"id":2}\n{"by":null,"id":3}\n', 'it’s null in all of them'],
  ])('say where rows can’t tell what was there: %j', async (text, told) => {
    const { text: made, receipt } = await again(text, columns('by'), { layout: 'lines' })
    const [note] = receipt.changes.filter(({ code }) => code === 'nested-again')
    expect(note.message).toContain(told)
    if (told === '') expect(made).toBe(text)
    else expect(made).toBe('{"by":{"n":1},"id":1}\n{"by":null,"id":2}\n{"by":null,"id":3}\n')
  })

  test('stay columns where some rows have no object', async () => {
    const { text, codes } = await again('[{"by":{"n":1}},{"by":5}]', columns('by'), { layout: 'lines' })
    expect([text, codes]).toEqual(['{"by.n":1}\n{"by":5}\n', []])
  })

  test('leave a column of the rows that has the name of one of theirs', async () => {
    const rows = '{"by":{"n":1}}\n{"by.n":2,"by":{"n":3}}\n'
    expect((await again(rows, columns('by'), { layout: 'lines' })).text).toBe(
      '{"by":{"n":1}}\n{"by":{"n":3},"by.n_1":2}\n',
    )
  })

  test('are the same in value, whatever the objects', async () => {
    const value = fc.oneof(fc.integer(), fc.string({ maxLength: 3 }), fc.boolean(), fc.constant(null))
    const key = fc.constantFrom('a', 'b.c', 'd "e"', 'ß')
    const inner = fc.dictionary(key, value, { minKeys: 1, maxKeys: 3 })
    const outer = fc.tuple(inner, inner).map(([own, deep]) => ({ ...own, deep }))
    const rows = fc.array(fc.record({ id: fc.integer(), by: outer, z: value }), { minLength: 1, maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom('array', 'lines'), async (data, layout) => {
        const { text } = await again(JSON.stringify(data), columns('by', 'by.deep'), { layout })
        const made: unknown =
          layout === 'array'
            ? JSON.parse(text)
            : text
                .trimEnd()
                .split('\n')
                .map((line): unknown => JSON.parse(line))
        expect(made).toEqual(data)
      }),
      { numRuns: 50 },
    )
  })
})
