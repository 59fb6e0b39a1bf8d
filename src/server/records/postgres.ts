import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import type { Lock } from '../lock.ts'
import { certificateAdvice } from '../certificates.ts'
import { SettingsError } from '../options.ts'
import type { Connection, Database } from './database.ts'

/** The largest number of connections; further work waits. */
const CONNECTIONS = 10
const CONNECT_MS = 10_000

/** Modes that the driver takes for `verify-full`, with a warning of several lines among the log's JSON. */
const VERIFYING = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/

const clientSettings = (url: string) => ({
  connectionString: /[?&]uselibpqcompat=/.test(url) ? url : url.replace(VERIFYING, '$1verify-full'),
  connectionTimeoutMillis: CONNECT_MS,
  application_name: 'rowhouse',
})

/**
 * PostgreSQL 15 or later on the network.
 * @param url in libpq's format, `postgres://user:password@host:port/database`
 */
export function openPostgres(url: string): Database {
  const pool = new pg.Pool({ ...clientSettings(url), max: CONNECTIONS })
  // The pool removes a broken idle connection by itself, but an error without a listener would end the process.
  pool.on('error', () => undefined)
  // The pool doesn't listen to connections in use. If one breaks, its statements reject.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    async use(work) {
      const client = await pool.connect()
      let broken = false
      // One at a time, since clients shouldn't be given a statement before they have answered the last one.
      let last: Promise<unknown> = Promise.resolve()
      const run = async <T>(statement: () => Promise<T>): Promise<T> => {
        const running = last.then(statement)
        last = running.catch(() => undefined)
        try {
          return await running
        } catch (error) {
          // After an error that the server reported, the connection can still be used.
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

/** The number of the advisory lock: “rowhouse” in ASCII. */
const LOCK = 0x726f77686f757365n
/** Milliseconds until a lost lock is requested again. */
const AGAIN_MS = 1000

/**
 * Prevents a restore while servers run, and the reverse: servers share the database's lock, a restore has it
 * exclusively. A transaction holds it, which ends with the process however that ends. If its connection breaks, it's
 * begun again.
 * @returns null if another process has the lock
 */
export async function lockDatabase(url: string, { alone }: { readonly alone: boolean }): Promise<Lock | null> {
  const first = await lockingSession(url, alone)
  if (!first) return null
  let session = first
  const releasing = new AbortController()
  const { signal } = releasing
  const holdAgain = async (): Promise<void> => {
    while (!signal.aborted) {
      await setTimeout(AGAIN_MS, undefined, { signal, ref: false }).catch(() => undefined)
      const next = signal.aborted ? null : await lockingSession(url, alone).catch(() => null)
      if (!next) continue
      session = next
      if (signal.aborted) await session.end()
      else session.once('end', () => void holdAgain())
      return
    }
  }
  session.once('end', () => void holdAgain())
  return {
    async release() {
      releasing.abort()
      await session.end()
    },
  }
}

/** Disables timeouts for the transaction that holds the lock. Not every version has both settings. */
const NO_TIMEOUT = `SELECT set_config(name, '0', true) FROM pg_settings
  WHERE name IN ('idle_in_transaction_session_timeout', 'transaction_timeout')`

/**
 * Gets the lock in a transaction: a pooler may run each transaction in another session, and give a session with its
 * locks to another client. The transaction touches no table, so nothing waits for it.
 * @returns null if another process has the lock
 */
async function lockingSession(url: string, alone: boolean): Promise<pg.Client | null> {
  const client = new pg.Client(clientSettings(url))
  // The connection then ends, which is handled; an error without a listener would end the process.
  client.on('error', () => undefined)
  let isHeld = false
  try {
    await client.connect()
    await client.query('BEGIN')
    await client.query(NO_TIMEOUT)
    const lock = alone ? 'pg_try_advisory_xact_lock' : 'pg_try_advisory_xact_lock_shared'
    const { rows } = await client.query<{ held: boolean }>(`SELECT ${lock}(${LOCK}) AS held`)
    isHeld = rows[0].held
  } finally {
    if (!isHeld) await client.end()
  }
  return isHeld ? client : null
}

/** By PostgreSQL's codes. */
const ADVICE: Readonly<Record<string, string>> = {
  '08P01':
    'A pooler in between refused: it doesn’t know the database or the user, or takes no option of the address. See its log.',
  '28P01': 'It doesn’t know the user, or the password is wrong.',
  '28000': 'It doesn’t let this user in from here: see its pg_hba.conf.',
  '3D000': 'It has no database of that name: create it first.',
  '42501': 'The user may not create a schema in it: allow it with GRANT CREATE ON DATABASE.',
  '53300': 'It has no connection left: close some, or raise its max_connections.',
}

/** What to do about the driver's own errors, which have no code. */
const DRIVER: readonly (readonly [RegExp, string])[] = [
  [/password must be a string/, 'It asks for a password, and the address has none.'],
  [/does not support SSL/, 'It takes no encrypted connections: leave sslmode out of the address.'],
]

/** Why the server can't start with a database. The database's own message isn't included. */
export function unusable(cause: unknown): SettingsError {
  const { code = '', message = '' } = cause instanceof Error ? (cause as Error & { readonly code?: string }) : {}
  const [, ofDriver] = DRIVER.find(([pattern]) => pattern.test(message)) ?? []
  const other =
    cause instanceof pg.DatabaseError
      ? `It refused with ${code}.`
      : `It can’t be reached: ${code === '' ? 'no answer' : code}. Check host and port, and that it runs.`
  const why = cause instanceof SettingsError ? message : (ADVICE[code] ?? certificateAdvice(code) ?? ofDriver ?? other)
  return new SettingsError(`The database of --database-url ($DATABASE_URL) can’t be used. ${why}`, { cause })
}

const OLDEST = 15

/** @throws {SettingsError} if it's older than the oldest tested version; the driver's error if it can't be reached */
export async function requireVersion(database: Database): Promise<void> {
  const [row] = await database.use((connection) =>
    connection.query<{ server_version_num: string }>('SHOW server_version_num'),
  )
  const major = Math.floor(Number(row.server_version_num) / 10_000)
  if (major < OLDEST) throw new SettingsError(`It’s PostgreSQL ${major}; ${OLDEST} or later is needed.`)
}
