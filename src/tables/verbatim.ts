import type { ColumnPlan, ImportPlan, InspectedColumn, TablePlan, WriteOptions } from './plan.ts'
import { csvTable } from './settings.ts'

/** Whether text stays text: what the person doesn't change is written with the characters that stand in the file. */
export function keepsText({ settings }: Pick<ImportPlan, 'settings'>, options: WriteOptions): boolean {
  return settings.kind === 'csv' && options.kind === 'csv' && !options.normalize
}

/** Whether values stay of their kind and spelled as they are, and objects with the keys that they have. */
export function keepsJson({ settings }: Pick<ImportPlan, 'settings'>, options: WriteOptions): boolean {
  return settings.kind === 'json' && options.kind === 'json' && !options.normalize
}

/** What the inspection found of a column. */
export function foundOf({ found }: TablePlan, { index }: Pick<ColumnPlan, 'index'>): InspectedColumn | undefined {
  const column = found?.columns[index]
  return column?.index === index ? column : found?.columns.find((other) => other.index === index)
}

/** What was found of a column, if it's still read so: with the type and the format that were proposed. */
export function readAsFound(table: TablePlan, column: ColumnPlan): InspectedColumn | null {
  const found = foundOf(table, column)
  if (found?.type !== column.type) return null
  return JSON.stringify(found.format) === JSON.stringify(column.format) ? found : null
}

/** The name that a column has in the file, unless the person gave it another, or the file has no names. */
export function nameInFile({ settings }: Pick<ImportPlan, 'settings'>, table: TablePlan, column: ColumnPlan): string {
  const named =
    settings.kind === 'csv' && csvTable(settings, table.name).header && foundOf(table, column)?.name === column.name
  return named ? column.source : column.name
}

/** The plan with columns of text wherever text stays text, for an output of a format that has types. */
export function textPlan(plan: ImportPlan, options: WriteOptions): ImportPlan {
  if (!keepsText(plan, options)) return plan
  const tables = plan.tables.map((table) => {
    const columns = table.columns.map((column) => {
      if (!readAsFound(table, column)) return column
      const { format: _, ...rest } = column
      return { ...rest, type: 'VARCHAR' }
    })
    return { ...table, columns }
  })
  return { ...plan, tables }
}
