import type { FormatId } from '../../contract/formats.ts'
import { z } from '../../contract/zod.ts'
import { isJsonObject } from '../../lib/json.ts'
import type { ColumnChecks } from '../checks.ts'
import { keyOf, occurrences, type ColumnEdit } from '../edits.ts'
import { stemOf } from '../names.ts'
import type { ValueFormat } from '../plan.ts'
import { recipeName, type FileRecipe } from '../recipes/recipe.ts'
import { parseType } from '../types.ts'
import { FileRefused, jsonOf } from './json-file.ts'
import { count } from './schema-parts.ts'
import { logicalText, patternOf, physicalText } from './table-schema-values.ts'

/*
 * Table Schemas and Data Packages of the Frictionless standard, versions 1 and 2 (https://datapackage.org/standard), as
 * recipes, and recipes as Table Schemas. What the other can't say is told.
 */

/** Recipes that a file of the standard comes to, and sentences about what of it no recipe can say. */
export interface ImportedSchema {
  readonly recipes: readonly FileRecipe[]
  readonly notes: readonly string[]
}

const scalar = z.union([z.string(), z.number(), z.boolean()])
const missing = z.array(z.union([z.string(), z.looseObject({ value: z.string() })])).optional()

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
  constraints: z
    .looseObject({
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
    .default({}),
})

const keys = z.union([z.string().transform((name) => [name]), z.array(z.string())])

const tableSchema = z.looseObject({
  fields: z.array(field).min(1),
  missingValues: missing,
  primaryKey: keys.optional(),
  uniqueKeys: z.array(keys).optional(),
  foreignKeys: z.array(z.unknown()).optional(),
})

const resource = z.looseObject({
  name: z.string().optional(),
  path: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  schema: z.union([z.string(), tableSchema]).optional(),
})

type Field = z.infer<typeof field>
type TableSchema = z.infer<typeof tableSchema>
type Note = (sentence: string) => void

/** Whether JSON is of the standard, by its properties. */
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
 * A Table Schema, or a Data Package with one for each of its files.
 * @param newId makes ids of recipes
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
  const recipes = resources.flatMap(({ schema, name, path, format }, i) => {
    const file = [path ?? ''].flat()[0]?.replace(/^.*\//, '') ?? ''
    const called = name ?? (recipeName(file) || `table ${i + 1}`)
    if (schema === undefined || typeof schema === 'string') {
      notes.push(`“${called}” has no schema in this file.`)
      return []
    }
    return [make(schema, called, formatOf(format ?? file), (note) => notes.push(`${called}: ${note}`))]
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

/** Formats whose files are one table without a name. */
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
  if (primaryKey.length > 1) tell(`that ${named(primaryKey)} together occur once isn’t checked.`)
  for (const key of uniqueKeys) if (key.length > 1) tell(`that ${named(key)} together occur once isn’t checked.`)
  if (foreignKeys.length > 0) tell('references to other tables (foreignKeys) aren’t checked.')
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

const named = (names: readonly string[]): string => names.map((name) => `“${name}”`).join(', ')

const textsOf = (values: TableSchema['missingValues']): string[] | undefined =>
  values?.map((value) => (typeof value === 'string' ? value : value.value))

/** Types that a column is read as; of others it stays as it's found. */
const TYPES: Readonly<Record<string, string>> = {
  string: 'VARCHAR',
  number: 'DOUBLE',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME',
  year: 'INTEGER',
  yearmonth: 'VARCHAR',
}
const UNREAD = new Set(['object', 'array', 'list', 'duration', 'geopoint', 'geojson'])
const ORDERED = new Set(['number', 'integer', 'date', 'time', 'datetime', 'year'])
const TEMPORAL = new Set(['date', 'time', 'datetime'])

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
  // Rowhouse's own, which says more than the standard's does.
  if (duckdbType !== undefined && isType(duckdbType)) return duckdbType
  if (UNREAD.has(type)) tell(`values of type “${type}” are read as they’re found.`)
  else if (type !== 'any' && type !== 'datetime' && !(type in TYPES)) tell(`the type “${type}” isn’t known.`)
  if (type === 'string' && format !== 'default') tell(`that values are of the format “${format}” isn’t checked.`)
  if (type === 'datetime') return patternOf(format) === undefined ? undefined : /%z/i.test(format) ? ZONED : 'TIMESTAMP'
  return TYPES[type]
}

const ZONED = 'TIMESTAMP WITH TIME ZONE'

function isType(name: string): boolean {
  try {
    parseType(name)
    return true
  } catch {
    return false
  }
}

/** What patterns of ours are made of. */
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
    tell('which unit stands before or behind numbers isn’t said: see whether it’s read.')
  const pattern = TEMPORAL.has(type) ? patternOf(each.format) : undefined
  const isKnown = pattern === undefined || PARTS.test(pattern)
  if (!isKnown) tell(`the pattern “${pattern}” has parts that aren’t known: dates are read as they’re found.`)
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
    if (value !== undefined && !fits) tell(`${what} isn’t checked of values of type “${type}”.`)
    return fits ? value : undefined
  }
  const allowed = constraints.enum ?? categories?.map((value) => (typeof value === 'object' ? value.value : value))
  const asText = (value: string | number | boolean): string[] => {
    const text = logicalText(value, each)
    if (text === null) tell(`“${value}” of its constraints is no value of type “${type}”.`)
    return text === null ? [] : [text]
  }
  const least = only(minimum, isOrdered, 'minimum') ?? beyond(each, constraints.exclusiveMinimum, 1, tell)
  const most = only(maximum, isOrdered, 'maximum') ?? beyond(each, constraints.exclusiveMaximum, -1, tell)
  if (isJsonObject(constraints['jsonSchema'])) tell('jsonSchema isn’t checked.')
  const checks = {
    required,
    unique,
    minLength: only(minLength, isText, 'minLength'),
    maxLength: only(maxLength, isText, 'maxLength'),
    pattern: only(pattern, isText || type === 'yearmonth', 'pattern'),
    minimum: least === undefined ? undefined : asText(least)[0],
    maximum: most === undefined ? undefined : asText(most)[0],
    enum: allowed?.flatMap(asText),
  }
  return Object.fromEntries(Object.entries(checks).filter(([, value]) => value !== undefined && value !== false))
}

/** The limit next to one that is no value itself: there is one among whole numbers. */
function beyond(
  { type }: Field,
  limit: string | number | boolean | undefined,
  step: number,
  tell: Note,
): number | undefined {
  if (limit === undefined) return undefined
  if (type === 'integer' && Number.isSafeInteger(Number(limit))) return Number(limit) + step
  tell(
    `${step > 0 ? 'exclusiveMinimum' : 'exclusiveMaximum'} isn’t checked: there are limits for which values may be alone.`,
  )
  return undefined
}

/** A recipe as a Table Schema, and sentences about what of it a Table Schema can't say. */
export interface ExportedSchema {
  readonly schema: unknown
  readonly notes: readonly string[]
}

/** The Table Schema of a recipe for files of one table; null for others: the standard describes one table. */
export function toTableSchema({ matches, edits, request }: FileRecipe): ExportedSchema | null {
  const [table, ...others] = matches.at(-1)?.tables ?? []
  if (!table || others.length > 0) return null
  const notes: string[] = []
  const edit = edits.find((each) => each.table === table.name)
  const nth = occurrences(table.sources.map((source) => ({ source })))
  const byKey = new Map(edit?.columns.map((column) => [keyOf(column.source, column.nth), column]))
  const fields = table.sources.map((source, i) => {
    const column = byKey.get(keyOf(source, nth[i] ?? 0)) ?? { source, nth: 0 }
    return fieldOf(column, (note) => notes.push(`“${source}”: ${note}`))
  })
  const { settings } = request
  const nullTexts = settings?.kind === 'csv' ? settings.nullStrings : undefined
  return {
    schema: {
      $schema: 'https://datapackage.org/profiles/2.0/tableschema.json',
      fields,
      ...(nullTexts ? { missingValues: nullTexts } : {}),
    },
    notes,
  }
}

function fieldOf({ source, name, type, include, format = {}, checks = {} }: ColumnEdit, tell: Note): unknown {
  const { decimalMark, grouping, unit, percent, scaled, negative, trim, nullValues, trueValues, falseValues } = format
  const described = type ?? likelyType(checks)
  const logical = described === undefined ? undefined : standardType(described)
  if (include === false) tell('that it’s left out can’t be said.')
  if (name !== undefined && name !== source) tell(`that it’s called “${name}” can’t be said.`)
  for (const [what, is] of Object.entries({ scaled, negative, trim })) {
    if (is !== undefined) tell(`how values are read (${what}) can’t be said.`)
  }
  const isPattern = format.dateFormat !== undefined && TEMPORAL.has(logical ?? '')
  return {
    name: source,
    ...(logical === undefined ? {} : { type: logical }),
    ...(type === undefined ? {} : { duckdbType: type }),
    ...(isPattern ? { format: format.dateFormat } : {}),
    ...(decimalMark ? { decimalChar: decimalMark } : {}),
    ...(grouping ? { groupChar: grouping } : {}),
    ...((unit ?? percent) ? { bareNumber: false } : {}),
    ...(trueValues ? { trueValues } : {}),
    ...(falseValues ? { falseValues } : {}),
    ...(nullValues ? { missingValues: ['', ...nullValues] } : {}),
    ...(Object.keys(checks).length > 0 ? { constraints: constraintsOf(checks, logical, format, tell) } : {}),
  }
}

function constraintsOf(checks: ColumnChecks, type: string | undefined, format: ValueFormat, tell: Note): ColumnChecks {
  const physical = (text: string): string => {
    const value = physicalText(text, type, format)
    if (value === null) tell(`“${text}” of its checks can’t be written as its values are.`)
    return value ?? text
  }
  const { minimum, maximum, enum: allowed } = checks
  return {
    ...checks,
    ...(minimum === undefined ? {} : { minimum: physical(minimum) }),
    ...(maximum === undefined ? {} : { maximum: physical(maximum) }),
    ...(allowed ? { enum: allowed.map(physical) } : {}),
  }
}

/** The type that checks speak of, where none was chosen: limits need one. */
function likelyType({ minimum, maximum, minLength, maxLength, pattern }: ColumnChecks): string | undefined {
  if ([minLength, maxLength, pattern].some((check) => check !== undefined)) return 'VARCHAR'
  const limits = [minimum, maximum].filter((limit) => limit !== undefined)
  if (limits.length === 0) return undefined
  if (limits.every((limit) => /^\d{4}-\d\d-\d\d$/.test(limit))) return 'DATE'
  if (limits.every((limit) => /^\d\d:\d\d/.test(limit))) return 'TIME'
  return limits.every((limit) => /^\d{4}-\d\d-\d\d[ T]/.test(limit)) ? 'TIMESTAMP' : 'DECIMAL(38,9)'
}

function standardType(name: string): string | undefined {
  const type = isType(name) ? parseType(name) : null
  if (type?.kind === 'decimal') return 'number'
  if (type?.kind === 'list') return 'array'
  if (type?.kind !== 'scalar') return type ? 'object' : undefined
  if (/INT(EGER)?$/.test(type.name)) return 'integer'
  if (/TIMESTAMP/.test(type.name)) return 'datetime'
  const known = { FLOAT: 'number', DOUBLE: 'number', BOOLEAN: 'boolean', DATE: 'date', TIME: 'time', JSON: 'object' }
  return known[type.name as keyof typeof known] ?? 'string'
}
