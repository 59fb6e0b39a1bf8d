import Ajv from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Receipt } from '../receipt.ts'
import { schemaPath } from './json-file.ts'
import { fromReceiptFile, receiptSchema, toReceiptFile } from './receipt-file.ts'
import { receipt } from '../testing.ts'
import { PLAIN_CSV } from '../settings.ts'

const note = fc.record(
  {
    code: fc.string(),
    message: fc.string(),
    column: fc.string(),
    count: fc.nat(),
    example: fc.record({ from: fc.string(), to: fc.string() }),
    doubt: fc.boolean(),
  },
  { requiredKeys: ['code', 'message'] },
)
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom('0', '7', 'a', 'f'), minLength: length, maxLength: length })
const text = fc.option(fc.string())
const fingerprint = fc.record({
  rows: fc.nat(),
  columns: fc.array(
    fc.record({
      name: fc.string(),
      type: fc.string(),
      nulls: fc.nat(),
      min: text,
      max: text,
      sum: text,
      checksum: hex(16),
    }),
  ),
  rowChecksum: hex(16),
})
const any: fc.Arbitrary<Receipt> = fc
  .record({
    found: fingerprint,
    changes: fc.array(note),
    notes: fc.array(note),
    rejectedRows: fc.nat(),
    textCompared: fc.boolean(),
    mended: fc.array(
      fc.record({ row: fc.integer({ min: 1 }), line: fc.constant(null), raw: fc.string(), cells: fc.array(text) }),
    ),
    shape: fc.record({ sql: fc.string(), tables: fc.array(fc.record({ name: fc.string(), read: fingerprint })) }),
    sources: fc.array(
      fc.record({
        name: fc.string(),
        size: fc.nat(),
        format: fc.constant('csv'),
        table: text,
        settings: fc.constant(PLAIN_CSV),
        sha256: hex(64),
        rows: fc.nat(),
        rejectedRows: fc.nat(),
        rowChecksum: hex(16),
      }),
    ),
  })
  .map(receipt)

describe('a receipt as a file', () => {
  const validate = addFormats.default(new Ajv({ strict: true, allowUnionTypes: true })).compile(receiptSchema())

  it('is read as it was written, and is valid by the published schema', () => {
    fc.assert(
      fc.property(fc.array(any, { minLength: 1, maxLength: 3 }), (receipts) => {
        const file: unknown = JSON.parse(JSON.stringify(toReceiptFile(receipts, 'https://rowhouse.example')))
        expect(fromReceiptFile(JSON.stringify(file))).toEqual(receipts)
        expect(validate(file), JSON.stringify(validate.errors)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })

  it('may have unknown properties', () => {
    const file = { ...(toReceiptFile([{ ...receipt(), split: { by: 'city' } } as Receipt], '') as object), more: 1 }
    expect(fromReceiptFile(JSON.stringify(file))).toEqual([receipt()])
    expect(validate(file)).toBe(true)
  })

  it('is refused with the error and its position', () => {
    const read = (change: object) =>
      fromReceiptFile(JSON.stringify({ ...(toReceiptFile([receipt()], '') as object), ...change }))
    const file = JSON.stringify(toReceiptFile([receipt()], ''))
    expect(() => fromReceiptFile(file.slice(0, -20))).toThrow('It isn’t JSON, or it’s cut short.')
    expect(() => fromReceiptFile('{"type": "invoice"}')).toThrow('It isn’t a receipt of version 1. version: ')
    expect(() => read({ version: 2 })).toThrow(
      'It’s a receipt of version 2, made by a newer Rowhouse. This one reads version 1: update it.',
    )
    expect(() => read({ receipts: [] })).toThrow('receipts: ')
    const { found } = receipt()
    expect(() => read({ receipts: [receipt({ found: { ...found, rowChecksum: 'x' } })] })).toThrow(
      'receipts[0].found.rowChecksum: ',
    )
  })

  it('has the published schema', async () => {
    const schema = `${JSON.stringify(receiptSchema(), null, 2)}\n`
    await expect(schema).toMatchFileSnapshot(`../../../public${schemaPath('receipt')}`)
  })
})
