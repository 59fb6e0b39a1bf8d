import { describe, expect, it, test } from 'vitest'
import { describeSettings, formatName, tableCount } from './labels.ts'
import type { InspectedTable, ReadSettings } from './plan.ts'
import { PLAIN_CSV } from './settings.ts'

describe('a format’s name', () => {
  it('says what the file really is, whatever its extension', () => {
    expect(formatName('xls')).toBe('Excel 97–2003')
    expect(formatName('xls', [{ code: 'macros' }, { code: 'web-page' }])).toBe('Web page (HTML)')
    expect(formatName('xls', [{ code: 'xml-workbook' }])).toBe('XML Spreadsheet 2003')
    expect(formatName('unheard-of')).toBe('unheard-of')
  })
})

describe('how a file is read', () => {
  it.each([
    [[''], []],
    [['', '-'], ['“-” is null']],
    [['-', 'n/a'], ['“-” and “n/a” are null']],
  ])('says which texts are null: %j', (nullStrings, said) => {
    expect(describeSettings({ ...PLAIN_CSV, nullStrings })).toEqual(['UTF-8', 'comma-separated', ...said])
  })
})

test('a delimiter of two spaces is named', () => {
  expect(describeSettings({ ...PLAIN_CSV, delimiter: '  ' })).toEqual(['UTF-8', 'double-space-separated'])
})

describe('the number of tables', () => {
  const told = (settings: ReadSettings, ...names: string[]): string => {
    const tables = names.map((name): InspectedTable => ({
      name,
      columns: [],
      rows: 0,
      rejectedCount: 0,
      rejected: [],
      notes: [],
    }))
    return tableCount({ settings, tables })
  }

  it('is that of sheets if each has one table, otherwise both are given', () => {
    expect(told({ kind: 'xlsx', headerRow: {} }, 'May', 'June')).toBe('2 sheets')
    const sheet = { Costs: 'May' }
    expect(told({ kind: 'xlsx', headerRow: {}, sheet }, 'May', 'Costs', 'June')).toBe('3 tables on 2 sheets')
    expect(told({ kind: 'sqlite' }, 'customers', 'orders')).toBe('2 tables')
  })
})
