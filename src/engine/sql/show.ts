import { foldName } from '../../lib/names.ts'
import type { NamedTable } from '../storage/table-types.ts'
import { namesOf } from '../../lib/duckdb-sql/names.ts'
import { writtenTable } from './catalog.ts'
import type { TemporaryTable } from './protocol.ts'
import type { ResultColumn } from './session-types.ts'
import { foldIdentifier, type Statement } from './statement.ts'

/** Rows that are known without asking the engine; all of their columns are text. */
export interface TextRows {
  readonly columns: readonly ResultColumn[]
  readonly rows: readonly (readonly string[])[]
}

/**
 * Answers SHOW statements about names, from those that the caller may read: the engine knows others. Null for all
 * other statements.
 */
export function showNames(
  { tokens }: Statement,
  published: readonly NamedTable[],
  own: readonly TemporaryTable[],
): TextRows | null {
  const made = own.map(({ reference }) => {
    const names = namesOf(reference) ?? []
    const [dataset, table] = [names.at(-2) ?? 'main', names.at(-1) ?? '']
    return { workspace: 'memory', dataset, table, fileId: '', reference }
  })
  const tables = [...published.map((table) => ({ ...table, reference: writtenTable(table) })), ...made]
  const words = tokens.map(({ text }) => text.toLowerCase())
  const line = words.join(' ')
  if (line === 'show all tables' || line === 'describe' || line === 'show') {
    const rows = tables.map(({ workspace, dataset, table }) => [workspace, dataset, table])
    return answer(['database', 'schema', 'name'], rows)
  }
  if (line === 'show databases')
    return answer(
      ['database_name'],
      distinct(tables, ({ workspace }) => [workspace]),
    )
  if (line === 'show schemas') {
    return answer(
      ['database_name', 'schema_name'],
      distinct(tables, ({ workspace, dataset }) => [workspace, dataset]),
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
        foldName(table.workspace) === workspace && (dataset === undefined || foldName(table.dataset) === dataset),
    )
    return answer(
      ['name'],
      within.map(({ table }) => [table]),
    )
  }
  return null
}

function answer(names: readonly string[], rows: readonly string[][]): TextRows {
  const sorted = [...rows].sort((a, b) => (a.join('\0') < b.join('\0') ? -1 : 1))
  return { columns: names.map((name) => ({ name, type: 'VARCHAR' })), rows: sorted }
}

function distinct(tables: readonly NamedTable[], key: (table: NamedTable) => string[]): string[][] {
  return [...new Map(tables.map((table) => [key(table).join('\0'), key(table)])).values()]
}
