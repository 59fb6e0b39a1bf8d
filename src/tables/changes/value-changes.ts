import type { FormatId } from '../../contract/formats.ts'
import { meaningOf } from '../meaning.ts'
import type { ColumnPatch, ColumnPlan, Note, TablePlan } from '../plan.ts'
import { typeWords } from '../type-names.ts'
import { foundOf, readAsFound, rewrittenFor } from './verbatim.ts'

/** Notes about columns whose values the user reads differently, then about those written in the form of their type. */
export const valueChanges = (table: TablePlan, columns: readonly ColumnPlan[], target: FormatId): Note[] => [
  ...columns.flatMap((column) => retyped(table, column)),
  ...columns.flatMap((column) => rewritten(table, column, target)),
]

/** Notes about how the user changed the reading of a column's values. */
export function retyped(table: TablePlan, column: ColumnPlan): Note[] {
  const found = foundOf(table, column)
  if (!found || readAsFound(table, column)) return []
  // What was filled is counted in a note of its own.
  const { fillDown, ...format } = column.format ?? {}
  if (fillDown && column.type === found.type && JSON.stringify(format) === JSON.stringify(found.format ?? {})) return []
  const [words, foundWords] = typeWords([column.type, found.type])
  const chosen =
    found.type === column.type
      ? 'You chose how its values are written in the file.'
      : `You chose “${words}” where “${foundWords}” was found.`
  const applied = found.proposals?.find(({ change }) => change.kind === 'column' && isPatched(column, change.patch))
  const { count, example } = applied ?? {}
  const meaning = meaningOf(column.type, format, example?.from)
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
  (patch.type ?? type) === type && JSON.stringify(patch.format ?? {}) === JSON.stringify(format ?? {})

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
