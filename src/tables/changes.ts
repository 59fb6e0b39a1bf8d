import type { ColumnPatch, ColumnPlan, Note, TablePlan, ImportPlan, WriteOptions } from './plan.ts'
import { typeWords } from './type-names.ts'
import { meaningOf } from './meaning.ts'
import { foundOf, readAsFound, rewrittenFor, keepsText, nameInFile } from './verbatim.ts'
import type { FormatId } from '../contract/formats.ts'
import { csvTable } from './settings.ts'

/** The output format with its options. */
export interface Target {
  readonly target: FormatId
  readonly options: WriteOptions
}

/**
 * The differences in form between source and output that follow from the plan: what the user changed, columns that had
 * to be renamed, and values that are written in the standard form of their type.
 */
export function planChanges(plan: ImportPlan, table: TablePlan, { target, options }: Target): Note[] {
  if (!table.found) return []
  const kept = keepsText(plan, options)
  const included = table.columns.filter((column) => column.include)
  const names = included.map((column) => (kept ? nameInFile(plan, table, column) : column.name))
  return [
    ...table.found.notes.filter(isChange),
    ...leftOut(table),
    ...unnamed(plan, table, included, names),
    ...included.flatMap((column, i) => renamed(plan, table, column, names[i] ?? column.name)),
    ...included.flatMap((column) => retyped(table, column)),
    ...(kept ? [] : included.flatMap((column) => rewritten(table, column, target))),
    ...nullTexts(plan, table, included, options),
  ]
}

const ROWS_LEFT_OUT = new Set(['rows-left-out', 'last-rows-left-out'])

/** Whether a note is about rows that the user left out. */
export const isChange = ({ code }: Note): boolean => ROWS_LEFT_OUT.has(code)

function leftOut({ columns }: TablePlan): Note[] {
  return columns
    .filter((column) => !column.include)
    .map((column) => ({ code: 'column-left-out', message: 'You left this out.', column: column.source || column.name }))
}

/** Whether a table has a header. */
export const hasNames = ({ settings }: ImportPlan, table: Pick<TablePlan, 'name'>): boolean =>
  settings.kind !== 'csv' || csvTable(settings, table.name).header

/** @param file the file's name in a sentence */
export function unnamed(
  plan: ImportPlan,
  table: TablePlan,
  columns: readonly ColumnPlan[],
  names: readonly string[],
  file = 'The file',
): Note[] {
  if (hasNames(plan, table) || columns.length === 0) return []
  const [first = '', last = ''] = [names[0], names.at(-1)]
  const called = columns.length === 1 ? `“${first}”` : `“${first}” to “${last}”`
  const subject = columns.length === 1 ? 'its column is' : 'its columns are'
  return [{ code: 'names-given', message: `${file} has no header row: ${subject} named ${called}.` }]
}

function renamed(plan: ImportPlan, table: TablePlan, column: ColumnPlan, name: string): Note[] {
  const { source } = column
  const proposed = foundOf(table, column)?.name ?? source
  if (column.name !== proposed) {
    const from = hasNames(plan, table) ? source : proposed
    return [{ code: 'renamed-by-you', message: `You renamed “${from}” to “${name}”.` }]
  }
  if (name === source || !hasNames(plan, table)) return []
  const message =
    source === ''
      ? `A column without a name is named “${name}”.`
      : `“${source}” is named “${name}”, so that no two columns have the same name.`
  return [{ code: 'renamed', message }]
}

/** Nulls are written as the output format has them, whatever text the source has for them. */
export function nullTexts(
  { settings }: ImportPlan,
  table: TablePlan,
  included: readonly ColumnPlan[],
  options: WriteOptions,
): Note[] {
  if (settings.kind !== 'csv' || options.kind !== 'csv') return []
  const count = included.reduce((sum, column) => sum + (foundOf(table, column)?.nulls ?? 0), 0)
  const others = settings.nullStrings.filter((text) => text !== options.nullString)
  if (count === 0 || others.length === 0) return []
  const shown = (text: string): string => (text === '' ? 'nothing' : `“${text}”`)
  const message = `Nulls are written as ${shown(options.nullString)}; in the file they are ${settings.nullStrings.map(shown).join(' or ')}.`
  return [{ code: 'null-text', message }]
}

/** Notes about how the user changed the reading of a column's values. */
export function retyped(table: TablePlan, column: ColumnPlan): Note[] {
  const found = foundOf(table, column)
  if (!found || readAsFound(table, column)) return []
  const [words, foundWords] = typeWords([column.type, found.type])
  const chosen =
    found.type === column.type
      ? 'You chose how its values are written in the file.'
      : `You chose “${words}” where “${foundWords}” was found.`
  const applied = found.proposals?.find(({ change }) => change.kind === 'column' && isPatched(column, change.patch))
  const { count, example } = applied ?? {}
  const meaning = meaningOf(column.type, column.format ?? {}, example?.from)
  return [
    {
      code: 'retyped-by-you',
      message: [chosen, meaning].filter(Boolean).join(' '),
      column: column.name,
      ...(count === undefined ? {} : { count }),
      ...(example ? { example } : {}),
    },
  ]
}

const isPatched = ({ type, format }: ColumnPlan, patch: ColumnPatch): boolean =>
  (patch.type ?? type) === type && JSON.stringify(patch.format) === JSON.stringify(format)

/**
 * Values that are written differently than in the file, in a column whose type the user hasn't changed.
 * @param as the written type; if it isn't the column's, only the meaning of values is reported
 */
export function rewritten(table: TablePlan, column: ColumnPlan, target: FormatId, as = column.type): Note[] {
  const found = readAsFound(table, column)
  const values = found && rewrittenFor(found, target)
  if (!values) return []
  const meaning = meaningOf(column.type, column.format ?? {}, values.example?.from)
  if (as !== column.type) {
    return meaning ? [{ code: 'rewritten', message: meaning, column: column.name, count: values.count }] : []
  }
  const message = [meaning, formOf(as)].filter(Boolean).join(' ')
  return [{ code: 'rewritten', message, column: column.name, ...values }]
}

function formOf(type: string): string {
  const scale = /^DECIMAL\(\d+,(\d+)\)$/.exec(type)?.[1]
  if (scale !== undefined) return `Numbers have ${scale} ${scale === '1' ? 'digit' : 'digits'} after the point.`
  return FORMS.get(type) ?? 'Values are written in the form of their type.'
}

const FORMS: ReadonlyMap<string, string> = new Map([
  ['BOOLEAN', 'Booleans are written as true and false.'],
  ['DOUBLE', 'Numbers are floating point, written with as few digits as they need.'],
  ['DATE', 'Dates are written as YYYY-MM-DD.'],
  ['TIME', 'Times are written as hh:mm:ss, without zeros at the end.'],
  ['TIMESTAMP', 'Dates with times are written as in ISO 8601.'],
  ['TIMESTAMP_NS', 'Dates with times are written as in ISO 8601.'],
  ['TIMESTAMP WITH TIME ZONE', 'Dates with times are written in UTC.'],
])
