import { z } from '../../contract/zod.ts'

/* Schemas of what the SQL screen stores, for its types (`types.ts`) and for reading backups. */

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

/** Style of a chart. An empty title means the default. */
const style = z.object({
  title: z.string(),
  xTitle: z.string(),
  yTitle: z.string(),
  /** Title of the right axis. */
  rightTitle: z.string().optional(),
  scale: z.enum(['linear', 'log']),
  stack: z.enum(['stacked', 'share', 'beside']),
  /** For bars whose values have no order of their own. */
  order: z.enum(['greatest', 'least', 'name']),
})

/** A chart's encodings, with columns by name. */
export const chartSchema = z.object({
  mark: z.enum(['bar', 'line', 'area', 'scatter', 'histogram', 'box', 'heatmap']),
  x: z.string().nullable(),
  y: z.string().nullable(),
  aggregate,
  /** Column that splits into series. */
  color: z.string().nullable(),
  /** For dots: the column that their areas show. */
  size: z.string().optional(),
  /** Additional measures, each with its own color; `right` puts it on the right axis. */
  more: z.array(z.object({ y: z.string(), aggregate, right: z.boolean() })).optional(),
  /** Absent for the default style. */
  style: style.optional(),
})

/** A tab of the editor. */
export const tabSchema = z.object({
  id,
  title: z.string(),
  text: z.string(),
  parameters,
  /** Where statements run: `auto` uses the browser if all tables are there. */
  where: z.enum(['auto', 'browser', 'service']),
  view: z.enum(['grid', 'chart', 'plan']),
  chart: chartSchema.nullable(),
  /** Position among the tabs. */
  order: z.number(),
  updatedAt: time,
})

export const savedQuerySchema = z.object({
  id,
  name: z.string(),
  text: z.string(),
  /** Shown on its page. */
  description: z.string().optional(),
  /** Shown on its page above the rows. */
  chart: chartSchema.nullable().optional(),
  parameters,
  updatedAt: time,
})

export const historyEntrySchema = z.object({
  id,
  text: z.string(),
  startedAt: z.number().min(0),
  milliseconds: z.number().min(0),
  /** Null if it failed or has no result. */
  rows: count.nullable(),
  where: z.enum(['browser', 'service']),
  outcome: z.enum(['done', 'cancelled', 'failed']),
  error: z.string().nullable(),
})

const sign = z.string().nullable()

/** The file that a local table was made from. */
const source = z.object({
  name: z.string(),
  size: count,
  /** Sheet or table, if the file has several. */
  table: z.string().nullable(),
  /** Path within the dropped folder. */
  path: z.string().exactOptional(),
  /** How it was read. Records of earlier versions lack it. */
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

/** A table with the name `local.<name>`, without the id of its file. */
export const localTableSchema = z.object({
  id,
  /** Unique, case-insensitively. */
  name: z
    .string()
    .min(1)
    .max(128)
    .regex(/^\P{Cc}*$/u),
  source,
  /** Null for a view in a database file, which would have to be run. */
  rowCount: count.nullable(),
  byteSize: count,
  columns: z.array(z.object({ name: z.string(), type: z.string() })).max(MAX_COLUMNS),
  createdAt: time,
  /** Set if the file is queried in place; absent if its rows were copied into a file of the engine. */
  inPlace: z.enum(['parquet', 'arrow', 'duckdb']).exactOptional(),
  /** The table's name in a DuckDB file, which all of its tables share. */
  database: z.object({ schema: z.string(), table: z.string() }).exactOptional(),
  /** In a backup: id of the table whose file it shares. */
  sharesFile: id.exactOptional(),
  /** Whether statements created it, as `my.<name>`, and can change it. Each version is a new file. */
  kept: z.literal(true).exactOptional(),
  /** Whether it has only the first rows of its file. */
  sample: z.literal(true).exactOptional(),
})
