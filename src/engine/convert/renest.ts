import { uniqueNames } from '../../tables/names.ts'
import type { Flattened, ImportPlan, Note, ReadSettings, TablePlan, WriteOptions } from '../../tables/plan.ts'
import { jsonTable, named, type JsonSettings, type Unfolding } from '../../tables/settings.ts'
import { isJson, isNested, parseType, VARCHAR, type NestedIn, type NestingStep } from '../../tables/types.ts'
import { readAsFound } from '../../tables/changes/verbatim.ts'
import type { PlannedColumn, PlannedTable } from './plan.ts'

/**
 * Undoes unfolding: columns that were keys of an object go back into the object, and rows that were elements of a list back
 * into the list. Renamed columns stay columns; rows stay rows unless all of them are there and unchanged.
 * @param spelled whether a key with null differs from a missing key
 * @param apart why rows can't become lists, whatever the plan is; or null
 */
export function renest(
  planned: PlannedTable,
  settings: ReadSettings,
  spelled: boolean,
  apart: string | null,
): PlannedTable {
  const { table, columns, changes } = planned
  const steps = stepsOf(settings, table.name)
  if (settings.kind !== 'json' || !steps.some(({ as }) => as === 'rows')) return renestObjects(planned, spelled)
  const stay = (why: string): PlannedTable => {
    const rows = renestObjects(planned, spelled)
    return { ...rows, changes: [...rows.changes, ...steps.flatMap((step) => rowsNote(step, why))] }
  }
  const why = apart ?? obstacleOf(planned, steps)
  if (why !== null) return stay(why)
  const kept = steps.flatMap((step, i) => (step.as === 'rows' || !isLeftOut(table, step.column) ? [i] : []))
  const flattened = objectsOfSteps(table, steps, kept)
  const names = [...columns, ...table.columns].map(({ source }) => source)
  const name = uniqueNames([...names, ...columns.map((column) => column.name), 'nesting']).at(-1) ?? 'nesting'
  const nesting = kept.map((i): NestingStep => ({ ...steps[i], ...placeOf(steps[i].column, flattened) }))
  const index = Math.max(...table.columns.map((column) => column.index)) + 1
  const marker: PlannedColumn = { index, source: name, name, type: VARCHAR, nesting }
  const notes = flattened.map((each) => noteOf(each, ''))
  return {
    ...planned,
    columns: [...columns.map((column) => within(column, flattened)), marker],
    changes: [...changes, ...notes, ...steps.flatMap(listNote), markerNote(name)],
    settings: withNesting(settings, table.name, { name, steps: kept }),
    fallback: stay('some rows don’t fit, and are left out'),
  }
}

/** Puts columns back into their objects; elements of lists remain rows. */
function renestObjects(planned: PlannedTable, spelled: boolean): PlannedTable {
  const { table, columns, changes } = planned
  const flattened = table.found?.flattened ?? []
  if (flattened.length === 0 || columns.some(({ members }) => members)) return planned
  const names = new Set(columns.map(({ name }) => name))
  // If some rows had no object there, it's a column of its own, and isn't restored.
  const again = flattened.filter(({ column }) => !names.has(column))
  const notes = again.map((each) => noteOf(each, unsureOf(each, spelled)))
  return { ...planned, columns: columns.map((column) => within(column, again)), changes: [...changes, ...notes] }
}

/** Marks a column with the objects to which it returns; none if it was renamed. */
function within(column: PlannedColumn, objects: readonly Flattened[]): PlannedColumn {
  if (column.name !== column.source) return column
  const around = objectsOf(column.name, objects)
  if (around.length === 0) return column
  return { ...column, within: { objects: around.map(nestedIn), key: keyIn(column.name, around.at(-1)) } }
}

/** The objects from which a column was taken, outermost first. */
function objectsOf(name: string, flattened: readonly Flattened[]): Flattened[] {
  const own = flattened.find(({ names }) => names.includes(name))
  return own ? [...objectsOf(own.column, flattened), own] : []
}

const keyIn = (name: string, object: Flattened | undefined): string =>
  object ? name.slice(object.column.length + 1) : name

function nestedIn({ column, none = 'null' }: Flattened, i: number, objects: readonly Flattened[]): NestedIn {
  return { key: keyIn(column, objects[i - 1]), none }
}

function placeOf(column: string, flattened: readonly Flattened[]): Pick<NestingStep, 'objects' | 'key'> {
  const around = objectsOf(column, flattened)
  return {
    objects: around.map((each, i) => nestedIn(each, i, around).key),
    key: keyIn(column, around.at(-1)),
  }
}

/** The objects to be restored. */
function objectsOfSteps(
  { found }: TablePlan,
  steps: readonly Unfolding[],
  kept: readonly number[],
): readonly Flattened[] {
  const columns = new Set(kept.flatMap((i) => (steps[i].as === 'columns' ? [steps[i].column] : [])))
  return found?.flattened?.filter(({ column }) => columns.has(column)) ?? []
}

const isLeftOut = ({ columns }: TablePlan, name: string): boolean =>
  columns.some(({ source, include }) => source === name && !include)

/** Why rows can't become lists again: something was left out, renamed or changed. Null if nothing was. */
function obstacleOf({ table, columns }: PlannedTable, steps: readonly Unfolding[]): string | null {
  const { found, mends } = table
  const flattened = found?.flattened ?? []
  if (columns.some(({ members }) => members)) return 'the objects have too many different keys'
  if (mends?.putBack === true) return 'rows that didn’t fit are put back as they were mended'
  if (found?.notes.some(({ code }) => code === 'flattened-renamed')) return 'two columns had the same name'
  const apart = new Set(steps.map(({ column }) => column))
  const lists = new Set(steps.flatMap(({ column, as }) => (as === 'rows' ? [column] : [])))
  const inList = (name: string): boolean =>
    [name, ...objectsOf(name, flattened).map(({ column }) => column)].some((each) => lists.has(each))
  for (const column of table.columns) {
    const { source, name, include, type } = column
    const isApart = apart.has(source)
    if (include && name !== source && (inList(source) || apart.has(name))) return `you named “${source}” “${name}”`
    if (!include && isApart && inList(source)) return `you left “${source}” out`
    if (!include || !isApart) continue
    const chosen = parseType(type)
    if (!readAsFound(table, column) && (isNested(chosen) || isJson(chosen))) return `you chose the type of “${source}”`
  }
  return null
}

/** Notes that rows remain rows instead of becoming lists again, since a statement shapes them. */
export function notRenested({ settings, tables }: ImportPlan, options: WriteOptions): Note[] {
  if (settings.kind !== 'json' || options.kind !== 'json' || options.nested !== true) return []
  const included = tables.filter(({ include }) => include)
  return included.flatMap(({ name }) =>
    stepsOf(settings, name).flatMap((step) => rowsNote(step, 'a statement shapes them')),
  )
}

const stepsOf = (settings: ReadSettings, table: string | null): readonly Unfolding[] =>
  settings.kind === 'json' ? (jsonTable(settings, table).unfold ?? []) : []

function withNesting(
  settings: JsonSettings,
  table: string | null,
  nesting: NonNullable<JsonSettings['nesting']>,
): JsonSettings {
  if (table === null) return { ...settings, nesting }
  const own = named(settings.tables, table)
  return own ? { ...settings, tables: { ...settings.tables, [table]: { ...own, nesting } } } : settings
}

function unsureOf({ none }: Flattened, spelled: boolean): string {
  if (none === undefined) return ' Rows without it had null, {} or no such key: it’s null in all of them.'
  return spelled || none === 'object' ? '' : ' Where all of them are null, so is the object, or it isn’t there.'
}

function noteOf({ column }: Flattened, unsure: string): Note {
  return { code: 'nested-again', message: `The columns of “${column}” are written as an object again.${unsure}` }
}

function listNote({ column, as }: Unfolding): Note[] {
  return as === 'rows'
    ? [{ code: 'list-again', message: `The rows that were elements of “${column}” are written as its list again.` }]
    : []
}

function rowsNote({ column, as }: Unfolding, why: string): Note[] {
  const message = `The elements of “${column}” stay rows: ${why}.`
  return as === 'rows' ? [{ code: 'rows-stay', message }] : []
}

function markerNote(name: string): Note {
  const message = `“${name}” says how each row was part of a record. It’s compared like a column, and isn’t in the file.`
  return { code: 'nesting-compared', message }
}
