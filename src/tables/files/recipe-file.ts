import { z } from '../../contract/zod.ts'
import type { ColumnChecks, RowCountCheck } from '../checks.ts'
import type { Edits } from '../edits.ts'
import type { ValueFormat, WriteOptions } from '../plan.ts'
import type { Shape, Split } from '../reshape/types.ts'
import { parseFile, schemaUrl } from './json-file.ts'
import type { CombineRecipe } from '../recipes/combined.ts'
import type { CombinedRecipe, FileRecipe, Recipe } from '../recipes/recipe.ts'
import { count, exactlyOptional, format, place, someSettings, text } from './schema-parts.ts'

/* Recipes as files. Strict: unknown properties are refused. The app publishes the schema. */

const valueFormat = z.strictObject(
  exactlyOptional({
    decimalMark: z.enum(['.', ',']),
    grouping: z.enum([',', '.', ' ', "'"]),
    unit: text,
    percent: z.boolean(),
    scaled: z.boolean(),
    sizes: z.boolean(),
    negative: z.enum(['trailing', 'parentheses', 'debit']),
    dateFormat: text,
    trueValues: z.array(text),
    falseValues: z.array(text),
    nullValues: z.array(text),
    trim: z.boolean(),
    formulas: z.boolean(),
    apostrophes: z.boolean(),
    fillDown: z.boolean(),
  } satisfies Record<keyof ValueFormat, z.ZodType>),
)

const columnChecks = z.strictObject(
  exactlyOptional({
    required: z.boolean(),
    unique: z.boolean(),
    minimum: text,
    maximum: text,
    minLength: count,
    maxLength: count,
    pattern: text,
    enum: z.array(text),
  } satisfies Record<keyof ColumnChecks, z.ZodType>),
)

const edits = z
  .array(
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
          checks: columnChecks.exactOptional(),
        }),
      ),
      mends: z
        .strictObject({
          rows: z.array(z.strictObject({ row: place, raw: text, cells: z.array(text.nullable()) })),
          replacements: z.array(
            z.strictObject({ source: text.nullable(), find: text, replace: text, whole: z.boolean() }),
          ),
          putBack: z.boolean().describe('Whether to put back rows that fit after the corrections'),
          atEnd: z
            .boolean()
            .exactOptional()
            .describe('Whether these rows come after all others; otherwise they keep their places'),
        })
        .exactOptional(),
    }),
  )
  .meta({ id: 'edits' }) satisfies z.ZodType<Edits>

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
  z.strictObject({
    kind: z.literal('json'),
    layout: z.enum(['array', 'lines']),
    normalize: z.boolean(),
    nested: z.boolean().exactOptional(),
  }),
  z.strictObject({ kind: z.literal('xlsx'), sheetName: text }),
  z.strictObject({
    kind: z.literal('parquet'),
    codec: z.enum(['zstd', 'snappy', 'gzip', 'lz4_raw', 'brotli', 'uncompressed']),
    rowGroupSize: place,
  }),
  z.strictObject({ kind: z.literal('arrow') }),
]) satisfies z.ZodType<WriteOptions>

const split = z.discriminatedUnion('by', [
  z.strictObject({
    by: z.literal('column'),
    column: text,
    period: z
      .enum(['month', 'year'])
      .exactOptional()
      .describe('Splits by the months or years of the column’s dates; by default each value gets a file'),
  }),
  z.strictObject({ by: z.literal('rows'), rows: place }),
]) satisfies z.ZodType<Split>

const shape = z.strictObject({
  sql: text.min(1).describe('One statement in DuckDB’s SQL that returns rows'),
  tables: z
    .array(
      z.strictObject({
        table: text.nullable().describe('The table in the file, if it has several; else null'),
        name: text.min(1).describe('The table’s name in the statement'),
        file: text.exactOptional().describe('The file name by which the statement may refer to it, in quotes'),
      }),
    )
    .min(1),
}) satisfies z.ZodType<Shape>

const signature = z
  .strictObject({
    format,
    tables: z.array(z.strictObject({ name: text.nullable(), sources: z.array(text) })),
  })
  .meta({ id: 'signature' })

const ofAny = {
  $schema: text.exactOptional(),
  version: z.literal(1),
  name: text.min(1),
  createdAt: count.describe('In milliseconds since 1970, UTC'),
  target: format,
  options: z.partialRecord(format, options).meta({ id: 'options' }),
  split: split.exactOptional().describe('How to split each table into several files'),
  rowCount: z
    .strictObject({
      least: count,
      most: count,
      last: z.array(z.strictObject({ table: text.nullable(), rows: count })),
    } satisfies Record<Exclude<keyof RowCountCheck, 'recipe'>, z.ZodType>)
    .exactOptional()
    .describe('How many rows a table may have, in percent of its rows when the recipe was last applied'),
  shape: shape.exactOptional().describe('The SQL statement to run between reading and writing; its result is written'),
}

const ofFiles = {
  matches: z.array(signature).min(1).describe('The columns of the files that the recipe is for'),
  request: z
    .strictObject({ format: format.exactOptional(), settings: someSettings.exactOptional() })
    .meta({ id: 'request' })
    .describe('The settings for reading that were chosen by hand; all others are detected'),
  edits: edits.describe('What was changed in columns and sheets'),
}

const combine = z.strictObject({
  name: text.min(1).exactOptional().describe('The output’s name; by default what the files’ names have in common'),
  members: z
    .array(
      z.strictObject({
        ...ofFiles,
        tables: z.array(
          z.strictObject({
            table: text.nullable(),
            columns: z.array(z.strictObject({ source: text, nth: count, into: text.min(1) })),
          }),
        ),
      }),
    )
    .min(1)
    .describe(
      'The kinds of files, recognized by their columns: how to read them, and which column of the result each column becomes',
    ),
  columns: z
    .array(z.strictObject({ name: text.min(1), type: text, include: z.boolean(), inAll: z.boolean() }))
    .min(1)
    .describe('The columns of the result. inAll: whether every file must have the column'),
  fileColumn: z.boolean().describe('Whether to add a column with the name of each row’s file'),
  rowColumn: z.boolean().describe('Whether to add a column with each row’s number in its file'),
}) satisfies z.ZodType<CombineRecipe>

const fileRecipe = z.strictObject({ ...ofAny, ...ofFiles }) satisfies z.ZodType<Omit<FileRecipe, 'id'>>
const combinedRecipe = z.strictObject({
  ...ofAny,
  combine: combine.describe('How several files become one table'),
}) satisfies z.ZodType<Omit<CombinedRecipe, 'id'>>

/** @returns the schema as JSON Schema, draft 2020-12 */
export function recipeSchema(): unknown {
  return { title: 'Rowhouse recipe', ...z.toJSONSchema(z.union([fileRecipe, combinedRecipe])) }
}

/** @param origin the app's, which serves the schema */
export function toRecipeFile(recipe: Recipe, origin: string): unknown {
  const { id: _, ...rest } = recipe
  return { $schema: schemaUrl('recipe', origin), ...rest }
}

/**
 * @param id the new recipe's
 * @throws {FileRefused}
 */
export function fromRecipeFile(content: string, id: string): Recipe {
  // A union's error has no position, so parse with the schema that applies.
  const { $schema: _, ...recipe } = parseFile<z.infer<typeof fileRecipe | typeof combinedRecipe>>(
    content,
    (value) => ('combine' in value ? combinedRecipe : fileRecipe),
    'recipe',
  )
  return { id, ...recipe }
}
