import { expect, it } from 'vitest'
import { exportOf } from './columns.ts'
import * as statements from './statements.ts'

/* Statements that chDB can't run, about users, roles and clusters. */

const cluster = { prefix: 'rowhouse_', cluster: 'main' }
const alone = { prefix: 'rowhouse_', cluster: null }
const { columns } = exportOf(
  ['BIGINT', 'DECIMAL(15,2)', 'DATE', 'TIMESTAMP', 'DOUBLE', 'VARCHAR', 'BOOLEAN'].map((type) => ({ name: 'a', type })),
)

it('a table is local to one server, or replicated on a cluster', () => {
  const table = { database: 'rowhouse_it`s', table: 't_1', columns, comment: `{"a":"it's"}` }
  expect(statements.createTable(alone, table)).toBe(
    'CREATE TABLE `rowhouse_it\\`s`.`t_1` (c0 Nullable(Int64), c1 Nullable(Int64), c2 Nullable(Int32), c3 Nullable(Int64), c4 Nullable(Float64), c5 Nullable(String), c6 Nullable(UInt8)) ENGINE = MergeTree ORDER BY tuple() COMMENT \'{"a":"it\\\'s"}\'',
  )
  expect(statements.createTable(cluster, { ...table, columns: columns.slice(0, 1), comment: '' })).toBe(
    "CREATE TABLE `rowhouse_it\\`s`.`t_1` ON CLUSTER `main` (c0 Nullable(Int64)) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{uuid}/{shard}', '{replica}') ORDER BY tuple() COMMENT ''",
  )
})

it('a role may read one table, on the whole cluster', () => {
  expect(statements.grantTable(cluster, 'rowhouse_ws', 't_1', 'rowhouse')).toEqual([
    'CREATE ROLE IF NOT EXISTS `rowhouse_t_1` ON CLUSTER `main`',
    'GRANT ON CLUSTER `main` SELECT ON `rowhouse_ws`.`t_1` TO `rowhouse_t_1`',
    'GRANT ON CLUSTER `main` `rowhouse_t_1` TO `rowhouse`',
  ])
  expect([
    statements.createDatabase(cluster, 'rowhouse_ws'),
    statements.renameTable(cluster, 'rowhouse_ws', 't_1_x', 't_1'),
    statements.dropTable(alone, 'rowhouse_ws', 't_1'),
    statements.dropRole(cluster, 't_1'),
  ]).toEqual([
    'CREATE DATABASE IF NOT EXISTS `rowhouse_ws` ON CLUSTER `main`',
    'RENAME TABLE `rowhouse_ws`.`t_1_x` TO `rowhouse_ws`.`t_1` ON CLUSTER `main`',
    'DROP TABLE IF EXISTS `rowhouse_ws`.`t_1` SYNC',
    'DROP ROLE IF EXISTS `rowhouse_t_1` ON CLUSTER `main`',
  ])
})

it('the set-up creates a user who loads tables, and one who may only read through roles', () => {
  expect(statements.setupSql({ ...alone, user: 'rowhouse', reader: 'rowhouse_reader' })).toMatchInlineSnapshot(`
    "CREATE USER IF NOT EXISTS \`rowhouse\` IDENTIFIED WITH sha256_password BY '...';
    CREATE USER IF NOT EXISTS \`rowhouse_reader\` IDENTIFIED WITH sha256_password BY '...' DEFAULT ROLE NONE;
    GRANT CREATE DATABASE, CREATE TABLE, DROP TABLE, INSERT ON rowhouse_*.* TO \`rowhouse\`;
    GRANT SELECT ON rowhouse_*.* TO \`rowhouse\` WITH GRANT OPTION;
    GRANT CREATE ROLE, DROP ROLE, ROLE ADMIN, KILL QUERY ON *.* TO \`rowhouse\`;
    GRANT SELECT ON system.tables TO \`rowhouse\`;
    "
  `)
  expect(statements.setupSql({ ...cluster, user: 'rowhouse', reader: 'rowhouse_reader' })).toMatchInlineSnapshot(`
    "CREATE USER IF NOT EXISTS \`rowhouse\` ON CLUSTER \`main\` IDENTIFIED WITH sha256_password BY '...';
    CREATE USER IF NOT EXISTS \`rowhouse_reader\` ON CLUSTER \`main\` IDENTIFIED WITH sha256_password BY '...' DEFAULT ROLE NONE;
    GRANT ON CLUSTER \`main\` CREATE DATABASE, CREATE TABLE, DROP TABLE, INSERT ON rowhouse_*.* TO \`rowhouse\`;
    GRANT ON CLUSTER \`main\` SELECT ON rowhouse_*.* TO \`rowhouse\` WITH GRANT OPTION;
    GRANT ON CLUSTER \`main\` CREATE ROLE, DROP ROLE, ROLE ADMIN, KILL QUERY ON *.* TO \`rowhouse\`;
    GRANT ON CLUSTER \`main\` SELECT ON system.tables TO \`rowhouse\`;
    GRANT ON CLUSTER \`main\` CLUSTER ON *.* TO \`rowhouse\`;
    "
  `)
})
