import type { ColumnPlan, Note, TablePlan, ImportPlan, WriteOptions } from '../plan.ts'
import { foundOf, readAsFound, rewrittenFor, keepsText, nameInFile } from './verbatim.ts'
import type { FormatId } from '../../contract/formats.ts'
import { csvTable } from '../settings.ts'

/** The output format with its options. */
export interface Target {
  readonly target: FormatId
  readonly options: WriteOptions
}

/**
 * The differences in form between source and output that follow from the plan: what the user changed, columns that had
 * to be renamed, and values that are written in the standard form of their type.
 */
export async function planChanges(plan: ImportPlan, table: TablePlan, { target, options }: Target): Promise<Note[]> {
  if (!table.found) return []
  const kept = keepsText(plan, options)
  const included = table.columns.filter((column) => column.include)
  const names = included.map((column) => (kept ? nameInFile(plan, table, column) : column.name))
  const otherwise = included.filter((column) => {
    const found = readAsFound(table, column)
    return !found || (!kept && rewrittenFor(found, target))
  })
  // Loaded on demand: in most tables, values are written as they are in the file.
  const values = otherwise.length > 0 ? (await import('./value-changes.ts')).valueChanges(table, otherwise, target) : []
  return [
    ...table.found.notes.filter(isChange),
    ...leftOut(table),
    ...unnamed(plan, table, included, names),
    ...included.flatMap((column, i) => renamed(plan, table, column, names[i] ?? column.name)),
    ...values,
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
