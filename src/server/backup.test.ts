import 'fake-indexeddb/auto'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
// oxlint-disable-next-line no-restricted-imports -- makes a file of tables with every type
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { createBackup, inspectBackup, restoreBackup, type Extra } from '../service/backup/index.ts'
import { pgliteFolder } from '../lib/testing/pglite.ts'
import type { DatasetRecord, Ports, Records } from '../service/ports.ts'
import { openRecords } from '../service/stores/records-idb.ts'
import { createMemoryObjects } from '../service/testing/objects.ts'
import { benchOf, requestOf, serviceOver, type Bench } from '../service/testing/service.ts'
import { backupDeps, PAGES, restoreDeps } from './backup.ts'
import { Shell } from './cli/testing.ts'
import { openData } from './data.ts'
import { DiskBlob } from './objects/disk-blob.ts'
import { lockDatabase } from './records/postgres.ts'
import { readSettings } from './settings.ts'
import { postgresPrograms, startPostgres } from './testing/postgres.ts'
import { startS3 } from './testing/s3.ts'
import { buildServer } from './testing/server.ts'
import { pathOfTable } from './tables/file-tables.ts'
import { localTableFiles, type TableFiles } from './tables/table-files.ts'
import { createServerTables } from './tables/tables.ts'

/* Restores a browser's backup to a server, and the server's backup to a browser, with both services in this process. */

let script: string
let root: string
/** A backup of the stand-in, and the stand-in's answers. */
let file: string
let answered: Answers
let key: string

beforeAll(async () => {
  script = path.join(path.dirname(await buildServer()), 'process.js')
  root = await mkdtemp(path.join(tmpdir(), 'rowhouse-backup-'))
  file = path.join(root, 'from-browser.zip')
  const standIn = await openStandIn()
  try {
    const bench = await benchOf(serviceOver(standIn.ports), 'Work')
    await fill(bench, standIn)
    key = bench.key
    answered = await answersOf(standIn.ports, key)
    await writeFile(file, new Uint8Array(await (await createBackup(standIn.backup)).arrayBuffer()))
  } finally {
    await standIn.close()
  }
}, 300_000)
afterAll(() => rm(root, { recursive: true, force: true }))

type Answers = Readonly<Record<string, unknown>>
type TestPorts = Parameters<typeof serviceOver>[0]

/** Ports over records and tables' files, with processes for the tables. */
function portsOver(stores: Pick<Ports, 'clock' | 'records' | 'objects'>, files: TableFiles) {
  const tables = createServerTables({
    files,
    workFolder: path.join(root, 'work'),
    script,
    processes: 1,
    async withFile(blob, use) {
      const place = path.join(root, crypto.randomUUID())
      await writeFile(place, new Uint8Array(await blob.arrayBuffer()))
      return use(place)
    },
    unnamedFor: 0,
  })
  const ports = { ...stores, tables, log: () => undefined } as unknown as TestPorts
  return { ports, close: () => tables.close() }
}

/** A browser's service: records in IndexedDB, objects in memory. */
async function openStandIn() {
  const folder = await mkdtemp(path.join(root, 'browser-'))
  const records = openRecords({ name: folder })
  const objects = createMemoryObjects()
  const files = localTableFiles(folder)
  const { ports, close } = portsOver({ clock: { now: () => Date.now() }, records, objects }, files)
  const { tables } = ports
  const shared = {
    records,
    files: {
      file: (fileId: string) => files.open(fileId),
      async put(fileId: string, blob: Blob) {
        await writeFile(pathOfTable(folder, fileId), new Uint8Array(await blob.arrayBuffer()))
      },
    },
  }
  return {
    ports,
    folder,
    backup: {
      ...shared,
      clock: ports.clock,
      appVersion: '0.0.0',
      extras: PAGE,
      keep: async (
        stream: ReadableStream<Uint8Array>,
        name: string,
        _: AbortSignal,
        check: (made: Blob) => Promise<unknown>,
      ) => {
        const made = new File([await new Response(stream).blob()], name)
        await check(made)
        return made
      },
    },
    restore: { ...shared, tables, objects },
    async close() {
      await close()
      records.close()
    },
  }
}

/** A page's own data, as exported by the app. */
const PAGE: Readonly<Record<string, Extra>> = {
  sql: {
    ...PAGES['sql'],
    export: async () => ({
      value: { version: 1, tabs: [], saved: [{}, {}], history: [{}], locals: [{}] },
      files: [
        {
          key: 'local',
          name: 'codes',
          open: async () => new Blob([new Uint8Array(await readFile(await everyType()))]),
        },
      ],
    }),
  },
  recipes: { ...PAGES['recipes'], export: async () => ({ value: [{}] }) },
}

/** Values that stores and programs might treat differently. */
const VALUES = `
  SELECT * FROM (VALUES
    (true, '-128'::TINYINT, 255::UTINYINT, '-170141183460469231731687303715884105728'::HUGEINT,
     '340282366920938463463374607431768211455'::UHUGEINT, 9007199254740993::BIGINT, '18446744073709551615'::UBIGINT,
     '99999999999999999999999999999999999.999'::DECIMAL(38,3), 'NaN'::FLOAT, '-0.0'::DOUBLE, 'a' || chr(0) || '😀 ß',
     '\\x00\\xFF'::BLOB, 'infinity'::DATE, '23:59:59.999999'::TIME, '2026-11-26 12:00:00.123456789'::TIMESTAMP_NS,
     '290000-01-01 00:00:00+00'::TIMESTAMPTZ, INTERVAL '1 month -2 days 3 microseconds', 'b'::ENUM('a', 'b'),
     '5e1d2c3b-0000-4000-8000-00000000abcd'::UUID, '0101'::BIT, [1, NULL, 3], {'a': [{'b': 'x'}], 'c d': NULL::DECIMAL(38,10)},
     MAP {'k': [1.5, NULL]}, array_value(1, 2, 3)),
    (NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 'infinity'::FLOAT, 'NaN'::DOUBLE, '', ''::BLOB, '-infinity'::DATE, NULL,
     NULL, 'infinity'::TIMESTAMPTZ, NULL, NULL, NULL, NULL, [], NULL, MAP {}, NULL)
  ) t(bool, tiny, utiny, huge, uhuge, big, ubig, "decimal", "float", "double", "text", "blob", day, "time", nanos, instant,
      span, kind, id, bits, list, struct, "map", "array")`

let types: Promise<string> | null = null

/** A table's file with columns of every type. */
function everyType(): Promise<string> {
  types ??= (async () => {
    const place = path.join(root, 'types.duckdb')
    const connection = await (await DuckDBInstance.create(':memory:')).connect()
    await connection.run(`SET TimeZone = 'UTC'`)
    await connection.run(`ATTACH '${place}' AS made`)
    await connection.run(`CREATE TABLE made.t_types AS ${VALUES}`)
    await connection.run('DETACH made')
    connection.closeSync()
    return place
  })()
  return types
}

/** Datasets that were uploaded, a public one, one without tables, and one whose table has every type. */
async function fill(
  bench: Bench,
  { folder, ports }: { readonly folder: string; readonly ports: Pick<Ports, 'records'> },
) {
  await bench.dataset('Élan “vital”', { tables: { t: 'id,name\n007,Ann\n010,"B\nb"\n', Other: 'x\n1.50\n2.25\n' } })
  await bench.dataset('open', { visibility: 'public' })
  const fileId = `${crypto.randomUUID()}/${crypto.randomUUID()}`
  const bytes = await readFile(await everyType())
  await mkdir(path.dirname(pathOfTable(folder, fileId)), { recursive: true })
  await writeFile(pathOfTable(folder, fileId), bytes)
  const dataset = {
    id: 'ds_types',
    workspaceId: bench.workspace.id,
    name: 'Types',
    nameKey: 'types',
    description: 'every type \u0000 \ud83d\ude00',
    visibility: 'private',
    tags: ['été'],
    createdAt: 1_700_000_000_000,
    updatedAt: 1_700_000_000_001,
    tables: [
      {
        fileId,
        name: 'All of “them”',
        description: '',
        rowCount: 2,
        byteSize: bytes.length,
        schema: [{ name: 'decimal', type: 'DECIMAL(38,3)' }],
      },
    ],
  } satisfies DatasetRecord
  await ports.records.write(['datasets'], async (transaction) => {
    await transaction.put('datasets', dataset)
    await transaction.put('datasets', { ...dataset, id: 'ds_empty', name: 'Empty', nameKey: 'empty', tables: [] })
  })
}

/** The service's answers about everything: lists, each dataset, and the rows and types of each table. */
async function answersOf(ports: Ports, apiKey: string): Promise<Answers> {
  const { fetch } = serviceOver(ports as TestPorts)
  const ask = async (...request: Parameters<typeof requestOf>) => {
    const answer = await fetch(requestOf(...request))
    const { data } = (await answer.json()) as { readonly data?: Record<string, unknown> }
    expect(answer.status, JSON.stringify(request)).toBe(200)
    const { execution_time: _, ...rest } = data ?? {}
    return rest
  }
  const [workspace] = await ports.records.read(['workspaces'], (transaction) => transaction.all('workspaces'))
  const { id, slug } = workspace
  const list = await ask('listDatasets', apiKey, { params: { workspaceId: id } })
  const answers: Record<string, unknown> = { list }
  for (const { id: datasetId, name } of list['datasets'] as { readonly id: string; readonly name: string }[]) {
    const details = await ask('getDataset', apiKey, { params: { datasetId } })
    answers[name] = details
    const { tables } = (details['dataset'] ?? details) as { readonly tables: readonly { readonly name: string }[] }
    for (const { name: table } of tables) {
      const from = [slug, name, table].map((part) => `"${part}"`).join('.')
      const sql = (selected: string) => ({ body: { sql: `SELECT ${selected} FROM ${from}`, timeout_seconds: 60 } })
      answers[`${name} ${table}`] = [
        await ask('query', apiKey, sql('*')),
        await ask('query', apiKey, sql('typeof(COLUMNS(*)), CAST(COLUMNS(*) AS VARCHAR)')),
      ]
    }
  }
  return answers
}

/** Bytes of all tables' files, by dataset and table. */
async function bytesOf(records: Records, files: TableFiles): Promise<Readonly<Record<string, string>>> {
  const datasets = await records.read(['datasets'], (transaction) => transaction.all('datasets'))
  const found: Record<string, string> = {}
  for (const { name, tables } of datasets) {
    for (const table of tables) {
      const blob = await files.open(table.fileId)
      found[`${name} ${table.name}`] = Buffer.from(await blob.arrayBuffer()).toString('base64')
    }
  }
  return found
}

test('the compared answers contain every dataset and type', () => {
  expect(Object.keys(answered)).toHaveLength(1 + 4 + 4)
  const [rows, texts] = answered['Types All of “them”'] as { readonly rows: readonly Record<string, unknown>[] }[]
  expect(rows?.rows[0]).toMatchObject({
    huge: '-170141183460469231731687303715884105728',
    decimal: '99999999999999999999999999999999999.999',
  })
  expect(Object.values(texts?.rows[0] ?? {})).toEqual(
    expect.arrayContaining([
      'DECIMAL(38,3)',
      'UHUGEINT',
      "ENUM('a', 'b')",
      'TIMESTAMP WITH TIME ZONE',
      'MAP(VARCHAR, DECIMAL(2,1)[])',
    ]),
  )
})

describe.each([
  ['PGlite and files', false],
  ['PostgreSQL and a bucket', true],
] as const)('a server over %s', (_, isCluster) => {
  const programs = isCluster ? postgresPrograms() : null

  /** An empty server's data, and the command line with its settings. */
  async function newServer() {
    const shell = await Shell.open()
    onTestFinished(() => shell.close())
    const data = shell.path('data')
    let env: Record<string, string> = {}
    if (programs === null) await pgliteFolder(path.join(data, 'records'))
    else {
      const [postgres, store] = await Promise.all([startPostgres(programs), startS3()])
      onTestFinished(async () => {
        await postgres.stop()
        await store.close()
      })
      env = { ...store.env, DATABASE_URL: postgres.url }
    }
    return {
      shell,
      postgresUrl: env['DATABASE_URL'] ?? '',
      /** Runs a command with another folder, since with a bucket, the server's folder is locked, too. */
      runElsewhere: (args: readonly string[]) => shell.run([...args, '--data', shell.path('elsewhere')], { env }),
      run: (args: readonly string[], more: Parameters<Shell['run']>[1] = {}) =>
        shell.run([...args, '--data', data], { env, ...more }),
      /** Calls `use` with the server's data, and the ports of a service over them. */
      async open<T>(
        use: (opened: { data: Awaited<ReturnType<typeof openData>>; ports: TestPorts }) => Promise<T>,
      ): Promise<T> {
        const settings = readSettings(['--data', data], env)
        if (!settings) throw new Error('no settings')
        const opened = await openData(settings, { log: () => undefined })
        const { ports, close } = portsOver(opened, opened.tableFiles)
        try {
          return await use({ data: opened, ports })
        } finally {
          await close()
          await opened.close()
        }
      },
    }
  }

  test.skipIf(isCluster && programs === null)(
    'has everything from a browser’s backup, and its own backup restores it to a browser',
    async () => {
      const server = await newServer()
      const restored = await server.run(['restore', file])
      expect(restored).toMatchObject({ code: 0, err: '' })
      expect(restored.out).toMatch(/1 workspace: Work \(work\)\n {2}4 datasets with 4 tables \(.*\), 1 API key\n/)
      expect(restored.out).toContain(
        'Not for a server: 2 saved queries, 1 table of the SQL screen, 1 statement in the history and 1 recipe.',
      )
      const bytes = await server.open(async ({ data, ports }) => {
        expect(await answersOf(ports, key)).toEqual(answered)
        return bytesOf(data.records, data.tableFiles)
      })

      // The server's own backup has the same.
      const backedUp = await server.run(['backup', 'from-server.zip'])
      expect(backedUp).toMatchObject({ code: 0, err: '' })
      expect(backedUp.out).toMatch(/^from-server\.zip: .*; read back and checked\n {2}1 workspace: Work \(work\)\n/)
      expect((await readdir(server.shell.folder)).sort()).toEqual(['data', 'from-server.zip'])
      const standIn = await openStandIn()
      onTestFinished(() => standIn.close())
      const blob = new Blob([new Uint8Array(await readFile(server.shell.path('from-server.zip')))])
      expect(await restoreBackup(standIn.restore, blob)).toMatchObject({ datasets: 4, extras: [], notes: [] })
      expect(await answersOf(standIn.ports, key)).toEqual(answered)
      expect(await bytesOf(standIn.ports.records, localTableFiles(standIn.folder))).toEqual(bytes)
    },
    300_000,
  )

  test.skipIf(isCluster && programs === null)(
    'keeps its data without --replace, and always keeps its own secrets',
    async () => {
      const server = await newServer()
      const ownKey = await server.open(async ({ ports }) => {
        const bench = await benchOf(serviceOver(ports), 'Own')
        await bench.dataset('mine')
        await ports.records.write(['secrets'], (transaction) =>
          transaction.put('secrets', { id: 'console-token', value: new Uint8Array([1, 2, 3]) }),
        )
        return bench.key
      })
      const state = () =>
        server.open(async ({ data, ports }) => ({
          answers: await answersOf(ports, ownKey),
          secrets: await data.records.read(['secrets'], (transaction) => transaction.all('secrets')),
          bytes: await bytesOf(data.records, data.tableFiles),
        }))
      const before = await state()
      const refused = await server.run(['restore', file])
      expect(refused.code).toBe(1)
      expect(refused.out).toContain('4 datasets with 4 tables')
      expect(refused.err).toContain(
        'The server has 1 workspace, 1 dataset and 1 API key, which the backup would replace.',
      )
      expect(await state()).toEqual(before)

      const cancelling = new AbortController()
      const cancelled = await server.run(['restore', file, '--replace'], {
        width: 80,
        signal: cancelling.signal,
        onErr: (text) => (text.includes('restoring') ? cancelling.abort() : undefined),
      })
      expect(cancelled.code).toBe(130)
      expect(await state()).toEqual(before)

      const replaced = await server.run(['restore', file, '--replace', '--json'])
      expect(replaced.code, replaced.err).toBe(0)
      expect(JSON.parse(replaced.out)).toMatchObject({
        contents: { datasets: 4, tables: 4, keys: 1, workspaces: [{ slug: 'work', datasets: 4 }] },
        left_out: ['2 saved queries', '1 table of the SQL screen', '1 statement in the history', '1 recipe'],
        replaced: { workspaces: 1, datasets: 1, keys: 1 },
      })
      await server.open(async ({ data, ports }) => {
        expect(await answersOf(ports, key)).toEqual(answered)
        const { status } = await serviceOver(ports).fetch(requestOf('query', ownKey, { body: { sql: 'SELECT 1' } }))
        expect(status).toBe(401)
        const secrets = await data.records.read(['secrets'], (transaction) => transaction.all('secrets'))
        expect(secrets).toEqual(before.secrets)
      })
    },
    300_000,
  )

  test.skipIf(!isCluster || programs === null)(
    'isn’t restored to while another of its servers runs, and none starts during a restore',
    async () => {
      const server = await newServer()
      expect(await server.run(['restore', file])).toMatchObject({ code: 0, err: '' })
      const refused = {
        code: 1,
        err: expect.stringMatching(/^A server uses the database of --database-url .*Stop all/),
      }
      await server.open(async ({ data, ports }) => {
        expect(await server.runElsewhere(['restore', file, '--replace'])).toMatchObject(refused)
        expect(await server.runElsewhere(['backup', 'running.zip'])).toMatchObject({ code: 0, err: '' })
        // Ends the session that holds the lock, like a restart of the database or a network failure.
        await data.database.use((connection) =>
          connection.query(`SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory'`),
        )
        const isHeld = async () => {
          const lock = await lockDatabase(server.postgresUrl, { alone: true })
          await lock?.release()
          return lock === null
        }
        await vi.waitFor(async () => expect(await isHeld()).toBe(true), { timeout: 30_000 })
        expect(await answersOf(ports, key)).toEqual(answered)
      })
      const restore = await lockDatabase(server.postgresUrl, { alone: true })
      await expect(server.open(async () => 'it started')).rejects.toThrow(/^A backup is being restored to the database/)
      expect(await server.runElsewhere(['backup', 'restoring.zip'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('Try again when that has ended.'),
      })
      await restore?.release()
      expect(await server.run(['restore', file, '--replace'])).toMatchObject({ code: 0, err: '' })
    },
    300_000,
  )
})

describe('on an embedded server', () => {
  let shell: Shell
  let before: unknown
  const args = (...more: string[]) => [...more, '--data', shell.path('data')]
  const settings = () => {
    const read = readSettings(['--data', shell.path('data')], {})
    if (!read) throw new Error('no settings')
    return read
  }
  const filesIn = async (place: string) => (await readdir(shell.path(place), { recursive: true })).sort()
  const state = async () => {
    const data = await openData(settings(), { log: () => undefined })
    try {
      const read = await data.records.read(['workspaces', 'keys', 'datasets', 'secrets'], async (transaction) => [
        await transaction.all('workspaces'),
        await transaction.all('keys'),
        await transaction.all('datasets'),
        await transaction.all('secrets'),
      ])
      return [read, await bytesOf(data.records, data.tableFiles), await filesIn('data/tables')]
    } finally {
      await data.close()
    }
  }
  beforeAll(async () => {
    shell = await Shell.open()
    await pgliteFolder(shell.path('data/records'))
    expect(await shell.run(args('restore', file))).toMatchObject({ code: 0 })
    before = await state()
  })
  afterAll(() => shell.close())

  test('a truncated or damaged file changes nothing, and the error says what is wrong', async () => {
    const bytes = await readFile(file)
    const { length } = bytes
    const bad: [string, Buffer][] = [0, 1, 100, Math.floor(length / 2), length - 1].map((size) => [
      `cut after ${size}`,
      bytes.subarray(0, size),
    ])
    for (const share of [0.01, 0.2, 0.5, 0.8, 0.97]) {
      const changed = Buffer.from(bytes)
      const at = Math.floor(length * share)
      changed[at] = (changed[at] ?? 0) ^ 0x10
      bad.push([`changed at ${at}`, changed])
    }
    for (const [what, content] of bad) {
      await shell.write('bad.zip', content)
      const { code, err, out } = await shell.run(args('restore', 'bad.zip', '--replace'))
      expect([what, code, out]).toEqual([what, 1, ''])
      expect(err, what).toMatch(/isn’t a backup of Rowhouse|is damaged|can’t be restored/)
    }
    expect(await state()).toEqual(before)
  }, 300_000)

  test('an error names a missing file, or a folder instead of a file', async () => {
    expect(await shell.run(args('restore', 'none.zip'))).toMatchObject({
      code: 1,
      err: expect.stringMatching(/There is no such file \(.*none\.zip\)\./),
    })
    expect(await shell.run(args('restore', 'data'))).toMatchObject({
      code: 1,
      err: expect.stringContaining('It’s a folder'),
    })
  })

  test.each([
    ['fails', 'QuotaExceededError'],
    ['is cancelled', 'AbortError'],
  ])('a restore that %s while files are copied keeps all old data and nothing new', async (how, name) => {
    const data = await openData(settings(), { log: () => undefined })
    const deps = restoreDeps(data, true)
    const cancelling = new AbortController()
    let puts = 0
    const put: typeof deps.files.put = (...request) => {
      if (++puts < 3) return deps.files.put(...request)
      if (how === 'fails') return Promise.reject(new DOMException('The disk is full.', 'QuotaExceededError'))
      cancelling.abort()
      return deps.files.put(...request)
    }
    const restoring = restoreBackup({ ...deps, files: { ...deps.files, put } }, await DiskBlob.open(file), {
      signal: cancelling.signal,
    })
    await expect(restoring).rejects.toMatchObject({ name })
    expect(puts).toBe(3)
    await data.close()
    expect(await state()).toEqual(before)
  })

  test('a backup that is cancelled or fails its check leaves no file', async () => {
    const cancelling = new AbortController()
    const { code } = await shell.run(args('backup', 'made/cancelled.zip'), {
      width: 80,
      signal: cancelling.signal,
      onErr: (text) => (text.includes('copying') ? cancelling.abort() : undefined),
    })
    expect(code).toBe(130)
    expect(await filesIn('made')).toEqual([])
    const data = await openData(settings(), { log: () => undefined })
    const deps = backupDeps(data, shell.path('made/odd.zip'), { replace: false })
    const odd = { ...deps, files: { ...deps.files, file: async () => new Blob(['no table’s file']) } }
    await expect(createBackup(odd)).rejects.toMatchObject({ code: 'invalid' })
    await data.close()
    expect(await filesIn('made')).toEqual([])
  })

  test('if a table’s file is missing, the error names the table, and no backup is made', async () => {
    const data = await openData(settings(), { log: () => undefined })
    const [dataset] = await data.records.read(['datasets'], (transaction) => transaction.all('datasets'))
    await data.close()
    const fileId = dataset?.tables[0]?.fileId ?? ''
    const place = pathOfTable(shell.path('data/tables'), fileId)
    const bytes = await readFile(place)
    await rm(place)
    const { code, err } = await shell.run(args('backup', 'lost.zip'))
    await writeFile(place, bytes)
    expect(code).toBe(1)
    expect(err).toContain(
      `table “${dataset?.tables[0]?.name}” of dataset “${dataset?.name}” was deleted, or can’t be read`,
    )
    expect(await shell.run(args('backup', 'lost.zip'))).toMatchObject({ code: 0 })
  })

  test('a backup overwrites a file only with --replace', async () => {
    await shell.write('there.zip', 'mine')
    expect(await shell.run(args('backup', 'there.zip'))).toMatchObject({
      code: 1,
      err: '“there.zip” already exists. Choose another name, or write over it with --replace.\n',
    })
    expect(await readFile(shell.path('there.zip'), 'utf8')).toBe('mine')
    const made = await shell.run(args('backup', 'there.zip', '--replace', '--json'))
    const { size, contents } = JSON.parse(made.out) as { readonly size: number; readonly contents: object }
    const bytes = await readFile(shell.path('there.zip'))
    expect(bytes).toHaveLength(size)
    expect(contents).toMatchObject({ datasets: 4, tables: 4, keys: 1 })
    expect(await inspectBackup(new Blob([new Uint8Array(bytes)]))).toMatchObject({ datasets: 4 })
    // It contains neither the operator's token nor the key that signs URLs.
    expect(bytes.includes('signing-key')).toBe(false)
  })

  test('a running server’s folder is refused, and so is a missing one', async () => {
    const data = await openData(settings(), { log: () => undefined })
    for (const command of ['backup', 'restore']) {
      const named = command === 'backup' ? 'busy.zip' : file
      const { code, err } = await shell.run(args(command, named, '--replace'))
      expect([code, err]).toEqual([1, expect.stringContaining('Another server uses the folder')])
    }
    await data.close()
    expect(await shell.run(['backup', 'none.zip', '--data', shell.path('elsewhere')])).toMatchObject({
      code: 1,
      err: expect.stringContaining('There’s no server’s data in the folder'),
    })
    expect(await filesIn('.')).not.toContain('elsewhere')
  })

  test('errors name wrong settings', async () => {
    expect(await shell.run(['backup', 'x.zip'], { env: { S3_ENDPOINT: 'http://127.0.0.1:1' } })).toMatchObject({
      code: 2,
      err: expect.stringContaining('S3_BUCKET'),
    })
    expect(await shell.run(['restore'])).toMatchObject({ code: 2, err: expect.stringContaining('Name one file.') })
  })
})
