import type { ValueFormat } from '../../tables/plan.ts'
import type { ColumnType } from '../../tables/types.ts'

export interface ReadColumn {
  /** Position in the file's table, from 0. */
  readonly index: number
  /** Name in the file. */
  readonly source: string
  /** The type wanted. A value that isn't of it makes its row a rejected one; it never becomes null or another value. */
  readonly type: ColumnType
  readonly format?: ValueFormat
  /** As the written column's. */
  readonly optional?: boolean
  readonly members?: boolean
}
