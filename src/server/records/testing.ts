import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'

/* A database for tests. Starting one takes a second: a file's tests share it, and empty it in between. */

const shared: Promise<Database>[] = []

/** An empty embedded database. @param which of several that a test has at once */
export async function emptyPglite(which = 0): Promise<Database> {
  shared[which] ??= openPglite()
  return empty(await shared[which])
}

/** The same database with nothing in it but the tables. */
export async function empty(database: Database): Promise<Database> {
  await database.use((connection) => connection.exec('DROP SCHEMA IF EXISTS rowhouse CASCADE'))
  await migrate(database)
  return database
}
