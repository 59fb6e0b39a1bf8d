import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { beforeEach, expect, it, vi } from 'vitest'
import { TARGET_FORMATS } from '../../contract/formats.ts'
import { Disk, fullAt } from '../../lib/testing/disk.ts'
import { defaultOptions, type ImportPlan } from '../../tables/plan.ts'
import { FileSystemOutputs } from '../storage/file-outputs.ts'
import { FileSystemTables } from '../storage/tables.ts'
import { nativeRows } from '../testing/oracle.ts'
import { convertFile } from './convert.ts'
import { ingestFile } from './stored/ingest.ts'
import { inspectFile } from './inspect.ts'
import { QUIET } from '../testing/quiet.ts'
import { planFrom } from '../../tables/edits.ts'

/* Simulates a disk that becomes full at each write: of DuckDB to a table's file, and of our writers to an output. */

vi.mock('@duckdb/duckdb-wasm/blocking', () => import('../testing/browser-duckdb.ts').then(({ load }) => load()))

const folder = mkdtempSync(path.join(tmpdir(), 'full-disk-'))
const disk = new Disk()

beforeEach(() => {
  disk.erase()
  vi.stubGlobal('navigator', disk.navigator())
  // The library logs errors of file access to the console.
  vi.spyOn(console, 'log').mockReturnValue()
})

/** Without stack traces: the library creates one at each refusal, which takes longer than opening a database. */
async function withoutPlaces<T>(work: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = 0
  try {
    return await work()
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
}

/**
 * Does something once with enough space, then with a disk that becomes full at each of its writes: it must succeed, or
 * be refused and leave the disk as it was.
 * @returns number of refusals
 */
async function tryAll<T>(work: () => Promise<T>, check: (made: T) => Promise<void>): Promise<number> {
  await check(await work())
  const before = disk.state
  const there = new Set(disk.files.keys())
  const takeBack = async (made: T): Promise<void> => {
    await check(made)
    for (const each of disk.files.keys()) if (!there.has(each)) await disk.remove(each)
    expect(disk.state).toEqual(before)
  }
  disk.reset()
  await takeBack(await work())
  const { peak } = disk
  let refused = 0
  for (const way of fullAt(disk)) {
    disk.getFull(way)
    const made = await withoutPlaces(work).catch((error: unknown) => error as Error)
    disk.reset()
    if (!(made instanceof Error)) {
      expect(way.passing, way.name).toBe(true)
      await takeBack(made)
      continue
    }
    refused++
    expect(made, way.name).toMatchObject({ code: 'out-of-space' })
    expect(disk.state, way.name).toEqual(before)
  }
  disk.getFull({ name: 'all that it needs', manner: 'throws', passing: false, room: peak })
  await takeBack(await work())
  return refused
}

const lines = (count: number, line: (i: number) => string, by = '\n'): string =>
  Array.from({ length: count }, (_, i) => line(i)).join(by)

async function planned(text: string): Promise<{ file: File; plan: ImportPlan }> {
  const file = new File([text], 'a.csv')
  return { file, plan: planFrom((await inspectFile(file, {}, QUIET)).inspection) }
}

let attached = 0

/** The contents of a table's file according to native DuckDB. */
async function totals(bytes: Uint8Array): Promise<unknown> {
  const name = `n${attached++}`
  const at = path.join(folder, `${name}.db`)
  writeFileSync(at, bytes)
  await nativeRows(`ATTACH '${at}' AS ${name} (READ_ONLY)`)
  const [[table]] = await nativeRows(`SELECT table_name FROM duckdb_tables() WHERE database_name = '${name}'`)
  const [found] = await nativeRows(`SELECT count(*)::INT, sum(id)::BIGINT::DOUBLE FROM ${name}.main.${String(table)}`)
  await nativeRows(`DETACH ${name}`)
  return found
}

it.each([
  ['a few rows', 3, `id,word\n${lines(3, (i) => `${i},a`)}`],
  // Through the write-ahead log, in two vectors of at most 2,048 rows.
  ['some thousand rows', 3000, `id,word\n${lines(3000, (i) => `${i},word ${i}`)}`],
  // Too long for one block.
  ['long texts', 60, `id,text\n${lines(60, (i) => `${i},${String(i).repeat(8000)}`)}`],
  // Written before the commit.
  ['more than a row group', 125_000, `id\n${lines(125_000, String)}`],
  ['many columns', 2, `id,${lines(200, (i) => `c${i}`, ',')}\n0${',1'.repeat(200)}\n1${',2'.repeat(200)}`],
])(
  'a table of %s is whole, or refused and nothing',
  async (_, rows, text) => {
    const { file, plan } = await planned(text)
    const refused = await tryAll(
      () =>
        ingestFile(
          file,
          { creationId: 'c', format: null, planned: { plan, table: 0 } },
          { ...QUIET, storage: new FileSystemTables() },
        ),
      async ({ fileId }) => {
        const bytes = disk.files.get(`tables/${fileId}.db`)
        expect(bytes && (await totals(bytes))).toEqual([rows, (rows * (rows - 1)) / 2])
      },
    )
    expect(refused).toBeGreaterThan(20)
  },
  120_000,
)

it.each(TARGET_FORMATS.map(({ id }) => id))(
  'an output in %s is whole, or refused and nothing, with the rows that were left out',
  async (target) => {
    // More than the megabyte that is written at once. For compressed formats, several megabytes would take too long.
    const count = target === 'xlsx' || target === 'parquet' ? 1200 : 12_000
    const { file, plan } = await planned(
      `id,word\n${lines(count, (i) => `${i},${`word number ${i} `.repeat(8)}`)}\n1,2,3\n`,
    )
    const storage = new FileSystemOutputs()
    const refused = await tryAll(
      () => convertFile(file, { jobId: 'j', plan, target, options: defaultOptions(target) }, { ...QUIET, storage }),
      async ({ outputs: [output], rejectedFile }) => {
        expect(output.receipts.map(({ verdict }) => verdict)).toEqual(['match'])
        for (const made of [output, rejectedFile]) {
          expect(disk.files.get(`outputs/${made?.id ?? ''}`)?.length).toBe(made?.size)
        }
      },
    )
    expect(refused).toBeGreaterThan(5)
  },
  120_000,
)
