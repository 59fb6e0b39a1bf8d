import { describe, expect, test } from 'vitest'
import { ENDPOINT_LIMITS, PLAN_LIMITS } from '../../contract/limits.ts'
import type {
  Admission,
  CounterRecord,
  DatasetRecord,
  KeyRecord,
  ObjectRecord,
  Records,
  StoreName,
  WorkspaceRecord,
} from '../ports.ts'

/* Tests for all implementations of `Records`. */

export const workspace = (id: string, slug = id): WorkspaceRecord => ({
  id,
  name: id,
  slug,
  plan: 'free',
  createdAt: 0,
})
export const key = (id: string, hash = id): KeyRecord => ({
  id,
  workspaceId: 'w1',
  name: id,
  scopes: [],
  hash,
  last4: 'abcd',
  createdAt: 0,
  lastUsedAt: null,
  expiresAt: null,
  revokedAt: null,
})

export const dataset = (id: string, workspaceId: string, nameKey = id): DatasetRecord => ({
  id,
  workspaceId,
  name: nameKey.toUpperCase(),
  nameKey,
  description: '',
  visibility: 'private',
  tags: [],
  createdAt: 0,
  updatedAt: 0,
  tables: [],
})

export const object = (id: string, workspaceId: string, more: Partial<ObjectRecord>): ObjectRecord => ({
  id,
  workspaceId,
  kind: 'dataset-upload',
  path: `2026-11-21/${id}/a.csv`,
  filename: 'a.csv',
  contentType: 'text/csv',
  format: 'csv',
  createdAt: 0,
  expiresAt: 0,
  blobId: id,
  size: 1,
  uploadedAt: 0,
  consumedAt: null,
  ...more,
})

export const slugs = async (records: Records): Promise<string[]> =>
  (await records.read(['workspaces'], (transaction) => transaction.all('workspaces'))).map(({ slug }) => slug)

/** A dataset's table in a file. */
export const table = (fileId: string, byteSize = 1): DatasetRecord['tables'][number] => ({
  fileId,
  name: 't',
  description: '',
  rowCount: 1,
  byteSize,
  schema: [],
})

/** Opens new, empty records twice, as in two tabs or on two servers. */
export type Open = () => Promise<readonly [Records, Records]>

/** The tests of transactions. */
export function describeTransactions(open: Open): void {
  describe('transactions', () => {
    testFailures(open)
    testRecords(open)
    testDatasets(open)
    testAdmission(open)
  })
}

function testFailures(open: Open): void {
  test('records can be read by id and by index', async () => {
    const [records] = await open()
    const result = await records.write(['workspaces', 'keys'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1', 'first'))
      await transaction.put('keys', key('k1', 'h1'))
      await transaction.put('keys', key('k2', 'h2'))
      return transaction.by('keys', 'workspaceId', 'w1')
    })
    expect(result.map(({ id }) => id)).toEqual(['k1', 'k2'])
    await records.read(['workspaces', 'keys'], async (transaction) => {
      expect(await transaction.get('workspaces', 'w1')).toEqual(workspace('w1', 'first'))
      expect(await transaction.get('workspaces', 'w2')).toBeUndefined()
      expect((await transaction.by('keys', 'hash', 'h2')).map(({ id }) => id)).toEqual(['k2'])
      expect((await transaction.by('workspaces', 'slug', 'first')).map(({ id }) => id)).toEqual(['w1'])
    })
  })

  test('a rejected transaction changes nothing', async () => {
    const [records] = await open()
    const failure = new Error('no')
    const attempt = records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      throw failure
    })
    await expect(attempt).rejects.toBe(failure)
    expect(await slugs(records)).toEqual([])
  })

  test.each<[string, StoreName]>([
    ['a workspace’s slug', 'workspaces'],
    ['a key’s hash', 'keys'],
    ['a dataset’s name within its workspace', 'datasets'],
  ])('%s is unique, and a violation changes nothing', async (_, store) => {
    const [records] = await open()
    const record = (id: string) => {
      if (store === 'workspaces') return workspace(id, 'same')
      return store === 'keys' ? key(id, 'same') : { ...key(id), nameKey: 'same', visibility: 'private' }
    }
    const attempt = records.write([store], async (transaction) => {
      await transaction.put(store, record('1'))
      await transaction.put(store, record('2'))
    })
    await expect(attempt).rejects.toMatchObject({ name: 'ConstraintError' })
    expect(await records.read([store], (transaction) => transaction.all(store))).toEqual([])
  })

  test('a failed statement fails the transaction, even if `work` catches the error', async () => {
    const [records] = await open()
    const attempt = records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1', 'same'))
      await transaction.put('workspaces', workspace('w2', 'same')).catch(() => {})
    })
    await expect(attempt).rejects.toThrow()
    expect(await slugs(records)).toEqual([])
  })

  test('writers of a store run one after the other, even in two tabs or servers', async () => {
    const tabs = await open()
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        (i % 2 === 0 ? tabs[0] : tabs[1]).write(['counters'], async (transaction) => {
          const counter = await transaction.get('counters', 'c')
          await transaction.put('counters', { id: 'c', start: 0, count: (counter?.count ?? 0) + 1 })
        }),
      ),
    )
    const counter = await tabs[0].read(['counters'], (transaction) => transaction.get('counters', 'c'))
    expect(counter?.count).toBe(20)
  })
}

function testRecords(open: Open): void {
  test('a write that isn’t awaited is carried out, or fails the transaction', async () => {
    const [records] = await open()
    await records.write(['workspaces'], async (transaction) => {
      void transaction.put('workspaces', workspace('w1')).catch(() => {})
      await transaction.get('workspaces', 'w1')
    })
    expect(await slugs(records)).toEqual(['w1'])
    const attempt = records.write(['workspaces'], async (transaction) => {
      void transaction.put('workspaces', workspace('w2', 'w1')).catch(() => {})
      await transaction.get('workspaces', 'w1')
    })
    await expect(attempt).rejects.toThrow()
    expect(await slugs(records)).toEqual(['w1'])
  })

  test('removing or clearing affects only what it should', async () => {
    const [records, others] = await open()
    await records.write(['workspaces'], async (transaction) => {
      for (const id of ['b', 'a', 'c']) await transaction.put('workspaces', workspace(id))
      await transaction.remove('workspaces', 'c')
      await transaction.remove('workspaces', 'never there')
    })
    expect(await slugs(others)).toEqual(['a', 'b'])
    await others.write(['workspaces'], (transaction) => transaction.clear('workspaces'))
    expect(await slugs(records)).toEqual([])
  })

  test('nothing is found by impossible ids or values', async () => {
    const [records] = await open()
    await records.write(['workspaces'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      expect(await transaction.get('workspaces', 'w1\0')).toBeUndefined()
      expect(await transaction.by('workspaces', 'slug', '\0')).toEqual([])
      expect(await transaction.get('workspaces', '\ud800')).toBeUndefined()
    })
  })

  test('records can be found by several ids and by prefix, and counted', async () => {
    const [records, others] = await open()
    await records.write(['workspaces', 'counters'], async (transaction) => {
      for (const id of ['b', 'a', 'c']) await transaction.put('workspaces', workspace(id))
      for (const id of ['k1 * hour 0', 'k1 * day 0', 'k10 * hour 0', 'k'])
        await transaction.put('counters', { id, start: 0, count: 1 })
      expect(await transaction.count('workspaces')).toBe(3)
      await transaction.remove('workspaces', 'b')
      expect(await transaction.count('workspaces')).toBe(2)
    })
    await others.read(['workspaces', 'counters', 'datasets'], async (transaction) => {
      const idsOf = (found: readonly { readonly id: string }[]) => found.map(({ id }) => id).sort()
      expect(idsOf(await transaction.some('workspaces', ['c', 'b', 'a', '\0', '{"}']))).toEqual(['a', 'c'])
      expect(await transaction.some('workspaces', [])).toEqual([])
      expect(idsOf(await transaction.beginning('counters', 'k1 '))).toEqual(['k1 * day 0', 'k1 * hour 0'])
      expect(idsOf(await transaction.beginning('counters', '%'))).toEqual([])
      expect([await transaction.count('counters'), await transaction.count('datasets')]).toEqual([4, 0])
    })
  })

  test('the sizes of a workspace’s objects are summed, whatever else their records contain', async () => {
    const [records, others] = await open()
    await records.write(['objects'], async (transaction) => {
      await transaction.put('objects', object('o1', 'w1', { size: 3 }))
      await transaction.put('objects', object('o2', 'w1', { size: 52_428_800, filename: '"size":7\u0000' }))
      await transaction.put('objects', object('o3', 'w2', { size: 11 }))
      expect(await transaction.objectBytes('w1')).toBe(52_428_803)
      await transaction.put('objects', object('o1', 'w1', { size: 4 }))
    })
    await others.read(['objects'], async (transaction) => {
      expect(await transaction.objectBytes('w1')).toBe(52_428_804)
      expect(await transaction.objectBytes('none')).toBe(0)
    })
  })

  test('records can contain bytes, and text with any characters', async () => {
    const [records, others] = await open()
    const value = Uint8Array.from({ length: 256 }, (_, i) => i)
    const name = '\u0000 \ud800 \u2028 „ä“ 𝄞 \\u0000 "'
    await records.write(['secrets', 'workspaces'], async (transaction) => {
      await transaction.put('secrets', { id: 's', value })
      await transaction.put('workspaces', { ...workspace('w1'), name })
    })
    await others.read(['secrets', 'workspaces'], async (transaction) => {
      expect([...((await transaction.get('secrets', 's'))?.value ?? [])]).toEqual([...value])
      expect((await transaction.get('workspaces', 'w1'))?.name).toBe(name)
    })
  })
}

function testDatasets(open: Open): void {
  test('a dataset can be found by workspace and name', async () => {
    const [records] = await open()
    await records.write(['datasets'], async (transaction) => {
      await transaction.put('datasets', dataset('d1', 'w1', 'a'))
      await transaction.put('datasets', dataset('d2', 'w2', 'a'))
      await transaction.put('datasets', dataset('d3', 'w1', 'b'))
      const found = async (...values: string[]) =>
        (await transaction.by('datasets', 'name', values)).map(({ id }) => id)
      expect(await found('w1', 'a')).toEqual(['d1'])
      expect(await found('w2', 'a')).toEqual(['d2'])
      expect(await found('w2', 'b')).toEqual([])
      expect(await found('w1', '\0')).toEqual([])
    })
  })

  test('cached datasets are current, whoever changed them, and whether that failed or not', async () => {
    const [here, there] = await open()
    const expected = async (ids: string[]) => {
      for (const records of [here, there, here]) {
        const [all, mine] = await records.read(['datasets'], async (transaction) => [
          await transaction.all('datasets'),
          await transaction.by('datasets', 'workspaceId', 'w1'),
        ])
        expect([all.map(({ id }) => id), mine.map(({ id }) => id)]).toEqual([ids, ids])
      }
    }
    await expected([])
    await here.write(['datasets'], (transaction) => transaction.put('datasets', dataset('d1', 'w1', 'a')))
    await expected(['d1'])
    const failing = there.write(['datasets'], async (transaction) => {
      await transaction.put('datasets', dataset('d2', 'w1', 'b'))
      expect(await transaction.all('datasets')).toHaveLength(2)
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    await expected(['d1'])
    await there.write(['datasets'], (transaction) => transaction.put('datasets', dataset('d2', 'w1', 'b')))
    await expected(['d1', 'd2'])
    await there.write(['datasets'], async (transaction) => {
      await transaction.remove('datasets', 'd1')
      expect((await transaction.by('datasets', 'workspaceId', 'w1')).map(({ id }) => id)).toEqual(['d2'])
      await transaction.put('datasets', dataset('d3', 'w1', 'c'))
      expect(await transaction.all('datasets')).toHaveLength(2)
    })
    await expected(['d2', 'd3'])
    await there.write(['datasets'], async (transaction) => {
      await transaction.remove('datasets', 'd2')
      await transaction.put('datasets', dataset('d4', 'w1', 'd'))
    })
    await expected(['d3', 'd4'])
    await here.write(['datasets'], (transaction) => transaction.clear('datasets'))
    await expected([])
  })

  test('a changed dataset isn’t found by its old values, even if it was cached', async () => {
    const [here, there] = await open()
    const put = (more: Partial<DatasetRecord>) =>
      there.write(['datasets'], (transaction) =>
        transaction.put('datasets', { ...dataset('d1', 'w1', 'a'), visibility: 'public', ...more }),
      )
    const found = () =>
      here.read(['datasets'], async (transaction) => [
        (await transaction.by('datasets', 'visibility', 'public')).map(({ description }) => description),
        (await transaction.by('datasets', 'workspaceId', 'w1')).map(({ description }) => description),
      ])
    await there.write(['datasets'], (transaction) =>
      transaction.put('datasets', { ...dataset('d0', 'w2', 'a'), visibility: 'public' }),
    )
    await put({ description: 'first' })
    expect(await found()).toEqual([['', 'first'], ['first']])
    await put({ description: 'second' })
    expect(await found()).toEqual([['', 'second'], ['second']])
    await put({ description: 'hidden', visibility: 'private' })
    expect(await found()).toEqual([[''], ['hidden']])
    await put({ description: 'moved', workspaceId: 'w2', nameKey: 'b' })
    expect(await found()).toEqual([['', 'moved'], []])
  })
}

function testAdmission(open: Open): void {
  const NOW = Date.UTC(2026, 10, 21, 12, 30)
  const ENDPOINT = 'GET /convert/formats'
  const limits = [PLAN_LIMITS.free.hour, ...Object.values(ENDPOINT_LIMITS[ENDPOINT] ?? {})]
  const asked = { hash: 'h1', endpoint: ENDPOINT, now: NOW, counts: true }
  const setUp = async (more: Partial<KeyRecord> = {}): Promise<readonly [Records, Records]> => {
    const both = await open()
    await both[0].write(['workspaces', 'keys'], async (transaction) => {
      await transaction.put('workspaces', workspace('w1'))
      await transaction.put('keys', { ...key('k1', 'h1'), name: '\u0000 "plan":"pro"', ...more })
    })
    return both
  }
  const counters = async (records: Records): Promise<CounterRecord[]> => {
    const all = await records.read(['counters'], (transaction) => transaction.all('counters'))
    return [...all].sort((a, b) => a.count - b.count)
  }
  const used = (admission: Admission): number[] | undefined => admission.caller?.windows.map((window) => window.used)

  test('an admitted request is counted against all of its windows, and recorded as its key’s last use', async () => {
    const [here, there] = await setUp()
    const first = await here.admit(asked)
    expect([first.now, first.counted, used(first)]).toEqual([NOW, true, [1, 1, 1, 1]])
    const start = NOW / 1000 - 1800
    expect(first.caller?.windows[0]).toEqual({
      endpoint: null,
      name: 'hour',
      limit: limits[0],
      start,
      end: start + 3600,
      used: 1,
    })
    expect(first.caller?.windows.map(({ limit }) => limit)).toEqual(limits)
    const other = await there.admit({ ...asked, endpoint: 'GET /datasets', now: NOW + 5 })
    expect(used(other)).toEqual([2])
    expect(other.caller?.workspace).toEqual(workspace('w1'))
    expect(other.caller?.key).toMatchObject({ id: 'k1', name: '\u0000 "plan":"pro"', lastUsedAt: NOW })
    const [known] = await here.read(['keys'], (transaction) => transaction.by('keys', 'hash', 'h1'))
    expect(known?.lastUsedAt).toBe(NOW + 5)
    expect(await counters(there)).toEqual([
      { id: `k1 ${ENDPOINT} day ${start - 12 * 3600}`, start: start - 12 * 3600, count: 1 },
      { id: `k1 ${ENDPOINT} hour ${start}`, start, count: 1 },
      { id: `k1 ${ENDPOINT} minute ${NOW / 1000}`, start: NOW / 1000, count: 1 },
      { id: `k1 * hour ${start}`, start, count: 2 },
    ])
  })

  test('a request that shouldn’t count isn’t counted', async () => {
    const [records] = await setUp()
    await records.admit(asked)
    const seen = await records.admit({ ...asked, now: NOW + 1, counts: false })
    expect([seen.counted, used(seen), seen.caller?.key.lastUsedAt]).toEqual([false, [1, 1, 1, 1], NOW])
    expect((await counters(records)).map(({ count }) => count)).toEqual([1, 1, 1, 1])
  })

  test('concurrent requests are counted up to the limit, and others count against no window', async () => {
    const [here, there] = await setUp()
    const limit = Math.min(...limits)
    const asking = Array.from({ length: limit + 20 }, (_, i) => (i % 2 === 0 ? here : there).admit(asked))
    const left = (await Promise.all(asking)).flatMap((each) => (each.counted ? [used(each)?.[0] ?? 0] : []))
    expect(left.sort((a, b) => a - b)).toEqual(Array.from({ length: limit }, (_, i) => i + 1))
    expect((await counters(here)).map(({ count }) => count)).toEqual([limit, limit, limit, limit])
    const refused = await there.admit({ ...asked, now: NOW + 9 })
    expect([refused.counted, used(refused), refused.caller?.key.lastUsedAt]).toEqual([false, Array(4).fill(limit), NOW])
  })

  test('there’s no caller for an unknown hash or a deleted workspace', async () => {
    const [records] = await setUp()
    const none = { now: NOW, caller: null, counted: false }
    expect(await records.admit({ ...asked, hash: 'h2' })).toEqual(none)
    await records.write(['workspaces'], (transaction) => transaction.remove('workspaces', 'w1'))
    expect(await records.admit(asked)).toEqual(none)
    expect(await counters(records)).toEqual([])
  })

  test.each([{ revokedAt: NOW + 1 }, { expiresAt: NOW }, { expiresAt: 0 }])(
    'a key that has ended is told, and not counted: %o',
    async (more) => {
      const [records] = await setUp(more)
      const ended = await records.admit(asked)
      expect([ended.counted, used(ended), ended.caller?.key]).toMatchObject([false, [0, 0, 0, 0], more])
      expect(await counters(records)).toEqual([])
    },
  )
}
