import type { ColumnPlan, ImportPlan, TablePlan } from '../tables/plan.ts'
import { parseType, TypeNameError } from '../tables/types.ts'
import { EngineError } from './errors.ts'
import type { ReadColumn } from './formats/types.ts'

export interface PlannedTable {
  readonly table: TablePlan
  /** The columns that are included, in order. */
  readonly columns: readonly (ReadColumn & { readonly name: string })[]
}

/**
 * The tables that a plan includes, with their types read and their names checked.
 * @throws {EngineError} `invalid-plan` that names the column
 */
export function plannedTables(plan: ImportPlan): PlannedTable[] {
  const tables = plan.tables.filter((table) => table.include)
  if (tables.length === 0) {
    throw new EngineError('invalid-plan', 'No table is chosen.', { remedy: 'Choose at least one sheet.' })
  }
  return tables.map((table) => plannedTable(table))
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

function readColumn(column: ColumnPlan): ReadColumn & { readonly name: string } {
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
