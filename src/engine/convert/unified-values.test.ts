import fc from 'fast-check'
import { expect, it } from 'vitest'
import { unify } from '../../tables/combine/unify.ts'
import { parseType, printType, sameType, VARCHAR, type ColumnType } from '../../tables/types.ts'
import { cellToString } from '../arrow/text.ts'
import { makeColumnBuilder } from '../columns/builder.ts'

/* Values must stay the same if a column's type is replaced by the common type of several files. */

const whole = (digits: number): fc.Arbitrary<string> =>
  fc.bigInt(-(10n ** BigInt(digits)) + 1n, 10n ** BigInt(digits) - 1n).map(String)
const decimal = (digits: number, scale: number): fc.Arbitrary<string> =>
  fc.tuple(whole(digits - scale), fc.nat(10 ** scale - 1)).map(([a, b]) => `${a}.${String(b).padStart(scale, '0')}`)
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

const VALUES: readonly (readonly [type: string, values: fc.Arbitrary<string>])[] = [
  ['UTINYINT', fc.nat(255).map(String)],
  ['INTEGER', fc.integer().map(String)],
  ['BIGINT', fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n).map(String)],
  ['UBIGINT', fc.bigInt(0n, 2n ** 64n - 1n).map(String)],
  ['DECIMAL(10,2)', decimal(10, 2)],
  ['DECIMAL(15,4)', decimal(15, 4)],
  ['DECIMAL(30,6)', decimal(30, 6)],
  [
    'DOUBLE',
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? '0' : String(value))),
  ],
  ['BOOLEAN', fc.boolean().map(String)],
  ['DATE', day],
  ['TIMESTAMP', day.map((value) => `${value} 23:59:59.123456`)],
  ['INTEGER[]', fc.array(fc.integer()).map((value) => JSON.stringify(value))],
  ['VARCHAR', fc.string()],
]

/** Parses a text as a type, and prints the value. */
function through(text: string, type: ColumnType): string | null {
  const builder = makeColumnBuilder(type)
  const bytes = new TextEncoder().encode(text)
  expect(builder.appendText(bytes, 0, bytes.length), `“${text}” as ${printType(type)}`).toBe(true)
  return cellToString(type, builder.finish(), 0)
}

/** Without parts that only the wider type has: zero decimal places, midnight. */
function shortened(text: string): string {
  return /^-?\d+\.\d+$/.test(text) ? text.replace(/\.?0+$/, '') : text.replace(/ 00:00:00$/, '')
}

it('no value is another in the type that columns have in common', () => {
  const column = fc
    .constantFrom(...VALUES)
    .chain(([type, values]) => values.map((text) => ({ type: parseType(type), text })))
  fc.assert(
    fc.property(fc.array(column, { minLength: 2, maxLength: 4 }), (columns) => {
      const common = unify(columns.map(({ type }) => type))
      for (const { type, text } of columns) {
        const widened = through(text, common) ?? ''
        if (sameType(common, VARCHAR)) expect(widened).toBe(text)
        else expect(through(shortened(widened), type)).toBe(through(text, type))
      }
    }),
    { numRuns: 500 },
  )
})
