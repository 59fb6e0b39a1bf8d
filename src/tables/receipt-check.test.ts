import { describe, expect, it } from 'vitest'
import type { Difference, ReceiptSource } from './receipt.ts'
import {
  candidatesFor,
  chosenOf,
  contradictions,
  namedFiles,
  outcomeOf,
  RECEIPT_FILE,
  reservations,
  type NamedFile,
} from './receipt-check.ts'
import { receipt } from './testing.ts'

const [output, source] = namedFiles([receipt()]) as [NamedFile, NamedFile]
const without = (file: NamedFile): NamedFile => ({ ...file, sha256: undefined })
const differs: Difference = { column: 'id', what: 'max', expected: '2', found: '7' }

it('receipts are recognized by their file names, even if a browser numbered them', () => {
  const names = [
    'a.receipt.json',
    'a.receipt (2).json',
    'A.RECEIPT.JSON',
    'a.json',
    'receipt.json',
    'a.receipt.json.csv',
  ]
  expect(names.filter((name) => RECEIPT_FILE.test(name))).toEqual(names.slice(0, 3))
})

describe('the files in receipts', () => {
  it('are listed once, with a receipt for each of their tables', () => {
    const sheets = ['one', 'two'].map((table) =>
      receipt({ source: { name: 'a.xlsx', size: 1, format: 'xlsx', table } }),
    )
    expect(namedFiles(sheets).map(({ role, name, receipts }) => [role, name, receipts.length])).toEqual([
      ['output', 'a.parquet', 2],
      ['source', 'a.xlsx', 0],
    ])
  })

  it('include all that were combined', () => {
    const sources = ['jan.csv', 'feb.csv'].map((name): ReceiptSource => ({
      ...receipt().source,
      name,
      rows: 1,
      rejectedRows: 0,
      rowChecksum: '0000000000000000',
    }))
    expect(namedFiles([receipt({ sources })]).map(({ name }) => name)).toEqual(['a.parquet', 'jan.csv', 'feb.csv'])
  })

  it('include all that a table was split into', () => {
    const parts = ['x.csv', 'y.csv'].map((name) => ({ name, size: 1, rows: 1, rowChecksum: '0000000000000000' }))
    const split = receipt({ parts })
    expect(namedFiles([split]).map(({ name }) => name)).toEqual(['x.csv', 'y.csv', 'a.csv'])
    expect(contradictions([split])).toHaveLength(1)
  })

  it('are found by name, or else by size and hash', () => {
    const named = namedFiles([receipt({ output: { ...receipt().output, name: 'a.csv', size: 9 } })])
    const file = { name: 'a.csv', size: 9 }
    expect(candidatesFor(named, file)).toEqual([0, 1])
    expect(chosenOf(named, [0, 1], file, 'a'.repeat(64))).toBe(1)
    expect(chosenOf(named, [0, 1], file, 'c'.repeat(64))).toBe(0)
    const renamed = { name: 'a (1).csv', size: 9 }
    expect(candidatesFor(named, renamed)).toEqual([0, 1])
    expect(chosenOf(named, [0, 1], renamed, 'b'.repeat(64))).toBe(0)
    expect(chosenOf(named, [0, 1], renamed, 'c'.repeat(64))).toBeNull()
    expect(candidatesFor(named, { name: 'b.csv', size: 8 })).toEqual([])
  })
})

describe('the result of a comparison', () => {
  const same = { size: 500, sha256: 'b'.repeat(64) }
  const other = { size: 500, sha256: 'c'.repeat(64) }

  it('is good if the hash and the contents are the same', () => {
    expect(outcomeOf(output, { ...same, differences: [[]] })).toEqual({
      tone: 'good',
      title: 'This is the file that the receipt is about; it hasn’t changed.',
      sentences: [
        'Its SHA-256 is the one on the receipt.',
        'It was read again: 2 rows, 1 column, and every type, sum and checksum as on the receipt.',
      ],
      differences: [],
    })
    const { title, sentences } = outcomeOf(source, { size: 9, sha256: 'a'.repeat(64) })
    expect(title).toBe('This is the file that the receipt is about; it hasn’t changed.')
    expect(sentences).toEqual(['Its SHA-256 is the one on the receipt.'])
  })

  it('says what differs, and where', () => {
    const { tone, title, differences } = outcomeOf(output, { ...other, size: 501, differences: [[differs]] })
    expect([tone, title]).toEqual(['bad', 'The file has changed, or it isn’t the one that the receipt is about.'])
    expect(differences).toEqual([{ table: null, found: [differs] }])
    expect(outcomeOf(source, { size: 10, sha256: 'c' }).sentences).toEqual([
      'It has 10 bytes; on the receipt it has 9 bytes.',
    ])
  })

  it('distinguishes changed bytes from changed values', () => {
    const { tone, title } = outcomeOf(output, { ...other, differences: [[]] })
    expect([tone, title]).toEqual(['warn', 'The file’s bytes have changed; what it holds hasn’t.'])
  })

  it('distinguishes a changed receipt from a changed file', () => {
    const { tone, title } = outcomeOf(output, { ...same, differences: [[differs]] })
    expect([tone, title]).toEqual(['bad', 'The file hasn’t changed, but it isn’t what the receipt says.'])
  })

  it('claims nothing that wasn’t compared', () => {
    expect(outcomeOf(without(source), { size: 9, sha256: 'c' })).toMatchObject({
      tone: 'warn',
      title: 'The receipt says too little to decide.',
    })
    expect(outcomeOf(without(output), { ...same, differences: [[]] }).title).toBe(
      'The file holds what the receipt says.',
    )
    expect(outcomeOf(without(output), { ...same, differences: [[differs]] }).title).toBe(
      'This isn’t the file that the receipt is about.',
    )
    expect(outcomeOf(output, { ...same, differences: [null] }).sentences).toContain(
      'The receipt doesn’t say how to read it again, so its values weren’t compared.',
    )
    expect(outcomeOf(output, { ...other, unreadable: 'It’s cut short.' })).toMatchObject({ tone: 'bad' })
  })
})

it('a changed receipt contradicts itself', () => {
  expect(contradictions([receipt()])).toEqual([])
  const { found, source: file } = receipt()
  expect(contradictions([receipt({ found: { ...found, rows: 3 } })])).toHaveLength(1)
  expect(contradictions([receipt({ differences: [differs] })])).toHaveLength(1)
  expect(contradictions([receipt({ verdict: 'mismatch' })])).toHaveLength(1)
  expect(contradictions([receipt({ verdict: 'mismatch', differences: [differs] })])).toEqual([])
  const part: ReceiptSource = { ...file, rows: 2, rejectedRows: 0, rowChecksum: '00000000000000bb' }
  expect(contradictions([receipt({ sources: [part] })])).toEqual([])
  expect(contradictions([receipt({ sources: [part, part] })])).toHaveLength(1)
})

it('a receipt’s own reservations are reported even if its files match', () => {
  expect(reservations([receipt()])).toEqual([])
  const check = { column: 'id', check: 'unique', expected: '', first: [] } as const
  const checks = [
    { ...check, failed: 2 },
    { ...check, failed: 0 },
  ]
  expect(
    reservations([receipt({ rejectedRows: 2, checks }), receipt({ verdict: 'mismatch', differences: [differs] })]),
  ).toEqual(['The new file isn’t the same as the source.', '2 rows were left out.', '1 check failed.'])
})
