import { foldName } from '../../lib/names.ts'
import { stemOf } from '../../tables/file-names.ts'
import { filesMentioned } from '../sql/files/paths.ts'
import type { ParameterValue, SessionTables } from '../sql/session-types.ts'
import type { NamedTable } from '../storage/table-types.ts'

/* What a statement may refer to and do, from its text alone: sooner too much than too little. */

/** Statements that get all tables: they read the catalog, or begin a transaction, during which none can be added. */
export const ABOUT_ALL =
  /\b(?:information_schema|pg_\w+|sqlite_\w+|duckdb_\w+|pragma|show\s+(?:all\s+)?tables|begin|start\s+transaction)\b|^\s*(?:show|describe)\s*;?\s*$/i
/** Statements that create something that may read tables whenever it's used. */
export const KEEPING = /\b(?:view|macro|function|prepare)\b/i
/** Statements that may change kept tables. */
export const MAY_KEEP = /\b(?:my|commit|end)\b/i
/** Statements that determine later random numbers. */
export const SEEDING = /\bsetseed\b/i

/** The tables whose names all occur in the statement, even within words: all that it can refer to, and maybe more. */
export function mentioned(sql: string, tables: readonly NamedTable[]): NamedTable[] {
  const text = foldName(sql)
  const stands = (name: string): boolean => {
    const folded = foldName(name)
    // As is, within a quoted identifier, and within a string, as functions take names.
    return [folded, folded.replaceAll('"', '""'), folded.replaceAll("'", "''")].some((form) => text.includes(form))
  }
  return tables.filter(({ workspace, dataset, table }) => [workspace, dataset, table].every(stands))
}

const IN_WORD = /[\p{L}\p{N}_]/u

/** Local tables that a statement may refer to by name, by their file's path, or by their name in a database file. */
export function namedLocals(
  text: string,
  parameters: Readonly<Record<string, ParameterValue>>,
  local: SessionTables['local'],
  named: readonly NamedTable[],
): NamedTable[] {
  const values = Object.values(parameters).flatMap((value) => value.text ?? [])
  const paths = filesMentioned(text, values, [...new Set(local.flatMap(({ file }) => file?.path ?? []))])
  const byName = new Set(mentioned(`${text}\nlocal main`, named))
  const all = /\blocal\b/i.test(text)
  return named.filter((table, i) => {
    const { file, database } = local[i] ?? {}
    const path = file?.path ?? ''
    return (
      (byName.has(table) && (all || standsAlone(table.table, text))) ||
      paths.has(path) ||
      (database && [stemOf(path), database.table].every((name) => standsAlone(name, text)))
    )
  })
}

/** Whether a name that occurs in a text occurs there as a separate word. */
export function standsAlone(name: string, text: string): boolean {
  const [folded, within] = [foldName(name), foldName(text)]
  for (let at = within.indexOf(folded); at >= 0; at = within.indexOf(folded, at + 1))
    if (!IN_WORD.test(within.slice(at - 1, at)) && !IN_WORD.test(within.charAt(at + folded.length))) return true
  return !/^[\p{L}\p{N}_]*$/u.test(name)
}
