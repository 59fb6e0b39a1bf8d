import { expect, test } from 'vitest'
import { createBackup } from './create.ts'
import { HASH_CHUNK_BYTES } from './format.ts'
import { inspectBackup, restoreBackup } from './restore.ts'
import { addDataset, contentsOf, testService, WORKSPACE } from './testing.ts'
import { object } from '../testing/records.ts'

test('a backup restores everything into an empty browser', async () => {
  const there = testService()
  await addDataset(there, 'Sales', [12_288, 20_000])
  await addDataset(there, 'Stock', [16_384])
  const file = await createBackup(there)
  expect(file.name).toBe('rowhouse-backup-2026-11-21-0000.zip')
  const here = testService()
  const summary = await restoreBackup(here, file)
  expect(summary).toEqual({
    createdAt: new Date('2026-11-21T00:00:00Z'),
    appVersion: '1.2.3',
    workspaces: [{ name: 'My workspace', slug: 'my_workspace', datasets: 2 }],
    datasets: 2,
    tables: 3,
    keys: 1,
    bytes: 12_288 + 20_000 + 16_384,
    extras: [],
    notes: [],
  })
  expect(await contentsOf(here)).toEqual(await contentsOf(there))
  expect({ ...(await inspectBackup(file)), notes: [] }).toEqual(summary)
})

test('a restore removes existing records and files, except for counters and secrets', async () => {
  const there = testService()
  await addDataset(there, 'Sales', [12_288])
  const file = await createBackup(there)
  const here = testService()
  await addDataset(here, 'Old', [12_288, 12_288])
  await here.records.write(['counters', 'secrets'], async (transaction) => {
    await transaction.put('counters', { id: 'key_1 * hour', start: 0, count: 7 })
    await transaction.put('secrets', { id: 'signing-key', value: new Uint8Array([1, 2]) })
  })
  await restoreBackup(here, file)
  expect(await contentsOf(here)).toEqual(await contentsOf(there))
  const kept = await here.records.read(['counters', 'secrets'], async (transaction) => [
    (await transaction.all('counters')).length,
    (await transaction.all('secrets')).length,
  ])
  expect(kept).toEqual([1, 1])
})

test('a restore removes existing uploads and their bytes', async () => {
  const there = testService()
  await addDataset(there, 'Sales', [12_288])
  const file = await createBackup(there)
  const here = testService()
  const { blobId, size } = await here.ports.objects.put(new Blob(['id']).stream(), { maxBytes: 10 })
  await here.records.write(['objects'], (transaction) =>
    transaction.put('objects', object('o1', WORKSPACE.id, { blobId, size })),
  )
  await restoreBackup(here, file)
  expect(await here.records.read(['objects'], (transaction) => transaction.all('objects'))).toEqual([])
  expect(await here.ports.objects.get(blobId)).toBeUndefined()
})

test('files of more than one hashed piece are backed up and restored, with progress', async () => {
  const there = testService()
  const size = 8 * 1024 * 1024 + 5
  await addDataset(there, 'Large', [size])
  const made: number[] = []
  const file = await createBackup(there, { onProgress: (done, total) => made.push(done / total) })
  expect(made.at(-1)).toBe(1)
  expect(made).toEqual([...made].sort((a, b) => a - b))
  const here = testService()
  const seen: number[] = []
  await restoreBackup(here, file, { onProgress: (done, total) => seen.push(done / total) })
  expect(seen).toEqual([(0.5 * (8 * 1024 * 1024)) / size, 0.5, 1])
  expect((await contentsOf(here)) as object).toEqual(await contentsOf(there))
})

test('a backup that differs from what was written is refused', async () => {
  const service = testService({
    keep: async (stream, name, _, check) => {
      const bytes = new Uint8Array(await new Response(stream).arrayBuffer())
      bytes[5_000] = (bytes[5_000] ?? 0) ^ 1
      const file = new File([bytes], name)
      await check(file)
      return file
    },
  })
  await addDataset(service, 'Sales', [12_288])
  await expect(createBackup(service)).rejects.toMatchObject({ tag: 'BackupError', code: 'damaged' })
})

test('tables are read no faster than the backup is written', async () => {
  const service = testService()
  await addDataset(service, 'Large', [5 * HASH_CHUNK_BYTES])
  let read = 0
  const files = {
    ...service.files,
    async file(fileId: string) {
      const blob = await service.files.file(fileId)
      const slice = (from: number, to: number) => {
        read += to - from
        return Blob.prototype.slice.call(blob, from, to)
      }
      return Object.assign(blob, { slice })
    },
  }
  const keep = async (stream: ReadableStream<Uint8Array>) => {
    let written = 0
    for await (const bytes of stream) {
      // Gives it every chance to continue reading.
      await new Promise((resolve) => setTimeout(resolve))
      expect(read - written).toBeLessThanOrEqual(2 * HASH_CHUNK_BYTES)
      written += bytes.length
    }
    return written
  }
  expect(await createBackup<number>({ ...service, files, keep })).toBeGreaterThan(5 * HASH_CHUNK_BYTES)
})

test('cancelling a backup or a restore leaves everything as it was', async () => {
  const service = testService()
  await addDataset(service, 'Sales', [12_288, 12_288])
  const before = await contentsOf(service)
  const making = new AbortController()
  const cancelled = createBackup(service, { signal: making.signal, onProgress: () => making.abort() })
  await expect(cancelled).rejects.toMatchObject({ name: 'AbortError' })
  const file = await createBackup(service)
  for (const after of [0.5, 0.75]) {
    const restoring = new AbortController()
    const work = restoreBackup(service, file, {
      signal: restoring.signal,
      onProgress: (done, total) => (done / total >= after ? restoring.abort() : undefined),
    })
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(await contentsOf(service)).toEqual(before)
  }
})

test('a disk that is full while files or records are written changes nothing', async () => {
  const there = testService()
  await addDataset(there, 'Sales', [12_288, 12_288])
  const file = await createBackup(there)
  const here = testService()
  await addDataset(here, 'Old', [12_288])
  const before = await contentsOf(here)
  const full = () => Promise.reject(new DOMException('full', 'QuotaExceededError'))
  let puts = 0
  const files = {
    ...here.files,
    put: (...args: Parameters<typeof here.files.put>) => (++puts === 2 ? full() : here.files.put(...args)),
  }
  await expect(restoreBackup({ ...here, files }, file)).rejects.toMatchObject({ name: 'QuotaExceededError' })
  const records = { ...here.records, write: full }
  await expect(restoreBackup({ ...here, records }, file)).rejects.toMatchObject({ name: 'QuotaExceededError' })
  expect(await contentsOf(here)).toEqual(before)
})

test('a dataset deleted while it’s copied isn’t in the backup, but one that can’t be read makes it fail', async () => {
  const service = testService()
  await addDataset(service, 'Sales', [12_288])
  await addDataset(service, 'Gone', [12_288])
  let first = true
  const files = {
    ...service.files,
    async file(fileId: string) {
      if (fileId.startsWith('creation-Gone') && first) {
        first = false
        await service.records.write(['datasets'], (transaction) => transaction.remove('datasets', 'ds_Gone'))
        throw new Error('gone')
      }
      return service.files.file(fileId)
    },
  }
  expect(await inspectBackup(await createBackup({ ...service, files }))).toMatchObject({ datasets: 1, tables: 1 })
  const broken = { ...service.files, file: () => Promise.reject(new Error('disk')) }
  await expect(createBackup({ ...service, files: broken })).rejects.toMatchObject({ code: 'changed' })
})
