import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/* Runs chDB, ClickHouse as a library, for tests. It's so large that only `npm run test:clickhouse` installs it. */

const root = fileURLToPath(new URL('../../../..', import.meta.url))
const chdb = path.join(root, 'node_modules', '.cache', 'chdb', 'node_modules', 'chdb')

/** Whether chDB is installed. */
export const hasClickHouse = existsSync(chdb)

export interface TestClickHouse {
  readonly url: string
  readonly process: ChildProcess
  end(): Promise<void>
}

export async function startClickHouse(): Promise<TestClickHouse> {
  const script = fileURLToPath(new URL('front.mjs', import.meta.url))
  const child = spawn(process.execPath, [script], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], TZ: 'UTC', CHDB: chdb },
  })
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const port = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').once('data', (text: string) => resolve(text.trim()))
    child.once('exit', (code) => reject(new Error(`ClickHouse ended with ${code}`)))
  })
  return {
    url: `http://127.0.0.1:${port}`,
    process: child,
    end() {
      child.stdin.end()
      return ended
    },
  }
}
