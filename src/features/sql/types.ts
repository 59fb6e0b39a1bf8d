import type { z } from '../../contract/zod.ts'
import type { FileOnDisk } from '../../engine/client.ts'
import type { chartSchema, historyEntrySchema, localTableSchema, savedQuerySchema, tabSchema } from './schema.ts'

/* What the parts of the SQL screen (tree, editor, result, chart, plan) have in common: plain data, which outlives the page. */

/** What a schema reads, never changed in place. */
type Kept<Schema extends z.ZodType> = Immutable<z.infer<Schema>>
type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T

export type SqlTab = Kept<typeof tabSchema>
export type Where = SqlTab['where']
export type HistoryEntry = Kept<typeof historyEntrySchema>
export type SavedQuery = Kept<typeof savedQuerySchema>

/** A local table's record; its file is in a backup under its id. */
export type BackedUpTable = Kept<typeof localTableSchema>
export type LocalSource = BackedUpTable['source']

/** A file that was dropped in to be queried as `local.<name>`; its rows are in the engine's local table store. */
export interface LocalTableRecord extends BackedUpTable {
  readonly fileId: string
  /** Where the person has it; absent: this browser has a copy. */
  readonly onDisk?: FileOnDisk
}

export type ChartSpec = Kept<typeof chartSchema>
export type Mark = ChartSpec['mark']
export type Aggregate = ChartSpec['aggregate']
export type FurtherMeasure = NonNullable<ChartSpec['more']>[number]
export type ChartStyle = NonNullable<ChartSpec['style']>

export const PLAIN_STYLE: ChartStyle = {
  title: '',
  xTitle: '',
  yTitle: '',
  scale: 'linear',
  stack: 'stacked',
  order: 'greatest',
}
