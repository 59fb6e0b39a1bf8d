import { act, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { EngineClient, TriedRow } from '../../../../engine/client.ts'
import type { Inspection, RejectedRow } from '../../../../tables/plan.ts'
import { column, inspection, inspectResult, table } from '../../../../tables/testing.ts'
import { sizeElements } from '../../../../ui/testing/render.tsx'
import { useJobs } from '../../context.tsx'
import { renderConvert } from '../../testing/render-convert.tsx'
import { testStore } from '../../testing/test-store.ts'
import RejectedRowsPanel from './RejectedRowsPanel.tsx'

const rejected = (line: number, raw: string): RejectedRow => ({
  row: line - 1,
  line,
  reason: 'value',
  message: `“${raw.split(',')[0]}” isn’t a value of type BIGINT.`,
  column: 'id',
  value: raw.split(',')[0] ?? '',
  raw,
})
const rows = [rejected(3, 'x1,a'), rejected(5, 'n/a,b'), rejected(6, 'n/a,c')]
const unfit = { rows: 9, rejectedCount: 3, leftOut: 0, rejected: rows }

/** Fake engine: a row fits if its first cell is a number. */
const tryRows: EngineClient['tryRows'] = async ({ rows: tried }) =>
  tried.map((row): TriedRow => {
    const cells = 'raw' in row ? row.raw.split(',') : row
    const fits = /^[0-9]+$/.test(cells[0] ?? '')
    return { cells, problem: fits ? null : rejected(3, cells.join(',')) }
  })

async function show(
  columns = [column('id', 'BIGINT'), column('name')],
  tried = tryRows,
  check: EngineClient['check'] = async () => unfit,
) {
  const found = inspection(table(columns, unfit))
  const client = {
    inspect: async () => inspectResult(found),
    preview: async () => ({ columns: [], rows: [], rejected: [] }),
    tryRows: tried,
    check,
  } as unknown as EngineClient
  const store = testStore(client)
  store.add({ file: new File(['id,name\n1,a\n'], 'a.csv') })
  await waitFor(() => expect(store.snapshot()[0]?.plan).toBeTruthy())
  const rendered = renderConvert(<Panel found={found} />, store, { client })
  await screen.findByRole('textbox', { name: 'id, line 3' })
  return { ...rendered, store, mends: () => store.snapshot()[0]?.plan?.tables[0]?.mends }
}

function Panel({ found }: { readonly found: Inspection }) {
  const [job] = useJobs()
  return job ? <RejectedRowsPanel job={job} inspection={found} table={0} onTable={() => undefined} /> : null
}

const cell = (name: string): HTMLInputElement => screen.getByRole<HTMLInputElement>('textbox', { name })
const button = (name: string): HTMLButtonElement => screen.getByRole<HTMLButtonElement>('button', { name })

beforeEach(() => sizeElements(1000, 400))
afterEach(() => vi.restoreAllMocks())

test('rows that don’t fit are listed with place and reason, and none can be put back', async () => {
  await show()
  const list = screen.getByRole('grid', { name: 'Rows that don’t fit' })
  expect(within(list).getByText('“x1” isn’t a value of type BIGINT.')).toBeDefined()
  expect(within(list).getByText('n/a,b')).toBeDefined()
  expect([cell('id, line 3').value, cell('name, line 5').value]).toEqual(['x1', 'b'])
  expect([cell('id, line 3').getAttribute('aria-invalid'), cell('name, line 3').getAttribute('aria-invalid')]).toEqual([
    'true',
    'false',
  ])
  expect(button('Put back').disabled).toBe(true)
  expect(screen.getByText('All 3 rows that don’t fit.')).toBeDefined()
})

test('a row can be read completely in its place, also by keyboard', async () => {
  const { user } = await show()
  button('5').focus()
  await user.keyboard('{Enter}')
  const all = await screen.findByRole('dialog', { name: 'Line 5' })
  expect(within(all).getByText('“n/a” isn’t a value of type BIGINT.')).toBeDefined()
  expect(within(all).getByLabelText('Value').textContent).toBe('n/a,b')
  await user.keyboard('{Escape}')
  await waitFor(() => expect(document.activeElement).toBe(button('5')))
})

test('columns with problems come first', async () => {
  await show([column('name'), column('id', 'BIGINT')])
  const heads = screen.getAllByRole('columnheader').map(({ textContent }) => textContent)
  expect(heads).toEqual(['Line', 'What is wrong', 'As it stands in the file', 'id', 'name'])
})

test('a corrected cell fits, is put back, and can be undone', async () => {
  const { user, mends } = await show()
  await user.clear(cell('id, line 3'))
  await user.type(cell('id, line 3'), '1{Enter}')
  expect(await screen.findByText('Fits')).toBeDefined()
  expect(mends()?.rows).toEqual([{ row: 2, raw: 'x1,a', cells: ['1', 'a'] }])
  await user.click(button('Put back'))
  expect(mends()?.putBack).toBe(true)
  expect(screen.getByRole('status').textContent).toBe('1 of 3 rows fits and will be put back in place.')
  await user.click(screen.getByRole('radio', { name: 'At the end' }))
  expect(mends()).toMatchObject({ putBack: true, atEnd: true })
  expect(screen.getByRole('status').textContent).toBe('1 of 3 rows fits and will be put back at the end.')
  await user.click(screen.getByRole('radio', { name: 'In their place' }))
  expect(mends()).not.toHaveProperty('atEnd')
  await user.click(button('Undo the changes of line 3'))
  await waitFor(() => expect(screen.queryByText('Fits')).toBeNull())
  expect(mends()?.rows).toEqual([])
})

test('a value is replaced in all rows that have it', async () => {
  const { user, mends } = await show()
  await user.type(cell('Find'), 'n/a')
  await user.type(cell('Replace with'), '0')
  await user.click(button('Replace in 2 rows'))
  await waitFor(() => expect(screen.getAllByText('Fits')).toHaveLength(2))
  expect(mends()?.replacements).toEqual([{ source: null, find: 'n/a', replace: '0', whole: false }])
  await user.click(button('Undo replacing n/a'))
  await waitFor(() => expect(screen.queryByText('Fits')).toBeNull())
})

test('a correction of one row is offered for others like it', async () => {
  const { user } = await show()
  await user.clear(cell('id, line 5'))
  await user.type(cell('id, line 5'), '7{Enter}')
  await user.click(await screen.findByRole('button', { name: 'Same fix for 1 more like this' }))
  await waitFor(() => expect(cell('id, line 6').value).toBe('7'))
  expect(screen.getAllByText('Fits')).toHaveLength(2)
})

test('one row can be undone although its value was replaced in all', async () => {
  const { user, mends } = await show()
  await user.type(cell('Find'), 'n/a')
  await user.type(cell('Replace with'), '0')
  await user.click(button('Replace in 2 rows'))
  await user.click(await screen.findByRole('button', { name: 'Undo the changes of line 5' }))
  await waitFor(() => expect([cell('id, line 5').value, cell('id, line 6').value]).toEqual(['n/a', '0']))
  expect(mends()?.rows).toEqual([{ row: 4, raw: 'n/a,b', cells: ['n/a', 'b'] }])
  expect(screen.queryByRole('button', { name: 'Undo the changes of line 5' })).toBeNull()
})

test('the last corrected cell is offered for other rows, whatever else was corrected', async () => {
  const { user } = await show()
  await user.type(cell('name, line 5'), '2')
  await user.clear(cell('id, line 5'))
  await user.type(cell('id, line 5'), '7')
  await user.click(await screen.findByRole('button', { name: 'Same fix for 1 more like this' }))
  await waitFor(() => expect([cell('id, line 6').value, cell('name, line 6').value]).toEqual(['7', 'c']))
})

test('an outdated answer isn’t shown', async () => {
  const late: (() => void)[] = []
  const slowly: EngineClient['tryRows'] = async (request) => {
    const [first] = request.rows
    // Delays only the row whose first cell is 1.
    if (Array.isArray(first) && first[0] === '1') await new Promise<void>((resolve) => late.push(resolve))
    return tryRows(request)
  }
  const { user } = await show(undefined, slowly)
  await user.clear(cell('id, line 3'))
  await user.type(cell('id, line 3'), '12')
  expect(await screen.findByText('Fits')).toBeDefined()
  await act(async () => late.forEach((answer) => answer()))
  expect(screen.getByText('Fits')).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('1 of 3 rows fits now. Put it back, or leave it out.')
})

test('rows being checked show no problem, and aren’t checked again when only their position changes', async () => {
  const said: (string | null)[] = []
  const tries = vi.fn(tryRows)
  const { user } = await show(undefined, tries)
  await user.clear(cell('id, line 3'))
  await user.type(cell('id, line 3'), '1')
  expect(await screen.findByText('Fits')).toBeDefined()
  const before = tries.mock.calls.length
  const status = screen.getByRole('status')
  const watching = new MutationObserver(() => said.push(status.textContent))
  watching.observe(status, { childList: true, characterData: true, subtree: true })
  await user.click(button('Put back'))
  await user.click(screen.getByRole('radio', { name: 'At the end' }))
  await user.type(cell('id, line 3'), '2')
  await waitFor(() => expect(tries.mock.calls.length).toBe(before + 1))
  await waitFor(() => expect(status.textContent).toBe('1 of 3 rows fits and will be put back at the end.'))
  watching.disconnect()
  expect(said.filter((text) => text?.startsWith('None'))).toEqual([])
})

test('arrows and Enter move to the next row with such a field, and stay in the table', async () => {
  const unsplit: EngineClient['tryRows'] = async (request) =>
    (await tryRows(request)).map((each) =>
      each.cells?.[0] === 'n/a' ? { cells: null, problem: rejected(5, 'n/a') } : each,
    )
  const { user } = await show(undefined, unsplit)
  const texts = [cell('Text of line 5'), cell('Text of line 6')]
  texts[0]?.focus()
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(texts[1])
  await user.keyboard('{ArrowDown}')
  expect(document.activeElement).toBe(texts[1])
  cell('id, line 3').focus()
  await user.keyboard('{Enter}')
  expect(document.activeElement).toBe(cell('id, line 3'))
})

test('what somebody edits stays when more rows are found', async () => {
  const more = [rejected(2, 'y,"one\ntwo"'), ...rows]
  const { user, store } = await show(undefined, tryRows, async () => ({ ...unfit, rejectedCount: 4, rejected: more }))
  await user.type(cell('id, line 6'), 'z')
  const edited = cell('id, line 6')
  const [job] = store.snapshot()
  act(() => store.findRejected(job?.id ?? '', 0))
  await screen.findByRole('button', { name: 'Edit name, line 2' })
  expect(document.activeElement).toBe(edited)
  expect(cell('id, line 6')).toBe(edited)
  expect(edited.value).toBe('n/az')
})
