import { formatCount } from '../../lib/counts.ts'
import { fileNames } from '../names.ts'
import type { ImportPlan } from '../plan.ts'
import type { Split, SplitPeriod } from './types.ts'

/** Most files that a table can be split into. */
export const MOST_PARTS = 1000

/** Key of a part: the index of its range of rows, from 0; the column's value or period as text, or null. */
export type PartKey = number | string | null

/** @returns the index of the column with this name; -1 if there's none */
export function columnCalled(
  columns: readonly { readonly name: string; readonly source?: string }[],
  called: string,
): number {
  const own = columns.findIndex(({ name }) => name === called)
  return own >= 0 ? own : columns.findIndex(({ source }) => source === called)
}

/** A column to split by. */
export interface SplitColumn {
  readonly name: string
  readonly source?: string
  /** DuckDB type name. */
  readonly type: string
}

/** Whether values can be grouped by month and year. Lists of dates can't. */
export const hasPeriods = ({ type }: Pick<SplitColumn, 'type'>): boolean => /^(DATE|TIMESTAMP[^[]*)$/.test(type)

/**
 * @param date a date or timestamp as text
 * @returns `2025-03` or `2025`; infinite dates unchanged
 */
export function periodOf(date: string, period: SplitPeriod): string {
  const [, year, month, era = ''] = /^(\d+)-(\d\d)-.*?( \(BC\))?$/.exec(date) ?? []
  if (year === undefined) return date
  return period === 'year' ? `${year}${era}` : `${year}-${month}${era}`
}

/** What prevents splitting the tables, in the engine's words; empty if nothing does. */
export function splitProblems(plan: ImportPlan, split: Split): string[] {
  return plan.tables.flatMap(({ name, include, columns, found }) => {
    if (!include) return []
    const included = columns.filter((column) => column.include)
    return problemsOf(name, included, found?.rows ?? 0, split)
  })
}

/**
 * What prevents splitting one table.
 * @param sheet its name; null for a file with a single table
 * @param rows number of rows, if known
 */
export function problemsOf(
  sheet: string | null,
  columns: readonly SplitColumn[],
  rows: number,
  split: Split,
): string[] {
  const where = sheet === null ? 'The table' : `Sheet “${sheet}”`
  if (split.by === 'rows') {
    if (!Number.isSafeInteger(split.rows) || split.rows < 1) return ['How many rows per file? Enter a number from 1.']
    const files = Math.ceil(rows / split.rows)
    if (files <= MOST_PARTS) return []
    return [`${where} would become ${formatCount(files)} files: at most ${formatCount(MOST_PARTS)} can be made.`]
  }
  const column = columns[columnCalled(columns, split.column)]
  if (!column) return [`${where} has no column “${split.column}” to split by. Choose another, or don’t split it.`]
  if (!split.period || hasPeriods(column)) return []
  const what = `“${split.column}” isn’t a column of dates, so it has no ${split.period}s to split by.`
  return [`${where}: ${what} Make it one under Columns, choose another, or split by each value.`]
}

/** Longest part of a value in a file name, in characters. */
const MAX_NAME = 80

/**
 * File names for a table's parts: valid and unique on any disk.
 * @param stem beginning of the names
 * @param extension without the point
 */
export function partNames(stem: string, keys: readonly PartKey[], extension: string): string[] {
  const digits = String(keys.length).length
  const names = keys.map((key) => {
    const label = typeof key === 'number' ? String(key + 1).padStart(digits, '0') : labelOf(key)
    return `${stem} - ${label}.${extension}`
  })
  return fileNames(names)
}

/** A value for use in a file name, without characters that file systems or programs interpret. */
function labelOf(value: string | null): string {
  if (value === null) return 'no value'
  const cut = value.slice(0, MAX_NAME)
  return cut.replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '_').trim() || 'empty'
}
