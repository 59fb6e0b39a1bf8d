import type { InspectedTable } from '../../../../tables/plan.ts'
import { named, type ReadSettings, type XlsxSettings } from '../../../../tables/settings.ts'
import { columnName, type Range } from '../../../../tables/range.ts'
import { EngineError } from '../../../errors.ts'
import type { ReadRequest } from '../../types.ts'
import { parseRange } from './range.ts'
import type { DefinedTable, Sheet, Workbook } from './book.ts'

/** The given settings, if they are for a workbook. */
export function xlsxSettings(given: Partial<ReadSettings>): XlsxSettings {
  const own: Partial<XlsxSettings> =
    given.kind === undefined || given.kind === 'xlsx' ? (given as Partial<XlsxSettings>) : {}
  return { ...own, kind: 'xlsx', headerRow: own.headerRow ?? {} }
}

/** How to read one of a sheet's tables. */
export interface TableSettings {
  /** From 1; null: none; undefined: to be detected. */
  readonly headerRow: number | null | undefined
  /** Undefined: to be detected with the header. */
  readonly headerRows: number | undefined
  /** Where the table is; null: the whole sheet. */
  readonly range: Range | null
  /** Where to count rows and cells outside the range; null: in the whole sheet; absent: nowhere. */
  readonly around?: Range | null
  readonly skipLast: number
  /** How many of these are totals rows according to the table's definition in Excel. */
  readonly totals?: number
  readonly leftOut: ReadonlySet<number>
  /** Merged cells whose value is repeated in each of their rows. */
  readonly merges: readonly Range[]
}

/**
 * The settings for one table.
 * @param merges of its sheet, if needed: see `repeatsMerged`
 * @throws {EngineError} `invalid-plan` for an invalid range
 */
export function tableSettings(settings: XlsxSettings, table: string, merges: readonly Range[] = []): TableSettings {
  const range = named(settings.range, table)
  const repeated = new Set(named(settings.repeatMerged, table))
  return {
    headerRow: named(settings.headerRow, table),
    headerRows: named(settings.headerRows, table),
    range: range === undefined ? null : parseRange(range),
    skipLast: named(settings.skipLast, table) ?? 0,
    leftOut: new Set(named(settings.leaveOut, table)),
    merges: merges.filter(({ top, bottom, left }) => bottom > top && repeated.has(columnName(left))),
  }
}

/** The same, with values from the table's definition in Excel for what the person didn't set. */
export function definedSettings(
  settings: XlsxSettings,
  table: string,
  own: TableSettings,
  { range, hasHeader, totals }: DefinedTable,
): TableSettings {
  const isSet = own.headerRow !== undefined
  const skipLast = named(settings.skipLast, table)
  return {
    ...own,
    headerRow: isSet ? own.headerRow : hasHeader ? range.top : null,
    headerRows: own.headerRows ?? (isSet ? undefined : 1),
    range: { ...range, top: Math.min(range.top, own.headerRow ?? range.top) },
    ...(skipLast === undefined ? { skipLast: totals, totals } : {}),
  }
}

/** Whether the merged cells of a table's sheet must be known before its rows are read. */
export const repeatsMerged = (settings: XlsxSettings, table: string): boolean =>
  (named(settings.repeatMerged, table) ?? []).length > 0

/** A table that was found, with its settings. */
export interface TableFound {
  readonly table: InspectedTable
  readonly headerRow: number | null
  readonly headerRows: number
  readonly skipLast: number
  readonly sheet: string
  /** Null: the whole sheet. */
  readonly range: string | null
  readonly leftOut: ReadonlySet<number>
}

/** The settings completed with everything that was detected, so that nothing has to be detected again. */
export function completeSettings(
  { compression, leaveOutSubtotals, repeatMerged, blocks, ...given }: XlsxSettings,
  found: readonly TableFound[],
): XlsxSettings {
  const record = <T>(of: (each: TableFound) => T | null): Record<string, T> =>
    Object.fromEntries(
      found.flatMap((each) => {
        const value = of(each)
        return value === null ? [] : [[each.table.name ?? '', value]]
      }),
    )
  const optional = <K extends string, T>(key: K, values: Record<string, T>): Partial<Record<K, Record<string, T>>> =>
    Object.keys(values).length === 0 ? {} : ({ [key]: values } as Partial<Record<K, Record<string, T>>>)
  return {
    kind: 'xlsx',
    headerRow: Object.fromEntries(found.map(({ table, headerRow }) => [table.name ?? '', headerRow])),
    ...optional(
      'headerRows',
      record(({ headerRows }) => (headerRows > 1 ? headerRows : null)),
    ),
    ...optional(
      'skipLast',
      record(({ skipLast }) => (skipLast > 0 ? skipLast : null)),
    ),
    ...optional(
      'range',
      record(({ range }) => range),
    ),
    ...optional(
      'sheet',
      record(({ table, sheet }) => (table.name === sheet ? null : sheet)),
    ),
    ...(compression ? { compression } : {}),
    ...optional('leaveOut', {
      ...given.leaveOut,
      ...record(({ leftOut }) => (leftOut.size > 0 ? [...leftOut] : null)),
    }),
    ...(leaveOutSubtotals ? { leaveOutSubtotals } : {}),
    ...(repeatMerged ? { repeatMerged } : {}),
    ...(blocks ? { blocks } : {}),
  }
}

/** The sheet with a table. */
export function placeOf(
  workbook: Workbook,
  { settings, table: wanted }: Pick<ReadRequest, 'settings' | 'table'>,
): { readonly sheet: Sheet; readonly table: string } {
  const table = wanted ?? workbook.sheets[0]?.name ?? ''
  const name = named(xlsxSettings(settings).sheet, table) ?? table
  const sheet = workbook.sheets.find((candidate) => candidate.name === name)
  if (sheet) return { sheet, table }
  throw new EngineError('invalid-plan', `The workbook has no sheet “${name}”.`, {
    remedy: 'Remove the file and add it again.',
  })
}
