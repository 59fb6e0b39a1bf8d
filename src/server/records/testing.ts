import { pgliteFolder } from '../../lib/testing/pglite.ts'
import type { Database } from './database.ts'
import { STORES, tableOf } from './layout.ts'
import { migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'

/* A database for tests. Starting one takes half a second: a file's tests share it, and empty it in between. */

const shared: Promise<Database>[] = []

/** An embedded database with nothing in it. */
export async function newPglite(): Promise<Database> {
  return openPglite(await pgliteFolder())
}

/** An empty embedded database. @param which of several that a test has at once */
export async function emptyPglite(which = 0): Promise<Database> {
  shared[which] ??= newPglite()
  return empty(await shared[which])
}

/** The same database with nothing in it but the tables. */
export async function empty(database: Database): Promise<Database> {
  await database.use((connection) => connection.exec('DROP SCHEMA IF EXISTS rowhouse CASCADE'))
  await migrate(database)
  return database
}

/** The same, of a database that may have the tables already: to empty them is quicker than to make them. */
export async function cleared(database: Database): Promise<Database> {
  await migrate(database)
  const statements = STORES.map((store) => `DELETE FROM ${tableOf(store)}`)
  await database.use((connection) => connection.exec(statements.join(';')))
  return database
}

/** Lets the next server that asks sweep, as if an hour had gone by. */
export async function makeSweepDue(database: Database): Promise<void> {
  await database.use((connection) => connection.exec('DELETE FROM rowhouse.claims'))
}
