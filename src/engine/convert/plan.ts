import { jsonTable } from '../../tables/settings.ts'
import {
  type ColumnPlan,
  defaultOptions,
  type ImportPlan,
  type Note,
  type ReadSettings,
  type TablePlan,
  type ValueFormat,
  type WriteOptions,
} from '../../tables/plan.ts'
import {
  isJson,
  parseType,
  sameType,
  TypeNameError,
  VARCHAR,
  withoutJson,
  type Column,
  type ColumnType,
} from '../../tables/types.ts'
import { keepsJson, keepsText, nameInFile, readAsFound } from '../../tables/changes/verbatim.ts'
import { EngineError } from '../errors.ts'
import type { ColumnChecks } from '../../tables/checks.ts'
import type { ReadColumn } from '../columns/column-builder.ts'

/**
 * The form in which JSON values reach the writer. `text`: as text, wherever they are; `cells`: as text, except within lists
 * and structs, which are JSON text as a whole; `typed`: as JSON; `spelled`: as JSON, and all other values as the file spells
 * them.
 */
type JsonForm = 'text' | 'cells' | 'typed' | 'spelled'

/** Tables for a statement are read as for Arrow files: with their types, never as a format's text. */
export const FOR_STATEMENT = { target: 'arrow', options: defaultOptions('arrow') } as const

/**
 * The tables that a plan includes, with their types parsed and their names checked.
 * @param options of the output: from text to text, columns keep the file's text and name; from JSON to JSON, kinds and
 * notation
 * @param written `foreign`: whether another program writes the output, so that JSON values are compared as text;
 * `apart`: why rows can't become lists again, or null
 * @throws {EngineError} `invalid-plan` that names the column
 */
export async function plannedTables(
  plan: ImportPlan,
  options: WriteOptions,
  { foreign = false, apart = null }: { readonly foreign?: boolean; readonly apart?: string | null } = {},
): Promise<PlannedTable[]> {
  const json = foreign ? 'text' : jsonFormOf(plan, options)
  const tables = plan.tables.filter((table) => table.include)
  if (tables.length === 0) {
    throw new EngineError('invalid-plan', 'No table is chosen.', { remedy: 'Choose at least one sheet.' })
  }
  const planned = tables.map((table) => plannedTable(table, json))
  if (keepsText(plan, options)) return planned.map((table) => withText(plan, table))
  const spelled = json === 'spelled' ? planned.map((table) => withMembers(plan, table)) : planned
  if (options.kind !== 'json' || !options.nested) return spelled
  const { renest } = await import('./renest.ts')
  return spelled.map((table) => renest(table, plan.settings, json === 'spelled', apart))
}

/** Keys without a column go back to where they were, unless they are text. */
function withMembers({ settings }: ImportPlan, { columns, ...rest }: PlannedTable): PlannedTable {
  const others = settings.kind === 'json' ? jsonTable(settings, rest.table.name).keys?.columns.length : undefined
  return {
    ...rest,
    columns: columns.map((column) =>
      column.index === others && isJson(column.type) ? { ...column, members: true } : column,
    ),
  }
}

function withText(plan: ImportPlan, { table, columns, ...rest }: PlannedTable): PlannedTable {
  const included = table.columns.filter((column) => column.include)
  const kept = columns.map((column, i): PlannedColumn => {
    const name = nameInFile(plan, table, included[i])
    if (!readAsFound(table, included[i])) return { ...column, name }
    const { index, source, type, format } = column
    return { index, source, name, type: VARCHAR, textOf: type, ...(format ? { textFormat: format } : {}) }
  })
  return { ...rest, table, columns: kept }
}

function jsonFormOf(plan: ImportPlan, options: WriteOptions): JsonForm {
  return keepsJson(plan, options) ? 'spelled' : jsonFormFor(options)
}

/** The form of JSON values in an output that needn't keep their notation. */
export function jsonFormFor(options: WriteOptions): JsonForm {
  switch (options.kind) {
    case 'json':
      return 'typed'
    case 'csv':
    case 'xlsx':
      return 'cells'
    case 'parquet':
    case 'arrow':
      return 'text'
  }
}

/**
 * One of a plan's tables, with typed values.
 * @param index into the plan's tables
 * @throws {EngineError} `invalid-plan`
 */
export function plannedAt(plan: ImportPlan, index: number): PlannedTable {
  const table = plan.tables[index]
  if (!table) throw new EngineError('invalid-plan', `The plan has no table number ${index + 1}.`)
  return plannedTable(table, 'typed')
}

export function plannedTable(table: TablePlan, json: JsonForm): PlannedTable {
  const columns = table.columns.filter((column) => column.include)
  const where = table.name === null ? {} : { place: `sheet “${table.name}”` }
  if (columns.length === 0) {
    throw new EngineError('invalid-plan', 'Every column is left out.', {
      ...where,
      remedy: 'Include at least one column.',
    })
  }
  const seen = new Set<string>()
  for (const { name } of columns) {
    if (name === '') throw new EngineError('invalid-plan', 'A column has no name.', { ...where, remedy: 'Name it.' })
    if (seen.has(name)) {
      throw new EngineError('invalid-plan', `Two columns are named “${name}”.`, { ...where, remedy: 'Rename one.' })
    }
    seen.add(name)
  }
  const read = columns.map((column) => readColumn(table, column, json))
  return { table, columns: read, changes: columns.flatMap(({ type }, i) => asText(type, read[i])) }
}

function asText(type: string, { name, type: carried }: PlannedColumn): Note[] {
  const own = parseType(type)
  if (sameType(carried, own) || !sameType(carried, withoutJson(own))) return []
  const message = 'Values of several kinds are kept as text: strings as they are, all others as JSON text.'
  return [{ code: 'json-as-text', message, column: name }]
}

function readColumn(table: TablePlan, column: ColumnPlan, json: JsonForm): PlannedColumn {
  const { index, source, name, format } = column
  const spelled = json === 'spelled' ? readAsFound(table, column)?.verbatim : undefined
  const own = typeOf(spelled === undefined ? column : { ...column, type: spelled })
  const type = json === 'text' ? withoutJson(own) : json === 'cells' && isJson(own) ? VARCHAR : own
  const optional = json === 'spelled' && isJson(type)
  return { index, source, name, type, ...(format ? { format } : {}), ...(optional ? { optional } : {}) }
}

function typeOf({ name, type }: ColumnPlan): ColumnType {
  try {
    return parseType(type)
  } catch (cause) {
    if (!(cause instanceof TypeNameError)) throw cause
    throw new EngineError('invalid-plan', `Column “${name}”: ${cause.message}.`, {
      remedy: 'Choose another type.',
      cause,
    })
  }
}

export interface PlannedColumn extends ReadColumn {
  readonly name: string
  /** The type of its values, if they are passed on as the file's own text. */
  readonly textOf?: ColumnType
  /** How that text is read when it's checked. */
  readonly textFormat?: ValueFormat
  readonly within?: Column['within']
  readonly nesting?: Column['nesting']
}

export interface PlannedTable {
  readonly table: TablePlan
  /** The included columns, in order. */
  readonly columns: readonly PlannedColumn[]
  /** Notes on what its values lose. */
  readonly changes: readonly Note[]
  /** Settings for reading its rows, if they differ from the plan's. */
  readonly settings?: ReadSettings
  /** What to make instead if rows are left out; absent if that makes no difference. */
  readonly fallback?: PlannedTable
}

/** A column whose values are checked. */
export interface CheckedColumn extends Column {
  /** Its index in the batches. */
  readonly index: number
  /** The type of its values, if they are passed on as the file's own text. */
  readonly textOf?: ColumnType
  readonly checks: ColumnChecks
}
