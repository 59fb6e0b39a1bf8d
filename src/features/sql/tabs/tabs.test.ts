import 'fake-indexeddb/auto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { deferred } from '../../../lib/testing.ts'
import type { SqlTab } from '../types.ts'
import { type Change, type Channel, createSqlDatabase, type SqlDatabase } from '../database.ts'
import { createDrafts, nextTitle, TabsStore } from './tabs.ts'

/** Windows of one browser, with one database, channel and local storage. */
function browser() {
  const database = createSqlDatabase(`tabs-${crypto.randomUUID()}`)
  const listeners = new Set<readonly [object, (change: Change) => void]>()
  const entries = new Map<string, string>()
  const storage = {
    getItem: (name: string) => entries.get(name) ?? null,
    setItem: (name: string, value: string) => void entries.set(name, value),
    removeItem: (name: string) => void entries.delete(name),
  } as unknown as Storage
  let time = 1000
  const open = (over: Partial<SqlDatabase> = {}) => {
    const me = {}
    const channel: Channel = {
      tell: (change) => {
        for (const [who, listener] of listeners) if (who !== me) queueMicrotask(() => listener(change))
      },
      listen: (listener) => {
        const entry = [me, listener] as const
        listeners.add(entry)
        return () => listeners.delete(entry)
      },
    }
    const overwritten: SqlTab[] = []
    const removed: string[] = []
    const tabs = new TabsStore({
      database: { ...database, ...over },
      channel,
      drafts: createDrafts(() => storage),
      now: () => ++time,
      newId: () => crypto.randomUUID(),
      onOverwritten: (mine) => void overwritten.push(mine),
      onRemoved: (id) => void removed.push(id),
      pause: 5,
    })
    return { tabs, overwritten, removed }
  }
  return { database, open, entries }
}

const texts = (tabs: TabsStore): string[] => (tabs.snapshot().tabs ?? []).map(({ text }) => text)
const titles = (tabs: TabsStore): string[] => (tabs.snapshot().tabs ?? []).map(({ title }) => title)

afterEach(() => vi.useRealTimers())

describe('tabs', () => {
  test('are there after a reload, with the latest text', async () => {
    const { open } = browser()
    const { tabs } = open()
    await tabs.load()
    const a = tabs.add({ text: 'SELECT 1' })
    tabs.add()
    tabs.change(a.id, { text: 'SELECT 12' })
    await tabs.flush()
    const again = open()
    await again.tabs.load()
    expect([titles(again.tabs), texts(again.tabs)]).toEqual([
      ['Query 1', 'Query 2'],
      ['SELECT 12', ''],
    ])
  })

  test('keep what was typed just before the page closed, without the database', async () => {
    const { open, database } = browser()
    const { tabs } = open({ putTab: () => new Promise(() => undefined) })
    await tabs.load()
    const tab = tabs.add()
    tabs.change(tab.id, { text: 'typed' })
    tabs.leave()
    const again = open()
    await again.tabs.load()
    expect(texts(again.tabs)).toEqual(['typed'])
    expect((await database.tab(tab.id))?.text).toBe('typed')
    const third = open()
    await third.tabs.load()
    expect(texts(third.tabs)).toEqual(['typed'])
  })

  test('keep what an editor reports only when the page closes, even after the tabs were notified', async () => {
    const { open, database } = browser()
    const { tabs } = open({ putTab: () => new Promise(() => undefined) })
    await tabs.load()
    const tab = tabs.add()
    await database.putTab(tab)
    tabs.leave()
    tabs.change(tab.id, { text: 'typed last' })
    const again = open()
    await again.tabs.load()
    expect(texts(again.tabs)).toEqual(['typed last'])
    tabs.comeBack()
    tabs.change(tab.id, { text: 'typed after coming back' })
    const third = open()
    await third.tabs.load()
    expect(texts(third.tabs)).toEqual(['typed last'])
  })

  test('that are added, changed or closed while the others are read stay so', async () => {
    const { open, database } = browser()
    const other = open()
    await other.tabs.load()
    other.tabs.add({ title: 'kept' })
    await vi.waitFor(async () => expect(await database.tabs()).toHaveLength(1))
    const reading = deferred<SqlTab[]>()
    const { tabs } = open({ tabs: () => reading.promise })
    const loading = tabs.load()
    const added = tabs.add({ title: 'added' })
    const closed = tabs.add({ title: 'closed' })
    await vi.waitFor(async () => expect(await database.tabs()).toHaveLength(3))
    const read = await database.tabs()
    tabs.change(added.id, { text: 'typed' })
    tabs.remove(closed.id)
    reading.resolve(read)
    await loading
    expect([titles(tabs).sort(), tabs.find(added.id)?.text]).toEqual([['added', 'kept'], 'typed'])
  })

  test('follow what another window changed while they were read', async () => {
    const { open } = browser()
    const other = open()
    await other.tabs.load()
    const { id } = other.tabs.add({ text: 'SELECT 1' })
    await other.tabs.flush()
    const reading = deferred<SqlTab[]>()
    const { tabs } = open({ tabs: () => reading.promise })
    const loading = tabs.load()
    const before = other.tabs.snapshot().tabs ?? []
    other.tabs.change(id, { text: 'SELECT 2' })
    await other.tabs.flush()
    reading.resolve([...before])
    await loading
    await vi.waitFor(() => expect(texts(tabs)).toEqual(['SELECT 2']))
  })

  test('can be moved, and keep their order', async () => {
    const { open } = browser()
    const { tabs } = open()
    await tabs.load()
    const [a, , c] = [tabs.add({ title: 'a' }), tabs.add({ title: 'b' }), tabs.add({ title: 'c' })]
    tabs.move(c.id, 0)
    expect(titles(tabs)).toEqual(['c', 'a', 'b'])
    tabs.move(a.id, 2)
    expect(titles(tabs)).toEqual(['c', 'b', 'a'])
    tabs.add({ title: 'd' }, c.id)
    expect(titles(tabs)).toEqual(['c', 'd', 'b', 'a'])
    await tabs.flush()
    const again = open()
    await again.tabs.load()
    expect(titles(again.tabs)).toEqual(['c', 'd', 'b', 'a'])
  })

  test('can be closed, and restored', async () => {
    const { open, database } = browser()
    const { tabs, removed } = open()
    await tabs.load()
    const tab = tabs.add({ text: 'x' })
    await vi.waitFor(async () => expect(await database.tabs()).toHaveLength(1))
    tabs.change(tab.id, { text: 'xy' })
    const undo = tabs.remove(tab.id)
    expect([titles(tabs), removed]).toEqual([[], [tab.id]])
    await vi.waitFor(async () => expect(await database.tabs()).toEqual([]))
    undo()
    await vi.waitFor(async () => expect((await database.tabs())[0]?.text).toBe('xy'))
    expect(texts(tabs)).toEqual(['xy'])
  })

  test('report while they can’t be stored', async () => {
    const { open } = browser()
    let full = true
    const { tabs } = open({
      putTab: (tab) => (full ? Promise.reject(new DOMException('', 'QuotaExceededError')) : Promise.resolve(tab)),
    })
    await tabs.load()
    const tab = tabs.add()
    await vi.waitFor(() => expect(tabs.snapshot().problem).toMatch('full'))
    full = false
    tabs.change(tab.id, { text: 'a' })
    await vi.waitFor(() => expect(tabs.snapshot().problem).toBeNull())
  })
})

describe('in two windows', () => {
  test('a tab is the same', async () => {
    const { open } = browser()
    const [one, two] = [open(), open()]
    await one.tabs.load()
    await two.tabs.load()
    const tab = one.tabs.add({ text: 'first' })
    await vi.waitFor(() => expect(texts(two.tabs)).toEqual(['first']))
    two.tabs.change(tab.id, { title: 'renamed' })
    await vi.waitFor(() => expect(titles(one.tabs)).toEqual(['renamed']))
    one.tabs.remove(tab.id)
    await vi.waitFor(() => expect(texts(two.tabs)).toEqual([]))
    expect(two.removed).toEqual([tab.id])
    expect([one.overwritten, two.overwritten]).toEqual([[], []])
  })

  test('the later change wins, and the overwritten version is passed on', async () => {
    const { open, database } = browser()
    const [one, two] = [open(), open()]
    await one.tabs.load()
    await two.tabs.load()
    const { id } = one.tabs.add()
    await vi.waitFor(() => expect(texts(two.tabs)).toHaveLength(1))
    one.tabs.change(id, { text: 'mine' })
    two.tabs.change(id, { text: 'theirs' })
    await vi.waitFor(() => expect(texts(one.tabs)).toEqual(['theirs']))
    expect(texts(two.tabs)).toEqual(['theirs'])
    expect((await database.tab(id))?.text).toBe('theirs')
    expect(one.overwritten.map(({ text }) => text)).toEqual(['mine'])
    expect(two.overwritten).toEqual([])
  })

  test('typing restores a tab that another window closed', async () => {
    const { open, database } = browser()
    const [one, two] = [open(), open()]
    await one.tabs.load()
    await two.tabs.load()
    const { id } = one.tabs.add({ text: 'a' })
    await vi.waitFor(() => expect(texts(two.tabs)).toEqual(['a']))
    two.tabs.change(id, { text: 'ab' })
    one.tabs.remove(id)
    await vi.waitFor(async () => expect((await database.tab(id))?.text).toBe('ab'))
    await vi.waitFor(() => expect(texts(one.tabs)).toEqual(['ab']))
  })

  test('closing a tab keeps what another window has typed meanwhile', async () => {
    const { open, database } = browser()
    const [one, two] = [open({ tab: () => new Promise(() => undefined) }), open()]
    await one.tabs.load()
    await two.tabs.load()
    const { id } = one.tabs.add({ text: 'a' })
    await vi.waitFor(() => expect(texts(two.tabs)).toEqual(['a']))
    two.tabs.change(id, { text: 'ab' })
    await two.tabs.flush()
    const undo = one.tabs.remove(id)
    await vi.waitFor(() => expect(texts(one.tabs)).toEqual(['ab']))
    undo()
    expect([texts(one.tabs), texts(two.tabs)]).toEqual([['ab'], ['ab']])
    expect((await database.tab(id))?.text).toBe('ab')
  })

  test('a tab closed elsewhere while it’s being written is restored', async () => {
    const { open, database } = browser()
    const held: (() => void)[] = []
    let heard = 0
    const one = open()
    const two = open({
      putTab: async (tab) => {
        await new Promise<void>((go) => held.push(go))
        return database.putTab(tab)
      },
      tab: async (id) => {
        const tab = await database.tab(id)
        if (!tab) setTimeout(() => heard++)
        return tab
      },
    })
    await one.tabs.load()
    await two.tabs.load()
    const { id } = one.tabs.add({ text: 'a' })
    await vi.waitFor(() => expect(texts(two.tabs)).toEqual(['a']))
    two.tabs.change(id, { text: 'ab' })
    await vi.waitFor(() => expect(held).toHaveLength(1))
    one.tabs.remove(id)
    await vi.waitFor(() => expect(heard).toBe(1))
    held[0]?.()
    await vi.waitFor(() => expect(texts(one.tabs)).toEqual(['ab']))
    expect(texts(two.tabs)).toEqual(['ab'])
    expect((await database.tab(id))?.text).toBe('ab')
  })
})

test('titles are the first free ones', () => {
  expect(nextTitle([])).toBe('Query 1')
  expect(nextTitle([{ title: 'query 1' }, { title: 'Query 3' }])).toBe('Query 2')
})
