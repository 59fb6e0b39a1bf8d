import { quoteName, type Layout } from './statements.ts'

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
  const on = cluster === null ? '' : ` ON CLUSTER ${quoteName(cluster)}`
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
