import { FORMATS, type FormatId } from '../../../contract/formats.ts'
import { z } from '../../../contract/zod.ts'
import type { Edits } from '../../../tables/edits.ts'
import type { ReadSettings, ValueFormat, WriteOptions } from '../../../tables/plan.ts'
import type { CsvSettings, JsonSettings, XlsxSettings } from '../../../tables/settings.ts'
import type { Recipe } from './recipe.ts'

/* Recipes as files. Strict: what isn't known is refused rather than left aside. The schema is published by the app. */

/** Where the app serves the schema. */
export const SCHEMA_PATH = '/schemas/recipe-1.json'

const text = z.string()
const count = z.int().min(0)
const place = z.int().min(1)
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
  longRows: z.enum(['reject', 'keep']),
  width: place,
  numbers: z.enum(['1,234.56', '1.234,56', '1 234,56', "1'234.56"]),
  headerRows: place,
  skipLast: count,
  lastLine: place,
  leaveOut: z.array(place),
  rowNames: z.boolean(),
  layout: z.enum(['delimited', 'frame', 'fixed']),
  columnStarts: z.array(count),
  mergeDelimiters: z.boolean(),
  trim: z.boolean(),
  strayQuotes: z.enum(['reject', 'text']),
} satisfies Record<Exclude<keyof CsvSettings, 'kind'>, z.ZodType>

const rowsOfJson = {
  path: z.array(text),
  within: z.array(text).exactOptional(),
  rows: z.enum(['objects', 'arrays', 'values']).exactOptional(),
  header: z.boolean().exactOptional(),
  keys: z.strictObject({ columns: z.array(text), others: text }).exactOptional(),
}

const json = {
  compression,
  encoding: text,
  layout: z.enum(['array', 'lines', 'records', 'columns']),
  rowKeys: z.boolean(),
  path: z.array(text),
  within: z.array(text),
  rows: z.enum(['objects', 'arrays', 'values']),
  header: z.boolean(),
  keys: z.strictObject({ columns: z.array(text), others: text }),
  tables: byName(z.strictObject(rowsOfJson)),
} satisfies Record<Exclude<keyof JsonSettings, 'kind'>, z.ZodType>

const xlsx = {
  headerRow: byName(place.nullable()),
  headerRows: byName(place),
  range: byName(text),
  skipLast: byName(count),
  leaveOut: byName(z.array(place)),
  sheet: byName(text),
} satisfies Record<Exclude<keyof XlsxSettings, 'kind'>, z.ZodType>

/** Settings that were set: any of them may be absent. */
const some = <K extends string, T extends Record<string, z.ZodType>>(kind: K, fields: T) =>
  z.strictObject({ kind: z.literal(kind), ...exactlyOptional(fields) })

type ExactlyOptional<T extends Record<string, z.ZodType>> = { [K in keyof T]: z.ZodExactOptional<T[K]> }

function exactlyOptional<T extends Record<string, z.ZodType>>(fields: T): ExactlyOptional<T> {
  const optional = Object.entries(fields).map(([name, type]) => [name, type.exactOptional()])
  return Object.fromEntries(optional) as ExactlyOptional<T>
}

const settings = z.discriminatedUnion('kind', [
  some('csv', csv),
  some('json', json),
  some('xlsx', xlsx),
  some('arrow', { layout: z.enum(['file', 'stream']) }),
  some('parquet', {}),
  some('duckdb', {}),
]) satisfies z.ZodType<Partial<ReadSettings>>

const format = z.enum(FORMATS.map(({ id }) => id) as [FormatId, ...FormatId[]])

const valueFormat = z.strictObject(
  exactlyOptional({
    decimalMark: z.enum(['.', ',']),
    grouping: z.enum([',', '.', ' ', "'"]),
    unit: text,
    percent: z.boolean(),
    scaled: z.boolean(),
    negative: z.enum(['trailing', 'parentheses']),
    dateFormat: text,
    trueValues: z.array(text),
    falseValues: z.array(text),
    nullValues: z.array(text),
    trim: z.boolean(),
  } satisfies Record<keyof ValueFormat, z.ZodType>),
)

const edits = z.array(
  z.strictObject({
    table: text.nullable(),
    include: z.boolean().exactOptional(),
    columns: z.array(
      z.strictObject({
        source: text,
        nth: count,
        name: text.exactOptional(),
        type: text.exactOptional(),
        include: z.boolean().exactOptional(),
        format: valueFormat.exactOptional(),
      }),
    ),
    mends: z
      .strictObject({
        rows: z.array(z.strictObject({ row: place, raw: text, cells: z.array(text.nullable()) })),
        replacements: z.array(
          z.strictObject({ source: text.nullable(), find: text, replace: text, whole: z.boolean() }),
        ),
        putBack: z.boolean(),
      })
      .exactOptional(),
  }),
) satisfies z.ZodType<Edits>

const csvOptions = z.strictObject({
  kind: z.literal('csv'),
  delimiter: text,
  quoteAll: z.boolean(),
  bom: z.boolean(),
  lineEnd: z.enum(['\n', '\r\n']),
  nullString: text,
  header: z.boolean(),
  safeForSpreadsheets: z.boolean(),
  normalize: z.boolean(),
})

const options = z.discriminatedUnion('kind', [
  csvOptions,
  z.strictObject({ kind: z.literal('json'), layout: z.enum(['array', 'lines']), normalize: z.boolean() }),
  z.strictObject({ kind: z.literal('xlsx'), sheetName: text }),
  z.strictObject({
    kind: z.literal('parquet'),
    codec: z.enum(['zstd', 'snappy', 'gzip', 'lz4_raw', 'brotli', 'uncompressed']),
    rowGroupSize: place,
  }),
  z.strictObject({ kind: z.literal('arrow') }),
]) satisfies z.ZodType<WriteOptions>

const signature = z.strictObject({
  format,
  tables: z.array(z.strictObject({ name: text.nullable(), sources: z.array(text) })),
})

const recipeFile = z.strictObject({
  $schema: text.exactOptional(),
  version: z.literal(1),
  name: text.min(1),
  createdAt: count.describe('Milliseconds since 1970, UTC'),
  matches: z.array(signature).min(1).describe('Columns of the files that it is for'),
  request: z
    .strictObject({ format: format.exactOptional(), settings: settings.exactOptional() })
    .describe('How a file is read, where that was set by hand'),
  edits: edits.describe('What was changed of columns and sheets'),
  target: format,
  options: z.partialRecord(format, options),
})

/** @returns the schema as JSON Schema, draft 2020-12 */
export function recipeSchema(): unknown {
  return { title: 'Rowhouse recipe', ...z.toJSONSchema(recipeFile) }
}

/** @param origin of the app, which serves the schema */
export function toRecipeFile(recipe: Recipe, origin: string): unknown {
  const { id: _, ...rest } = recipe
  return { $schema: `${origin}${SCHEMA_PATH}`, ...rest }
}

/**
 * @param id of the new recipe
 * @throws {Error} that says what isn't as it should be, and where
 */
export function fromRecipeFile(content: string, id: string): Recipe {
  const parsed = recipeFile.safeParse(jsonOf(content))
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const at = issue && issue.path.length > 0 ? `${z.core.toDotPath(issue.path)}: ` : ''
    throw new Error(`It isn’t a recipe of version 1. ${at}${issue?.message ?? ''}`)
  }
  const { $schema: _, ...recipe } = parsed.data
  return { id, ...recipe }
}

function jsonOf(content: string): unknown {
  try {
    return JSON.parse(content)
  } catch (cause) {
    throw new Error('It isn’t JSON.', { cause })
  }
}
