import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import type { ColumnFingerprint } from '../../../tables/receipt.ts'
import { parseType } from '../../../tables/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import { Fingerprinter } from './fingerprint.ts'
import { batchFromColumns } from '../../arrow/batch.ts'

interface Vector {
  readonly name: string
  readonly rows: number
  readonly rowChecksum: string
  readonly columns: readonly (Omit<ColumnFingerprint, 'name'> & { readonly values: readonly (string | null)[] })[]
}

const VECTORS = JSON.parse(readFileSync(new URL('fixtures/vectors.json', import.meta.url), 'utf8')) as Vector[]
const encoder = new TextEncoder()

// Any change here would invalidate all receipts that people keep.
describe('the published test vectors', () => {
  it.each(VECTORS)('$name', ({ rows, rowChecksum, columns }) => {
    const data = columns.map(({ type, values }) => {
      const builder = makeColumnBuilder(parseType(type))
      for (const value of values) {
        const bytes = encoder.encode(value ?? '')
        if (value === null) builder.appendNull()
        else expect(builder.appendText(bytes, 0, bytes.length)).toBe(true)
      }
      return builder.finish()
    })
    const fingerprinter = new Fingerprinter(columns.map(({ type }) => ({ name: '', type: parseType(type) })))
    fingerprinter.add(batchFromColumns(data, rows))
    const found = fingerprinter.finish()
    expect(found.columns.map((column, i) => ({ ...column, values: columns[i]?.values }))).toEqual(
      columns.map((column) => ({ name: '', ...column })),
    )
    expect(found).toMatchObject({ rows, rowChecksum })
  })
})
