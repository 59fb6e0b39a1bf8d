import { describe, expect, test } from 'vitest'
import type { FormatId } from '../../contract/formats.ts'
import { planChanges } from './changes.ts'
import { applyEdits, type ColumnEdit, planFrom } from '../edits.ts'
import { defaultOptions, type CsvOptions, type CsvSettings, type InspectedColumn, type Note } from '../plan.ts'
import { column, inspection, table } from '../testing.ts'
import { PLAIN_CSV } from '../settings.ts'

const example = { from: '31/12/2023', to: '2023-12-31' }
const DAY = column('day', 'DATE', {
  format: { dateFormat: '%d/%m/%Y' },
  rewritten: { count: 3, example },
  rewrittenInJson: { count: 4, example },
})

async function changes(
  columns: readonly InspectedColumn[],
  target: FormatId = 'parquet',
  {
    edits = [],
    settings = {},
    options = defaultOptions(target),
  }: {
    readonly edits?: readonly ColumnEdit[]
    readonly settings?: Partial<CsvSettings>
    readonly options?: ReturnType<typeof defaultOptions>
  } = {},
): Promise<readonly (readonly [string, string | undefined, string])[]> {
  const found = { ...inspection(table(columns)), format: 'csv' as const, settings: { ...PLAIN_CSV, ...settings } }
  const plan = applyEdits(found, edits.length > 0 ? [{ table: null, columns: edits }] : [])
  const notes = await planChanges(plan, plan.tables[0]!, { target, options })
  return notes.map((note: Note) => [note.code, note.column, note.message])
}

describe('the changes by a plan', () => {
  test('are empty for columns left as found', async () => {
    expect(await changes([column('id', 'INTEGER'), column('name')])).toEqual([])
  })

  test('count values in another form, unless text stays text', async () => {
    const plan = planFrom({ ...inspection(table([DAY])), format: 'csv', settings: PLAIN_CSV })
    const told = (target: FormatId, options = defaultOptions(target)): Promise<Note[]> =>
      planChanges(plan, plan.tables[0]!, { target, options })
    const message = 'Values are dates, the day first. Dates are written as YYYY-MM-DD.'
    expect(await told('parquet')).toEqual([{ code: 'rewritten', message, column: 'day', count: 3, example }])
    expect(await told('json')).toEqual([{ code: 'rewritten', message, column: 'day', count: 4, example }])
    expect(await told('csv')).toEqual([])
    expect(await told('csv', { ...(defaultOptions('csv') as CsvOptions), normalize: true })).toHaveLength(1)
  })

  test('include what the person chose: types, formats, names, columns', async () => {
    const edits = [
      { source: 'id', nth: 0, type: 'BIGINT' },
      { source: 'day', nth: 0, format: { dateFormat: '%m/%d/%Y' } },
      { source: 'name', nth: 0, name: 'who' },
      { source: 'note', nth: 0, include: false },
    ]
    const columns = [column('id', 'INTEGER'), DAY, column('name'), column('note')]
    const expected = [
      ['column-left-out', 'note', 'You left this out.'],
      ['renamed-by-you', undefined, 'You renamed “name” to “who”.'],
      ['retyped-by-you', 'id', 'You chose “Whole number, long” where “Whole number” was found.'],
      ['retyped-by-you', 'day', 'You chose how its values are written in the file. Values are dates, the month first.'],
    ]
    expect(await changes(columns, 'parquet', { edits })).toEqual(expected)
    expect(await changes(columns, 'tsv', { edits })).toEqual(expected)
  })

  test('include the names of columns with equal or empty names, unless text stays text', async () => {
    const columns = [column('a'), { ...column('a_1'), source: 'a' }, { ...column('column_3'), source: '' }]
    expect((await changes(columns)).map(([, , message]) => message)).toEqual([
      '“a” is named “a_1”, so that no two columns have the same name.',
      'A column without a name is named “column_3”.',
    ])
    expect(await changes(columns, 'csv')).toEqual([])
  })

  test('include the names that a file without a header gets', async () => {
    const columns = [1, 2].map((n) => ({ ...column(`column_${n}`), source: '' }))
    const told = 'The file has no header row: its columns are named “column_1” to “column_2”.'
    const settings = { header: false }
    expect(await changes(columns, 'csv', { settings })).toEqual([['names-given', undefined, told]])
    const edits = [{ source: '', nth: 1, name: 'b' }]
    expect((await changes(columns, 'csv', { settings, edits })).map(([, , message]) => message)).toEqual([
      'The file has no header row: its columns are named “column_1” to “b”.',
      'You renamed “column_2” to “b”.',
    ])
  })

  test('include another text for nulls, if there are any', async () => {
    const columns = [column('a', 'VARCHAR', { nulls: 3 })]
    const settings = { nullStrings: ['', 'NA'] }
    expect(await changes(columns, 'csv', { settings })).toEqual([
      ['null-text', undefined, 'Nulls are written as nothing; in the file they are nothing or “NA”.'],
    ])
    expect(await changes([column('a')], 'csv', { settings })).toEqual([])
    expect(await changes(columns, 'csv')).toEqual([])
    expect(await changes(columns, 'json', { settings })).toEqual([])
  })
})

describe('the meaning of values', () => {
  test('is reported for ordinary columns with the parts that aren’t values', async () => {
    const amount = column('amount', 'DECIMAL(6,2)', {
      format: { decimalMark: ',', grouping: '.', unit: '€' },
      rewritten: { count: 2, example: { from: '1.234,56 €', to: '1234.56' } },
    })
    expect(await changes([amount])).toEqual([
      [
        'rewritten',
        'amount',
        'Amounts like 1.234,56 € are numbers; the unit is EUR. Numbers have 2 digits after the point.',
      ],
    ])
  })

  test('is reported if the person applied it, with count and example', async () => {
    const patch = { type: 'INTEGER', format: { nullValues: ['N/A'] } }
    const word = { from: 'N/A', to: 'null' }
    const proposal = { code: 'null-words', label: 'Apply', message: '', count: 3, example: word }
    const id = column('id', 'VARCHAR', { proposals: [{ ...proposal, change: { kind: 'column', patch } }] })
    const found = { ...inspection(table([id])), format: 'csv' as const, settings: PLAIN_CSV }
    const plan = applyEdits(found, [{ table: null, columns: [{ source: 'id', nth: 0, ...patch }] }])
    const told = await planChanges(plan, plan.tables[0]!, { target: 'parquet', options: defaultOptions('parquet') })
    const message = 'You chose “Whole number” where “Text” was found. “N/A” is null.'
    expect(told).toEqual([{ code: 'retyped-by-you', message, column: 'id', count: 3, example: word }])
  })
})
