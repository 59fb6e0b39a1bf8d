import type { z } from '../../contract/zod.ts'
import type { FileOnDisk } from '../../engine/client.ts'
import type { chartSchema, historyEntrySchema, localTableSchema, savedQuerySchema, tabSchema } from './schema.ts'

/* Types shared by the parts of the SQL screen: plain data that is stored. */

/** A schema's type, deeply read-only. */
type Kept<Schema extends z.ZodType> = Immutable<z.infer<Schema>>
type Immutable<T> = T extends object ? { readonly [Key in keyof T]: Immutable<T[Key]> } : T

export type SqlTab = Kept<typeof tabSchema>
export type Where = SqlTab['where']
export type HistoryEntry = Kept<typeof historyEntrySchema>
export type SavedQuery = Kept<typeof savedQuerySchema>

/** A local table's record in a backup; its file is stored under the id. */
export type BackedUpTable = Kept<typeof localTableSchema>
export type LocalSource = BackedUpTable['source']

/** A local table; its rows are in the engine's table store. */
export interface LocalTableRecord extends BackedUpTable {
  readonly fileId: string
  /** The file on the person's disk; absent if this browser has a copy. */
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
