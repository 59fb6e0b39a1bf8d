import 'fake-indexeddb/auto'
import { openDB } from 'idb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { UnavailableError, type DatasetRecord, type StoreName } from '../ports.ts'
import { type ConnectionOptions, MIGRATIONS, type Migration } from './records-connection.ts'
import { openRecords } from './records-idb.ts'
import { describeEnds } from '../testing/over.ts'
import { dataset, describeTransactions, key, slugs, workspace } from '../testing/records.ts'

const uniqueName = (): string => `test-${crypto.randomUUID()}`

function open(options: Partial<ConnectionOptions> = {}) {
  const records = openRecords({ name: uniqueName(), ...options })
  onTestFinished(() => records.close())
  return records
}

const both = () => {
  const name = uniqueName()
  return Promise.resolve([open({ name }), open({ name })] as const)
}
describeTransactions(both)
describeEnds(both)

test('a full disk is reported, and changes nothing', async () => {
  const records = open()
  await records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
  const full = new DOMException('full', 'QuotaExceededError')
  const put = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(function (this: IDBObjectStore) {
    throw full
  })
  const attempt = records.write(['workspaces'], async (transaction) => {
    await transaction.remove('workspaces', 'w1')
    await transaction.put('workspaces', workspace('w2'))
  })
  await expect(attempt).rejects.toBe(full)
  put.mockRestore()
  expect(await slugs(records)).toEqual(['w1'])
})

describe('datasets that were read before', () => {
  type Tab = ReturnType<typeof open>
  const idsOf = (records: readonly DatasetRecord[]) => records.map(({ id }) => id)
  const mine = async (tab: Tab) => idsOf(await tab.read(['datasets'], (t) => t.by('datasets', 'workspaceId', 'w1')))
  const everything = async (tab: Tab) => idsOf(await tab.read(['datasets'], (t) => t.all('datasets')))
  const put = (tab: Tab, id: string) => tab.write(['datasets'], (t) => t.put('datasets', dataset(id, 'w1', id)))

  test('aren’t read again', async () => {
    const tab = open()
    await put(tab, 'a')
    const reads = [vi.spyOn(IDBIndex.prototype, 'getAll'), vi.spyOn(IDBObjectStore.prototype, 'getAll')]
    for (let i = 0; i < 3; i++) {
      expect(await mine(tab)).toEqual(['a'])
      expect(await everything(tab)).toEqual(['a'])
    }
    expect(reads.map((read) => read.mock.calls.length)).toEqual([1, 1])
    for (const read of reads) read.mockRestore()
  })

  test('aren’t read again soon after a removal, or in a database that never had any', async () => {
    const tab = open()
    const reads = vi.spyOn(IDBIndex.prototype, 'getAll')
    const readOnce = async (ids: string[]) => {
      await vi.waitFor(async () => {
        const before = reads.mock.calls.length
        expect(await mine(tab)).toEqual(ids)
        expect(reads.mock.calls.length).toBe(before)
      })
    }
    await readOnce([])
    await put(tab, 'a')
    await put(tab, 'b')
    await tab.write(['datasets'], (t) => t.remove('datasets', 'a'))
    await readOnce(['b'])
    reads.mockRestore()
  })

  test('are current, whichever tab changed them', async () => {
    const name = uniqueName()
    const [here, there] = [open({ name }), open({ name })]
    const expected = async (ids: string[]) => {
      for (const tab of [here, there, here]) {
        expect(await mine(tab)).toEqual(ids)
        expect(await everything(tab)).toEqual(ids)
      }
    }
    await expected([])
    await put(here, 'a')
    await expected(['a'])
    await put(there, 'b')
    await expected(['a', 'b'])
    await here.write(['datasets'], (t) => t.remove('datasets', 'a'))
    await expected(['b'])
    await there.write(['datasets'], (t) => t.clear('datasets'))
    await expected([])
  })

  test('can be removed without writing, so that it works on a full disk', async () => {
    const tab = open()
    for (const id of ['a', 'b', 'c']) await put(tab, id)
    expect(await mine(tab)).toEqual(['a', 'b', 'c'])
    const full = vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    await tab.write(['datasets'], (t) => t.remove('datasets', 'b'))
    expect(await mine(tab)).toEqual(['a', 'c'])
    await tab.write(['datasets'], (t) => t.remove('datasets', 'a'))
    expect(await mine(tab)).toEqual(['c'])
    full.mockRestore()
    await tab.write(['datasets'], async (t) => {
      await t.remove('datasets', 'c')
      await t.put('datasets', dataset('d', 'w1', 'd'))
    })
    expect(await mine(tab)).toEqual(['d'])
  })

  test('include a transaction’s own changes, which others don’t see if it fails', async () => {
    const tab = open()
    await put(tab, 'a')
    expect(await mine(tab)).toEqual(['a'])
    const attempt = tab.write(['datasets'], async (t) => {
      expect(idsOf(await t.by('datasets', 'workspaceId', 'w1'))).toEqual(['a'])
      await t.put('datasets', dataset('b', 'w1', 'b'))
      expect(idsOf(await t.by('datasets', 'workspaceId', 'w1'))).toEqual(['a', 'b'])
      expect(idsOf(await t.all('datasets'))).toEqual(['a', 'b'])
      throw new Error('no')
    })
    await expect(attempt).rejects.toThrow('no')
    expect(await mine(tab)).toEqual(['a'])
    expect(await everything(tab)).toEqual(['a'])
  })

  test('are forgotten when the database is erased and created again', async () => {
    const name = uniqueName()
    const [here, there] = [open({ name }), open({ name })]
    await put(here, 'a')
    expect(await mine(here)).toEqual(['a'])
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(name).addEventListener('success', resolve)
    })
    expect(await mine(here)).toEqual([])
    await put(there, 'b')
    expect(await mine(here)).toEqual(['b'])
  })

  test('are the same list while nothing changes', async () => {
    const tab = open()
    await put(tab, 'a')
    const all = () => tab.read(['datasets'], (t) => t.all('datasets'))
    const first = await all()
    expect(await all()).toBe(first)
    await put(tab, 'b')
    expect(await all()).not.toBe(first)
    expect(first.map(({ id }) => id)).toEqual(['a'])
  })
})

describe('changes', () => {
  test('are announced here and in other tabs once they’re committed', async () => {
    const name = uniqueName()
    const [here, there] = [open({ name }), open({ name })]
    const heard: StoreName[][] = []
    here.onChange((stores) => heard.push(stores))
    const elsewhere = new Promise<string[]>((resolve) => {
      there.onChange(() => resolve(slugs(there)))
    })
    await here.write(['workspaces', 'keys', 'objects'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      await transaction.clear('objects')
    })
    expect(heard).toEqual([['workspaces']])
    expect(await elsewhere).toEqual(['w1'])
  })

  test('that failed, are relaxed, or aren’t shown aren’t announced; removed listeners aren’t called', async () => {
    const records = open()
    const heard = vi.fn<(stores: StoreName[]) => void>()
    const leave = records.onChange(heard)
    await records.write(['counters'], (transaction) => transaction.clear('counters'))
    await records.write(['keys'], (transaction) => transaction.put('keys', key('k1')), { durability: 'relaxed' })
    await records.write(['keys'], () => Promise.reject(new Error('no'))).catch(() => {})
    expect(heard).not.toHaveBeenCalled()
    leave()
    await records.write(['keys'], (transaction) => transaction.clear('keys'))
    expect(heard).not.toHaveBeenCalled()
  })
})

describe('versions', () => {
  /** A migration such as a later version might have: each workspace gets a note, and a store is added. */
  const addNotes: Migration = async (database, transaction) => {
    database.createObjectStore('notes')
    for (const record of await transaction.objectStore('workspaces').getAll()) {
      await transaction.objectStore('workspaces').put({ ...record, note: `was ${record.slug}` })
    }
  }

  test('data of an older version is migrated step by step', async () => {
    const name = uniqueName()
    const old = open({ name })
    await old.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    old.close()
    const upgraded = open({ name, migrations: [...MIGRATIONS, addNotes] })
    const records = await upgraded.read(['workspaces'], (transaction) => transaction.all('workspaces'))
    expect(records).toEqual([{ ...workspace('w1'), note: 'was w1' }])
  })

  test('a failed migration leaves the older version unchanged', async () => {
    const name = uniqueName()
    const old = open({ name })
    await old.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    old.close()
    const broken: Migration = async (database, transaction) => {
      await addNotes(database, transaction)
      throw new Error('broken step')
    }
    await expect(slugs(open({ name, migrations: [...MIGRATIONS, broken] }))).rejects.toThrow('broken step')
    expect(await slugs(open({ name }))).toEqual(['w1'])
  })

  test('a tab with an older version doesn’t block a newer one, and is told to reload', async () => {
    const name = uniqueName()
    const old = open({ name })
    await old.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    const newer = open({ name, migrations: [...MIGRATIONS, addNotes] })
    expect(await slugs(newer)).toEqual(['w1'])
    const refused = slugs(old)
    await expect(refused).rejects.toBeInstanceOf(UnavailableError)
    await expect(refused).rejects.toThrow('Reload this tab')
  })

  test('an older tab that blocks is an error after a while, until it stops blocking', async () => {
    const name = uniqueName()
    await slugs(open({ name }))
    const stubborn = await openDB(name)
    const newer = open({ name, migrations: [...MIGRATIONS, addNotes], patienceMs: 20 })
    await expect(slugs(newer)).rejects.toThrow('older version')
    await expect(slugs(newer)).rejects.toBeInstanceOf(UnavailableError)
    stubborn.close()
    await vi.waitFor(async () => expect(await slugs(newer)).toEqual([]))
  })

  test('another tab’s blocked removal, which causes no event, is an error after a while, until it’s done', async () => {
    const name = uniqueName()
    await slugs(open({ name }))
    const stubborn = await openDB(name)
    const removing = indexedDB.deleteDatabase(name)
    await new Promise((resolve) => {
      removing.addEventListener('blocked', resolve)
    })
    const records = open({ name, patienceMs: 5 })
    await expect(slugs(records)).rejects.toThrow('doesn’t answer')
    await expect(slugs(records)).rejects.toBeInstanceOf(UnavailableError)
    stubborn.close()
    await vi.waitFor(async () => expect(await slugs(records)).toEqual([]))
  })

  test('after everything was erased in another tab, this one starts with an empty database', async () => {
    const name = uniqueName()
    const records = open({ name })
    await records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    await new Promise((resolve) => {
      indexedDB.deleteDatabase(name).addEventListener('success', resolve)
    })
    expect(await slugs(records)).toEqual([])
  })

  test('a connection that the browser closed is reopened', async () => {
    const records = open()
    await records.write(['workspaces'], (transaction) => transaction.put('workspaces', workspace('w1')))
    const closed = vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementationOnce(() => {
      throw new DOMException('closing', 'InvalidStateError')
    })
    expect(await slugs(records)).toEqual(['w1'])
    closed.mockRestore()
  })
})
