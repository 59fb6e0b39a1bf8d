import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelPool } from '../../engine/channel/pool.ts'
import type { Bucket } from '../objects/bucket.ts'
import type { FileCache } from '../objects/cache.ts'
import { TEST_STORES, type TestStore } from '../testing/object-stores.ts'
import { bucketTableFiles } from './bucket-table-files.ts'
import type { QueryCalls } from './calls.ts'
import { pathOfTable } from './file-tables.ts'
import { createStore } from './store.ts'
import type { TableFiles } from './table-files.ts'

const HOUR = 3_600_000
const { signal } = new AbortController()

describe.each(TEST_STORES)('tables in %s', (_, open) => {
  let store: TestStore
  let files: TableFiles
  beforeEach(async () => {
    store = await open()
    files = await store.tables()
  })
  afterEach(() => store.close())

  async function make(fileId: string, text: string): Promise<void> {
    const place = pathOfTable(files.folder, fileId)
    await mkdir(path.dirname(place), { recursive: true })
    await writeFile(place, text)
    await files.keep(fileId, signal)
  }
  const read = (from: TableFiles, fileIds: string[]) =>
    from.withFiles(
      fileIds,
      async (found) => {
        const texts = new Map<string, string>()
        for (const [fileId, place] of found) texts.set(fileId, await readFile(place, 'utf8'))
        return texts
      },
      signal,
    )
  /** A server that has created none of the tables. */
  const sweeper = async () =>
    createStore({
      files: await store.tables(),
      unnamedFor: HOUR,
      call: () => Promise.reject(new Error('nothing is to be called')),
      queries: {} as ChannelPool<QueryCalls>,
    })

  test('can be found by this server and others until they’re removed', async () => {
    await make('a/t1', 'one')
    await make('a/t2', 'two')
    await files.ended('a')
    const others = await store.tables()
    for (const server of [files, others, files]) {
      expect(await read(server, ['a/t1', 'a/t2', 'a/t3', 'b/t1'])).toEqual(
        new Map([
          ['a/t1', 'one'],
          ['a/t2', 'two'],
        ]),
      )
    }
    await files.remove('a/t1')
    await files.remove('a/t1')
    expect(await read(files, ['a/t1', 'a/t2'])).toEqual(new Map([['a/t2', 'two']]))
    await files.remove('a/t2')
    expect(await store.names()).toEqual([])
    await expect(files.remove('../etc/passwd')).rejects.toThrow('isn’t a table’s file')
  })

  test('are swept if they have no record and their creation ended long ago', async () => {
    for (const fileId of ['old/kept', 'old/gone', 'older/gone', 'fresh/gone']) await make(fileId, fileId)
    await store.age(2 * HOUR, 'old')
    const tables = await sweeper()
    let asked = 0
    await tables.whileCreating('older', () =>
      tables.sweep(async () => {
        asked++
        return new Set(['old/kept'])
      }),
    )
    expect(asked).toBe(1)
    expect((await store.names()).sort()).toEqual(['gone.db', 'gone.db', 'kept.db'])
    await tables.sweep(async () => new Set(['old/kept']))
    expect((await store.names()).sort()).toEqual(['gone.db', 'kept.db'])
    expect(await read(files, ['fresh/gone', 'old/kept'])).toHaveProperty('size', 2)
  })

  test('stay while files are being added to their creation', async () => {
    await make('slow/first', '1')
    await store.age(2 * HOUR, 'first')
    await make('slow/second', '2')
    await (await sweeper()).sweep(async () => new Set())
    expect((await store.names()).sort()).toEqual(['first.db', 'second.db'])
  })
})

test('a table of more than 4 GiB goes to a bucket whole', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'rowhouse-tables-'))
  try {
    const place = pathOfTable(folder, 'a/t1')
    await mkdir(path.dirname(place))
    await writeFile(place, '')
    // A sparse file, which takes no space on the disk.
    const size = 2 ** 32 + 12_345
    await truncate(place, size)
    const sent: number[] = []
    const put: Bucket['put'] = async (_key, body, { maxBytes }) => {
      await body?.cancel()
      sent.push(maxBytes)
      return maxBytes
    }
    const cache = { adopt: () => Promise.resolve() } as unknown as FileCache
    await bucketTableFiles({ bucket: { put } as unknown as Bucket, cache, folder, unnamedFor: HOUR }).keep(
      'a/t1',
      signal,
    )
    expect(sent).toEqual([size])
  } finally {
    await rm(folder, { recursive: true })
  }
})
