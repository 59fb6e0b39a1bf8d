import 'fake-indexeddb/auto'
import { expect, test, vi } from 'vitest'
import { deferred } from '../../../lib/testing.ts'
import { found } from './RecordsPanel.tsx'
import type { HistoryEntry, SavedQuery } from '../types.ts'
import { type Change, createSqlDatabase, MOST_HISTORY } from '../database.ts'
import { HistoryStore, SavedStore } from './records.ts'

const silent = { tell: (_change: Change) => undefined, listen: () => () => undefined }
const database = () => createSqlDatabase(`records-${crypto.randomUUID()}`)

function entry(n: number): HistoryEntry {
  return {
    id: `${n}`,
    text: `SELECT ${n}`,
    startedAt: n,
    milliseconds: 1,
    rows: 1,
    where: 'browser',
    outcome: 'done',
    error: null,
  }
}

test('the history is limited, the latest first', async () => {
  const db = database()
  await db.putHistory(Array.from({ length: MOST_HISTORY }, (_, n) => entry(n)))
  const history = new HistoryStore(db, silent)
  await history.load()
  await history.add(entry(5000))
  expect(history.snapshot().items).toHaveLength(MOST_HISTORY)
  const kept = await db.history()
  expect([kept.length, kept[0]?.id, kept.at(-1)?.id]).toEqual([MOST_HISTORY, '5000', '1'])
})

test('the history can be cleared, and restored', async () => {
  const history = new HistoryStore(database(), silent)
  await history.load()
  await history.add(entry(1))
  await history.add(entry(2))
  const undo = await history.clear()
  expect(history.snapshot().items).toEqual([])
  await undo?.()
  expect(history.snapshot().items?.map(({ id }) => id)).toEqual(['2', '1'])
})

test('what another window writes is shown once records are loaded', async () => {
  const db = database()
  let told: (change: Change) => void = () => undefined
  const history = new HistoryStore(db, {
    tell: () => undefined,
    listen: (listener) => ((told = listener), () => undefined),
  })
  await history.load()
  await db.putHistory([entry(7)])
  told({ kind: 'history' })
  await vi.waitFor(() => expect(history.snapshot().items).toHaveLength(1))
})

test('saved queries are stored by name, replaced and removed', async () => {
  const db = database()
  const saved = new SavedStore(db, silent)
  await saved.load()
  const query = { id: 'b', name: 'B 10', text: 'SELECT 1', parameters: {}, updatedAt: 1 }
  await saved.put(query)
  await saved.put({ ...query, id: 'a', name: 'B 9' })
  expect(saved.snapshot().items?.map(({ name }) => name)).toEqual(['B 9', 'B 10'])
  await saved.put({ ...query, text: 'SELECT 2' })
  expect((await db.saved()).find(({ id }) => id === 'b')?.text).toBe('SELECT 2')
  expect(await saved.remove('b')).toBe(true)
  expect(await db.saved()).toHaveLength(1)
})

test.each(['before', 'after'])('a query saved while the others are read, which end %s it, stays', async (end) => {
  const db = database()
  const first = deferred<SavedQuery[]>()
  const saved = new SavedStore({ ...db, saved: vi.fn(db.saved).mockReturnValueOnce(first.promise) }, silent)
  const loading = saved.load()
  const put = saved.put({ id: 'a', name: 'A', text: 'SELECT 1', parameters: {}, updatedAt: 1 })
  if (end === 'after') await put
  first.resolve([])
  expect(await put).toBe(true)
  await loading
  expect(saved.snapshot().items?.map(({ id }) => id)).toEqual(['a'])
})

test('the current version of a saved query is changed, and a removed one isn’t restored by that', async () => {
  const db = database()
  const [here, there] = [new SavedStore(db, silent), new SavedStore(db, silent)]
  const query = { id: 'a', name: 'A', text: 'SELECT 1', parameters: {}, updatedAt: 1 }
  await here.put(query)
  await Promise.all([here.load(), there.load()])
  await there.change('a', { name: 'B' })
  await here.change('a', { description: 'Of May.' })
  expect(await db.saved()).toEqual([{ ...query, name: 'B', description: 'Of May.' }])
  await there.remove('a')
  await here.change('a', { description: 'Of June.' })
  expect(await db.saved()).toEqual([])
})

test('a record that couldn’t be stored is reported with the reason', async () => {
  const failing = { ...database(), putSaved: () => Promise.reject(new DOMException('', 'QuotaExceededError')) }
  const saved = new SavedStore(failing, silent)
  expect(await saved.put({ id: 'a', name: 'A', text: '', parameters: {}, updatedAt: 1 })).toBe(false)
  expect(saved.snapshot().problem).toMatch('full')
})

test('a search finds all of its words, in any order', () => {
  expect(found('orders  SELECT', 'select * from orders', null)).toBe(true)
  expect(found('orders missing', 'select * from orders', null)).toBe(false)
  expect(found('missing', 'select', 'Table missing')).toBe(true)
  expect(found(' ', null)).toBe(true)
})
