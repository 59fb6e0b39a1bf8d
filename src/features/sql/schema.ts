import { z } from '../../contract/zod.ts'

/* What is kept of the SQL screen: the types of its records (`types.ts`), and what a backup must hold. */

const MAX_COLUMNS = 100_000

const id = z.string().min(1).max(128)
const time = z.int().min(0).max(8_640_000_000_000_000)
const count = z.int().min(0)
const parameters = z.record(
  z.string(),
  z.object({
    type: z.enum(['VARCHAR', 'BIGINT', 'DOUBLE', 'DECIMAL(38,9)', 'BOOLEAN', 'DATE', 'TIMESTAMP']),
    text: z.string().nullable(),
  }),
)

const aggregate = z.enum(['none', 'count', 'sum', 'mean', 'median', 'min', 'max'])

/** How a chart looks. A title that is empty is the usual one. */
const style = z.object({
  title: z.string(),
  xTitle: z.string(),
  yTitle: z.string(),
  /** Of the axis at the right, where there is one. */
  rightTitle: z.string().optional(),
  scale: z.enum(['linear', 'log']),
  stack: z.enum(['stacked', 'share', 'beside']),
  /** Of bars whose values have no order of their own. */
  order: z.enum(['greatest', 'least', 'name']),
})

/** A chart by its encodings; columns by name. */
export const chartSchema = z.object({
  mark: z.enum(['bar', 'line', 'area', 'scatter', 'histogram', 'box', 'heatmap']),
  x: z.string().nullable(),
  y: z.string().nullable(),
  aggregate,
  /** Splits into series. */
  color: z.string().nullable(),
  /** Of dots: the column that their areas are in proportion to. */
  size: z.string().optional(),
  /** Measured beside `y`, each with a color of its own; `right`: on an axis of its own, at the right. */
  more: z.array(z.object({ y: z.string(), aggregate, right: z.boolean() })).optional(),
  /** Without one it looks as it does by itself. */
  style: style.optional(),
})

/** A tab of the editor. */
export const tabSchema = z.object({
  id,
  title: z.string(),
  text: z.string(),
  parameters,
  /** Where a statement runs: `auto` in this browser whenever all its tables are here. */
  where: z.enum(['auto', 'browser', 'service']),
  view: z.enum(['grid', 'chart', 'plan']),
  chart: chartSchema.nullable(),
  /** Place in the row of tabs. */
  order: z.number(),
  updatedAt: time,
})

export const savedQuerySchema = z.object({
  id,
  name: z.string(),
  text: z.string(),
  /** What it's about, for its page. */
  description: z.string().optional(),
  /** Its page shows this chart above the rows. */
  chart: chartSchema.nullable().optional(),
  parameters,
  updatedAt: time,
})

/** A statement that was run. */
export const historyEntrySchema = z.object({
  id,
  text: z.string(),
  startedAt: z.number().min(0),
  milliseconds: z.number().min(0),
  /** Null when it failed or gives none. */
  rows: count.nullable(),
  where: z.enum(['browser', 'service']),
  outcome: z.enum(['done', 'cancelled', 'failed']),
  error: z.string().nullable(),
})

const sign = z.string().nullable()

/** The file that a local table was made of. */
const source = z.object({
  name: z.string(),
  size: count,
  /** Its sheet or table, where it has several. */
  table: z.string().nullable(),
  /** With the folders that it was dropped with, where there were any. */
  path: z.string().exactOptional(),
  /** How it was read; tables of earlier versions don't say. */
  read: z
    .object({
      kind: z.enum(['csv', 'json', 'xlsx', 'parquet', 'arrow', 'duckdb', 'sqlite']),
      text: z
        .object({
          encoding: z.string(),
          delimiter: z.string(),
          quote: sign,
          escape: sign,
          header: z.boolean(),
          skipLines: count,
          comment: sign,
          nullStrings: z.array(z.string()),
        })
        .nullable(),
    })
    .exactOptional(),
})

/** A table that is queried as `local.<name>`, without where its rows are. */
export const localTableSchema = z.object({
  id,
  /** Unique, compared case-insensitively. */
  name: z
    .string()
    .min(1)
    .max(128)
    .regex(/^\P{Cc}*$/u),
  source,
  /** Null for a view of a database, which only running it tells. */
  rowCount: count.nullable(),
  byteSize: count,
  columns: z.array(z.object({ name: z.string(), type: z.string() })).max(MAX_COLUMNS),
  createdAt: time,
  /** The file is queried as it is; absent: its rows were copied into a file of the engine's. */
  inPlace: z.enum(['parquet', 'arrow', 'duckdb']).exactOptional(),
  /** Which of a DuckDB file's tables it is; all of them have that one file. */
  database: z.object({ schema: z.string(), table: z.string() }).exactOptional(),
  /** In a backup: the table whose file it shares. */
  sharesFile: id.exactOptional(),
  /** Statements made it, as `my.<name>`, and change it: each version has another file. */
  kept: z.literal(true).exactOptional(),
  /** It has only the first rows of its file. */
  sample: z.literal(true).exactOptional(),
})
