import { uniqueNames } from '../names.ts'
import { quotedList } from '../../lib/text.ts'
import { inputTable, matchColumns, NO_CHOICES } from './match.ts'
import type { CombineInput, InputColumn, InputTable, MatchedColumn } from './plan.ts'

/* Adding a file's rows to an existing table. */

/** A column of the table, of the file, or of both. */
export interface AppendedColumn extends MatchedColumn {
  readonly own: InputColumn | null
  readonly added: InputColumn | null
  /**
   * If only text can hold both columns' values: the table's column keeps its type, and the file's values must be read
   * as that.
   */
  readonly keepsType: boolean
}

/**
 * Matches the file's columns with the table's by name, ignoring case, blanks and punctuation. The result's types hold
 * the values of both unchanged; if only text would, a column keeps its type.
 * @param file as in a table of its own (`asStored`)
 */
export function appendedColumns(table: InputTable, file: CombineInput): AppendedColumn[] {
  const { columns } = matchColumns([table, inputTable('file', file)], NO_CHOICES)
  return columns.map((column) => {
    const [own = null, added = null] = column.cells
    const keepsType = column.type === 'VARCHAR' && own !== null && added !== null && !own.empty
    return {
      ...column,
      own,
      added,
      name: own?.name ?? column.name,
      type: keepsType ? own.type : column.type,
      keepsType,
    }
  })
}

/** With the names that its columns would have in a table of its own. */
export function asStored(input: CombineInput): CombineInput {
  const { plan, table } = input
  const names = uniqueNames(plan.tables[table]?.columns.map(({ name }) => name) ?? [], (name) => name.toLowerCase())
  const tables = plan.tables.map((each, i) =>
    i === table
      ? { ...each, columns: each.columns.map((column, at) => ({ ...column, name: names[at] ?? column.name })) }
      : each,
  )
  return { ...input, plan: { ...plan, tables } }
}

/** Describes the columns that only one of them has, in sentences; null if there are none. */
export function columnsApart(columns: readonly AppendedColumn[]): string | null {
  const missing = quotedList(columns.flatMap(({ name, added }) => (added === null ? [name] : [])))
  const added = quotedList(columns.flatMap(({ name, own }) => (own === null ? [name] : [])))
  const facts = [
    ...(missing ? [`The table has columns that aren’t in the file: ${missing}.`] : []),
    ...(added ? [`The file has columns that aren’t in the table: ${added}.`] : []),
  ]
  return facts.length === 0 ? null : facts.join(' ')
}
