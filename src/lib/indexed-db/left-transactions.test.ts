import 'fake-indexeddb/auto'
import { openDB, unwrap } from 'idb'
import { afterEach, expect, test, vi } from 'vitest'

afterEach(() => {
  vi.unstubAllGlobals()
  vi.resetModules()
})

/** A page in a browser, with a database of one store. */
async function page(vendor: string) {
  const window = new EventTarget()
  vi.stubGlobal('document', {})
  vi.stubGlobal('navigator', { vendor })
  vi.stubGlobal('addEventListener', window.addEventListener.bind(window))
  const { abortWhenLeft } = await import('./database.ts')
  const database = await openDB(crypto.randomUUID(), 1, {
    upgrade: (opening) => void opening.createObjectStore('kept'),
  })
  abortWhenLeft(unwrap(database))
  return {
    database,
    leave: () => window.dispatchEvent(new Event('pagehide')),
    comeBack: () => window.dispatchEvent(new Event('pageshow')),
  }
}

test('in WebKit, leaving a page aborts its open transactions, and keeps what was committed', async () => {
  const { database, leave, comeBack } = await page('Apple Computer, Inc.')
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
  comeBack()
  expect(await database.getAll('kept')).toEqual(['before', 'committed'])
})

test('in WebKit, transactions that begin after a page was left are aborted until it’s shown again', async () => {
  const { database, leave, comeBack } = await page('Apple Computer, Inc.')
  leave()
  await expect(database.put('kept', 'left', 'a')).rejects.toMatchObject({ name: 'AbortError' })
  const reading = database.transaction('kept')
  await expect(Promise.all([reading.store.get('a'), reading.done])).rejects.toMatchObject({ name: 'AbortError' })
  comeBack()
  await database.put('kept', 'back', 'b')
  expect(await database.getAll('kept')).toEqual(['back'])
})

test('in other browsers, transactions aren’t aborted', async () => {
  const { database, leave } = await page('Google Inc.')
  const writing = database.transaction('kept', 'readwrite')
  const put = writing.store.put('amid', 'a')
  leave()
  await Promise.all([put, writing.done])
  expect(await database.getAll('kept')).toEqual(['amid'])
})
