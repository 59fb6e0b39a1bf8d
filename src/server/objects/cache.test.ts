import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { FileCache } from './cache.ts'

const { signal } = new AbortController()
let folder: string
/** What was fetched, in order. */
const fetched: string[] = []

beforeEach(async () => {
  fetched.length = 0
  folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-cache-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const kept = async (): Promise<string[]> => (await readdir(folder)).sort()

/** Lends a file of ten bytes. */
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

test('what isn’t used goes when others need its room: what was used longest ago first', async () => {
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

test('what an earlier process left counts, and what it didn’t end is gone', async () => {
  const earlier = await FileCache.open(folder, 25)
  await read(earlier, 'a')
  await read(earlier, 'b')
  const cache = await FileCache.open(folder, 15)
  expect(await kept()).toHaveLength(1)
  const [left] = await kept()
  await read(cache, left)
  expect(fetched).toEqual(['a', 'b'])
})

test('what there is none of is told, and asked for again', async () => {
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

test('a disk that has no room is told as full, and nothing is left', async () => {
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

test('whoever gives up waiting leaves it to the others', async () => {
  const cache = await FileCache.open(folder, 25)
  const stop = new AbortController()
  const given = lend(cache, 'a', () => Promise.resolve(), stop.signal)
  const other = read(cache, 'a')
  stop.abort(new Error('enough'))
  await expect(given).rejects.toThrow('enough')
  expect(await other).toBe('a'.repeat(10))
  expect(fetched).toEqual(['a'])
})
