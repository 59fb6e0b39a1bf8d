import type { FormatId } from '../../contract/formats.ts'
import { z } from '../../contract/zod.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { ColumnChecks } from '../checks.ts'
import { quotedList } from '../../lib/text.ts'
import { occurrences, type ColumnEdit } from '../edits.ts'
import type { ValueFormat } from '../plan.ts'
import { recipeName, type FileRecipe } from '../recipes/recipe.ts'
import { parseType } from '../types.ts'
import { FileRefused, jsonOf } from './json-file.ts'
import { count } from './schema-parts.ts'
import { logicalText, patternOf } from './table-schema-values.ts'
import { stemOf } from '../file-names.ts'

/*
 * Converts between recipes and Table Schemas or Data Packages of the Frictionless standard, versions 1 and 2
 * (https://datapackage.org/standard). What can't be converted is reported.
 */

/** Recipes for a schema, and sentences about what they can't express. */
export interface ImportedSchema {
  readonly recipes: readonly FileRecipe[]
  readonly notes: readonly string[]
}

const scalar = z.union([z.string(), z.number(), z.boolean()])
const missing = z.array(z.union([z.string(), z.looseObject({ value: z.string() })])).optional()

const constraint = z.looseObject({
  required: z.boolean().optional(),
  unique: z.boolean().optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  minimum: scalar.optional(),
  maximum: scalar.optional(),
  exclusiveMinimum: scalar.optional(),
  exclusiveMaximum: scalar.optional(),
  pattern: z.string().optional(),
  enum: z.array(scalar).optional(),
})
const CHECKED = new Set(Object.keys(constraint.shape))

const field = z.looseObject({
  name: z.string(),
  type: z.string().default('any'),
  format: z.string().default('default'),
  decimalChar: z.string().optional(),
  groupChar: z.string().optional(),
  bareNumber: z.boolean().optional(),
  trueValues: z.array(z.string()).optional(),
  falseValues: z.array(z.string()).optional(),
  missingValues: missing,
  categories: z.array(z.union([z.string(), z.number(), z.looseObject({ value: scalar })])).optional(),
  duckdbType: z.string().optional(),
  constraints: constraint.default({}),
})

const keys = z.union([z.string().transform((name) => [name]), z.array(z.string())])

const tableSchema = z.looseObject({
  fields: z.array(field).min(1),
  missingValues: missing,
  primaryKey: keys.optional(),
  uniqueKeys: z.array(keys).optional(),
  foreignKeys: z.array(z.unknown()).optional(),
})

/** Properties of a resource about reading its file that recipes don't take over. */
const HOW_READ = ['dialect', 'encoding', 'compression'] as const

const resource = z.looseObject({
  name: z.string().optional(),
  path: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  schema: z.union([z.string(), tableSchema]).optional(),
})

type Field = z.infer<typeof field>
type TableSchema = z.infer<typeof tableSchema>
type Note = (sentence: string) => void

/** Whether JSON is a Table Schema or a Data Package, by its properties. */
export function isTableSchema(content: string): boolean {
  try {
    const value = jsonOf(content)
    if (!isJsonObject(value)) return false
    const { fields, resources } = value
    return (
      (Array.isArray(fields) && fields.every(isNamed)) || (Array.isArray(resources) && resources.every(isJsonObject))
    )
  } catch {
    return false
  }
}

const isNamed = (value: unknown): boolean => isJsonObject(value) && typeof value['name'] === 'string'

/**
 * Converts a Table Schema, or a Data Package with one for each of its files.
 * @param newId makes ids for the recipes
 * @throws {FileRefused}
 */
export function fromTableSchema(fileName: string, content: string, newId: () => string, now: number): ImportedSchema {
  const value = jsonOf(content)
  const notes: string[] = []
  const make = (schema: TableSchema, name: string, format: FormatId, tell: Note): FileRecipe => ({
    version: 1,
    id: newId(),
    name,
    createdAt: now,
    ...recipeOf(schema, format, tell),
  })
  if (!isJsonObject(value) || !Array.isArray(value['resources'])) {
    const name = stemOf(fileName).replace(/[._-]?(table-?)?schema$/i, '') || 'schema'
    return { recipes: [make(checked(tableSchema, value), name, 'csv', (note) => notes.push(note))], notes }
  }
  const resources = checked(z.looseObject({ resources: z.array(resource) }), value).resources
  const recipes = resources.flatMap(({ schema, name, path, format, ...others }, i) => {
    const file = [path ?? ''].flat()[0]?.replace(/^.*\//, '') ?? ''
    const called = name ?? (recipeName(file) || `table ${i + 1}`)
    if (schema === undefined || typeof schema === 'string') {
      notes.push(`“${called}” has no schema in this file.`)
      return []
    }
    const tell: Note = (note) => notes.push(`${called}: ${note}`)
    const said = HOW_READ.filter((key) => others[key] !== undefined)
    if (said.length > 0) tell(`${quotedList(said)} of the resource isn’t used: Rowhouse detects how a file is written.`)
    return [make(schema, called, formatOf(format ?? file), tell)]
  })
  if (recipes.length === 0) throw new FileRefused('None of its resources has a schema. Add the schema’s own file.')
  return { recipes, notes }
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const at = issue && issue.path.length > 0 ? `${z.core.toDotPath(issue.path)}: ` : ''
  throw new FileRefused(`It isn’t a Table Schema. ${at}${issue?.message ?? ''}`)
}

/** The format of a resource. Only formats with a single unnamed table are supported. */
function formatOf(said: string): FormatId {
  const ending = said.toLowerCase().replace(/^.*\./, '')
  if (ending === 'tsv' || ending === 'parquet') return ending
  return ['json', 'ndjson', 'jsonl'].includes(ending) ? 'json' : 'csv'
}

function recipeOf(
  schema: TableSchema,
  format: FormatId,
  tell: Note,
): Omit<FileRecipe, 'id' | 'version' | 'name' | 'createdAt'> {
  const { fields, primaryKey = [], uniqueKeys = [], foreignKeys = [] } = schema
  const everywhere = textsOf(schema.missingValues) ?? ['']
  const isText = format === 'csv' || format === 'tsv'
  if (primaryKey.length > 1) tell(`whether ${named(primaryKey)} are unique together isn’t checked.`)
  for (const key of uniqueKeys) if (key.length > 1) tell(`whether ${named(key)} are unique together isn’t checked.`)
  if (foreignKeys.length > 0) tell('references to other tables (foreignKeys) aren’t checked.')
  for (const key of new Set([primaryKey, ...uniqueKeys].flat())) {
    if (!fields.some(({ name }) => name === key)) tell(`“${key}” in its keys isn’t one of its fields.`)
  }
  if (!isText && everywhere.some((text) => text !== ''))
    tell('missingValues for all fields are used only for CSV and TSV.')
  tellUnkept(schema, tell)
  const single = new Set([primaryKey, ...uniqueKeys].flatMap((key) => (key.length === 1 ? key : [])))
  const nth = occurrences(fields.map(({ name }) => ({ source: name })))
  const columns = fields.flatMap((each, i): ColumnEdit[] => {
    const { name } = each
    const constraints = {
      ...each.constraints,
      ...(primaryKey.includes(name) ? { required: true } : {}),
      ...(single.has(name) ? { unique: true } : {}),
    }
    const change = columnOf({ ...each, constraints }, isText ? everywhere : [], (note) => tell(`“${name}”: ${note}`))
    return Object.keys(change).length === 0 ? [] : [{ source: name, nth: nth[i] ?? 0, ...change }]
  })
  const isUsual = everywhere.length === 1 && everywhere[0] === ''
  return {
    matches: [{ format, tables: [{ name: null, sources: fields.map(({ name }) => name) }] }],
    request: isUsual || !isText ? {} : { settings: { kind: 'csv', nullStrings: everywhere } },
    edits: columns.length === 0 ? [] : [{ table: null, columns }],
    target: format === 'parquet' ? 'csv' : 'parquet',
    options: {},
  }
}

/** Reports properties that recipes don't have, with the fields that have them. */
function tellUnkept(schema: TableSchema, tell: Note): void {
  const byNote = new Map<string, string[]>()
  const add = (key: string, name: string, what = `“${key}” of # isn’t kept.`): void =>
    void byNote.set(what, [...(byNote.get(what) ?? []), name])
  for (const key of Object.keys(schema))
    if (!(key in tableSchema.shape) && key !== '$schema') tell(`“${key}” isn’t kept.`)
  for (const each of schema.fields) {
    const { name, type, format, constraints } = each
    for (const key of Object.keys(each)) if (!(key in field.shape)) add(key, name)
    for (const key of Object.keys(constraints)) if (!CHECKED.has(key)) add(key, name, `“${key}” of # isn’t checked.`)
    if (format !== 'default' && !WITH_FORMAT.has(type)) add('format', name)
    for (const [key, types] of Object.entries(OF_TYPES)) {
      if (each[key] !== undefined && !types.includes(type)) add(key, name)
    }
  }
  for (const [what, names] of byNote) tell(what.replace('#', () => quotedList(names)))
}

/** Properties that apply to these types only. */
const OF_TYPES: Readonly<Record<string, readonly string[]>> = {
  decimalChar: ['number', 'integer'],
  groupChar: ['number', 'integer'],
  bareNumber: ['number', 'integer'],
  trueValues: ['boolean'],
  falseValues: ['boolean'],
}
/** Types whose format is converted or reported. */
const WITH_FORMAT = new Set(['string', 'date', 'time', 'datetime'])

const named = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

const textsOf = (values: TableSchema['missingValues']): string[] | undefined =>
  values?.map((value) => (typeof value === 'string' ? value : value.value))

/** Types that are converted; columns of other types keep the inferred type. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  year: 'INTEGER',
  yearmonth: 'VARCHAR',
  duration: 'INTERVAL',
}
const UNREAD = new Set(['object', 'array', 'list', 'geopoint', 'geojson'])
const ORDERED = new Set(['number', 'integer', 'date', 'time', 'datetime', 'year'])
export const TEMPORAL = new Set(['date', 'time', 'datetime'])

function columnOf(each: Field, nullTexts: readonly string[], tell: Note): Omit<ColumnEdit, 'source' | 'nth'> {
  const type = typeOf(each, tell)
  const format = formatIn(each, nullTexts, tell)
  const checks = checksOf(each, tell)
  return {
    ...(type === undefined ? {} : { type }),
    ...(Object.keys(format).length > 0 ? { format } : {}),
    ...(Object.keys(checks).length > 0 ? { checks } : {}),
  }
}

function typeOf({ type, format, duckdbType }: Field, tell: Note): string | undefined {
  // Rowhouse's own extension, which is more precise.
  if (duckdbType !== undefined && isType(duckdbType)) return duckdbType
  if (UNREAD.has(type)) tell(`“${type}” isn’t used: the column’s type is detected.`)
  else if (type !== 'any' && type !== 'datetime' && !(type in TYPES)) tell(`the type “${type}” isn’t known.`)
  if (type === 'string' && format !== 'default') tell(`whether values have the format “${format}” isn’t checked.`)
  if (type === 'datetime') return patternOf(format) === undefined ? undefined : /%z/i.test(format) ? ZONED : 'TIMESTAMP'
  return TYPES[type]
}

const ZONED = 'TIMESTAMP WITH TIME ZONE'

/** Whether it's a type name that we support. */
export function isType(name: string): boolean {
  try {
    parseType(name)
    return true
  } catch {
    return false
  }
}

/** Patterns with parts that we support. */
const PARTS = /^(?:[^%]|%[YymdHIMSfpbBzsQ])*$/

function formatIn(each: Field, nullTexts: readonly string[], tell: Note): ValueFormat {
  const { type, decimalChar, groupChar, bareNumber, trueValues, falseValues } = each
  const own = textsOf(each.missingValues)
  const nullValues = own?.filter((text) => text !== '' && !nullTexts.includes(text)) ?? []
  const others = own ? nullTexts.filter((text) => !own.includes(text)) : []
  if (others.length > 0) tell(`${named(others)} is null here too, as in the whole file.`)
  const isNumber = type === 'number' || type === 'integer'
  const decimalMark = isNumber ? oneOf(['.', ','], decimalChar, 'decimalChar', tell) : undefined
  const grouping = isNumber ? oneOf([',', '.', ' ', "'"], groupChar, 'groupChar', tell) : undefined
  if (isNumber && bareNumber === false)
    tell('the schema doesn’t say which unit stands before or after numbers: check that they are read as numbers.')
  const pattern = TEMPORAL.has(type) ? patternOf(each.format) : undefined
  const isKnown = pattern === undefined || PARTS.test(pattern)
  if (!isKnown) tell(`the pattern “${pattern}” has unknown parts: how dates are written is detected.`)
  return {
    ...(decimalMark && decimalMark !== '.' ? { decimalMark } : {}),
    ...(grouping ? { grouping } : {}),
    ...(pattern !== undefined && isKnown ? { dateFormat: pattern } : {}),
    ...(type === 'boolean'
      ? {
          trueValues: trueValues ?? ['true', 'True', 'TRUE', '1'],
          falseValues: falseValues ?? ['false', 'False', 'FALSE', '0'],
        }
      : {}),
    ...(nullValues.length > 0 ? { nullValues } : {}),
  }
}

function oneOf<T extends string>(
  known: readonly T[],
  value: string | undefined,
  what: string,
  tell: Note,
): T | undefined {
  const found = known.find((each) => each === value)
  if (value !== undefined && found === undefined) tell(`the ${what} “${value}” isn’t known.`)
  return found
}

function checksOf(each: Field, tell: Note): ColumnChecks {
  const { type, constraints, categories } = each
  const { required, unique, minLength, maxLength, minimum, maximum, pattern } = constraints
  const isText = type === 'string'
  const isOrdered = ORDERED.has(type)
  const only = <T>(value: T | undefined, fits: boolean, what: string): T | undefined => {
    if (value !== undefined && !fits) tell(`${what} isn’t checked for values of type “${type}”.`)
    return fits ? value : undefined
  }
  const allowed = constraints.enum ?? categories?.map((value) => (typeof value === 'object' ? value.value : value))
  const asText = (value: string | number | boolean): string[] => {
    const text = logicalText(value, each)
    if (text === null) tell(`“${value}” in its constraints isn’t a value of type “${type}”.`)
    return text === null ? [] : [text]
  }
  const least = only(minimum, isOrdered, 'minimum') ?? beyond(each, constraints.exclusiveMinimum, 1, tell)
  const most = only(maximum, isOrdered, 'maximum') ?? beyond(each, constraints.exclusiveMaximum, -1, tell)
  const checks = {
    required,
    unique,
    minLength: only(minLength, isText, 'minLength'),
    maxLength: only(maxLength, isText, 'maxLength'),
    pattern: only(pattern, isText || type === 'yearmonth', 'pattern'),
    minimum: least === undefined ? undefined : asText(least)[0],
    maximum: most === undefined ? undefined : asText(most)[0],
    // The same duration can be written in several ways.
    enum: only(allowed, type !== 'duration', 'enum')?.flatMap(asText),
  }
  return Object.fromEntries(Object.entries(checks).filter(([, value]) => value !== undefined && value !== false))
}

/** The nearest value beyond an exclusive limit, which only integers have. */
function beyond(
  { type }: Field,
  limit: string | number | boolean | undefined,
  step: number,
  tell: Note,
): number | undefined {
  if (limit === undefined) return undefined
  if (type === 'integer' && Number.isSafeInteger(Number(limit))) return Number(limit) + step
  tell(
    `${step > 0 ? 'exclusiveMinimum' : 'exclusiveMaximum'} isn’t checked: only limits that include their own value are.`,
  )
  return undefined
}
