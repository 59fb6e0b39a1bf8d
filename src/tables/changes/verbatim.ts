import type { FormatId } from '../../contract/formats.ts'
import { columnAt } from '../plan.ts'
import type { ColumnPlan, ImportPlan, InspectedColumn, Rewritten, TablePlan, WriteOptions } from '../plan.ts'
import { csvTable } from '../settings.ts'

/** Whether text stays text: values that the user doesn't change are written exactly as in the file. */
export function keepsText({ settings }: Pick<ImportPlan, 'settings'>, options: WriteOptions): boolean {
  return settings.kind === 'csv' && options.kind === 'csv' && !options.normalize
}

/** Whether JSON values keep their kind and spelling, and objects their own keys. */
export function keepsJson({ settings }: Pick<ImportPlan, 'settings'>, options: WriteOptions): boolean {
  return settings.kind === 'json' && options.kind === 'json' && !options.normalize
}

/** The inspection's result for a column. */
export const foundOf = ({ found }: TablePlan, { index }: Pick<ColumnPlan, 'index'>): InspectedColumn | undefined =>
  columnAt(found?.columns ?? [], index)

/** The inspection's result for a column, if its type and format are unchanged; else null. */
export function readAsFound(table: TablePlan, column: ColumnPlan): InspectedColumn | null {
  const found = foundOf(table, column)
  if (found?.type !== column.type) return null
  return JSON.stringify(found.format) === JSON.stringify(column.format) ? found : null
}

/** The values of a column that are written otherwise in a file of this format. */
export const rewrittenFor = (found: InspectedColumn, target: FormatId): Rewritten | undefined =>
  target === 'json' ? found.rewrittenInJson : found.rewritten

/** A column's name in the file, unless the user renamed it or the file has no names. */
export function nameInFile({ settings }: Pick<ImportPlan, 'settings'>, table: TablePlan, column: ColumnPlan): string {
  const named =
    settings.kind === 'csv' && csvTable(settings, table.name).header && foundOf(table, column)?.name === column.name
  return named ? column.source : column.name
}

/** The plan with text columns wherever text stays text, for an output format with types. */
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
