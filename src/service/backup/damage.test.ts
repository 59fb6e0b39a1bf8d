import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createBackup } from './create.ts'
import { type Manifest } from './format.ts'
import { restoreBackup } from './restore.ts'
import { addDataset, contentsOf, duckDbBytes, testService, type TestService, zipOf } from './testing.ts'
import { sha256Hex } from '../signing.ts'

async function backupAndOther(): Promise<{ bytes: Uint8Array<ArrayBuffer>; there: TestService; here: TestService }> {
  const there = testService()
  await addDataset(there, 'Sales', [12_288])
  await addDataset(there, 'Stock', [12_300])
  const bytes = new Uint8Array(await (await createBackup(there)).arrayBuffer())
  const here = testService()
  await addDataset(here, 'Old', [12_288])
  return { bytes, there, here }
}

/** Restores bytes, which must either change nothing or give exactly `whole`. @returns whether they were refused */
async function refusedOrIdentical(here: TestService, bytes: Uint8Array<ArrayBuffer>, whole: unknown): Promise<boolean> {
  const before = await contentsOf(here)
  try {
    await restoreBackup(here, new Blob([bytes]))
  } catch (error) {
    expect(error).toMatchObject({ tag: 'BackupError' })
    expect(await contentsOf(here)).toEqual(before)
    return true
  }
  expect(await contentsOf(here)).toEqual(whole)
  return false
}

test('any flipped byte is detected, or makes no difference', async () => {
  const { bytes, there, here } = await backupAndOther()
  const whole = await contentsOf(there)
  // Flips only some of the tables' bytes, but in time all others, which are few.
  const headers = Array.from(bytes.keys()).filter((at) => at < 80 || at > bytes.length - 1200)
  for (const at of headers.filter((_, i) => i % 3 === 0)) {
    const flipped = bytes.slice()
    flipped[at] = (flipped[at] ?? 0) ^ 0x41
    await refusedOrIdentical(here, flipped, whole)
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), async (at, mask) => {
      const flipped = bytes.slice()
      flipped[at] = (flipped[at] ?? 0) ^ mask
      await refusedOrIdentical(here, flipped, whole)
    }),
    { numRuns: 300 },
  )
}, 120_000)

test('any truncation or insertion is detected', async () => {
  const { bytes, there, here } = await backupAndOther()
  const whole = await contentsOf(there)
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length - 1), async (length) => {
      expect(await refusedOrIdentical(here, bytes.slice(0, length), whole)).toBe(true)
    }),
    { numRuns: 100 },
  )
  await fc.assert(
    fc.asyncProperty(fc.nat(bytes.length), fc.uint8Array({ minLength: 1, maxLength: 40 }), async (at, extra) => {
      const longer = new Uint8Array([...bytes.subarray(0, at), ...extra, ...bytes.subarray(at)])
      await refusedOrIdentical(here, longer, whole)
    }),
    { numRuns: 100 },
  )
}, 120_000)

test('other files are refused with a proper message', async () => {
  const here = testService()
  const others = [
    new Blob([]),
    new Blob(['id,name\n1,x\n']),
    new Blob([new Uint8Array(100_000)]),
    await zipOf(),
    await zipOf({ name: 'readme.txt', input: 'hello' }),
    await zipOf({ name: 'manifest.json', input: '{}' }),
    await zipOf({ name: 'manifest.json', input: '{}' }, { name: 'manifest.sha256', input: 'a'.repeat(64) }),
    await zipOf({ name: '../manifest.json', input: '{}' }),
  ]
  for (const other of others) {
    await expect(restoreBackup(here, other)).rejects.toMatchObject({
      tag: 'BackupError',
      message: expect.stringMatching(/backup/),
    })
  }
})

/** A backup with a changed manifest and correct hashes. */
async function forged(
  change: (manifest: Manifest, tables: Map<string, Uint8Array<ArrayBuffer>>) => void | Promise<void>,
): Promise<Blob> {
  const there = testService()
  await addDataset(there, 'Sales', [12_288, 12_300])
  await addDataset(there, 'Stock', [12_288])
  let manifest: Manifest | null = null
  // Replaces what is written, so that this test doesn't depend on the archive's layout.
  const { openArchive } = await import('./archive.ts')
  const archive = await openArchive(await createBackup(there))
  const tables = new Map<string, Uint8Array<ArrayBuffer>>()
  for (const [name, blob] of archive) {
    if (name === 'manifest.json') manifest = JSON.parse(await blob.text()) as Manifest
    else if (name.startsWith('tables/')) tables.set(name, new Uint8Array(await blob.arrayBuffer()))
  }
  await change(manifest!, tables)
  const text = JSON.stringify(manifest)
  const hash = await sha256Hex(new TextEncoder().encode(text))
  return zipOf(
    ...Array.from(tables, ([name, input]) => ({ name, input })),
    { name: 'manifest.json', input: text },
    { name: 'manifest.sha256', input: hash },
  )
}

test('a forged manifest that is valid is accepted', async () => {
  const here = testService()
  await expect(restoreBackup(here, await forged(() => undefined))).resolves.toMatchObject({ datasets: 2 })
})

const forgeries: Record<string, [string, Parameters<typeof forged>[0]]> = {
  'a newer layout': ['newer', (m) => void (m.version = 3)],
  'another format': ['not-a-backup', (m) => void ((m.format as string) = 'other')],
  'no workspace': ['invalid', (m) => void (m.records.workspaces.length = 0)],
  'a workspace twice': ['invalid', (m) => void m.records.workspaces.push({ ...m.records.workspaces[0]!, slug: 'b' })],
  'a slug twice': [
    'invalid',
    (m) => void m.records.workspaces.push({ ...m.records.workspaces[0]!, id: crypto.randomUUID() }),
  ],
  'a bad slug': ['invalid', (m) => void (m.records.workspaces[0]!.slug = 'a"; DROP')],
  'a bad plan': ['invalid', (m) => void ((m.records.workspaces[0]!.plan as string) = 'gold')],
  'a key twice': ['invalid', (m) => void m.records.keys.push({ ...m.records.keys[0]!, id: 'other' })],
  'a bad scope': ['invalid', (m) => void (m.records.keys[0]!.scopes = ['datasets:*:admin'])],
  'a key of another workspace': ['invalid', (m) => void (m.records.keys[0]!.workspaceId = crypto.randomUUID())],
  'a dataset twice': ['invalid', (m) => void (m.records.datasets[1]!.id = m.records.datasets[0]!.id)],
  'a dataset’s name twice': ['invalid', (m) => void (m.records.datasets[1]!.name = 'SALES')],
  'a dataset’s name too long': ['invalid', (m) => void (m.records.datasets[1]!.name = 'x'.repeat(129))],
  'a table’s name twice': ['invalid', (m) => void (m.records.datasets[0]!.tables[1]!.name = 'TABLE 0')],
  'a file twice': [
    'invalid',
    (m) => void (m.records.datasets[0]!.tables[1]!.file = m.records.datasets[0]!.tables[0]!.file),
  ],
  'a path out of the archive': ['invalid', (m) => void (m.records.datasets[0]!.tables[0]!.file = 'tables/../x.duckdb')],
  'a file that isn’t there': ['damaged', (m) => void (m.records.datasets[0]!.tables[0]!.file = 'tables/9999.duckdb')],
  'a file too many': ['damaged', (_, tables) => void tables.set('tables/0009.duckdb', duckDbBytes(12_288, 1))],
  'a file of another name': ['not-a-backup', (_, tables) => void tables.set('tables/x.sh', duckDbBytes(12_288, 1))],
  'another table’s bytes': ['damaged', (_, tables) => void tables.set('tables/0001.duckdb', duckDbBytes(12_288, 99))],
  'a file that isn’t DuckDB’s': [
    'invalid',
    async (m, tables) => {
      const bytes = new Uint8Array(12_288)
      tables.set('tables/0001.duckdb', bytes)
      m.entries.find(({ name }) => name === 'tables/0001.duckdb')!.sha256 = [await sha256Hex(bytes)]
    },
  ],
  'a time beyond time': ['invalid', (m) => void (m.records.datasets[0]!.createdAt = 1e300)],
}

for (const [what, [code, change]] of Object.entries(forgeries)) {
  test(`refuses ${what}`, async () => {
    const here = testService()
    await addDataset(here, 'Old', [12_288])
    const before = await contentsOf(here)
    await expect(restoreBackup(here, await forged(change))).rejects.toMatchObject({ tag: 'BackupError', code })
    expect(await contentsOf(here)).toEqual(before)
  })
}

test('keys such as __proto__ in the manifest are treated as unknown fields', async () => {
  const here = testService()
  const file = await forged((m) => {
    Object.defineProperty(m.records, '__proto__', { value: { polluted: true }, enumerable: true })
    Object.defineProperty(m.records.workspaces[0]!, 'constructor', { value: 'x', enumerable: true })
  })
  await restoreBackup(here, file)
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
})

test('an archive that declares a larger size than it has is refused before anything is read', async () => {
  const { bytes, here } = await backupAndOther()
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length - 4; at++) {
    // Sizes of the central directory's entries.
    if (view.getUint32(at, true) === 0x02014b50) {
      view.setUint32(at + 20, 0xfffffff0, true)
      view.setUint32(at + 24, 0xfffffff0, true)
    }
  }
  await expect(restoreBackup(here, new Blob([bytes]))).rejects.toMatchObject({ tag: 'BackupError' })
})
