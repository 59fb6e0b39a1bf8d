import pg from 'pg'
import { SettingsError } from '../options.ts'
import type { Connection, Database } from './database.ts'

/** Connections at most; who finds none free waits. */
const CONNECTIONS = 10
const CONNECT_MS = 10_000

/**
 * A PostgreSQL on the network, 15 or later.
 * @param url `postgres://user:password@host:port/database`, as libpq has it
 */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'rowhouse',
  })
  // An idle connection that breaks leaves the pool by itself.
  pool.on('error', () => undefined)
  // One in use fails its statements. The pool listens only while it is idle, and an error that nobody listens for ends the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    async use(work) {
      const client = await pool.connect()
      let broken = false
      // One at a time: a client takes the next one when it has answered the last.
      let last: Promise<unknown> = Promise.resolve()
      const run = async <T>(statement: () => Promise<T>): Promise<T> => {
        const running = last.then(statement)
        last = running.catch(() => undefined)
        try {
          return await running
        } catch (error) {
          // What the server itself refused leaves the connection as it was.
          if (!(error instanceof pg.DatabaseError)) broken = true
          throw error
        }
      }
      const connection: Connection = {
        query: <Row>(sql: string, parameters: readonly unknown[] = []) =>
          run(async () => (await client.query(sql, [...parameters])).rows as Row[]),
        exec: (sql) =>
          run(async () => {
            await client.query(sql)
          }),
      }
      try {
        return await work(connection)
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}

/** By PostgreSQL's codes. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'It doesn’t know the user, or the password is wrong.',
  '28000': 'It doesn’t let this user in from here: see its pg_hba.conf.',
  '3D000': 'It has no database of that name: make it first.',
  '42501': 'The user may make no schema in it: GRANT CREATE ON DATABASE lets it.',
  '53300': 'It has no connection left: close some, or raise its max_connections.',
}

/** What the driver says itself, without a code. */
const DRIVER: readonly (readonly [RegExp, string])[] = [
  [/password must be a string/, 'It asks for a password, and the address has none.'],
  [/does not support SSL/, 'It takes no encrypted connections: leave sslmode out of the address.'],
]

/** Why the server can't start with a database. Nothing of what the database itself said is in it. */
export function unusable(cause: unknown): SettingsError {
  const { code = '', message = '' } = cause instanceof Error ? (cause as Error & { readonly code?: string }) : {}
  const [, ofDriver] = DRIVER.find(([pattern]) => pattern.test(message)) ?? []
  const other =
    cause instanceof pg.DatabaseError
      ? `It refused with ${code}.`
      : `It can’t be reached: ${code === '' ? 'no answer' : code}. Check host and port, and that it runs.`
  const why = cause instanceof SettingsError ? message : (ADVICE[code] ?? ofDriver ?? other)
  return new SettingsError(`The database of --database-url ($DATABASE_URL) can’t be used. ${why}`, { cause })
}

const OLDEST = 15

/** @throws {SettingsError} when it's older than what is tested; the database's own error when it can't be reached */
export async function requireVersion(database: Database): Promise<void> {
  const [row] = await database.use((connection) =>
    connection.query<{ server_version_num: string }>('SHOW server_version_num'),
  )
  const major = Math.floor(Number(row.server_version_num) / 10_000)
  if (major < OLDEST) throw new SettingsError(`It’s PostgreSQL ${major}; ${OLDEST} or later is needed.`)
}
