import type { ColumnChecks } from '../checks.ts'
import { keyOf, occurrences, type ColumnEdit } from '../edits.ts'
import type { ValueFormat } from '../plan.ts'
import type { FileRecipe } from '../recipes/recipe.ts'
import { parseType } from '../types.ts'
import { isType, TEMPORAL } from './table-schema.ts'
import { physicalText } from './table-schema-values.ts'

/* Converts recipes to Table Schemas of the Frictionless standard. What these can't express is reported. */

type Note = (sentence: string) => void

/** A Table Schema for a recipe, and sentences about what it can't express. */
interface ExportedSchema {
  readonly schema: unknown
  readonly notes: readonly string[]
}

/**
 * The Table Schema of a recipe for files with a single table; null for others, since the standard describes one table.
 */
export function toTableSchema(recipe: FileRecipe): ExportedSchema | null {
  const { matches, edits, request } = recipe
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
  for (const [what, is] of unsaid(recipe)) if (is) notes.push(`${what} isn’t in the Table Schema.`)
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

/** The parts of a recipe that a Table Schema can't express. */
function unsaid({ edits, request, options, target, split, shape, rowCount }: FileRecipe): [string, boolean][] {
  const reading = Object.keys(request.settings ?? {}).filter((key) => key !== 'kind' && key !== 'nullStrings')
  return [
    ['How its files are read, beside the words for null,', reading.length > 0],
    ['How rows that don’t fit are mended', edits.some(({ mends }) => mends !== undefined)],
    ['The statement that shapes it', shape !== undefined],
    ['How it’s split', split !== undefined],
    ['What its number of rows is compared with', rowCount !== undefined],
    ['How the output is written', Object.keys(options[target] ?? {}).length > 0],
  ]
}

function fieldOf({ source, name, type, include, format = {}, checks = {} }: ColumnEdit, tell: Note): unknown {
  const { decimalMark, grouping, unit, percent, scaled, sizes, negative, nullValues, trueValues, falseValues } = format
  const { trim, formulas, apostrophes, fillDown } = format
  const described = type ?? likelyType(checks)
  const logical = described === undefined ? undefined : standardType(described)
  if (include === false) tell('that it’s left out isn’t in the Table Schema.')
  if (name !== undefined && name !== source) tell(`that it’s called “${name}” isn’t in the Table Schema.`)
  for (const [what, is] of Object.entries({ scaled, sizes, negative, trim, formulas, apostrophes, fillDown })) {
    if (is !== undefined) tell(`how values are read (${what}) isn’t in the Table Schema.`)
  }
  if (unit !== undefined || percent)
    tell(`that its numbers are in “${unit ?? '%'}” isn’t in the Table Schema, only that they aren’t bare numbers.`)
  const isPattern = format.dateFormat !== undefined && TEMPORAL.has(logical ?? '')
  if (format.dateFormat !== undefined && !isPattern)
    tell(`the pattern “${format.dateFormat}” isn’t possible for its type in a Table Schema.`)
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
    ...(nullValues ? { missingValues: [...new Set(['', ...nullValues])] } : {}),
    ...(Object.keys(checks).length > 0 ? { constraints: constraintsOf(checks, logical, format, tell) } : {}),
  }
}

function constraintsOf(checks: ColumnChecks, type: string | undefined, format: ValueFormat, tell: Note): ColumnChecks {
  const physical = (text: string): string => {
    const value = physicalText(text, type, format)
    if (value === null) tell(`“${text}” in its checks can’t be written as its values are.`)
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

/** The type that checks imply, if the user chose none. Limits need a type. */
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
