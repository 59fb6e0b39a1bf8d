import { listed } from '../../../tables/combine/changes.ts'
import { inputTable, matchColumns, NO_CHOICES } from '../../../tables/combine/match.ts'
import type { CombinedColumn, CombineInput, MatchedColumn } from '../../../tables/combine/plan.ts'
import { uniqueNames } from '../../../tables/names.ts'
import { EngineError } from '../../errors.ts'
import { plannedInput } from '../combine.ts'
import { FOR_STATEMENT } from '../plan.ts'
import type { PlannedTable } from '../planned-table.ts'

/**
 * How a table's rows and those of a file are read as one table: its columns, matched by their names whatever their case,
 * blanks and punctuation, in types that hold the values of both as they are. Where there is none but text, a column
 * keeps its type, and a row of the file that doesn't fit it is rejected.
 * @throws {EngineError} `invalid-plan` where one has a column that the other hasn't
 */
export function joined(table: CombineInput, file: CombineInput): readonly [PlannedTable, PlannedTable] {
  const inputs = [table, asStored(file)]
  const { columns } = matchColumns(
    inputs.map((input, i) => inputTable(`${i}`, input)),
    NO_CHOICES,
  )
  refuseOthers(columns, 1, 'The table has columns that the file hasn’t')
  refuseOthers(columns, 0, 'The file has columns that the table hasn’t')
  const plan = columns.map(({ type, cells }): CombinedColumn => {
    const [own, added] = cells
    const isTextOnly = type === 'VARCHAR' && own && added && !own.empty
    return {
      name: own?.name ?? '',
      type: isTextOnly ? own.type : type,
      cells: cells.map((cell) => cell?.index ?? null),
    }
  })
  const kept = columns.map(() => false)
  const planned = inputs.map((input, i) => plannedInput(input, i, { columns: plan }, kept, FOR_STATEMENT.options))
  return [planned[0], planned[1]]
}

/** With the names that its columns would have in a table of its own. */
function asStored(input: CombineInput): CombineInput {
  const { plan, table } = input
  const names = uniqueNames(
    plan.tables[table].columns.map(({ name }) => name),
    (name) => name.toLowerCase(),
  )
  const tables = plan.tables.map((each, i) =>
    i === table ? { ...each, columns: each.columns.map((column, at) => ({ ...column, name: names[at] })) } : each,
  )
  return { ...input, plan: { ...plan, tables } }
}

function refuseOthers(columns: readonly MatchedColumn[], without: number, message: string): void {
  const names = columns.filter(({ cells }) => cells[without] === null).map(({ name }) => name)
  if (names.length === 0) return
  throw new EngineError('invalid-plan', `${message}: ${listed(names)}.`, {
    remedy: 'Name the file’s columns as the table’s are, or load it as a table of its own.',
  })
}
