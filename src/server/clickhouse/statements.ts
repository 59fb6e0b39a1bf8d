import { definitions, type LoadedColumn } from './columns.ts'

/* Statements that create and drop things in ClickHouse. Tables' names are generated; others are quoted. */

/** Whether to use one server or a cluster, and the prefix of names. */
export interface Layout {
  readonly prefix: string
  readonly cluster: string | null
}

export const quoteName = (name: string): string => `\`${name.replaceAll(/[`\\]/g, String.raw`\$&`)}\``

/** A workspace's database. */
export const databaseOf = ({ prefix }: Layout, workspace: string): string => `${prefix}${workspace}`

/** The role that may read one table and nothing else. */
export const roleOf = ({ prefix }: Layout, table: string): string => `${prefix}${table}`

export const tableIn = (database: string, table: string): string => `${quoteName(database)}.${quoteName(table)}`

const onCluster = ({ cluster }: Layout): string => (cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`)

export function createDatabase(layout: Layout, database: string): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}${onCluster(layout)}`
}

/** @param comment stores what we must know about the table */
export function createTable(
  layout: Layout,
  {
    database,
    table,
    columns,
    comment,
  }: { database: string; table: string; columns: readonly LoadedColumn[]; comment: string },
): string {
  // The path contains the table's id rather than its name, so that renaming the table doesn't change it.
  const engine =
    layout.cluster === null ? 'MergeTree' : `ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}')`
  const text = comment.replaceAll(/['\\]/g, String.raw`\$&`)
  return `CREATE TABLE ${tableIn(database, table)}${onCluster(layout)} (${definitions(columns)}) ENGINE = ${engine} ORDER BY tuple() COMMENT '${text}'`
}

export function renameTable(layout: Layout, database: string, from: string, to: string): string {
  return `RENAME TABLE ${tableIn(database, from)} TO ${tableIn(database, to)}${onCluster(layout)}`
}

export function dropTable(layout: Layout, database: string, table: string): string {
  return `DROP TABLE IF EXISTS ${tableIn(database, table)}${onCluster(layout)} SYNC`
}

/** Creates a table's role, which statements about the table assume. */
export function grantTable(layout: Layout, database: string, table: string, user: string): string[] {
  const role = quoteName(roleOf(layout, table))
  const on = onCluster(layout)
  return [
    `CREATE ROLE IF NOT EXISTS ${role}${on}`,
    `GRANT${on} SELECT ON ${tableIn(database, table)} TO ${role}`,
    `GRANT${on} ${role} TO ${quoteName(user)}`,
  ]
}

export function dropRole(layout: Layout, table: string): string {
  return `DROP ROLE IF EXISTS ${quoteName(roleOf(layout, table))}${onCluster(layout)}`
}

interface Users extends Layout {
  /** Loads tables. */
  readonly user: string
  /** Runs statements. */
  readonly reader: string
}

/**
 * The SQL that an administrator runs once in ClickHouse. It creates a user who owns all databases with the prefix, and
 * one without rights, who can read the tables of a statement only through their roles.
 */
export function setupSql({ prefix, cluster, user, reader }: Users): string {
  const on = onCluster({ prefix, cluster })
  const [loads, reads] = [quoteName(user), quoteName(reader)]
  const own = `${prefix}*`
  return `${[
    `CREATE USER IF NOT EXISTS ${loads}${on} IDENTIFIED WITH sha256_password BY '...'`,
    `CREATE USER IF NOT EXISTS ${reads}${on} IDENTIFIED WITH sha256_password BY '...' DEFAULT ROLE NONE`,
    `GRANT${on} CREATE DATABASE, CREATE TABLE, DROP TABLE, INSERT ON ${own}.* TO ${loads}`,
    `GRANT${on} SELECT ON ${own}.* TO ${loads} WITH GRANT OPTION`,
    `GRANT${on} CREATE ROLE, DROP ROLE, ROLE ADMIN, KILL QUERY ON *.* TO ${loads}`,
    `GRANT${on} SELECT ON system.tables TO ${loads}`,
    ...(cluster === null ? [] : [`GRANT${on} CLUSTER ON *.* TO ${loads}`]),
  ].join(';\n')};\n`
}
