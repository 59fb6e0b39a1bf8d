import { expect, it, vi } from 'vitest'
import type { CheckedTable, EngineClient, Preview } from '../../../engine/client.ts'
import { deferred } from '../../../lib/testing.ts'
import { editColumn, type Edits } from '../../../tables/edits.ts'
import { column, inspection, inspectResult, table } from '../../../tables/testing.ts'
import { testStore } from '../testing/test-store.ts'

/** A file of two tables that was read, and a client whose previews and checks the test answers. */
async function setUp() {
  const found = inspection(table([column('id')], { name: 'a' }), table([column('id')], { name: 'b' }))
  const previews: ReturnType<typeof deferred<Preview>>[] = []
  const checks: ReturnType<typeof deferred<CheckedTable>>[] = []
  const ask = <T>(list: ReturnType<typeof deferred<T>>[]): Promise<T> => {
    const next = deferred<T>()
    list.push(next)
    return next.promise
  }
  const client = {
    inspect: () => Promise.resolve(inspectResult(found)),
    preview: () => ask(previews),
    check: () => ask(checks),
  }
  const store = testStore(client as unknown as EngineClient)
  const id = store.add({ file: new File(['x'], 'a.parquet') })[0]?.id ?? ''
  const isRead = () => vi.waitFor(() => expect(store.find(id)?.stage.kind).toBe('ready'))
  await isRead()
  return { store, id, isRead, found, previews, checks }
}

const previewOf = (text: string): Preview => ({ columns: [], rows: [[text]], rejected: [] })
const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve))

it('show each table as it’s planned now, in whatever order they come', async () => {
  const { store, id, found, previews } = await setUp()
  const edits = found.tables.reduce<Edits>((made, each) => editColumn(made, each, 0, { name: 'key' }), [])
  store.change(id, { edits, request: {} })
  expect(previews).toHaveLength(2)
  store.setColumn(id, 0, 0, { name: 'number' })
  await vi.waitFor(() => expect(previews).toHaveLength(3))
  previews[2]?.resolve(previewOf('new'))
  previews[1]?.resolve(previewOf('other'))
  await later()
  previews[0]?.resolve(previewOf('old'))
  await later()
  expect(store.find(id)?.previews.map(({ rows }) => rows[0]?.[0])).toEqual(['new', 'other'])
})

it('aren’t of what was read with other settings', async () => {
  const { store, id, isRead, checks } = await setUp()
  store.findRejected(id, 0)
  await vi.waitFor(() => expect(checks).toHaveLength(1))
  store.resetSettings(id)
  await isRead()
  checks[0]?.resolve({ rows: 1, rejectedCount: 1, leftOut: 1, rejected: [] })
  await later()
  expect(store.find(id)?.checked).toEqual({})
})
