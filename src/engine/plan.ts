import type { ColumnPlan, ImportPlan, TablePlan, WriteOptions } from '../tables/plan.ts'
import { parseType, TypeNameError, VARCHAR, type ColumnType } from '../tables/types.ts'
import { keepsText, nameInFile, readAsFound } from '../tables/verbatim.ts'
import { EngineError } from './errors.ts'
import type { ReadColumn } from './formats/types.ts'

export interface PlannedColumn extends ReadColumn {
  readonly name: string
  /** What its values are, where they're carried as the text that stands in the file. */
  readonly textOf?: ColumnType
}

export interface PlannedTable {
  readonly table: TablePlan
  /** The columns that are included, in order. */
  readonly columns: readonly PlannedColumn[]
}

/**
 * The tables that a plan includes, with their types read and their names checked.
 * @param options of the output: from text to text, columns keep the text and the name that they have in the file
 * @throws {EngineError} `invalid-plan` that names the column
 */
export function plannedTables(plan: ImportPlan, options: WriteOptions): PlannedTable[] {
  const tables = plan.tables.filter((table) => table.include)
  if (tables.length === 0) {
    throw new EngineError('invalid-plan', 'No table is chosen.', { remedy: 'Choose at least one sheet.' })
  }
  const planned = tables.map((table) => plannedTable(table))
  return keepsText(plan, options) ? planned.map((table) => withText(plan, table)) : planned
}

function withText(plan: ImportPlan, { table, columns }: PlannedTable): PlannedTable {
  const included = table.columns.filter((column) => column.include)
  const kept = columns.map((column, i): PlannedColumn => {
    const name = nameInFile(plan, table, included[i])
    if (!readAsFound(table, included[i])) return { ...column, name }
    const { index, source, type } = column
    return { index, source, name, type: VARCHAR, textOf: type }
  })
  return { table, columns: kept }
}

export function plannedTable(table: TablePlan): PlannedTable {
  const columns = table.columns.filter((column) => column.include)
  const where = table.name === null ? {} : { place: `sheet “${table.name}”` }
  if (columns.length === 0) {
    throw new EngineError('invalid-plan', 'Every column is left out.', {
      ...where,
      remedy: 'Include at least one column.',
    })
  }
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (name === '') throw new EngineError('invalid-plan', 'A column has no name.', { ...where, remedy: 'Name it.' })
    if (seen.has(name)) {
      throw new EngineError('invalid-plan', `Two columns are named “${name}”.`, { ...where, remedy: 'Rename one.' })
    }
    seen.add(name)
  }
  return { table, columns: columns.map(readColumn) }
}

function readColumn(column: ColumnPlan): PlannedColumn {
  try {
    const { index, source, name, format } = column
    return { index, source, name, type: parseType(column.type), ...(format ? { format } : {}) }
  } catch (cause) {
    if (!(cause instanceof TypeNameError)) throw cause
    throw new EngineError('invalid-plan', `Column “${column.name}”: ${cause.message}.`, {
      remedy: 'Choose another type.',
      cause,
    })
  }
}
