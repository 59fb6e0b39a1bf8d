import 'fake-indexeddb/auto'
import { afterEach, expect, test, vi } from 'vitest'
import { createSqlDatabase, type SqlDatabase } from '../database.ts'
import type { LocalTableRecord } from '../types.ts'
import { fakeBrowser, type FakeWindow } from './testing.ts'

/*
 * Records of local tables when the disk becomes full at each write. For the files that DuckDB writes, see
 * engine/convert/full-disk.test.ts.
 */

afterEach(() => vi.restoreAllMocks())

type Manner = 'refused' | 'lost when it is committed'

/** Counts writes to IndexedDB, and fails one of them for lack of space. */
function fillAt(index: number, manner: Manner): { writes: number } {
  const counted = { writes: 0 }
  for (const name of ['put', 'delete']) {
    const method = name as 'put'
    const original = IDBObjectStore.prototype[method]
    vi.spyOn(IDBObjectStore.prototype, method).mockImplementation(function (
      this: IDBObjectStore,
      ...given: Parameters<typeof original>
    ) {
      const isFull = counted.writes++ === index
      if (isFull && manner === 'refused') throw new DOMException('full', 'QuotaExceededError')
      const request = original.apply(this, given)
      // Like a browser that can't write a transaction's log.
      const abort = Reflect.get(this.transaction, '_abort') as (name: string) => void
      const fail = (): void => abort.call(this.transaction, 'QuotaExceededError')
      if (isFull) request.addEventListener('success', fail)
      return request
    })
  }
  return counted
}

interface Trial {
  /** What should exist afterwards if it succeeds, and if it fails. */
  readonly done: readonly string[]
  readonly undone: readonly string[]
  work(): Promise<unknown>
  /** What another window finds. */
  state(): Promise<readonly string[]>
}

async function windows(): Promise<{
  one: FakeWindow
  add: (name: string) => Promise<LocalTableRecord>
  state: Trial['state']
}> {
  const { files, open } = fakeBrowser()
  const one = open()
  const add = (name: string): Promise<LocalTableRecord> =>
    one.tables.create(name, { name, size: 1, table: null }, (creationId) =>
      files.ingest(new File(['x'], name), { creationId, format: null }),
    )
  await add('kept')
  const state = async (): Promise<readonly string[]> => {
    await vi.waitFor(() => expect(files.locked.size).toBe(0))
    const other = open()
    await other.tables.load()
    const tables = other.tables.snapshot()
    // Each table has its file, and no file is without a table.
    expect([...files.stored.keys()].sort()).toEqual(tables.map(({ fileId }) => fileId).sort())
    return tables.map(({ name }) => name)
  }
  return { one, add, state }
}

const TRIALS: Readonly<Record<string, () => Promise<Trial>>> = {
  async 'is added'() {
    const { add, state } = await windows()
    return { undone: ['kept'], done: ['kept', 'new'], work: () => add('new'), state }
  },
  async 'is renamed'() {
    const { one, state } = await windows()
    const [{ id } = { id: '' }] = one.tables.snapshot()
    return { undone: ['kept'], done: ['renamed'], work: () => one.tables.rename(id, 'renamed'), state }
  },
  async 'is removed'() {
    const { one, state } = await windows()
    const [{ id } = { id: '' }] = one.tables.snapshot()
    const work = async (): Promise<void> => {
      await one.tables.remove(id)
      one.toasts.at(-1)?.onGone?.()
    }
    return { undone: ['kept'], done: [], work, state }
  },
}

const counted = async (name: string): Promise<number> => {
  const trial = await TRIALS[name]?.()
  const count = fillAt(-1, 'refused')
  await trial?.work()
  expect(await trial?.state()).toEqual(trial?.done)
  vi.restoreAllMocks()
  return count.writes
}

test.each(Object.keys(TRIALS))('a local table that %s is complete or unchanged', async (name) => {
  const writes = await counted(name)
  expect(writes).toBeGreaterThan(0)
  for (let index = 0; index < writes; index++) {
    for (const manner of ['refused', 'lost when it is committed'] as const) {
      const trial = await TRIALS[name]?.()
      fillAt(index, manner)
      await expect(trial?.work(), manner).rejects.toMatchObject({ name: 'QuotaExceededError' })
      vi.restoreAllMocks()
      expect(await trial?.state(), manner).toEqual(trial?.undone)
      await trial?.work()
      expect(await trial?.state(), manner).toEqual(trial?.done)
    }
  }
})

test.each(['refused', 'lost when it is committed'] as const)(
  'a removed table can be put back once there is room, where that was %s',
  async (manner) => {
    const { one, state } = await windows()
    const [{ id } = { id: '' }] = one.tables.snapshot()
    await one.tables.remove(id)
    fillAt(0, manner)
    one.toasts.at(-1)?.action?.run()
    await vi.waitFor(() => expect(one.toasts).toHaveLength(2))
    vi.restoreAllMocks()
    expect(one.toasts[1]).toMatchObject({ title: '“kept” couldn’t be put back', action: { label: 'Try again' } })
    one.toasts[1]?.action?.run()
    await vi.waitFor(() => expect(one.tables.snapshot()).toHaveLength(1))
    expect(await state()).toEqual(['kept'])
  },
)

test('a restore is complete or changes nothing, whichever write fills the disk', async () => {
  const record = (id: string): LocalTableRecord => ({
    id,
    fileId: `${id}/t`,
    name: id,
    source: { name: id, size: 1, table: null },
    rowCount: 1,
    byteSize: 1,
    columns: [],
    createdAt: 0,
  })
  const restore = (database: SqlDatabase): Promise<void> =>
    database.addAll({
      tabs: () => [],
      saved: [{ id: 's', title: 's', text: '', createdAt: 0, updatedAt: 0 } as never],
      history: [{ id: 'h', startedAt: 0 } as never],
      locals: () => [record('a'), record('b')],
    })
  const all = async (database: SqlDatabase): Promise<number[]> =>
    (await Promise.all([database.saved(), database.history(), database.locals()])).map(({ length }) => length)
  const writes = 4
  for (let index = 0; index <= writes; index++) {
    for (const manner of ['refused', 'lost when it is committed'] as const) {
      const database = createSqlDatabase(`sql-${crypto.randomUUID()}`)
      await database.locals()
      const count = fillAt(index, manner)
      const restored = restore(database)
      if (index < writes) await expect(restored).rejects.toMatchObject({ name: 'QuotaExceededError' })
      else await restored
      vi.restoreAllMocks()
      expect(await all(database)).toEqual(index < writes ? [0, 0, 0] : [1, 1, 2])
      if (index === writes) expect(count.writes).toBe(writes)
    }
  }
})
