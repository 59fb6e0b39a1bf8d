import 'fake-indexeddb/auto'
import { IDBFactory } from 'fake-indexeddb'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { eraseEverything, onErase, type EraseState } from './erase.ts'

const SCOPE = 'https://host.example/rowhouse/'

/** Folders of a private file system. `held` is how many attempts to remove a folder fail. */
function fakeBrowser(folders: string[], held: Record<string, number> = {}) {
  const removed: string[] = []
  const cacheNames = new Set(['rowhouse-connect', `precache ${SCOPE}`, 'another app’s'])
  const scopes: string[] = []
  vi.stubGlobal('navigator', {
    storage: {
      getDirectory: async () => ({
        async removeEntry(name: string) {
          if (!folders.includes(name)) throw new DOMException('', 'NotFoundError')
          const times = held[name] ?? 0
          held[name] = times - 1
          if (times > 0) throw new DOMException('', 'NoModificationAllowedError')
          removed.push(name)
        },
      }),
    },
    serviceWorker: {
      getRegistration: async (scope: string) => ({ unregister: async () => void scopes.push(scope) }),
    },
  })
  vi.stubGlobal('caches', {
    keys: async () => [...cacheNames],
    delete: async (name: string) => cacheNames.delete(name),
  })
  return { removed, cacheNames, scopes }
}

const opened: IDBDatabase[] = []

function openDatabase(name: string): Promise<IDBDatabase> {
  return new Promise((resolve) => {
    const request = indexedDB.open(name)
    request.addEventListener('success', () => {
      opened.push(request.result)
      resolve(request.result)
    })
  })
}

const names = async (): Promise<(string | undefined)[]> => (await indexedDB.databases()).map(({ name }) => name)

beforeEach(() => {
  // Other test files have databases, too.
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true, advanceTimeDelta: 200 })
})
afterEach(() => {
  for (const database of opened.splice(0)) database.close()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('everything of Rowhouse is removed, but nothing of other apps on the same origin', async () => {
  const browser = fakeBrowser(['tables', 'local-tables', 'objects', 'photos'], { tables: 2 })
  for (const name of ['rowhouse-service', 'rowhouse-convert', 'rowhouse-sql', 'photos'])
    (await openDatabase(name)).close()
  const forgetSettings = vi.fn()
  await eraseEverything({ scope: SCOPE, folders: ['tables', 'local-tables', 'objects', 'outputs'], forgetSettings })
  expect(await names()).toEqual(['photos'])
  expect(browser.removed).toEqual(['tables', 'local-tables', 'objects'])
  expect([...browser.cacheNames]).toEqual(['another app’s'])
  expect(browser.scopes).toEqual([SCOPE])
  expect(forgetSettings).toHaveBeenCalledOnce()
})

test('a database that another tab keeps open is reported, and nothing else is removed', async () => {
  const browser = fakeBrowser(['tables'])
  const held = await openDatabase('rowhouse-service')
  const target = { scope: SCOPE, folders: ['tables'], forgetSettings: vi.fn() }
  await expect(eraseEverything(target)).rejects.toMatchObject({
    tag: 'EraseError',
    message: expect.stringMatching(/another tab/),
  })
  expect(browser.removed).toEqual([])
  held.close()
  await eraseEverything(target)
  expect(await names()).not.toContain('rowhouse-service')
})

test('files that a worker keeps open are reported', async () => {
  fakeBrowser(['tables'], { tables: 99 })
  const target = { scope: SCOPE, folders: ['tables'], forgetSettings: vi.fn() }
  await expect(eraseEverything(target)).rejects.toMatchObject({ tag: 'EraseError' })
  expect(target.forgetSettings).not.toHaveBeenCalled()
})

test('other tabs are notified before and after', async () => {
  fakeBrowser([])
  const here = vi.fn()
  const stop = onErase(here)
  vi.resetModules()
  const elsewhere = await import('./erase.ts')
  const heard: EraseState[] = []
  const stopElsewhere = elsewhere.onErase((state) => heard.push(state))
  await eraseEverything({ scope: SCOPE, folders: [], forgetSettings: vi.fn() })
  await vi.waitFor(() => expect(heard).toEqual(['begun', 'done']))
  expect(here).not.toHaveBeenCalled()
  stop()
  stopElsewhere()
})
