import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseType, type Column } from '../../../tables/types.ts'
import { batchOf, randomTable, type RandomTable } from '../../testing/arbitrary.ts'
import { Fingerprinter, type FingerprintState } from './fingerprint.ts'

/* Fingerprints merged from several threads must equal that of a single thread. */

const print = (value: number): string => (Object.is(value, -0) ? '-0.0' : String(value))
const special = fc.constantFrom(-0, 0, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)
const floats = fc.oneof(fc.float(), special, special).map(print)
const doubles = fc.oneof(fc.double(), special, fc.constantFrom(1e308, -1e308, 5e-324, 1e16, 0.1)).map(print)
const integers = (bits: number, signed: boolean) => {
  const most = 2n ** BigInt(signed ? bits - 1 : bits) - 1n
  const least = signed ? -most - 1n : 0n
  return fc.oneof(fc.bigInt(least, most), fc.constantFrom(least, most, 0n)).map(String)
}
/** The texts differ at or shortly before the length at which extremes are cut. */
const long = fc
  .tuple(fc.constantFrom('x', 'é', '🎈'), fc.integer({ min: 195, max: 205 }), fc.constantFrom('', 'a', '\ufeff', '漢'))
  .map(([letter, times, end]) => letter.repeat(times) + end)
const base64 = (text: string): string => Buffer.from(text).toString('base64')

/** Types that the random tables lack. */
const MORE: readonly (readonly [type: string, values: fc.Arbitrary<string>])[] = [
  ['TINYINT', integers(8, true)],
  ['SMALLINT', integers(16, true)],
  ['UTINYINT', integers(8, false)],
  ['UINTEGER', integers(32, false)],
  ['UBIGINT', integers(64, false)],
  ['FLOAT', floats],
  ['DOUBLE', doubles],
  ['DECIMAL(38,2)', fc.constantFrom('0.00', '-0.01', '18446744073709551616.00', '-18446744073709551616.00', '1.50')],
  ['VARCHAR', long],
  ['BLOB', long.map(base64)],
  ['TIMESTAMP_NS', fc.constantFrom('1969-12-31 23:59:59.999999999', '1970-01-01 00:00:00', '2024-02-29 12:00:00.5')],
  ['INTERVAL', fc.constantFrom('1 day', '1 month', '2 days')],
]

function specialTable(): fc.Arbitrary<RandomTable> {
  const rows = fc.integer({ min: 1, max: 20 })
  return rows
    .chain((count) =>
      fc.tuple(...MORE.map(([, values]) => fc.array(fc.option(values), { minLength: count, maxLength: count }))),
    )
    .map((cells) => ({ columns: MORE.map(([type], i) => ({ name: `c${i}`, type: parseType(type) })), cells }))
}

interface Cut {
  readonly table: RandomTable
  /** The thread of each row. */
  readonly threads: readonly number[]
  /** The threads in the order in which they are merged. */
  readonly order: readonly number[]
}

const THREADS = 4
const cut = (tables: fc.Arbitrary<RandomTable>): fc.Arbitrary<Cut> =>
  tables.chain((table) => {
    const count = table.cells[0].length
    const thread = fc.nat(THREADS - 1)
    const all = Array.from({ length: THREADS }, (_, i) => i)
    return fc.record({
      table: fc.constant(table),
      threads: fc.array(thread, { minLength: count, maxLength: count }),
      order: fc.shuffledSubarray(all, { minLength: THREADS }),
    })
  })

/** A fingerprinter per thread, with its rows added batch by batch. */
function printersOf({ table, threads }: Cut): Fingerprinter[] {
  const batch = batchOf(table)
  const printers = Array.from({ length: THREADS }, () => new Fingerprinter(table.columns))
  for (let from = 0; from < threads.length;) {
    let to = from + 1
    while (to < threads.length && threads[to] === threads[from]) to++
    printers[threads[from]].add(batch.slice(from, to))
    from = to
  }
  // An empty batch must not count.
  printers[0].add(batch.slice(0, 0))
  return printers
}

const stateOf = (printer: Fingerprinter): FingerprintState => structuredClone(printer.state)

function whole({ columns, cells }: RandomTable): ReturnType<Fingerprinter['finish']> {
  const printer = new Fingerprinter(columns)
  printer.add(batchOf({ columns, cells }))
  return printer.finish()
}

describe.each([
  ['random tables', randomTable()],
  ['numbers, long texts and what is none', specialTable()],
] as const)('fingerprints of parts: %s', (_, tables) => {
  it('are that of the whole, merged into one of them in any order', () => {
    fc.assert(
      fc.property(cut(tables), (sample) => {
        const printers = printersOf(sample)
        const [first, ...others] = sample.order.map((thread) => printers[thread])
        for (const other of others) first.merge(stateOf(other))
        expect(first.finish()).toEqual(whole(sample.table))
      }),
      { numRuns: 100 },
    )
  })

  it('are that of the whole, merged into one that has nothing yet, one by one or in pairs', () => {
    fc.assert(
      fc.property(cut(tables), fc.boolean(), (sample, inPairs) => {
        const printers = printersOf(sample)
        const [a, b, c, d] = sample.order.map((thread) => printers[thread])
        const empty = new Fingerprinter(sample.table.columns)
        if (inPairs) {
          b.merge(stateOf(a))
          d.merge(stateOf(c))
        }
        for (const printer of inPairs ? [b, d] : [a, b, c, d]) empty.merge(stateOf(printer))
        expect(empty.finish()).toEqual(whole(sample.table))
      }),
      { numRuns: 100 },
    )
  })

  it('go on taking in rows after a merge', () => {
    fc.assert(
      fc.property(cut(tables), fc.nat(30), (sample, at) => {
        const batch = batchOf(sample.table)
        const [here, there] = [new Fingerprinter(sample.table.columns), new Fingerprinter(sample.table.columns)]
        there.add(batch.slice(0, Math.min(at, batch.numRows)))
        here.merge(stateOf(there))
        here.add(batch.slice(Math.min(at, batch.numRows)))
        expect(here.finish()).toEqual(whole(sample.table))
      }),
      { numRuns: 100 },
    )
  })
})

it('is nothing where no part has rows', () => {
  const columns: Column[] = MORE.map(([type], i) => ({ name: `c${i}`, type: parseType(type) }))
  const printer = new Fingerprinter(columns)
  printer.merge(stateOf(new Fingerprinter(columns)))
  expect(printer.finish()).toEqual(new Fingerprinter(columns).finish())
})
