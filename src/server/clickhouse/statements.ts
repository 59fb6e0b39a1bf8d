import { definitions, type LoadedColumn } from './columns.ts'

/* Statements that make and remove what there is in ClickHouse. Names of tables are our own; others are quoted. */

/** Where statements are run: on one server, or on all of a cluster. */
export interface Layout {
  readonly prefix: string
  readonly cluster: string | null
}

export const quoteName = (name: string): string => `\`${name.replaceAll(/[`\\]/g, String.raw`\$&`)}\``

/** A workspace's database. */
export const databaseOf = ({ prefix }: Layout, workspace: string): string => `${prefix}${workspace}`

/** Reads one table, and nothing else. */
export const roleOf = ({ prefix }: Layout, table: string): string => `${prefix}${table}`

export const tableIn = (database: string, table: string): string => `${quoteName(database)}.${quoteName(table)}`

const onCluster = ({ cluster }: Layout): string => (cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`)

export function createDatabase(layout: Layout, database: string): string {
  return `CREATE DATABASE IF NOT EXISTS ${quoteName(database)}${onCluster(layout)}`
}

/** @param comment what is to be known of the table */
export function createTable(
  layout: Layout,
  {
    database,
    table,
    columns,
    comment,
  }: { database: string; table: string; columns: readonly LoadedColumn[]; comment: string },
): string {
  // The path is the table's id, so that renaming it changes nothing.
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

/** Who may read a table: its role, which statements about it take on. */
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
  /** Who loads tables. */
  readonly user: string
  /** Who reads them. */
  readonly reader: string
}

/**
 * What is to be run once in ClickHouse by who may do all: one user who has the databases that begin with the prefix, and
 * another one who has nothing. Roles, one for each table, let that one read what a statement is about.
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
