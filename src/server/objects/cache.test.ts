import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileCache } from './cache.ts'

const { signal } = new AbortController()
let folder: string
/** The names of fetched files, in order. */
const fetched: string[] = []

beforeEach(async () => {
  fetched.length = 0
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const kept = async (): Promise<string[]> => (await readdir(folder)).sort()

/** Uses a file of ten bytes. */
function lend<T>(cache: FileCache, name: string, use: (place: string) => Promise<T>, stop = signal): Promise<T> {
  const fetch = async () => {
    fetched.push(name)
    return (async function* () {
      yield Buffer.from(name.repeat(5))
      yield Buffer.from(name.repeat(5))
    })()
  }
  return cache.use(name, fetch, (place) => use(place ?? ''), stop)
}
const read = (cache: FileCache, name: string): Promise<string> => lend(cache, name, (place) => readFile(place, 'utf8'))

test('unused files are removed when space is needed, the least recently used first', async () => {
  const cache = await FileCache.open(folder, 25)
  for (const name of ['a', 'b', 'a', 'c']) expect(await read(cache, name)).toBe(name.repeat(10))
  expect([await kept(), fetched]).toEqual([
    ['a', 'c'],
    ['a', 'b', 'c'],
  ])
  await lend(cache, 'a', async () => {
    for (const name of ['b', 'c', 'b']) await read(cache, name)
    expect(await kept()).toEqual(['a', 'b'])
  })
  await read(cache, 'c')
  expect(await kept()).toEqual(['b', 'c'])
})

test('files of an earlier process are kept up to the limit, but partly written ones are removed', async () => {
  const earlier = await FileCache.open(folder, 25)
  await read(earlier, 'a')
  await read(earlier, 'b')
  const cache = await FileCache.open(folder, 15)
  expect(await kept()).toHaveLength(1)
  const [left] = await kept()
  await read(cache, left)
  expect(fetched).toEqual(['a', 'b'])
})

test('a file that doesn’t exist is reported, and fetched again the next time', async () => {
  const cache = await FileCache.open(folder, 25)
  const none = () =>
    cache.use(
      'a',
      async () => undefined,
      async (place) => place,
      signal,
    )
  expect([await none(), await none()]).toEqual([undefined, undefined])
  expect(await read(cache, 'a')).toBe('a'.repeat(10))
})

test('a full disk is reported, and nothing is left behind', async () => {
  const cache = await FileCache.open(folder, 25)
  const full = async () =>
    (async function* () {
      yield new Uint8Array(5)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    })()
  const lending = cache.use('a', full, () => Promise.resolve(), signal)
  await expect(lending).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(await kept()).toEqual([])
})

test('cancelling doesn’t cancel the fetch for others who wait for it', async () => {
  const cache = await FileCache.open(folder, 25)
  const stop = new AbortController()
  const given = lend(cache, 'a', () => Promise.resolve(), stop.signal)
  const other = read(cache, 'a')
  stop.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  expect(await other).toBe('a'.repeat(10))
  expect(fetched).toEqual(['a'])
})
