import { screen, within } from '@testing-library/react'
import { beforeEach, expect, test, vi } from 'vitest'
import type { EngineClient } from '../../../engine/client.ts'
import type { JsonSettings } from '../../../tables/plan.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { sizeElements } from '../../../ui/testing/render.tsx'
import { useJobs } from '../context.tsx'
import { renderConvert } from '../testing/render-convert.tsx'
import { testStore } from '../testing/test-store.ts'
import ColumnsPanel from './ColumnsPanel.tsx'

const settings: JsonSettings = {
  kind: 'json',
  compression: null,
  encoding: 'utf-8',
  layout: 'array',
  path: [],
  rows: 'objects',
}
const columns = [
  column('id', 'BIGINT'),
  column('by', 'STRUCT(name VARCHAR)', { flags: ['nested'] }),
  column('items', 'BIGINT[]', { flags: ['nested'] }),
]
const found = { ...inspection(table(columns)), format: 'json' as const, settings }

beforeEach(() => sizeElements(900, 400))

test('a nested column’s flag has a button beside it that unfolds it, once', async () => {
  const inspect = vi.fn<EngineClient['inspect']>()
  inspect.mockResolvedValueOnce({ ...inspectResult(found), previews: [] })
  inspect.mockReturnValue(new Promise(() => undefined))
  const client = { inspect, preview: async () => ({ columns: [], rows: [], rejected: [] }) } as unknown as EngineClient
  const store = testStore(client)
  store.add({ file: new File(['[]'], 'a.json') })
  const { user } = renderConvert(<Panel />, store, { client })
  const rows = within(await screen.findByRole('list', { name: 'Columns' })).getAllByRole('listitem')
  const named = (row: number): (string | null)[] =>
    within(rows[row] ?? document.body)
      .queryAllByRole('button', { name: /^“/ })
      .map((button) => button.getAttribute('aria-label'))
  expect([named(0), named(1), named(2)]).toEqual([
    [],
    ['“by”: flatten to one column per key'],
    ['“items”: one row per element'],
  ])
  await user.click(screen.getByRole('button', { name: '“items”: one row per element' }))
  expect(store.find('j1')?.request).toEqual({
    settings: { kind: 'json', unfold: [{ column: 'items', as: 'rows' }] },
  })
  // What the next step may be isn't known until the file is read again.
  const next = screen.getByRole<HTMLButtonElement>('button', { name: '“items”: one row per element' })
  expect(next.disabled).toBe(true)
})

function Panel() {
  const [job] = useJobs()
  return job?.inspection ? (
    <ColumnsPanel job={job} inspection={job.inspection} table={0} onTable={() => undefined} />
  ) : null
}
