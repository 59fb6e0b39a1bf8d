import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answers, freePort, unprivileged } from './postgres.ts'

/* PgBouncer in front of a PostgreSQL, each transaction of a client in whichever session is free, where it's installed. */

export interface TestPgBouncer {
  /** The database's, through it. */
  readonly url: string
  stop(): Promise<void>
}

export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0
}

/** @param sessions of the database that it has for all clients */
export async function startPgBouncer(databaseUrl: string, { sessions = 20 } = {}): Promise<TestPgBouncer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rowhouse-pgbouncer-'))
  const { hostname, port: databasePort, username } = new URL(databaseUrl)
  const port = await freePort()
  const users = path.join(folder, 'users.txt')
  writeFileSync(users, `"${username}" ""\n`)
  const settings = path.join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${hostname} port=${databasePort}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = trust',
    `auth_file = ${users}`,
    'pool_mode = transaction',
    `default_pool_size = ${sessions}`,
  ]
  writeFileSync(settings, lines.join('\n'))
  // It doesn't run as root either.
  const user = process.getuid?.() === 0 ? unprivileged() : null
  chmodSync(folder, 0o755)
  if (user) chownSync(folder, user.uid, user.gid)
  const pooler = spawn('pgbouncer', ['-q', settings], { cwd: folder, stdio: 'ignore', ...user })
  const url = Object.assign(new URL(databaseUrl), { port: String(port) }).href
  await answers(url, pooler)
  return {
    url,
    async stop() {
      const ended = once(pooler, 'exit')
      // SIGINT waits for its clients.
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
