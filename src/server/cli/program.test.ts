import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { pgliteFolder } from '../../lib/testing/pglite.ts'
import { createBackup } from '../../service/backup/index.ts'
import { addDataset, testService } from '../../service/backup/testing.ts'
import { SmallDisk } from '../testing/disk.ts'
import { buildServer } from '../testing/server.ts'

/* Runs the built program, to test what only a process can show. */

let script: string
let root: string
let folder: string
let runs = 0

beforeAll(async () => {
  script = path.join(path.dirname(await buildServer()), 'rowhouse.js')
  root = await mkdtemp(path.join(tmpdir(), 'rowhouse-program-'))
}, 300_000)
afterAll(() => rm(root, { recursive: true, force: true }))
beforeEach(async () => {
  folder = path.join(root, String(runs++))
  await mkdir(folder)
})

const ROW = 'a,1,2024-01-02\n'
const table = (rows: number): string => `name,n,day\n${ROW.repeat(rows)}`

interface Ended {
  readonly code: number | string | null
  readonly err: string
}

/**
 * @param stdout a file that standard output goes to; `closed` for a pipe that nobody reads
 */
function start(
  args: readonly string[],
  stdout?: string,
  temporary = root,
): { readonly ended: Promise<Ended>; interrupt(signal?: NodeJS.Signals): void } {
  const command = [script, ...args].map((each) => `'${each}'`).join(' ')
  const to = stdout === undefined || stdout === 'closed' ? '' : ` > ${stdout}`
  const child = spawn('sh', ['-c', `exec '${process.execPath}' ${command}${to}`], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  if (stdout === 'closed') child.stdout.destroy()
  else child.stdout.resume()
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, err }))
  })
  return { ended, interrupt: (signal = 'SIGINT') => void child.kill(signal) }
}

describe.skipIf(process.platform === 'win32')('Ctrl+C', () => {
  const LARGE = 96 * 2 ** 20
  let made: Promise<string> | null = null
  /** A backup with one large table, created on first use. */
  function largeBackup(): Promise<string> {
    made ??= (async () => {
      const service = testService()
      await addDataset(service, 'Large', [LARGE])
      const place = path.join(root, 'large.zip')
      await writeFile(place, new Uint8Array(await (await createBackup(service)).arrayBuffer()))
      return place
    })()
    return made
  }

  test('during restore leaves the server as it was', async () => {
    const program = start(['restore', await largeBackup(), '--data', 'data'])
    const tables = async (): Promise<string[]> =>
      readdir(path.join(folder, 'data', 'tables'), { recursive: true }).catch(() => [])
    await vi.waitFor(async () => expect((await tables()).join()).toContain('.part'), { timeout: 60_000, interval: 2 })
    program.interrupt()
    expect(await program.ended).toMatchObject({ code: 130, err: expect.stringContaining('Cancelled.') })
    expect(await tables()).toEqual([])
    expect(await start(['backup', 'none.zip', '--data', 'data']).ended).toMatchObject({
      code: 1,
      err: expect.stringContaining('There’s nothing to back up'),
    })
    expect(await readdir(folder)).toEqual(['data'])
  }, 120_000)

  test('while a backup is written or checked leaves only the file that it would replace', async () => {
    await pgliteFolder(path.join(folder, 'data', 'records'))
    expect(await start(['restore', await largeBackup(), '--data', 'data']).ended).toMatchObject({ code: 0 })
    await writeFile(path.join(folder, 'made.zip'), 'mine')
    const sizes = async (): Promise<readonly number[]> => {
      const aside = (await readdir(folder)).find((name) => name.startsWith('.rowhouse-')) ?? 'none'
      const names = await readdir(path.join(folder, aside)).catch(() => [])
      return Promise.all(names.map(async (name) => (await stat(path.join(folder, aside, name))).size))
    }
    for (const written of [0, LARGE]) {
      const program = start(['backup', 'made.zip', '--replace', '--data', 'data'])
      await vi.waitFor(async () => expect((await sizes()).some((size) => size > written)).toBe(true), {
        timeout: 60_000,
        interval: 2,
      })
      program.interrupt()
      expect(await program.ended).toEqual({ code: 130, err: 'Cancelled. No unfinished file is left.\n' })
      expect((await readdir(folder)).sort()).toEqual(['data', 'made.zip'])
      expect(await readFile(path.join(folder, 'made.zip'), 'utf8')).toBe('mine')
    }
  }, 180_000)

  test.each([
    ['convert', 'SIGINT', 130, ['convert', 'large.csv', '--to', 'parquet']],
    ['convert', 'SIGTERM', 143, ['convert', 'large.csv', '--to', 'parquet']],
    ['query', 'SIGINT', 130, ['query', 'FROM large, large AS other ORDER BY ALL', 'large.csv', '-o', 'made.csv']],
  ] as const)(
    'during %s leaves nothing behind, and ends with the exit code of %s',
    async (name, signal, code, args) => {
      await writeFile(path.join(folder, 'large.csv'), table(name === 'query' ? 100_000 : 2_000_000))
      const program = start(args)
      // A conversion has created a temporary folder beside the file, a query one in TMPDIR.
      const started = async (): Promise<boolean> =>
        name === 'query'
          ? (await readdir(root)).some((entry) => entry.startsWith('rowhouse-'))
          : (await readdir(folder)).length === 2
      await vi.waitFor(async () => expect(await started()).toBe(true), { timeout: 60_000, interval: 20 })
      program.interrupt(signal)
      expect(await program.ended).toMatchObject({
        code,
        err: expect.stringContaining('No unfinished file is left.'),
      })
      expect(await readdir(folder)).toEqual(['large.csv'])
    },
    120_000,
  )
})

describe.skipIf(process.platform === 'win32')('a reader that closes the pipe', () => {
  test.each([[[]], [['--json']], [['--to', 'csv']]])('ends a query, which leaves nothing behind (%j)', async (more) => {
    await writeFile(path.join(folder, 'a.csv'), table(100_000))
    expect(await start(['query', 'FROM a', 'a.csv', ...more], 'closed').ended).toMatchObject({ code: 0 })
    expect((await readdir(root)).filter((entry) => entry.startsWith('rowhouse-'))).toEqual([])
  })

  test('ends a conversion with an error that files are missing', async () => {
    for (const name of ['a.csv', 'b.csv']) await writeFile(path.join(folder, name), table(10))
    const { code, err } = await start(['convert', 'a.csv', 'b.csv', '--to', 'json'], 'closed').ended
    expect([code, err]).toEqual([1, expect.stringContaining('Convert the files that are missing without a pipe.')])
    expect(await readdir(folder)).toEqual(['a.csv', 'a.json', 'b.csv'])
  })
})

test('an error about the temporary folder names it, and the variable to set', async () => {
  await writeFile(path.join(folder, 'a.csv'), table(10))
  const temporary = path.join(folder, 'none')
  const { code, err } = await start(['query', 'FROM a', 'a.csv'], undefined, temporary).ended
  const message = `No temporary folder can be made in ${temporary} (ENOENT). Set TMPDIR to a folder where you may write.\n`
  expect([code, err]).toEqual([1, message])
})

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  test.each([[[]], [['--json']], [['--to', 'csv']]])(
    'that standard output is written to is reported (%j)',
    async (more) => {
      await writeFile(path.join(folder, 'a.csv'), table(10))
      const { code, err } = await start(['query', 'FROM a', 'a.csv', ...more], '/dev/full').ended
      expect(code).toBe(1)
      expect(err).toContain('Standard output can’t be written to. The disk is full.')
      expect(err).not.toContain('bug in Rowhouse')
    },
    60_000,
  )

  test.for([
    ['convert', ['convert', '--out']],
    ['combined', ['convert', '--combine', '--out']],
    ['query', ['query', 'SELECT *, uuid() AS id FROM a', '--to', 'csv', '-o']],
  ] as const)(
    'that the output of %s is written to is reported, and nothing is left on it',
    { timeout: 120_000 },
    async ([name, [command, ...given]], { skip, onTestFinished }) => {
      const disk = path.join(folder, 'small')
      const small = SmallDisk.mount(disk, '256k')
      if (typeof small === 'string') return skip(small)
      onTestFinished(() => small.unmount())
      const rows = Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 100_003},${Math.sin(i)}\n`).join('')
      await writeFile(path.join(folder, 'a.csv'), `n,x\n${rows}`)
      await writeFile(path.join(folder, 'b.csv'), `n,x\n${rows}`)
      const args =
        name === 'query'
          ? [...given, path.join(disk, 'made.csv'), 'a.csv']
          : [...given, disk, 'a.csv', 'b.csv', '--to', 'csv']
      const { code, err } = await start([command, ...args]).ended
      expect([code, err]).toEqual([1, expect.stringMatching(/The disk of .*small is full: \S+ \S+ are free\./)])
      expect(await readdir(disk)).toEqual([])
    },
  )
})
