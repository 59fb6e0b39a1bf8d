import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'

/* Starts PostgreSQL for tests, if it's installed. */

export interface TestPostgres {
  readonly url: string
  /** Kills it, and starts it again with the same files. */
  crash(): Promise<void>
  stop(): Promise<void>
}

/** The folder with the programs; null if they aren't installed. */
export function postgresPrograms(): string | null {
  const asked = spawnSync('pg_config', ['--bindir'], { encoding: 'utf8' })
  const folder = asked.status === 0 ? asked.stdout.trim() : ''
  return existsSync(path.join(folder, 'initdb')) && existsSync(path.join(folder, 'postgres')) ? folder : null
}

/** Starts one in a temporary folder, which is removed when it's stopped. */
export async function startPostgres(programs: string): Promise<TestPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-pg-'))
  // PostgreSQL refuses to run as root.
  const user = process.getuid?.() === 0 ? unprivileged() : null
  if (user) chownSync(folder, user.uid, user.gid)
  const data = path.join(folder, 'data')
  const made = spawnSync(path.join(programs, 'initdb'), ['-D', data, '-U', 'rowhouse', '-A', 'trust', '--no-sync'], {
    cwd: folder,
    encoding: 'utf8',
    ...user,
  })
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`)
  const port = await freePort()
  const url = `postgres://rowhouse@127.0.0.1:${port}/postgres`
  const options = ['-c', 'listen_addresses=127.0.0.1', '-c', 'max_connections=60']
  const start = (): ChildProcess =>
    spawn(path.join(programs, 'postgres'), ['-D', data, '-k', folder, '-p', String(port), ...options], {
      cwd: folder,
      stdio: 'ignore',
      ...user,
    })
  let server = start()
  await answers(url, server)
  return {
    url,
    async crash() {
      await ended(server, 'SIGKILL')
      // It refuses to start until the last process of the old one has ended.
      for (;;) {
        server = start()
        if (
          await answers(url, server).then(
            () => true,
            () => false,
          )
        )
          return
      }
    },
    async stop() {
      await ended(server, 'SIGINT')
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function ended(process: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  return new Promise((resolve) => {
    process.once('exit', () => resolve())
    process.kill(signal)
  })
}

/** The user for programs that refuse to run as root. */
export function unprivileged(): { readonly uid: number; readonly gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8').split('\n')
  const [, , uid, gid] = (users.find((line) => /^(?:postgres|nobody):/.test(line)) ?? '').split(':')
  return { uid: Number(uid), gid: Number(gid) }
}

/**
 * A port that nothing listens on. It's below those that systems choose, for any connection, so that it's still free when
 * it's used, or used again.
 */
export function freePort(): Promise<number> {
  const port = randomInt(10_000, 32_768)
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(freePort()))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)))
  })
}

/** Waits until a server answers. @throws {Error} if it ends instead */
export async function answers(url: string, server: ChildProcess): Promise<void> {
  for (;;) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL ended with ${server.exitCode}`)
    const client = new pg.Client({ connectionString: url })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}
