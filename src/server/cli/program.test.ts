import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, mkdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { buildServer } from '../testing/server.ts'

/* The built program, as one runs it: what only a process can show. */

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

/** @param stdout a file that standard output goes to */
function start(args: readonly string[], stdout?: string): { readonly ended: Promise<Ended>; interrupt(): void } {
  const command = [script, ...args].map((each) => `'${each}'`).join(' ')
  const to = stdout === undefined ? '' : ` > ${stdout}`
  const child = spawn('sh', ['-c', `exec '${process.execPath}' ${command}${to}`], {
    cwd: folder,
    env: { ...process.env, TMPDIR: root },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) => resolve({ code: code ?? signal, err }))
  })
  return { ended, interrupt: () => void child.kill('SIGINT') }
}

describe.skipIf(process.platform === 'win32')('Ctrl+C', () => {
  test.each([
    ['convert', ['convert', 'large.csv', '--to', 'parquet']],
    ['query', ['query', 'FROM large, large AS other ORDER BY ALL', 'large.csv', '-o', 'made.csv']],
  ])(
    'during %s leaves nothing, and says so by the exit code',
    async (name, args) => {
      await writeFile(path.join(folder, 'large.csv'), table(name === 'query' ? 100_000 : 2_000_000))
      const program = start(args)
      // What is made stands beside the file; of a query, its tables in the folder for temporary files.
      const started = async (): Promise<boolean> =>
        name === 'query'
          ? (await readdir(root)).some((entry) => entry.startsWith('rowhouse-'))
          : (await readdir(folder)).length === 2
      await vi.waitFor(async () => expect(await started()).toBe(true), { timeout: 60_000, interval: 20 })
      program.interrupt()
      expect(await program.ended).toMatchObject({
        code: 130,
        err: expect.stringContaining('No unfinished file is left.'),
      })
      expect(await readdir(folder)).toEqual(['large.csv'])
    },
    120_000,
  )
})

describe.skipIf(process.platform !== 'linux')('a full disk', () => {
  test.each([[[]], [['--json']], [['--to', 'csv']]])(
    'behind standard output is told (%j)',
    async (more) => {
      await writeFile(path.join(folder, 'a.csv'), table(10))
      const { code, err } = await start(['query', 'FROM a', 'a.csv', ...more], '/dev/full').ended
      expect(code).toBe(1)
      expect(err).toContain('Standard output can’t be written to. The disk is full.')
      expect(err).not.toContain('fault of Rowhouse’s')
    },
    60_000,
  )

  const small = mountOf('256k')
  test.skipIf(small === null).each([
    ['convert', ['convert', '--out']],
    ['combined', ['convert', '--combine', '--out']],
    ['query', ['query', 'SELECT *, uuid() AS id FROM a', '--to', 'csv', '-o']],
  ])(
    'under %s is told, and nothing half is left on it',
    async (name, [command, ...given]) => {
      const rows = Array.from({ length: 50_000 }, (_, i) => `${(i * 7919) % 100_003},${Math.sin(i)}\n`).join('')
      await writeFile(path.join(folder, 'a.csv'), `n,x\n${rows}`)
      await writeFile(path.join(folder, 'b.csv'), `n,x\n${rows}`)
      const disk = small ?? ''
      const args =
        name === 'query'
          ? [...given, path.join(disk, 'made.csv'), 'a.csv']
          : [...given, disk, 'a.csv', 'b.csv', '--to', 'csv']
      const { code, err } = await start([command, ...args]).ended
      expect([code, err]).toEqual([1, expect.stringContaining('The disk is full.')])
      expect(await readdir(disk)).toEqual([])
    },
    120_000,
  )
})

/** A disk that soon is full; null where none may be had. */
function mountOf(size: string): string | null {
  const { status, stdout } = spawnSync('mktemp', ['-d'], { encoding: 'utf8' })
  const place = stdout?.trim() ?? ''
  if (status !== 0 || spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', place]).status !== 0)
    return null
  afterAll(() => {
    spawnSync('umount', [place])
    spawnSync('rmdir', [place])
  })
  return place
}
