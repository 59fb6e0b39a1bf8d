import { describe, expect, test } from 'vitest'
import { openArchive } from './archive.ts'
import { createBackup } from './create.ts'
import { type Manifest } from './format.ts'
import type { Extra } from './ports.ts'
import { inspectBackup, restoreBackup } from './restore.ts'
import { addDataset, contentsOf, duckDbBytes, testService, WORKSPACE, zipOf } from './testing.ts'
import { sha256Hex } from '../signing.ts'

/** An extra with files. Placed files become visible when it's added. */
function room(files: Record<string, Blob> = {}, broken: { place?: Error; add?: Error } = {}) {
  const kept: unknown[] = []
  const added = new Map<string, Blob>()
  const extra: Extra = {
    export: async () => ({
      value: Object.keys(files),
      files: Object.entries(files).map(([key, blob]) => ({ key, name: `file ${key}`, open: async () => blob })),
    }),
    async read(value, keys) {
      if (!Array.isArray(value) || value.length !== keys.size) throw new Error('The room can’t be read.')
      return {
        contents: [`${value.length} things`],
        async place(blobs, { signal, onPut }, then) {
          for (const blob of blobs.values()) {
            signal.throwIfAborted()
            onPut(blob.size)
          }
          if (broken.place) throw broken.place
          await then(async () => {
            if (broken.add) throw broken.add
            kept.push(value)
            for (const [key, blob] of blobs) added.set(key, blob)
            return ['One is called otherwise now.']
          })
        },
      }
    },
  }
  return { extra, kept, added }
}

const blobOf = (size: number): Blob => new Blob([duckDbBytes(size, size)])

async function backupOf(extras: Record<string, Extra>): Promise<File> {
  const there = testService({ extras })
  await addDataset(there, 'Sales', [12_288])
  return createBackup(there)
}

/** The backup with a changed manifest and correct hashes. */
async function changed(file: Blob, change: (manifest: Manifest) => void): Promise<Blob> {
  const archive = await openArchive(file)
  const manifest = JSON.parse(await archive.get('manifest.json')!.text()) as Manifest
  change(manifest)
  const text = JSON.stringify(manifest)
  const files = Array.from(archive).filter(([name]) => name.endsWith('.duckdb'))
  return zipOf(
    ...files.map(([name, input]) => ({ name, input })),
    { name: 'manifest.json', input: text },
    { name: 'manifest.sha256', input: await sha256Hex(new TextEncoder().encode(text)) },
  )
}

test('extras are backed up and restored with their files', async () => {
  const [a, b] = [blobOf(12_288), blobOf(20_000)]
  const file = await backupOf({ sql: room({ a, b }).extra, recipes: room().extra })
  const [sql, recipes] = [room(), room()]
  const here = testService({ extras: { sql: sql.extra, recipes: recipes.extra } })
  const seen: number[] = []
  const restored = await restoreBackup(here, file, { onProgress: (done, total) => seen.push(done / total) })
  expect(seen.at(-1)).toBe(1)
  expect(restored).toMatchObject({
    datasets: 1,
    tables: 1,
    bytes: 12_288,
    extras: ['2 things', '0 things'],
    notes: ['One is called otherwise now.', 'One is called otherwise now.'],
  })
  expect([sql.kept, recipes.kept]).toEqual([[['a', 'b']], [[]]])
  expect(await sql.added.get('b')!.bytes()).toEqual(await b.bytes())
  expect((await contentsOf(here)) as { files: number }).toMatchObject({ files: 1 })
})

test('files of extras needn’t be DuckDB’s: SQL queries Parquet and Arrow files in place', async () => {
  const parquet = new Blob(['PAR1', 'rows and footer', 'PAR1'])
  const sql = room()
  await restoreBackup(testService({ extras: { sql: sql.extra } }), await backupOf({ sql: room({ parquet }).extra }))
  expect(await sql.added.get('parquet')?.text()).toBe(await parquet.text())
})

test('older backups with only recipes, or without extras, can be restored', async () => {
  const file = await backupOf({ recipes: room().extra })
  const older = (extras?: Manifest['extras']) =>
    changed(file, (manifest) => {
      const old = manifest as Partial<Manifest>
      old.version = 1
      delete old.extra_files
      if (extras) old.extras = extras
      else delete old.extras
    })
  const [sql, recipes] = [room(), room()]
  const here = testService({ extras: { sql: sql.extra, recipes: recipes.extra } })
  await expect(restoreBackup(here, await older())).resolves.toMatchObject({ datasets: 1, extras: [] })
  await expect(restoreBackup(here, await older({ recipes: [] }))).resolves.toMatchObject({ extras: ['0 things'] })
  expect([sql.kept, recipes.kept]).toEqual([[], [[]]])
})

describe('nothing changes', () => {
  async function refused(file: Blob, sql = room(), recipes = room()): Promise<unknown> {
    const here = testService({ extras: { sql: sql.extra, recipes: recipes.extra } })
    await addDataset(here, 'Old', [12_288])
    const before = await contentsOf(here)
    const error = await restoreBackup(here, file).then(
      () => null,
      (reason: unknown) => reason,
    )
    await here.tables.sweep(async () => new Set(['creation-Old/0']))
    expect(await contentsOf(here)).toEqual(before)
    expect(sql.kept).toEqual([])
    return error
  }
  const whole = () => backupOf({ sql: room({ a: blobOf(12_288), b: blobOf(12_288) }).extra, recipes: room().extra })

  test('when a byte of an extra’s file is wrong', async () => {
    const bytes = await (await whole()).bytes()
    const at = new TextDecoder('latin1').decode(bytes).indexOf('extras/sql/0002.duckdb') + 10_000
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(await refused(new Blob([bytes]))).toMatchObject({
      code: 'damaged',
      message: expect.stringMatching(/“file b”/),
    })
  })

  test.each<[string, (manifest: Manifest) => void, { code: string; message?: unknown }]>([
    [
      'a room refuses its part',
      (m) => void (m.extras['sql'] = {}),
      { code: 'invalid', message: expect.stringMatching(/^The room can’t/) },
    ],
    [
      'a part is nobody’s',
      (m) => void (m.extras['notes'] = []),
      { code: 'invalid', message: expect.stringMatching(/“notes”/) },
    ],
    ['a part is a prototype’s', (m) => void (m.extras['constructor'] = []), { code: 'invalid' }],
    [
      'a file is of no part',
      (m) => void delete m.extras['sql'],
      { code: 'invalid', message: expect.stringMatching(/“sql”/) },
    ],
    ['a file is named twice', (m) => void (m.extra_files[1]!.file = m.extra_files[0]!.file), { code: 'invalid' }],
    ['a key is there twice', (m) => void (m.extra_files[1]!.key = m.extra_files[0]!.key), { code: 'invalid' }],
    ['a file is named by none', (m) => void m.extra_files.pop(), { code: 'damaged' }],
    ['a path leads out', (m) => void (m.extra_files[0]!.file = 'extras/../x.duckdb'), { code: 'invalid' }],
  ])('when %s', async (_, change, error) => {
    const file = await changed(await whole(), change)
    expect(await refused(file)).toMatchObject({ tag: 'BackupError', ...error })
    const extras = { sql: room().extra, recipes: room().extra }
    await expect(inspectBackup(file, extras)).rejects.toMatchObject({ tag: 'BackupError', code: error.code })
  })

  test('when an extra’s file is blank', async () => {
    const none = new Blob([new Uint8Array(12_288)])
    await expect(backupOf({ sql: room({ none }).extra })).rejects.toMatchObject({
      code: 'invalid',
      message:
        'No backup was made, because it couldn’t be restored: “file none” is blank. Try again; if that fails, too, remove it first.',
    })
  })

  test('when there’s no space for a later extra’s files, or an extra can’t be added', async () => {
    const full = new DOMException('full', 'QuotaExceededError')
    expect(await refused(await whole(), room(), room({}, { place: full }))).toBe(full)
    expect(await refused(await whole(), room({}, { add: full }))).toBe(full)
  })

  test('when it’s cancelled while an extra’s files are stored', async () => {
    const file = await whole()
    const sql = room()
    const here = testService({ extras: { sql: sql.extra, recipes: room().extra } })
    await addDataset(here, 'Old', [12_288])
    const restoring = new AbortController()
    const work = restoreBackup(here, file, {
      signal: restoring.signal,
      // One of three files is the service's.
      onProgress: (done, total) => (done / total > 0.75 ? restoring.abort() : undefined),
    })
    await expect(work).rejects.toMatchObject({ name: 'AbortError' })
    expect(sql.kept).toEqual([])
    expect(await here.records.read(['workspaces'], (transaction) => transaction.all('workspaces'))).toEqual([WORKSPACE])
  })
})

test('if an extra’s file is deleted while it’s copied, the backup starts again', async () => {
  let exports = 0
  const extra: Extra = {
    ...room().extra,
    async export() {
      if (++exports > 1) return { value: [] }
      return { value: ['a'], files: [{ key: 'a', name: 'a', open: () => Promise.reject(new Error('gone')) }] }
    },
  }
  const file = await backupOf({ sql: extra })
  expect(await inspectBackup(file, { sql: extra })).toMatchObject({ datasets: 1, extras: ['0 things'] })
})
