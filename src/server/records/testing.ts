import type { Database } from './database.ts'
import { migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'

/* A database for tests. Starting one takes a second: a file's tests share it, and empty it in between. */

let shared: Promise<Database> | null = null

/** An empty embedded database, the same for all tests of a file. */
export async function emptyPglite(): Promise<Database> {
  shared ??= openPglite()
  return empty(await shared)
}

/** The same database with nothing in it but the tables. */
export async function empty(database: Database): Promise<Database> {
  await database.use((connection) => connection.exec('DROP SCHEMA IF EXISTS rowhouse CASCADE'))
  await migrate(database)
  return database
}
