import { Utf8, vectorFromArray } from 'apache-arrow'
import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { VARCHAR } from '../../../tables/types.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { fingerprintOf } from '../../testing/fingerprint.ts'

const LONG = 'drifting-2mb-0000.csv'

it('finds the least and greatest text by their bytes, of texts that begin alike or repeat, and of nulls', () => {
  const unit = fc.constantFrom('\0', 'a', 'z', 'é', '～')
  const alike = fc
    .tuple(fc.nat(LONG.length), fc.string({ unit, maxLength: 10 }))
    .map(([length, rest]) => LONG.slice(0, length) + rest)
  const values = fc.array(fc.oneof(fc.constantFrom(null, '', 'a', LONG), alike), { minLength: 1, maxLength: 60 })
  fc.assert(
    fc.property(values, (texts) => {
      const [data] = vectorFromArray(texts, new Utf8()).data
      const [{ min, max }] = fingerprintOf(
        [{ name: 'a', type: VARCHAR }],
        batchFromColumns([data], texts.length),
      ).columns
      const sorted = texts
        .filter((text) => text !== null)
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect([min, max]).toEqual([sorted[0] ?? null, sorted.at(-1) ?? null])
    }),
    { numRuns: 500 },
  )
})
