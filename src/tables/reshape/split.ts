import { formatCount } from '../../lib/counts.ts'
import { fileNames } from '../names.ts'
import type { ImportPlan } from '../plan.ts'
import type { Split, SplitPeriod } from './types.ts'

/** Files that a table may become, at most. */
export const MOST_PARTS = 1000

/** What is in a part: the number of its rows' run, from 0, the column's value or its period as text, or null where it has none. */
export type PartKey = number | string | null

/** @returns the index of the column that is called so; -1 where none is */
export function columnCalled(
  columns: readonly { readonly name: string; readonly source?: string }[],
  called: string,
): number {
  const own = columns.findIndex(({ name }) => name === called)
  return own >= 0 ? own : columns.findIndex(({ source }) => source === called)
}

/** A column that a table may be split by. */
export interface SplitColumn {
  readonly name: string
  readonly source?: string
  /** DuckDB's name of its type. */
  readonly type: string
}

/** Whether a column's values are in a month and a year: a list of dates isn't. */
export const hasPeriods = ({ type }: Pick<SplitColumn, 'type'>): boolean => /^(DATE|TIMESTAMP[^[]*)$/.test(type)

/**
 * @param date of a date or timestamp, as text
 * @returns `2025-03`, or `2025`; infinite dates as they are
 */
export function periodOf(date: string, period: SplitPeriod): string {
  const [, year, month, era = ''] = /^(\d+)-(\d\d)-.*?( \(BC\))?$/.exec(date) ?? []
  if (year === undefined) return date
  return period === 'year' ? `${year}${era}` : `${year}-${month}${era}`
}

/** What would stop tables from being split, as the engine would say it; empty where nothing does. */
export function splitProblems(plan: ImportPlan, split: Split): string[] {
  return plan.tables.flatMap(({ name, include, columns, found }) => {
    if (!include) return []
    const included = columns.filter((column) => column.include)
    return problemsOf(name, included, found?.rows ?? 0, split)
  })
}

/**
 * What would stop one table from being split.
 * @param sheet its name; null where a file is one table
 * @param rows as far as they're known
 */
export function problemsOf(
  sheet: string | null,
  columns: readonly SplitColumn[],
  rows: number,
  split: Split,
): string[] {
  const where = sheet === null ? 'The table' : `Sheet “${sheet}”`
  if (split.by === 'rows') {
    if (!Number.isSafeInteger(split.rows) || split.rows < 1) return ['Files of how many rows? Give a number from 1.']
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

/** Characters of a value that a file's name tells. */
const MAX_NAME = 80

/**
 * Names for the files of a table's parts: safe on any disk, and never the same there.
 * @param stem what the names begin with
 * @param extension without its point
 */
export function partNames(stem: string, keys: readonly PartKey[], extension: string): string[] {
  const digits = String(keys.length).length
  const names = keys.map((key) => {
    const label = typeof key === 'number' ? String(key + 1).padStart(digits, '0') : labelOf(key)
    return `${stem} - ${label}.${extension}`
  })
  return fileNames(names)
}

/** What a value is called in the name of a file: without what a disk, or a program that opens it, takes for more. */
function labelOf(value: string | null): string {
  if (value === null) return 'no value'
  const cut = value.slice(0, MAX_NAME)
  return cut.replaceAll(/[/\\:*?"<>|\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, '_').trim() || 'empty'
}
