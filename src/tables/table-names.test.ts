import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quoteName } from '../lib/duckdb-sql/index.ts'
import { foldName } from '../lib/names.ts'
import { freeName, nameProblem, proposeName } from './names.ts'

it('proposes names that can be typed easily', () => {
  expect(proposeName('orders.csv')).toBe('orders')
  expect(proposeName('Sales 2024 (final).csv.gz')).toBe('Sales_2024_final')
  expect(proposeName('2024-01.parquet')).toBe('t_2024_01')
  expect(proposeName('Übersicht März.xlsx')).toBe('Übersicht_März')
  expect(proposeName('report.xlsx', 'Q1 / net')).toBe('report_Q1_net')
  expect(proposeName('warehouse.duckdb', 'orders', true)).toBe('orders')
  expect(proposeName('🦆.csv')).toBe('table_1')
})

it('proposes only valid names, which need quotes only because of their letters', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 90 }),
      fc.option(fc.string({ unit: 'grapheme' })),
      (file, table) => {
        const name = proposeName(file, table)
        expect(nameProblem(name, new Set())).toBeNull()
        expect(name).not.toMatch(/[\s".]/)
      },
    ),
  )
  expect(quoteName(proposeName('my file.csv'))).toBe('my_file')
})

it('numbers names that are taken, whatever their case', () => {
  const taken = new Set(['orders', 'orders_2'].map(foldName))
  expect(freeName('Orders', taken)).toBe('Orders_3')
  expect(freeName('people', taken)).toBe('people')
  // An accent as a separate character, or in one character with its letter.
  expect(freeName('cafe\u0301', new Set(['caf\u00e9'].map(foldName)))).toBe('cafe\u0301_2')
})

it('says what is wrong with a name', () => {
  const taken = new Set(['orders'])
  expect(nameProblem(' ', taken)).toMatch(/Give it a name/)
  expect(nameProblem('ORDERS', taken)).toMatch(/Another local table/)
  expect(nameProblem('cafe\u0301', new Set(['caf\u00e9'].map(foldName)))).toMatch(/Another local table/)
  expect(nameProblem('a\nb', taken)).toMatch(/control characters/)
  expect(nameProblem('x'.repeat(129), taken)).toMatch(/128/)
  expect(nameProblem('say "hi". 🦆', taken)).toBeNull()
})
