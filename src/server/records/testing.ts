import { pgliteFolder } from '../../lib/testing/pglite.ts'
import type { Database } from './database.ts'
import { STORES, tableOf } from './layout.ts'
import { migrate } from './migrations.ts'
import { openPglite } from './pglite.ts'

/* Databases for tests. Since starting one takes half a second, the tests of a file share it and empty it in between. */

const shared: Promise<Database>[] = []

/** Starts an embedded database without any tables. */
export async function newPglite(): Promise<Database> {
  return openPglite(await pgliteFolder())
}

/** A shared embedded database with empty tables. @param which its number, for tests with several */
export async function emptyPglite(which = 0): Promise<Database> {
  shared[which] ??= newPglite()
  return empty(await shared[which])
}

/** Recreates a database's tables, empty. */
export async function empty(database: Database): Promise<Database> {
  await database.use((connection) => connection.exec('DROP SCHEMA IF EXISTS rowhouse CASCADE'))
  await migrate(database)
  return database
}

/** Empties a database's tables, which is faster than recreating them. */
export async function cleared(database: Database): Promise<Database> {
  await migrate(database)
  const statements = STORES.map((store) => `DELETE FROM ${tableOf(store)}`)
  await database.use((connection) => connection.exec(statements.join(';')))
  return database
}

/** Lets the next server that asks do the sweep, as if an hour had passed. */
export async function makeSweepDue(database: Database): Promise<void> {
  await database.use((connection) => connection.exec('DELETE FROM rowhouse.claims'))
}
