import { FORMATS, type FormatId } from '../../contract/formats.ts'
import { z } from '../../contract/zod.ts'
import type { ReadSettings } from '../plan.ts'
import type { CsvPlace } from '../settings.ts'

/* Shared by the schemas of recipes and receipts. */

export const text = z.string()
export const count = z.int().min(0)
export const place = z.int().min(1)
const byName = <T extends z.ZodType>(value: T) => z.record(text, value)
const compression = z.enum(['gzip', 'zstd', 'bzip2']).nullable()

const csv = {
  compression,
  encoding: text,
  delimiter: text,
  quote: text.nullable(),
  escape: text.nullable(),
  skipLines: count,
  header: z.boolean(),
  comment: text.nullable(),
  nullStrings: z.array(text),
  shortRows: z.enum(['reject', 'pad', 'pad-data']),
  longRows: z.enum(['reject', 'keep']).exactOptional(),
  width: place.exactOptional(),
  numbers: z.enum(['1,234.56', '1.234,56', '1 234,56', "1'234.56"]).exactOptional(),
  headerRows: place.exactOptional(),
  skipLast: count.exactOptional(),
  lastLine: place.exactOptional(),
  leaveOut: z.array(place).exactOptional(),
  leaveOutSubtotals: z.boolean().exactOptional(),
  rowNames: z.boolean().exactOptional(),
  layout: z.enum(['delimited', 'frame', 'fixed', 'eurostat', 'records']).exactOptional(),
  columnStarts: z.array(count).exactOptional(),
  mergeDelimiters: z.boolean().exactOptional(),
  trim: z.boolean().exactOptional(),
  strayQuotes: z.enum(['reject', 'text']).exactOptional(),
  blankRows: z.enum(['keep', 'leave-out']).exactOptional(),
  repeatedHeaders: z.enum(['keep', 'leave-out']).exactOptional(),
  blocks: z.boolean().exactOptional(),
  tables: byName(
    z.strictObject({
      skipLines: count.exactOptional(),
      header: z.boolean().exactOptional(),
      headerRows: place.exactOptional(),
      width: place.exactOptional(),
      skipLast: count.exactOptional(),
      lastLine: place.exactOptional(),
      leaveOut: z.array(place).exactOptional(),
      leaveOutSubtotals: z.boolean().exactOptional(),
    } satisfies Record<keyof CsvPlace, z.ZodType>),
  ).exactOptional(),
}

const unfold = z.array(z.strictObject({ column: text, as: z.enum(['columns', 'rows']) }))
const nesting = z.strictObject({ name: text, steps: z.array(count) })

const rowsOfJson = {
  path: z.array(text),
  within: z.array(text).exactOptional(),
  rows: z.enum(['objects', 'arrays', 'values']).exactOptional(),
  header: z.boolean().exactOptional(),
  keys: z.strictObject({ columns: z.array(text), others: text }).exactOptional(),
  unfold: unfold.exactOptional(),
  nesting: nesting.exactOptional(),
}

const json = {
  compression,
  encoding: text,
  layout: z.enum(['array', 'lines', 'bulk', 'records', 'columns']),
  rowKeys: z.boolean().exactOptional(),
  ...rowsOfJson,
  tables: byName(z.strictObject(rowsOfJson)).exactOptional(),
}

const xlsx = {
  compression: compression.exactOptional(),
  headerRow: byName(place.nullable()),
  headerRows: byName(place).exactOptional(),
  range: byName(text).exactOptional(),
  skipLast: byName(count).exactOptional(),
  leaveOut: byName(z.array(place)).exactOptional(),
  leaveOutSubtotals: byName(z.boolean()).exactOptional(),
  blocks: z.boolean().exactOptional(),
  repeatMerged: byName(z.array(text)).exactOptional(),
  sheet: byName(text).exactOptional(),
}

type ExactlyOptional<T extends Record<string, z.ZodType>> = { [K in keyof T]: z.ZodExactOptional<T[K]> }

export function exactlyOptional<T extends Record<string, z.ZodType>>(fields: T): ExactlyOptional<T> {
  const optional = Object.entries(fields).map(([name, type]) => [name, type.exactOptional()])
  return Object.fromEntries(optional) as ExactlyOptional<T>
}

/** A schema for each setting. */
type FieldsOf<T> = { [P in Exclude<keyof T, 'kind'>]-?: z.ZodType<T[P]> }

/** The settings of each kind of file. */
const FIELDS = {
  csv,
  json,
  xlsx,
  arrow: { layout: z.enum(['file', 'stream']) },
  parquet: {},
  duckdb: {},
  sqlite: { compression: compression.exactOptional() },
} satisfies { [K in ReadSettings['kind']]: FieldsOf<Extract<ReadSettings, { kind: K }>> }

type Kind = keyof typeof FIELDS
type Fields = Record<string, z.ZodType>
type KindSchema = z.ZodObject<{ kind: z.ZodLiteral<Kind> }>

const settingsOf = (fieldsOf: (kind: Kind) => Fields) =>
  z.discriminatedUnion(
    'kind',
    (Object.keys(FIELDS) as Kind[]).map((kind): KindSchema =>
      z.strictObject({ kind: z.literal(kind), ...fieldsOf(kind) }),
    ) as [KindSchema, ...KindSchema[]],
  )

/** Changed settings: all are optional. */
export const someSettings = settingsOf((kind) => exactlyOptional(FIELDS[kind] as Fields)) as z.ZodType<
  Partial<ReadSettings>
>

/** The complete settings of a file. */
export const allSettings = settingsOf((kind) => FIELDS[kind]) as z.ZodType<ReadSettings>

export const format = z.enum(FORMATS.map(({ id }) => id) as [FormatId, ...FormatId[]])
