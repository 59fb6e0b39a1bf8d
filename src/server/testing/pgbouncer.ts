import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { answers, freePort, unprivileged } from './postgres.ts'

/* PgBouncer in transaction mode in front of PostgreSQL, if it's installed. */

export interface TestPgBouncer {
  /** To connect to the database through it. */
  readonly url: string
  stop(): Promise<void>
}

export function hasPgBouncer(): boolean {
  return spawnSync('pgbouncer', ['--version']).status === 0
}

/** @param sessions the number of database sessions for all clients */
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
  // It refuses to run as root, like PostgreSQL.
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
      // SIGINT would wait for clients.
      pooler.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
