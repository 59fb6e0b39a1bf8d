import { describe, expect, test } from 'vitest'
import { convert } from '../testing/run.ts'

const TEXT = '[{"id":1,"by":{"n":2.50,"t":"a"},"l":[1,2.0]},\n{"id":2,"by":null,"l":[]}]'

/** Reads the rows with what is nested taken apart. */
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
