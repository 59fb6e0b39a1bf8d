import { z } from '../../../contract/zod.ts'
import { foldName } from '../local/names.ts'
import type { HistoryEntry, LocalTableRecord, SavedQuery, SqlTab } from '../types.ts'

/* What a backup holds of the SQL screen. */

const VERSION = 1
const MAX_RECORDS = 100_000

/** A local table's record; its file is in the backup under its id. */
export type BackedUpTable = Omit<LocalTableRecord, 'fileId'>

export interface SqlContents {
  readonly tabs: readonly SqlTab[]
  readonly saved: readonly SavedQuery[]
  readonly history: readonly HistoryEntry[]
  readonly locals: readonly BackedUpTable[]
}

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

const chart = z.object({
  mark: z.enum(['bar', 'line', 'area', 'scatter', 'histogram', 'box', 'heatmap']),
  x: z.string().nullable(),
  y: z.string().nullable(),
  aggregate: z.enum(['none', 'count', 'sum', 'mean', 'median', 'min', 'max']),
  color: z.string().nullable(),
})

const tab: z.ZodType<SqlTab> = z.object({
  id,
  title: z.string(),
  text: z.string(),
  parameters,
  where: z.enum(['auto', 'browser', 'service']),
  view: z.enum(['grid', 'chart', 'plan']),
  chart: chart.nullable(),
  order: z.number(),
  updatedAt: time,
})

const savedQuery: z.ZodType<SavedQuery> = z.object({
  id,
  name: z.string(),
  text: z.string(),
  parameters,
  updatedAt: time,
})

const historyEntry: z.ZodType<HistoryEntry> = z.object({
  id,
  text: z.string(),
  startedAt: z.number().min(0),
  milliseconds: z.number().min(0),
  rows: count.nullable(),
  where: z.enum(['browser', 'service']),
  outcome: z.enum(['done', 'cancelled', 'failed']),
  error: z.string().nullable(),
})

const localTable: z.ZodType<BackedUpTable> = z.object({
  id,
  name: z
    .string()
    .min(1)
    .max(128)
    .regex(/^\P{Cc}*$/u),
  source: z.object({ name: z.string(), size: count, table: z.string().nullable() }),
  rowCount: count,
  byteSize: count,
  columns: z.array(z.object({ name: z.string(), type: z.string() })).max(MAX_RECORDS),
  createdAt: time,
})

const schema = z.object({
  version: z.literal(VERSION),
  tabs: z.array(tab).max(MAX_RECORDS),
  saved: z.array(savedQuery).max(MAX_RECORDS),
  history: z.array(historyEntry).max(MAX_RECORDS),
  locals: z.array(localTable).max(MAX_RECORDS),
})

export function toExported(contents: SqlContents): unknown {
  return { version: VERSION, ...contents } satisfies { version: 1 } & SqlContents
}

/**
 * Reads what a backup holds of the SQL screen.
 * @param files ids of the local tables whose files it holds
 * @throws {Error} in a sentence for the person, when it isn't what was exported
 */
export function readContents(exported: unknown, files: ReadonlySet<string>): SqlContents {
  const read = schema.safeParse(exported)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new Error(`What it holds of SQL can’t be read (“${where}”: ${issue?.message ?? 'unknown'}).`)
  }
  const { tabs, saved, history, locals } = read.data
  for (const [what, items] of Object.entries({ tab: tabs, 'saved query': saved, statement: history, table: locals })) {
    if (new Set(items.map((item) => item.id)).size < items.length) {
      throw new Error(`What it holds of SQL can’t be read (the same ${what} is in it twice).`)
    }
  }
  if (new Set(locals.map(({ name }) => foldName(name))).size < locals.length) {
    throw new Error('What it holds of SQL can’t be read (two local tables have one name).')
  }
  const missing = locals.find((table) => !files.has(table.id))
  if (missing) throw new Error(`The file of its local table “${missing.name}” is missing.`)
  if (files.size > locals.length) throw new Error('It holds a file that no local table names.')
  return { tabs, saved, history, locals }
}
