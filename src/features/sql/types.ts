import type { DroppedFile, FileOnDisk, ParameterValue, ResultColumn } from '../../engine/client.ts'

/* What the parts of the SQL screen (tree, editor, result, chart, plan) have in common. */

/** Where a statement runs: `auto` in this browser whenever all its tables are here. */
export type Where = (typeof WHERE)[number]
export const WHERE = ['auto', 'browser', 'service'] as const

/** A tab of the editor. Plain data: it outlives the page. */
export interface SqlTab {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly where: Where
  readonly view: ResultView
  readonly chart: ChartSpec | null
  /** Place in the row of tabs. */
  readonly order: number
  readonly updatedAt: number
}

export type ResultView = (typeof VIEWS)[number]
export const VIEWS = ['grid', 'chart', 'plan'] as const

export const OUTCOMES = ['done', 'cancelled', 'failed'] as const

export interface HistoryEntry {
  readonly id: string
  readonly text: string
  readonly startedAt: number
  readonly milliseconds: number
  /** Null when it failed or gives none. */
  readonly rows: number | null
  readonly where: 'browser' | 'service'
  readonly outcome: (typeof OUTCOMES)[number]
  readonly error: string | null
}

export interface SavedQuery {
  readonly id: string
  readonly name: string
  readonly text: string
  /** What it's about, for its page. */
  readonly description?: string | undefined
  /** Its page shows this chart above the rows. */
  readonly chart?: ChartSpec | null | undefined
  readonly parameters: Readonly<Record<string, ParameterValue>>
  readonly updatedAt: number
}

/** A file that was dropped in to be queried as `local.<name>`; its rows are in the engine's local table store. */
export interface LocalTableRecord {
  readonly id: string
  /** Unique, compared case-insensitively. */
  readonly name: string
  readonly fileId: string
  readonly source: LocalSource
  readonly rowCount: number
  readonly byteSize: number
  readonly columns: readonly ResultColumn[]
  readonly createdAt: number
  /** The file is queried as it is; absent: its rows were copied into a file of the engine's. */
  readonly inPlace?: 'parquet' | 'arrow'
  /** Where the person has it; absent: this browser has a copy. */
  readonly onDisk?: FileOnDisk
  /** Statements made it, as `my.<name>`, and change it: each version has another file. */
  readonly kept?: true
  /** It has only the first rows of its file. */
  readonly sample?: true
}

/** The file that a local table was made of. */
export interface LocalSource {
  readonly name: string
  readonly size: number
  /** Its sheet or table, where it has several. */
  readonly table: string | null
  /** With the folders that it was dropped with, where there were any. */
  readonly path?: string
  /** How it was read; tables of earlier versions don't say. */
  readonly read?: NonNullable<DroppedFile['read']>
}

export type Mark = (typeof MARKS)[number]
export const MARKS = ['bar', 'line', 'area', 'scatter', 'histogram', 'box', 'heatmap'] as const

export type Aggregate = (typeof AGGREGATES)[number]
export const AGGREGATES = ['none', 'count', 'sum', 'mean', 'median', 'min', 'max'] as const

/** A chart by its encodings; columns by name. Saved with the tab. */
export interface ChartSpec {
  readonly mark: Mark
  readonly x: string | null
  readonly y: string | null
  readonly aggregate: Aggregate
  /** Splits into series. */
  readonly color: string | null
  /** Measured beside `y`, each with a color of its own. */
  readonly more?: readonly FurtherMeasure[] | undefined
  /** Without one it looks as it does by itself. */
  readonly style?: ChartStyle | undefined
}

export interface FurtherMeasure {
  readonly y: string
  readonly aggregate: Aggregate
  /** On an axis of its own, at the right. */
  readonly right: boolean
}

/** How a chart looks. A title that is empty is the usual one. */
export interface ChartStyle {
  readonly title: string
  readonly xTitle: string
  readonly yTitle: string
  /** Of the axis at the right, where there is one. */
  readonly rightTitle?: string | undefined
  readonly scale: (typeof SCALES)[number]
  readonly stack: (typeof STACKS)[number]
  /** Of bars whose values have no order of their own. */
  readonly order: (typeof ORDERS)[number]
}
export const SCALES = ['linear', 'log'] as const
export const STACKS = ['stacked', 'share', 'beside'] as const
export const ORDERS = ['greatest', 'least', 'name'] as const
export const PLAIN_STYLE: ChartStyle = {
  title: '',
  xTitle: '',
  yTitle: '',
  scale: 'linear',
  stack: 'stacked',
  order: 'greatest',
}
