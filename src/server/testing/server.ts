import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as pause } from 'node:timers/promises'
import { build } from 'vite'
import { lockFolder } from '../lock.ts'
import { PASSABLE, type WorkerUser } from '../worker-user.ts'

/* Starts the server as a process with its own folder. */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const outDir = path.join(root, 'node_modules', '.cache', 'rowhouse-server')

/**
 * A user that tests can start programs as: null unless root runs them, and if that user can't run Node or read the
 * sources, such as those in root's home.
 */
export function otherUser(): WorkerUser | null {
  if (process.getuid?.() !== 0) return null
  const user = { uid: 65_534, gid: 65_534 }
  const reading = `require(${JSON.stringify(path.join(root, 'package.json'))})`
  return spawnSync(process.execPath, ['-e', reading], user).status === 0 ? user : null
}

/** The path of the built server's script. */
export function scriptOf(): string {
  return path.join(outDir, 'server.js')
}

/** Builds the server if it's missing or outdated. @returns its script's path */
export async function buildServer(): Promise<string> {
  const script = scriptOf()
  const isCurrent = (): boolean => existsSync(script) && newest(path.join(root, 'src')) < statSync(script).mtimeMs
  if (isCurrent()) return script
  // Another process may be building it, too. It mustn't lose what it then runs.
  const building = `${outDir}-building`
  mkdirSync(building, { recursive: true })
  let lock = await lockFolder(building)
  for (; lock === null; lock = await lockFolder(building)) await pause(100)
  try {
    const configFile = path.join(root, 'src', 'server', 'vite.config.ts')
    if (!isCurrent()) await build({ configFile, logLevel: 'warn', build: { outDir } })
    return script
  } finally {
    await lock.release()
  }
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((file) => statSync(path.join(file.parentPath, file.name)).mtimeMs))
}

/** Creates a folder for a test, with files that look like a build of the app. */
export function makeFolder(): { readonly data: string; readonly app: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-serve-'))
  // Processes of another user need to pass through it.
  chmodSync(folder, PASSABLE)
  const app = path.join(folder, 'app')
  mkdirSync(path.join(app, 'sql'), { recursive: true })
  for (const page of ['index.html', 'sql/index.html', '404.html']) writeFileSync(path.join(app, page), `<p>${page}</p>`)
  writeFileSync(path.join(app, '_headers'), "/*\n  Content-Security-Policy: default-src 'none'\n")
  return {
    data: path.join(folder, 'data'),
    app,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** The line that `--json` prints. */
export interface Told {
  readonly url: string
  readonly workspace_id: string
  readonly key?: string
  readonly console_token?: string
}

export interface TestServer {
  readonly told: Told
  readonly process: ChildProcess
  /** Everything that it has logged so far. */
  logs(): string
  /** @returns its exit code, or the signal that ended it */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

/** The number of output lines to quote in a failure. */
const QUOTED = 40

/**
 * Starts a server. If it later ends other than through `end`, the test run fails with its exit code and the last lines
 * of its output.
 * @throws {Error} with its output if it doesn't start
 */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const child = spawn(process.execPath, [script, '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env['PATH'], TMPDIR: tmpdir(), ...env },
  })
  let [out, logs] = ['', '']
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (logs += text))
  let mayEnd = true
  const ended = new Promise<number | string | null>((resolve) => {
    child.once('close', (code, signal) => {
      resolve(code ?? signal)
      if (mayEnd) return
      const last = `${out}${logs}`.split('\n').slice(-QUOTED).join('\n')
      // Nobody awaits it, so it's thrown as an uncaught exception, which fails the run.
      throw new Error(`A server (process ${child.pid}) ended by itself with ${code ?? signal}:\n${last}`)
    })
  })
  const line = new Promise<string>((resolve) => {
    child.stdout.on('data', () => {
      if (out.includes('\n')) resolve(out)
    })
  })
  const first = await Promise.race([line, ended])
  if (!out.includes('\n')) throw new Error(`it ended with ${first}: ${logs}`)
  mayEnd = false
  return {
    told: JSON.parse(out) as Told,
    process: child,
    logs: () => logs,
    end(signal) {
      mayEnd = true
      child.kill(signal)
      return ended
    },
  }
}
