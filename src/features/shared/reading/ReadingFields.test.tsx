import { screen, within } from '@testing-library/react'
import { useState } from 'react'
import { expect, test, vi } from 'vitest'
import type { CsvSettings, Inspection, JsonSettings, ReadSettings } from '../../../tables/plan.ts'
import { column, inspection, table } from '../../../tables/testing.ts'
import { setup } from '../../../ui/testing/render.tsx'
import { ReadingFields } from './ReadingFields.tsx'
import { PLAIN_CSV } from '../../../tables/settings.ts'
import { mergeSettings, type InspectRequest } from '../../../tables/inspect-request.ts'

const tables = [table([column('id'), column('name')])]
const CSV: Inspection = {
  ...inspection(...tables),
  format: 'csv',
  settings: PLAIN_CSV,
}
const JSON_SETTINGS: JsonSettings = {
  kind: 'json',
  compression: null,
  encoding: 'utf-8',
  layout: 'array',
  path: ['data'],
  rows: 'objects',
}
const JSON_FILE: Inspection = { ...CSV, format: 'json', settings: JSON_SETTINGS }
const BOOK: Inspection = {
  ...inspection(table([column('id')], { name: 'A' }), table([column('id')], { name: 'B' })),
  format: 'xlsx',
  settings: { kind: 'xlsx', headerRow: { A: 4, B: null } },
}
const FIXED: Inspection = { ...CSV, settings: { ...PLAIN_CSV, layout: 'fixed', columnStarts: [0, 4] } }

interface Props {
  readonly found: Inspection
  readonly locked?: boolean
  readonly onSettings?: (patch: Partial<ReadSettings>, typing: boolean) => void
}

/** Fields that apply changes like the screens. The inspection stays, as while the file is read again. */
function Held({ found, locked = false, onSettings }: Props) {
  const [request, setRequest] = useState<InspectRequest>({})
  return (
    <ReadingFields
      inspection={found}
      request={request}
      locked={locked}
      onSettings={(patch, typing) => {
        onSettings?.(patch, typing)
        setRequest((old) => mergeSettings(old, patch))
      }}
      onFormat={(format) => setRequest({ format })}
      onReset={() => setRequest({})}
    />
  )
}

function open(found: Inspection) {
  const onSettings = vi.fn<(patch: Partial<ReadSettings>, typing: boolean) => void>()
  return { onSettings, ...setup(<Held found={found} onSettings={onSettings} />) }
}

const box = (name: string): HTMLInputElement => screen.getByRole('textbox', { name })
const choice = (name: string): HTMLSelectElement => screen.getByRole('combobox', { name })

test('a number takes effect when typing pauses; invalid input has no effect and stays with its error', async () => {
  const { user, onSettings } = open(CSV)
  await user.clear(box('Skip lines'))
  await user.type(box('Skip lines'), 'x')
  await user.tab()
  expect(onSettings).not.toHaveBeenCalled()
  expect(box('Skip lines').value).toBe('x')
  expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 0 to 999,999,999.')
  expect(box('Skip lines').getAttribute('aria-describedby')).toBe(screen.getByRole('alert').id)
  await user.type(box('Skip lines'), '{Backspace}12')
  await user.tab()
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onSettings.mock.calls).toEqual([
    [{ kind: 'csv', skipLines: 1 }, true],
    [{ kind: 'csv', skipLines: 12 }, true],
  ])
})

test.each([
  [CSV, 'Last line', '0', 'Enter a whole number from 1 to 999,999,999.'],
  [CSV, 'Lines left out', '2, b', '“b” isn’t a number from 1.'],
  [FIXED, 'Columns begin at', '0, 9, 4', 'Give each number greater than the one before.'],
  [FIXED, 'Columns begin at', '0; 9', 'Give numbers from 0, with commas between.'],
  [BOOK, 'Header rows of A', '0', 'Enter a whole number from 1 to 999,999,999.'],
  [BOOK, 'Range of A', 'A4-E64', 'Give two cells with a colon between: A4:E64.'],
  [BOOK, 'Repeat merged values in columns of A', 'A, 2', '“2” isn’t a column: give letters, such as A, C.'],
])(
  'what can’t be taken over stays as it was typed, and its field says why: $1',
  async (found, label, text, problem) => {
    const { user } = open(found)
    await user.clear(box(label))
    await user.type(box(label), text)
    await user.tab()
    expect(box(label).value).toBe(text)
    expect(screen.getByRole('alert').textContent).toBe(problem)
  },
)

test('an invalid header row shows its error, and on blur the current value again', async () => {
  const { user, onSettings } = open(BOOK)
  await user.clear(box('Header row of A'))
  await user.type(box('Header row of A'), '0')
  expect(screen.getByRole('alert').textContent).toBe('Enter a whole number from 1 to 999,999,999.')
  await user.tab()
  expect(box('Header row of A').value).toBe('4')
  expect(screen.queryByRole('alert')).toBeNull()
  expect(onSettings).not.toHaveBeenCalled()
})

test('settings apply before the file is read again, and all can be reset', async () => {
  const { user } = open(CSV)
  const back = screen.getByRole<HTMLButtonElement>('button', { name: 'Back to what was detected' })
  expect(back.disabled).toBe(true)
  await user.selectOptions(choice('Delimiter'), ';')
  await user.selectOptions(choice('Quote'), 'none')
  expect(screen.queryByRole('combobox', { name: 'A quote inside quotes is' })).toBeNull()
  await user.selectOptions(choice('A backslash is'), 'escape')
  expect(choice('A backslash is').value).toBe('escape')
  expect([choice('Delimiter').value, choice('Quote').value]).toEqual([';', 'none'])
  await user.click(back)
  expect([choice('Delimiter').value, choice('Quote').value]).toEqual([',', '"'])
})

test('any other delimiter can be typed', async () => {
  const { user, onSettings } = open(CSV)
  await user.selectOptions(choice('Delimiter'), 'other')
  expect(onSettings).not.toHaveBeenCalled()
  await user.type(box('Other delimiter'), '::')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', delimiter: '::' }, false)
})

test('columns of fixed width begin at ascending positions', async () => {
  const { user, onSettings } = open(CSV)
  await user.selectOptions(choice('Layout'), 'fixed')
  expect(screen.queryByRole('combobox', { name: 'Quote' })).toBeNull()
  onSettings.mockClear()
  await user.type(box('Columns begin at'), '0, 5, 1')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', columnStarts: [0, 5] }, true)
  await user.type(box('Columns begin at'), '2')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', columnStarts: [0, 5, 12] }, true)
})

test('empty fields and texts that are null are distinguished', async () => {
  const { user, onSettings } = open(CSV)
  await user.click(screen.getByRole('checkbox', { name: 'and an empty field' }))
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', nullStrings: [] }, false)
  await user.type(box('Null is'), 'NA')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', nullStrings: ['NA'] }, true)
})

test('JSON’s rows are found by a path, which may continue in each item', async () => {
  const { user, onSettings } = open(JSON_FILE)
  expect(box('Where the rows are').value).toBe('data')
  await user.type(box('Where the rows are'), '/edges/*/node')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'json', path: ['data', 'edges'], within: ['node'] }, true)
  await user.selectOptions(choice('Layout'), 'lines')
  expect(box('Where the rows are').disabled).toBe(true)
})

test('each sheet has a header row of its own, or none', async () => {
  const { user, onSettings } = open(BOOK)
  expect(box('Header row of A').value).toBe('4')
  await user.click(screen.getByRole('checkbox', { name: 'B has a header row' }))
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', headerRow: { B: 1 } }, false)
  expect([box('Header row of A').value, box('Header row of B').value]).toEqual(['4', '1'])
})

test('a self-describing format has no settings except another format', () => {
  setup(<Held found={inspection(...tables)} />)
  expect(screen.getAllByRole('combobox')).toEqual([choice('Read as')])
  expect(screen.queryByRole('textbox')).toBeNull()
})

test('nothing can be changed while the file is converted', () => {
  setup(<Held found={CSV} locked />)
  expect(screen.getByRole<HTMLFieldSetElement>('group', { name: 'How the file is read' }).disabled).toBe(true)
})

test('a table’s range, and rows to leave out, are set for each table', async () => {
  const { user, onSettings } = open(BOOK)
  await user.type(box('Range of A'), 'B2:')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', range: { A: 'B2:' } }, true)
  await user.type(box('Range of A'), 'x!')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', range: { A: 'B2:X' } }, true)
  await user.type(box('Header rows of A'), '{Backspace}2')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', headerRow: { A: 4 }, headerRows: { A: 2 } }, true)
  await user.type(box('Last rows left out of B'), '{Backspace}1')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', skipLast: { B: 1 } }, true)
  await user.type(box('Other rows left out of B'), '5, 7')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', leaveOut: { B: [5, 7] } }, true)
})

test('lines anywhere, and rows at the end, can be left out', async () => {
  const { user, onSettings } = open(CSV)
  await user.type(box('Last rows left out'), '{Backspace}2')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', skipLast: 2 }, true)
  expect(box('Last line').value).toBe('')
  await user.type(box('Last line'), '9')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', skipLast: 0, lastLine: 9 }, true)
  expect(box('Last rows left out').value).toBe('0')
  await user.clear(box('Last line'))
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv' }, true)
  await user.type(box('Lines left out'), '4')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', leaveOut: [4] }, true)
})

test('choosing the lines to leave out turns off the rule for subtotals', async () => {
  const { user, onSettings } = open({
    ...CSV,
    settings: { ...CSV.settings, leaveOut: [3], leaveOutSubtotals: true } as ReadSettings,
  })
  await user.type(box('Lines left out'), '4')
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'csv', leaveOut: [34], leaveOutSubtotals: false }, true)
})

test('the list that contains a JSON file’s rows can be chosen', async () => {
  const lists = [
    { path: ['data'], items: 3, whole: true },
    { path: ['shop', 'orders'], items: 1200, whole: false },
  ]
  const { user, onSettings } = open({ ...JSON_FILE, lists })
  const field = choice('Rows are the items of')
  expect(field.selectedOptions[0]?.textContent).toBe('data (3 items)')
  await user.selectOptions(field, 'shop/orders (over 1,200 items)')
  expect(onSettings).toHaveBeenLastCalledWith(
    { kind: 'json', layout: 'array', path: ['shop', 'orders'], within: [] },
    false,
  )
  expect(box('Where the rows are').value).toBe('shop/orders')
})

test('if each list is a table, there’s nothing to choose', () => {
  const settings: JsonSettings = {
    ...JSON_SETTINGS,
    tables: { data: { path: ['data'] }, orders: { path: ['orders'] } },
  }
  const lists = ['data', 'orders'].map((key) => ({ path: [key], items: 1, whole: true }))
  open({ ...JSON_FILE, settings, lists })
  expect(choice('Rows are the items of').disabled).toBe(true)
  expect(box('Where the rows are').disabled).toBe(true)
})

test('settings that each of several tables has aren’t settings of the file', async () => {
  const settings: CsvSettings = {
    ...PLAIN_CSV,
    blocks: true,
    leaveOutSubtotals: true,
    tables: { A: { skipLines: 1 }, B: { leaveOutSubtotals: false } },
  }
  const { user, onSettings } = open({ ...CSV, settings })
  expect(screen.getByRole<HTMLInputElement>('checkbox', { name: /^Several tables/ }).checked).toBe(true)
  expect(screen.queryByRole('textbox', { name: 'Skip lines' })).toBeNull()
  expect(screen.queryByRole('checkbox', { name: /^First row is the header/ })).toBeNull()
  const subtotals = screen.getAllByRole<HTMLInputElement>('checkbox', { name: /^Leave out subtotals of / })
  expect(subtotals.map(({ checked }) => checked)).toEqual([true, false])
  for (const each of subtotals) await user.click(each)
  expect(onSettings.mock.calls).toEqual([
    [{ kind: 'csv', tables: { A: { leaveOutSubtotals: false } } }, false],
    [{ kind: 'csv', tables: { B: { leaveOutSubtotals: true } } }, false],
  ])
  expect(subtotals.map(({ checked }) => checked)).toEqual([false, true])
})

test('nested columns are unfolded, and folded again with what was made of them', async () => {
  const found = {
    ...JSON_FILE,
    ...inspection(
      table([
        column('id'),
        { ...column('by'), type: 'STRUCT(name VARCHAR)' },
        { ...column('items'), type: 'INTEGER[]' },
      ]),
    ),
    settings: JSON_SETTINGS,
  }
  const { onSettings, user } = open(found)
  const nested = screen.getByRole('region', { name: 'Nested columns' })
  const flatten = within(nested).getByRole('button', { name: '“by”: flatten to one column per key' })
  // People who speak to the page say what they see.
  expect(flatten.getAttribute('aria-label')?.toLowerCase()).toContain(flatten.textContent.toLowerCase())
  await user.click(flatten)
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'json', unfold: [{ column: 'by', as: 'columns' }] }, false)
  await user.click(within(nested).getByRole('button', { name: '“items”: one row per element' }))
  const both = [
    { column: 'by', as: 'columns' },
    { column: 'items', as: 'rows' },
  ]
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'json', unfold: both }, false)
  await user.click(within(nested).getByRole('button', { name: 'Take back “by”: one column per key' }))
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'json', unfold: [both[1]] }, false)
})

test('merged values are repeated in the named columns, and tables of text are looked for', async () => {
  const { user, onSettings } = open(BOOK)
  await user.type(box('Repeat merged values in columns of B'), 'a, 1')
  await user.tab()
  expect(box('Repeat merged values in columns of B').value).toBe('a, 1')
  expect(box('Repeat merged values in columns of A').value).toBe('')
  expect(onSettings.mock.calls.at(-1)).toEqual([{ kind: 'xlsx', repeatMerged: { B: ['A'] } }, true])
  await user.click(screen.getByRole('checkbox', { name: /^Also find tables of text/ }))
  expect(onSettings).toHaveBeenLastCalledWith({ kind: 'xlsx', blocks: true }, false)
})
