import { expect, test, vi } from 'vitest'
import type { KeptChange, StoredTable } from '../../../engine/client.ts'
import { fakeBrowser, type FakeFiles, type FakeWindow } from './testing.ts'

/** A version written by a statement, with its file. */
async function written(files: FakeFiles, rowCount = 1): Promise<StoredTable> {
  const { fileId } = await files.ingest(new File(['x'], 't'), { creationId: crypto.randomUUID(), format: null })
  return { fileId, rowCount, byteSize: 10, schema: [{ name: 'i', type: 'INTEGER' }] }
}

async function make({ kept }: FakeWindow, files: FakeFiles, name = 't'): Promise<string> {
  const after = await written(files)
  await kept.keep([{ name, before: null, after }])
  return after.fileId
}

const stored = ({ stored: all }: FakeFiles): string[] => [...all.keys()].toSorted()

test('a table is a record in every window, and a change replaces its file', async () => {
  const { files, open } = fakeBrowser()
  const [one, two] = [open(), open()]
  await Promise.all([one.tables.load(), two.tables.load()])
  const before = await make(one, files)
  await vi.waitFor(() => expect(two.tables.snapshot()).toMatchObject([{ name: 't', fileId: before, kept: true }]))
  const after = await written(files, 7)
  expect(await two.kept.keep([{ name: 't', before, after }])).toEqual([{ name: 't', fileId: after.fileId }])
  const [record] = two.tables.snapshot()
  await vi.waitFor(() => expect(one.tables.snapshot()).toEqual([record]))
  expect(record).toMatchObject({ fileId: after.fileId, rowCount: 7 })
  await vi.waitFor(() => expect(stored(files)).toEqual([after.fileId]))
  expect(await one.kept.keep([{ name: 't', before: after.fileId, after: null }])).toEqual([])
  await vi.waitFor(() => expect(stored(files)).toEqual([]))
})

test('if two windows change or create the same table, the later one gets an error and stores nothing', async () => {
  const { files, open } = fakeBrowser()
  const [one, two] = [open(), open()]
  const before = await make(one, files)
  const other = await make(one, files, 'other')
  const changes = await Promise.all([written(files), written(files)])
  const results = await Promise.allSettled(
    [one, two].map(({ kept }, i): Promise<unknown> => {
      const mine: KeptChange[] = [{ name: 't', before, after: changes[i] ?? null }]
      return kept.keep(i === 0 ? mine : [{ name: 'other', before: other, after: null }, ...mine])
    }),
  )
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
  expect(results[1]).toMatchObject({
    reason: { code: 'file-changed', message: expect.stringContaining('my.t') as string },
  })
  await vi.waitFor(() => expect(stored(files)).toEqual([changes[0]?.fileId, other].toSorted()))
  await expect(make(two, files, 'T')).rejects.toMatchObject({ code: 'file-changed' })
  expect((await two.kept.tables()).map(({ name }) => name).toSorted()).toEqual(['other', 't'])
})

test('a file of a page that ended before recording it is swept, and the table is unchanged', async () => {
  const { files, open } = fakeBrowser()
  const fileId = await make(open(), files)
  await written(files)
  const later = open()
  await later.tables.load()
  await vi.waitFor(() => expect(stored(files)).toEqual([fileId]))
  expect(later.tables.snapshot()).toMatchObject([{ fileId, rowCount: 1 }])
})

test('if its file or record can’t be stored, nothing is', async () => {
  const { files, open } = fakeBrowser()
  const one = open()
  const before = await make(one, files)
  const after = { ...(await written(files)), stored: new File(['x'], 't') }
  files.put = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
  await expect(one.kept.keep([{ name: 't', before, after }])).rejects.toMatchObject({ code: 'out-of-space' })
  expect(stored(files)).toEqual([before])
  const long = await written(files)
  await expect(one.kept.keep([{ name: 'n'.repeat(200), before: null, after: long }])).rejects.toMatchObject({
    code: 'sql-not-allowed',
  })
  expect(stored(files)).toEqual([before])
})

test('persistent tables and local files may have the same names, and are renamed separately', async () => {
  const { files, open } = fakeBrowser()
  const one = open()
  await one.tables.load()
  await make(one, files, 'orders')
  const ingest = (creationId: string) => files.ingest(new File(['x'], 'orders.csv'), { creationId, format: null })
  const local = await one.tables.create('orders', { name: 'orders.csv', size: 1, table: null }, ingest)
  expect(local.name).toBe('orders')
  const mine = one.tables.snapshot().find(({ kept }) => kept)
  await make(one, files, 'taken')
  expect(one.tables.nameProblem(mine?.id ?? '', 'taken')).toContain('Another')
  expect(one.tables.nameProblem(local.id, 'taken')).toBeNull()
  await one.tables.rename(mine?.id ?? '', 'renamed')
  expect((await one.kept.tables()).map(({ name }) => name).toSorted()).toEqual(['renamed', 'taken'])
})
