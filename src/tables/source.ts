import { printRange, type Range, rangeOf } from './range.ts'
import type { SourceRow, SourceRows } from './plan.ts'
import { type CsvPlace, type CsvSettings, csvTable, named, type ReadSettings, type XlsxSettings } from './settings.ts'
import { byHand, csvPatch } from './inspect-request.ts'

/* Preview of a table's rows as in the file or sheet, and how settings treat each of them. */

/** If more rows than this follow the table's last one, they aren't a footer. */
const MOST_AFTER = 20

/** The role of a row; `out` means left out. */
export type RowRole = 'above' | 'header' | 'data' | 'out' | 'after'

/** A table's settings in a form common to all formats. */
interface Shape {
  /** First row of the table; those above don't belong to it. */
  readonly first: number
  /** First row of the header, and its number of rows; null if there's none. */
  readonly header: { readonly row: number | null; readonly count: number } | null
  readonly last: number
  readonly skipLast: number
  readonly out: ReadonlySet<number>
}

function ofCsv(settings: CsvSettings): Shape {
  const { skipLines, header, headerRows = 1, lastLine = Number.POSITIVE_INFINITY, leaveOut = [] } = settings
  return {
    first: skipLines + 1,
    header: header ? { row: null, count: headerRows } : null,
    last: lastLine,
    skipLast: 0,
    out: new Set(leaveOut),
  }
}

function ofXlsx(settings: XlsxSettings, table: string): Shape {
  const range = rangeOf(named(settings.range, table) ?? '')
  const row = named(settings.headerRow, table) ?? null
  return {
    first: range?.top ?? 1,
    header: row === null ? null : { row, count: named(settings.headerRows, table) ?? 1 },
    last: range?.bottom ?? Number.POSITIVE_INFINITY,
    skipLast: named(settings.skipLast, table) ?? 0,
    out: new Set(named(settings.leaveOut, table)),
  }
}

/** Whether a file's rows can be previewed with their roles. */
export const hasSource = (settings: ReadSettings): settings is CsvSettings | XlsxSettings =>
  settings.kind === 'csv' || settings.kind === 'xlsx'

const shapeOf = (settings: CsvSettings | XlsxSettings, table: string | null): Shape =>
  settings.kind === 'csv' ? ofCsv(csvTable(settings, table)) : ofXlsx(settings, table ?? '')

/** The role of each row. */
export function rolesOf(
  settings: CsvSettings | XlsxSettings,
  table: string | null,
  rows: readonly SourceRow[],
): RowRole[] {
  const { first, header, last, skipLast, out } = shapeOf(settings, table)
  let names = header?.count ?? 0
  const roles = rows.map(({ number }): RowRole => {
    if (number < first || (header?.row ?? 0) > number) return 'above'
    if (number > last) return 'after'
    if (out.has(number)) return 'out'
    const row = header?.row ?? null
    const isName = row === null ? names > 0 : number < row + (header?.count ?? 0)
    names--
    return isName ? 'header' : 'data'
  })
  const isRow = rowTest(settings, table)
  let left = skipLast
  for (let i = roles.length - 1; i >= 0 && left > 0; i--) {
    const row = rows[i]
    if (roles[i] !== 'data' || !row || !isRow(row)) continue
    roles[i] = 'out'
    left--
  }
  return roles
}

/** An action for a row. */
interface RowAction {
  readonly key: 'header' | 'more-header' | 'first' | 'last' | 'last-here' | 'out' | 'in'
  readonly label: string
  /** The settings that it changes. */
  readonly patch: Partial<CsvSettings> | Partial<XlsxSettings>
}

/**
 * @param own settings that the user set
 * @param at index of the row
 */
export function rowActions(
  settings: CsvSettings | XlsxSettings,
  own: Partial<ReadSettings> | undefined,
  table: string | null,
  source: SourceRows,
  at: number,
): RowAction[] {
  const { rows, hidden, head } = source
  const row = rows[at]
  if (!row) return []
  const { number } = row
  const roles = rolesOf(settings, table, rows)
  const shape = shapeOf(settings, table)
  const say =
    settings.kind === 'csv'
      ? csvPatches(settings, settings.tables ? table : null)
      : xlsxPatches(shape, settings, table ?? '', !endsAt(own, table))
  const without = (gone: readonly number[]): number[] => [...shape.out].filter((each) => !gone.includes(each))
  const lastName = roles.lastIndexOf('header')
  const between = rows.filter((each, i) => i > lastName && each.number < number && roles[i] !== 'above')
  const startsTable = lastName < 0 || at <= lastName
  const count = shape.header?.count ?? 0
  const goesOn = lastName >= 0 && at === lastName + 1
  const first: Partial<CsvSettings> | Partial<XlsxSettings> = startsTable
    ? say.first(number, without([number]))
    : say.out([...new Set([...without([number]), ...between.map((each) => each.number)])])
  const isReached = startsTable || hidden === 0 || at < head
  return [
    { key: 'header', label: 'Header row', patch: say.header(number, 1, without([number])) },
    ...(goesOn
      ? [
          {
            key: 'more-header',
            label: 'Part of the header',
            patch: say.header(rows[lastName - count + 1]?.number ?? number, count + 1, without([number])),
          } as const,
        ]
      : []),
    ...(isReached ? [{ key: 'first', label: 'First row', patch: first } as const] : []),
    ...lastActions(rowsAfter(settings, own, table, source, at), number, say),
    shape.out.has(number)
      ? { key: 'in', label: 'Include again', patch: say.out(without([number])) }
      : { key: 'out', label: 'Leave out', patch: say.out([...shape.out, number]) },
  ]
}

/**
 * Actions that end the table at a row. Near the end, the setting counts from the end, since next month's table may be
 * longer.
 */
function lastActions(
  after: number | null,
  row: number,
  say: Patches<CsvSettings> | Patches<XlsxSettings>,
): readonly RowAction[] {
  if (after === null) return [{ key: 'last', label: 'Last row', patch: say.last(row) }]
  if (after === 0) return [{ key: 'last', label: 'Last row', patch: say.skipLast(0) }]
  return [
    {
      key: 'last',
      label: `Last row: leave out the last ${after === 1 ? 'row' : `${after} rows`}`,
      patch: say.skipLast(after),
    },
    { key: 'last-here', label: `Last row: row ${row} in every file`, patch: say.last(row) },
  ]
}

/** Number of the table's rows after a row; null if they are too many for a footer, or unknown. */
function rowsAfter(
  settings: CsvSettings | XlsxSettings,
  own: Partial<ReadSettings> | undefined,
  table: string | null,
  { rows, hidden, head }: SourceRows,
  at: number,
): number | null {
  const end = endOf(settings, own, table)
  const number = rows[at]?.number ?? 0
  /** Before, among or after the rows that aren't shown. */
  const part = (row: number): number =>
    hidden === 0 || row >= (rows[head]?.number ?? 0) ? 2 : row <= (rows[head - 1]?.number ?? 0) ? 0 : 1
  if (end === null || part(number) !== part(end.last) || part(end.last) === 1) return null
  const isRow = rowTest(settings, table)
  const roles = rolesOf(settings, table, rows)
  const count = (from: number, to: number): number =>
    rows.filter((row) => row.number > from && row.number <= to && isRow(row)).length
  const after = end.left + count(number, end.last) - count(end.last, number)
  const name = roles.lastIndexOf('header')
  const kept = count(rows[name]?.number ?? shapeOf(settings, table).first - 1, number) + (at < head ? 0 : hidden)
  return after < 0 || after > Math.min(MOST_AFTER, kept) ? null : after
}

/**
 * The end of the table's rows if none of its last ones are left out, as a number of rows after a row; null if unknown.
 */
function endOf(
  settings: CsvSettings | XlsxSettings,
  own: Partial<ReadSettings> | undefined,
  table: string | null,
): { readonly last: number; readonly left: number } | null {
  const file = { last: Number.POSITIVE_INFINITY, left: 0 }
  if (settings.kind === 'csv') {
    if (!settings.tables) return file
    const isSet = own?.kind === 'csv' && csvTable({ ...settings, ...own, lastLine: undefined }, table).lastLine
    const { lastLine = file.last, skipLast = 0 } = csvTable(settings, table)
    return isSet ? null : { last: lastLine, left: skipLast }
  }
  const last = shapeOf(settings, table).last
  if (!endsAt(own, table)) return { last, left: 0 }
  const sheetOf = (name: string): string => named(settings.sheet, name) ?? name
  const beside = Object.keys(settings.headerRow).filter((name) => sheetOf(name) === sheetOf(table ?? ''))
  return beside.length > 1 ? null : file
}

/** Whether the user set the last row of a sheet's table. */
const endsAt = (own: Partial<ReadSettings> | undefined, table: string | null): boolean =>
  own?.kind === 'xlsx' &&
  Number.isFinite(rangeOf(named(own.range, table ?? '') ?? '')?.bottom ?? Number.POSITIVE_INFINITY)

/** Returns a test for rows that belong to the table: not empty in its columns, no comments, not left out. */
function rowTest(settings: CsvSettings | XlsxSettings, table: string | null): (row: SourceRow) => boolean {
  const { out } = shapeOf(settings, table)
  if (settings.kind === 'csv') {
    const { comment } = settings
    return ({ number, cells }) => !out.has(number) && !(comment && cells[0]?.startsWith(comment))
  }
  const { left, right } = rangeOf(named(settings.range, table ?? '') ?? '') ?? WHOLE
  return ({ number, cells }) => !out.has(number) && cells.slice(left, right + 1).some((cell) => cell !== null)
}

const WHOLE: Range = { top: 1, bottom: Number.POSITIVE_INFINITY, left: 0, right: Number.POSITIVE_INFINITY }

interface Patches<T> {
  header(row: number, count: number, out: readonly number[]): Partial<T>
  first(row: number, out: readonly number[]): Partial<T>
  last(row: number): Partial<T>
  skipLast(rows: number): Partial<T>
  out(rows: readonly number[]): Partial<T>
}

const inOrder = (rows: readonly number[]): number[] => [...rows].sort((a, b) => a - b)

/** @param table name of the table; null for a file with a single table */
function csvPatches(settings: CsvSettings, table: string | null): Patches<CsvSettings> {
  const of = (place: CsvPlace): Partial<CsvSettings> => csvPatch(table, place)
  return {
    header: (row, headerRows, out) =>
      of({
        skipLines: row - 1,
        header: true,
        headerRows,
        leaveOut: inOrder(out),
      }),
    first: (row, out) => of({ skipLines: row - 1, header: false, leaveOut: inOrder(out) }),
    last: (row) => of({ skipLast: 0, lastLine: row }),
    skipLast: (rows) => of({ skipLast: rows, lastLine: undefined }),
    out: (rows) => of({ leaveOut: inOrder(rows), ...byHand(csvTable(settings, table).leaveOutSubtotals, false) }),
  }
}

/** @param isOpen whether the user hasn't set the last row */
function xlsxPatches(shape: Shape, settings: XlsxSettings, table: string, isOpen: boolean): Patches<XlsxSettings> {
  const range = rangeOf(named(settings.range, table) ?? '') ?? WHOLE
  const from = (row: number): Partial<XlsxSettings> =>
    row < shape.first || row > shape.last
      ? {
          range: {
            [table]: printRange({
              ...range,
              top: Math.min(row, range.top),
              bottom: row > shape.last ? Number.POSITIVE_INFINITY : range.bottom,
            }),
          },
        }
      : {}
  return {
    header: (row, count, out) => ({
      headerRow: { [table]: row },
      headerRows: { [table]: count },
      leaveOut: { [table]: inOrder(out) },
      ...from(row),
    }),
    first: (row, out) => ({
      headerRow: { [table]: null },
      range: { [table]: printRange({ ...range, top: row, bottom: Math.max(row, range.bottom) }) },
      leaveOut: { [table]: inOrder(out) },
    }),
    last: (row) => ({
      range: { [table]: printRange({ ...range, top: Math.min(row, range.top), bottom: row }) },
      skipLast: { [table]: 0 },
    }),
    skipLast: (rows) => ({
      ...(isOpen ? {} : { range: { [table]: printRange({ ...range, bottom: Number.POSITIVE_INFINITY }) } }),
      skipLast: { [table]: rows },
    }),
    out: (rows) => ({
      leaveOut: { [table]: inOrder(rows) },
      ...byHand(named(settings.leaveOutSubtotals, table), { [table]: false }),
    }),
  }
}
