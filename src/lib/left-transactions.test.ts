import 'fake-indexeddb/auto'
import { openDB, unwrap } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A page of a browser, with a database that has one store. */
async function page(vendor: string) {
  const window = new EventTarget()
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { vendor })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  const { abortWhenLeft } = await import('./left-transactions.ts')
  const database = await openDB(crypto.randomUUID(), 1, {
    upgrade: (opening) => void opening.createObjectStore('kept'),
  })
  abortWhenLeft(unwrap(database))
  return { database, leave: () => window.dispatchEvent(new Event('pagehide')) }
}

test('in WebKit what a page is amid of is aborted when it is left, and what has ended stays', async () => {
  const { database, leave } = await page('Apple Computer, Inc.')
  await database.put('kept', 'before', 'a')
  const writing = database.transaction('kept', 'readwrite')
  const put = writing.store.put('amid', 'a')
  const committed = database.transaction('kept', 'readwrite')
  const asked = committed.store.put('committed', 'b')
  committed.commit()
  leave()
  await expect(writing.done).rejects.toMatchObject({ name: 'AbortError' })
  await expect(put).rejects.toMatchObject({ name: 'AbortError' })
  await Promise.all([asked, committed.done])
  expect(await database.getAll('kept')).toEqual(['before', 'committed'])
})

test('other browsers end them by themselves', async () => {
  const { database, leave } = await page('Google Inc.')
  const writing = database.transaction('kept', 'readwrite')
  const put = writing.store.put('amid', 'a')
  leave()
  await Promise.all([put, writing.done])
  expect(await database.getAll('kept')).toEqual(['amid'])
})
