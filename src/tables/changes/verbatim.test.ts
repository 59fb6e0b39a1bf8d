import { expect, test } from 'vitest'
import { defaultOptions, type CsvOptions } from '../plan.ts'
import { column, inspection, table } from '../testing.ts'
import { keepsText, nameInFile, readAsFound, textPlan } from './verbatim.ts'
import { planFrom } from '../edits.ts'
import { PLAIN_CSV } from '../settings.ts'

const day = { ...column('day_1', 'DATE'), source: 'day', format: { dateFormat: '%d/%m/%Y' } }
const found = { ...inspection(table([column('day'), day])), format: 'csv' as const, settings: PLAIN_CSV }
const plan = planFrom(found)
const [first] = plan.tables
const CSV = defaultOptions('csv') as CsvOptions

test('text stays text only from delimited to delimited text, unless it’s to be normalized', () => {
  expect(keepsText(plan, CSV)).toBe(true)
  expect(keepsText(plan, { ...CSV, normalize: true })).toBe(false)
  expect(keepsText(plan, defaultOptions('json'))).toBe(false)
  expect(keepsText({ settings: { kind: 'parquet' } }, CSV)).toBe(false)
})

test('a column counts as found if it has the type and format that were found', () => {
  const taken = first!.columns[1]!
  expect(readAsFound(first!, taken)?.name).toBe('day_1')
  expect(readAsFound(first!, { ...taken, name: 'other' })).not.toBeNull()
  expect(readAsFound(first!, { ...taken, type: 'VARCHAR' })).toBeNull()
  expect(readAsFound(first!, { ...taken, format: { dateFormat: '%m/%d/%Y' } })).toBeNull()
  const { found: _, ...made } = first!
  expect(readAsFound(made, taken)).toBeNull()
})

test('a name is the file’s, unless the person changed it or the file has none', () => {
  const taken = first!.columns[1]!
  expect(nameInFile(plan, first!, taken)).toBe('day')
  expect(nameInFile(plan, first!, { ...taken, name: 'other' })).toBe('other')
  expect(nameInFile({ settings: { ...PLAIN_CSV, header: false } }, first!, taken)).toBe('day_1')
})

test('the text plan has text where values stay as found, and unique names', () => {
  const columns = textPlan(plan, CSV).tables[0]!.columns
  expect(columns.map(({ name, type, format }) => [name, type, format])).toEqual([
    ['day', 'VARCHAR', undefined],
    ['day_1', 'VARCHAR', undefined],
  ])
  expect(textPlan(plan, defaultOptions('json'))).toBe(plan)
})
