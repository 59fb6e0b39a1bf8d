import { foldName } from '../../../lib/names.ts'
import type { NamedTable } from '../../storage/table-types.ts'
import { quoteReference, quoteText } from '../../../lib/duckdb-sql/names.ts'
import { isLocal, writtenTable, type Listed } from '../catalog.ts'
import type { OwnTable } from '../gate/own-objects.ts'
import { TEMPORARY } from '../gate/temporary.ts'
import { refused } from '../gate/refusals.ts'
import type { ResultColumn } from '../session-types.ts'
import { foldIdentifier, type Statement } from '../statement.ts'

/** Rows that are known without asking the engine; all of their columns are text. */
export interface TextRows {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Answers SHOW statements about names, from those that the caller may read: the engine knows others. Null for all
 * other statements.
 * @param own what the session has made, and its schemas besides `main`; null: it's a query of the service
 * @throws {EngineError} `sql-not-allowed` for tables of a schema that the session doesn't have
 */
export function showNames(
  { tokens }: Statement,
  published: readonly NamedTable[],
  own: { readonly tables: readonly OwnTable[]; readonly schemas: ReadonlySet<string> } | null,
): TextRows | null {
  const made = (own?.tables ?? []).map(({ schema, table, reference }) => {
    const dataset = schema === 'main' || schema === TEMPORARY ? '' : schema
    return { workspace: '', dataset, table, fileId: '', reference, catalog: schema === TEMPORARY ? 'temp' : 'memory' }
  })
  // What a statement needn't write isn't shown: `main` of local tables, and where the session's own are.
  const known = published.map((table) => ({
    ...table,
    dataset: own !== null && isLocal(table) ? '' : table.dataset,
    reference: writtenTable(table),
    catalog: foldName(table.workspace),
  }))
  const tables = [...known, ...made]
  const words = tokens.map(({ text }) => text.toLowerCase())
  const line = words.join(' ')
  if (line === 'show all tables' || line === 'describe' || line === 'show') {
    const rows = tables.map(({ workspace, dataset, table }) => [workspace, dataset, table])
    return answer(['database', 'schema', 'name'], rows)
  }
  if (line === 'show databases')
    return answer(
      ['database_name'],
      // The session's own are in a database, too.
      distinct(tables, ({ workspace }) => [workspace])
        .filter(([workspace]) => workspace !== '')
        .concat(own === null ? [] : [['memory']]),
    )
  if (line === 'show schemas') {
    return answer(
      ['database_name', 'schema_name'],
      distinct(tables, ({ workspace, dataset }) => [workspace, dataset]).filter(([, dataset]) => dataset !== ''),
    )
  }
  if (line === 'show tables')
    return answer(
      ['name'],
      tables.map(({ reference }) => [reference]),
    )
  if (words[0] === 'show' && words[1] === 'tables' && words[2] === 'from') {
    const [workspace = '', dataset] = tokens
      .slice(3)
      .map(({ text }) => text)
      .filter((text) => text !== '.')
      .map(foldIdentifier)
    const within = tables.filter(
      (table) =>
        (table.catalog === workspace && (dataset === undefined || foldName(table.dataset || 'main') === dataset)) ||
        (table.workspace === '' && dataset === undefined && foldName(table.dataset || 'main') === workspace),
    )
    const isEmpty = ['memory', 'temp', 'local', 'main', ...(own?.schemas ?? [])].includes(workspace)
    const hasSchema = dataset === undefined || dataset === 'main' || own?.schemas.has(dataset)
    if (own && within.length === 0 && !(isEmpty && hasSchema))
      throw refused(
        `There is no schema ${quoteReference([workspace, dataset ?? []].flat())}.`,
        'SHOW ALL TABLES lists all tables.',
      )
    return answer(
      ['name'],
      within.map(({ table }) => [table]),
    )
  }
  return null
}

/** Whether a statement lists all tables with their columns. */
export function listsAll({ tokens }: Statement): boolean {
  return /^(?:show(?: all tables)?|describe)$/i.test(tokens.map(({ text }) => text).join(' '))
}

/** A query for all tables with their columns; those of a table that the engine doesn't have are NULL. */
export function listAll(tables: readonly Listed[]): string {
  const rows = tables.map(({ shown, place }) => `(${[...shown, ...place].map(quoteText).join(', ')})`)
  const columns = (of: string, as: string): string =>
    `list(c.${of} ORDER BY c.column_index ASC) FILTER (c.${of} IS NOT NULL) AS ${as}`
  return `
    SELECT n.database, n.schema, n.name, ${columns('column_name', 'column_names')}, ${columns('data_type', 'column_types')}, n.in_database = 'temp' AS temporary
    FROM (VALUES ${[...rows, '(NULL, NULL, NULL, NULL, NULL, NULL)'].join(', ')}) AS n(database, schema, name, in_database, in_schema, in_name)
    LEFT JOIN duckdb_columns() AS c ON c.database_name = n.in_database AND c.schema_name = n.in_schema AND c.table_name = n.in_name
    WHERE n.name IS NOT NULL
    GROUP BY n.database, n.schema, n.name, n.in_database ORDER BY n.database ASC, n.schema ASC, n.name ASC`
}

function answer(names: readonly string[], rows: readonly string[][]): TextRows {
  const sorted = [...rows].sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1))
  return { columns: names.map((name) => ({ name, type: 'VARCHAR' })), rows: sorted }
}

function distinct(tables: readonly NamedTable[], key: (table: NamedTable) => string[]): string[][] {
  return [...new Map(tables.map((table) => [key(table).join('\0'), key(table)])).values()]
}
