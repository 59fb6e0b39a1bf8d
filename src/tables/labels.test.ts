import { describe, expect, it } from 'vitest'
import { describeSettings, formatName, tableCount } from './labels.ts'
import type { InspectedTable, ReadSettings } from './plan.ts'
import { PLAIN_CSV } from './settings.ts'

describe('what a format is called', () => {
  it('is what the file is, despite its name', () => {
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
  ])('says which of its texts are null: %j', (nullStrings, said) => {
    expect(describeSettings({ ...PLAIN_CSV, nullStrings })).toEqual(['UTF-8', 'comma-separated', ...said])
  })
})

describe('how many tables a file has', () => {
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

  it('is told by sheets where each has one, and else by both', () => {
    expect(told({ kind: 'xlsx', headerRow: {} }, 'May', 'June')).toBe('2 sheets')
    const sheet = { Costs: 'May' }
    expect(told({ kind: 'xlsx', headerRow: {}, sheet }, 'May', 'Costs', 'June')).toBe('3 tables on 2 sheets')
    expect(told({ kind: 'sqlite' }, 'customers', 'orders')).toBe('2 tables')
  })
})
