import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'vite'
import { PASSABLE } from '../worker-user.ts'

/* The server as one starts it: a process of its own, over a folder of its own. */

const root = fileURLToPath(new URL('../../..', import.meta.url))
const outDir = path.join(root, 'node_modules', '.cache', 'rowhouse-server')

/** Where the built server's script is. */
export function scriptOf(): string {
  return path.join(outDir, 'server.js')
}

/** The server's script; built where it isn't, or where something is younger. */
export async function buildServer(): Promise<string> {
  const script = scriptOf()
  if (existsSync(script) && newest(path.join(root, 'src')) < statSync(script).mtimeMs) return script
  const configFile = path.join(root, 'src', 'server', 'vite.config.ts')
  await build({ configFile, logLevel: 'warn', build: { outDir } })
  return script
}

function newest(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return Math.max(...files.map((file) => statSync(path.join(file.parentPath, file.name)).mtimeMs))
}

/** A folder for one test, with something that looks like a build of the app. */
export function makeFolder(): { readonly data: string; readonly app: string; remove(): void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-serve-'))
  // Processes of another user pass through it.
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

/** The line that `--json` tells. */
export interface Told {
  readonly url: string
  readonly workspace_id: string
  readonly key?: string
  readonly console_token?: string
}

export interface TestServer {
  readonly told: Told
  readonly process: ChildProcess
  /** All that it logged so far. */
  logs(): string
  /** @returns its exit code, or the signal that ended it */
  end(signal: NodeJS.Signals): Promise<number | string | null>
}

/** Lines of output that a failure quotes. */
const QUOTED = 40

/**
 * Starts a server. Once it has started, it ends only by `end`: when it ends by itself, the run of tests fails with the exit
 * code and the last lines of its output.
 * @throws {Error} with what it said, when it doesn't start
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
      // Nobody waits for it, so it can't be a rejection: as an uncaught exception it fails the run.
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
