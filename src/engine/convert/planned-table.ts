import type { ColumnChecks } from '../../tables/checks.ts'
import type { Note, ReadSettings, TablePlan, ValueFormat } from '../../tables/plan.ts'
import type { Column, ColumnType } from '../../tables/types.ts'
import type { ReadColumn } from '../columns/column-builder.ts'

export interface PlannedColumn extends ReadColumn {
  readonly name: string
  /** The type of its values, where they're carried as the file's own text. */
  readonly textOf?: ColumnType
  /** How that text is read, where it's checked. */
  readonly textFormat?: ValueFormat
  readonly within?: Column['within']
  readonly nesting?: Column['nesting']
}

export interface PlannedTable {
  readonly table: TablePlan
  /** The columns that are included, in order. */
  readonly columns: readonly PlannedColumn[]
  /** What its values lose. */
  readonly changes: readonly Note[]
  /** How its rows are read, where that isn't as the plan says. */
  readonly settings?: ReadSettings
  /** What is made instead where rows are left out; absent where that makes no difference. */
  readonly fallback?: PlannedTable
}

/** A column whose values are to be checked. */
export interface CheckedColumn extends Column {
  /** Its place in the batches. */
  readonly index: number
  /** The type of its values, where they come as the file's own text. */
  readonly textOf?: ColumnType
  readonly checks: ColumnChecks
}
