import { foldName } from '../../../lib/names.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import type { Edit } from '../parameters.ts'
import { dottedAt, foldIdentifier, type Statement } from '../statement.ts'

/** A DuckDB file's table that has no alias: its columns may be named with its schema and its file. */
export interface Qualified {
  readonly name: string
  /** The names that may stand before a column's, folded. */
  readonly prefixes: readonly (readonly string[])[]
}

/** Columns named with their schema, or file and schema, as columns of the table alone: there it's in another place. */
export function columnEdits(statement: Statement, tables: readonly Qualified[], done: readonly Edit[]): Edit[] {
  const { tokens } = statement
  const byName = new Map<string, Set<string>>()
  for (const { name, prefixes } of tables)
    byName.set(foldName(name), (byName.get(foldName(name)) ?? new Set()).add(prefixes.join(' ')))
  // Of two tables of one name, the name alone can't tell which.
  const known = tables.filter(({ name }) => byName.get(foldName(name))?.size === 1)
  if (known.length === 0) return []
  return tokens.flatMap(({ kind, start }, i) => {
    if ((kind !== 'identifier' && kind !== 'keyword') || tokens[i - 1]?.text === '.' || tokens[i + 1]?.text !== '.')
      return []
    if (done.some(({ from, to }) => start >= from && start < to)) return []
    const parts = dottedAt(statement, i).parts.map(({ text }) => foldIdentifier(text))
    for (const { name, prefixes } of known) {
      const prefix = prefixes.find((each) => parts.length > each.length && each.every((part, at) => part === parts[at]))
      const last = prefix && tokens[i + 2 * (prefix.length - 1)]
      if (last) return [{ from: start, to: last.start + last.text.length, text: quoteIdentifier(name) }]
    }
    return []
  })
}
