import pg from 'pg'
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
  // One that breaks while nobody uses it leaves the pool by itself.
  pool.on('error', () => undefined)
  return {
    async use(work) {
      const client = await pool.connect()
      // The error of a connection that breaks amid its use is that of the statement, too.
      const ignore = (): void => undefined
      client.on('error', ignore)
      let broken = false
      const run = async <T>(statement: () => Promise<T>): Promise<T> => {
        try {
          return await statement()
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
        client.off('error', ignore)
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}
