import type { CsvSettings } from '../../../../tables/plan.ts'
import { isTyped, type SampleCell, type SampleRow as LayoutRow } from '../../layout/cells.ts'
import { groupsOver, hasLabels, hasUnitsBesideValues, headerRowsOf, usualName } from '../../layout/header-rows.ts'
import { joinNames } from '../../layout/names.ts'
import { fitHeader, isMarked } from '../names.ts'
import { areKeys, mayBeKeys, headerBelowPreamble } from '../../layout/find-header.ts'
import { fieldNames, namesFields } from './dialect-bytes.ts'
import { areRowNames, judgeFirstRow, type HeaderFinding } from './header.ts'
import { blockOf, filledWidth, type Form, type SampleRow } from './sample.ts'

const MAX_PREAMBLE = 50
const MAX_TITLES = 5
const SEPARATOR_LINE = /^"?sep=(.)?"?[,;\t]*$/i

/** The delimiter that a line above the table tells Excel to use; null if there's no such line. */
export function separatorIn(text: string): string | null {
  const line = SEPARATOR_LINE.exec(text.slice(0, text.search(/[\r\n]|$/)))
  return line && (line[1] ?? '')
}
/** Minimum number of rows, including the header, to tell a table from rows of other widths. */
const LEAST_RUN = 3
/** Lines above a table are ignored if it has this many times as many rows. */
const FEW_OF = 4
/** A table of so many columns matters more than pairs above it that have no header. */
const WIDE = 4
/** Rows to look at in a second table, and below a preamble. */
const SEEN = 200

/** Which lines of a sample are the table. */
export interface Structure {
  readonly settings: Pick<
    CsvSettings,
    'comment' | 'skipLines' | 'header' | 'headerRows' | 'width' | 'rowNames' | 'repeatedHeaders'
  >
  /** Whether the cells decide if there's a header. */
  readonly headerIsSure: boolean
  /** Whether the header begins with a `#` that isn't a column's name. */
  readonly headerIsMarked?: boolean
  /** The names if the first two rows form the header together, which is possible but uncertain; else null. */
  readonly groupNames: readonly string[] | null
  /** The line where a second table begins, or null. */
  readonly otherTable: number | null
}

/** The table of a log that names its fields in a line; null if there's none, or if the fields change further down. */
export function structureOfLog(rows: readonly SampleRow[], { delimiter }: Form): Structure | null {
  const lines = rows.filter(({ raw }) => namesFields(raw))
  const [first] = lines
  if (!first || lines.some(({ raw }) => raw !== first.raw)) return null
  const { width } = blockOf(rows.filter((row) => !lines.includes(row)))
  const isAbove = rows.slice(0, rows.indexOf(first)).every(({ blank }) => blank)
  if (!isAbove || fieldNames(first.raw, delimiter).length !== width) return null
  return {
    settings: { comment: '#', skipLines: first.line - 1, header: true, width, repeatedHeaders: 'leave-out' },
    headerIsSure: true,
    groupNames: null,
    otherTable: null,
  }
}

/** Finds the table in a split sample: the lines above it, its width, and whether it has a header. */
export function structureOf(rows: readonly SampleRow[], form: Form, given: Partial<CsvSettings>): Structure {
  const comment = given.comment === undefined ? commentOf(rows, form) : given.comment
  const hint = given.skipLines === undefined && separatorIn(rows[0]?.raw ?? '') !== null ? 1 : 0
  const all = rows.slice(hint).filter((row) => !comment || !row.raw.startsWith(comment))
  const keys = given.skipLines === undefined ? keysAbove(all) : 0
  const rest = all.slice(keys)
  const next = otherTableOf(rest)
  const otherTable = next < 0 ? null : rest[next].line
  const lines = next < 0 ? rest : rest.slice(0, next)
  const { width: common } = blockOf(lines)
  const filled = filledColumns(lines, common)
  const preamble = given.skipLines === undefined ? preambleOf(lines, filled, form) : 0
  const [top, ...others] = lines.slice(preamble).filter((row) => !row.blank || common === 1)
  const headerIsMarked = top !== undefined && isMarked(top.cells, common, form.delimiter)
  const first = headerIsMarked ? { ...top, cells: top.cells.slice(1) } : top
  const table = first ? [first, ...others] : []
  // A comment above the header is skipped as a line; below it, it must be recognized as a comment.
  const firstLine = hint + keys + preamble > 0 ? (lines[preamble]?.line ?? hint + 1) : 1
  const skipLines = given.skipLines ?? firstLine - 1
  if (!first || common === 1) {
    const { header, sure } = headerOf(table, 1, form, false)
    return {
      settings: { comment, skipLines, header: given.header ?? header },
      headerIsSure: sure,
      groupNames: null,
      otherTable,
    }
  }
  const body = others.filter((row) => row.cells.length >= common)
  const areShort = others.filter((row) => row.cells.length === first.cells.length).length
  // A blank corner is the first column's.
  const isCornered = first.cells[0].trim() === ''
  const lacksName = !isCornered && first.cells.length < common && filledWidth(first) === common - 1
  const rowNames = given.rowNames ?? (lacksName && areShort * 4 < body.length && isOneShort(body, common))
  const found = headerOf(table, common, form, rowNames)
  const header = given.header ?? found.header
  const names = header ? namedWidth(first, common) : 0
  const isFlagged = form.layout === 'eurostat'
  const width = given.width ?? (isFlagged ? common : Math.max(filledColumns(header ? others : table, common), names))
  // If the person says that there's a header, it's one row unless they say otherwise.
  const detects = given.header === undefined && header && found.sure
  const texts = table.map(({ cells }) => cells)
  const headerRows = given.headerRows ?? (detects && !first.isNames ? headerRowsOf(texts) : 1)
  const mayBeMore = header && !first.isNames && headerRows === 1 && given.headerRows === undefined
  const areTwo = mayBeMore && (groupsOver(texts) === 'likely' || hasLabels(texts) || hasUnitsBesideValues(texts))
  const groupNames = areTwo ? joinNames(texts.slice(0, 2)) : null
  const settings = {
    comment,
    skipLines,
    header,
    width,
    ...(rowNames && header ? { rowNames } : {}),
    ...(headerRows > 1 ? { headerRows } : {}),
  }
  return { settings, headerIsSure: found.sure, headerIsMarked: headerIsMarked && header, groupNames, otherTable }
}

/**
 * Where a second table of another width begins: with the same names as the first one, or after a blank line with names
 * of its own. -1 if there's none.
 */
function otherTableOf(rows: readonly SampleRow[]): number {
  const filled = rows.filter((row) => !row.blank)
  const from = filled.findIndex((_, i) => isRun(filled.slice(i, i + LEAST_RUN)))
  if (from < 0) return -1
  const first = filled[from]
  const next = filled.findIndex(
    (row, i) => i > from && row.cells.length !== first.cells.length && isRun(filled.slice(i, i + LEAST_RUN)),
  )
  if (next < 0) return -1
  const { cells } = filled[next]
  const names = first.cells.slice(0, cells.length)
  const isSame = names.length > 1 && names.every((name, i) => name === cells[i] && name !== '')
  const at = rows.indexOf(filled[next])
  const other = filled.slice(next, next + SEEN).map((row) => row.cells)
  return isSame || (rows[at - 1].blank && isSureHeader(other) && next - from >= LEAST_RUN) ? at : -1
}

/**
 * Number of rows above the table if these are keys with their values (“Account;DE02…”), or other lines without a header
 * that are few compared with the table (“Transactions;Created on 03.10.2026”).
 */
function keysAbove(rows: readonly SampleRow[]): number {
  const next = otherTableOf(rows)
  if (next < 0) return 0
  const above = rows.slice(0, next)
  const areNarrow = above.every(({ cells }) => cells.length < rows[next].cells.length)
  const areFew = above.length <= MAX_PREAMBLE && above.length * FEW_OF <= rows.length - next
  const cells = above.flatMap(rowOfCells)
  const [first] = cells
  const mayBeNames = first?.cells.length === 2 && first.cells.every(({ text }) => usualName(text) > 0)
  const arePairs = !mayBeNames && rows[next].cells.length >= WIDE && cells.every((row) => row.cells.length <= 2)
  const areRemarks = areKeys(cells) || ((areFew || arePairs) && (mayBeKeys(cells) || !isSureHeader(cellsOf(above))))
  return areNarrow && areRemarks ? next : 0
}

/** Whether rows are enough for a table, and all have the same width. */
const isRun = (rows: readonly SampleRow[]): boolean =>
  rows.length === LEAST_RUN &&
  rows[0].cells.length > 1 &&
  rows.every(({ cells }) => cells.length === rows[0].cells.length)

/** Whether the header lacks a name for the first column, whose values identify the rows. */
function isOneShort(body: readonly SampleRow[], common: number): boolean {
  return filledColumns(body, common) === common && areRowNames(body.map(({ cells }) => cells))
}

function headerOf(table: readonly SampleRow[], width: number, form: Form, rowNames: boolean): HeaderFinding {
  const [first, ...others] = table
  if (!first) return { header: false, sure: true }
  if (first.isNames) return { header: true, sure: true }
  if (groupsOver(table.map(({ cells }) => cells)) === 'sure') return { header: true, sure: true }
  const names = width === 1 ? first.cells : fitHeader(first.cells, first.raw, { ...form, width, rowNames })
  return judgeFirstRow([names, ...others.map(({ cells }) => cells)])
}

/** Number of columns without trailing ones that are empty in every row, because lines end with delimiters. */
function filledColumns(rows: readonly SampleRow[], common: number): number {
  const fit = rows.filter((row) => row.cells.length === common)
  return fit.length === 0 ? common : Math.max(...fit.map(filledWidth))
}

/** Number of columns according to the header, ignoring trailing ones without a name. */
function namedWidth(header: SampleRow, common: number): number {
  const named = header.cells.filter((cell) => cell.trim() !== '').length
  return named > common ? filledWidth(header) : Math.min(filledWidth(header), common)
}

/** `#` or `//`, if lines in the table begin with it and none of them looks like the other rows. */
function commentOf(rows: readonly SampleRow[], { delimiter }: Form): string | null {
  const { width } = blockOf(rows)
  if (width < 2) return null
  for (const mark of ['#', '//']) {
    const firstOther = rows.findIndex((row) => !row.blank && !row.raw.startsWith(mark))
    // A line directly above the first row that looks like one may be the header.
    const attached = rows.slice(0, Math.max(0, firstOther)).findLastIndex((row) => row.blank) + 1
    // When split at blanks, a comment may have as many words as a row by chance.
    const isWords = (row: SampleRow): boolean => row.cells[0] === mark && delimiter.trim() === ''
    const isLikeRows = (row: SampleRow): boolean =>
      row.raw.startsWith(mark) && (row.cells.length === width || areMarked(row, mark)) && !isWords(row)
    if (rows.slice(attached).some(isLikeRows)) continue
    // Only above the table: these lines are skipped, so that rows beginning with the mark are still read.
    if (firstOther >= 0 && rows.slice(firstOther).some((row) => row.raw.startsWith(mark))) return mark
  }
  return null
}

/** Whether a row's cells begin with the same mark, as names of columns do in some files. */
function areMarked({ cells }: SampleRow, mark: string): boolean {
  const filled = cells.filter((cell) => cell !== '')
  return filled.length > 1 && filled.every((cell) => cell.startsWith(mark))
}

/**
 * Number of rows before the table: titles and remarks, at most half as wide as the table or padded with empty cells.
 */
function preambleOf(rows: readonly SampleRow[], width: number, form: Form): number {
  if (width < 2) return 0
  const narrow = narrowRows(rows, width, form)
  const padded = headerBelowPreamble(rows.slice(narrow, narrow + SEEN).flatMap(rowOfCells))
  return padded === null ? narrow : narrow + padded
}

/** A row's filled cells with their columns; none if it's blank. */
function rowOfCells({ cells }: SampleRow, number: number): LayoutRow[] {
  const filled: SampleCell[] = []
  for (const [column, text] of cells.entries()) if (text.trim() !== '') filled.push({ column, kind: 'text', text })
  return filled.length === 0 ? [] : [{ number, cells: filled }]
}

function narrowRows(rows: readonly SampleRow[], width: number, form: Form): number {
  const last = Math.min(MAX_PREAMBLE, rows.length - 1)
  const names = Math.max(namesAmongRemarks(rows, width, form), nameBelowTitles(rows, width))
  if (names >= 0) return names
  let at = 0
  while (at < last && isPreamble(rows[at], width)) at++
  // If all rows are like this, there's no preamble.
  if (at === last && isPreamble(rows[at], width)) return 0
  if (at > 0 && isDamagedHeader(rows.slice(at - 1), width, form)) return at - 1
  // The metadata line of DATEV and others may be wider than the rows.
  const isWider = rows[at].cells.length > width && rows[at].cells.some(isTyped)
  if (isWider && isSureHeader(cellsOf(rows.slice(at + 1)))) return at + 1
  // Titles may contain delimiters: they are above a header that is as wide as the rows.
  const header = rows.slice(at, at + MAX_TITLES).findIndex((row) => row.cells.length >= width)
  return header > 0 && isSureHeader(cellsOf(rows.slice(at + header))) ? at + header : at
}

/** Which of the `#` lines above a table split at blanks names its columns: only the last one can. -1 if it doesn't. */
function namesAmongRemarks(rows: readonly SampleRow[], width: number, { delimiter }: Form): number {
  const last = rows.findIndex(({ raw }) => !raw.startsWith('#')) - 1
  const { cells, blank } = rows[last] ?? { cells: [], blank: true }
  const isAbove = !blank && !rows[last + 1].blank && delimiter.trim() === '' && delimiter !== '\t'
  const areNames = cells.length === width || isMarked(cells, width, delimiter)
  return isAbove && areNames ? last : -1
}

/**
 * In a table of two columns, which row has the second one's name alone: below titles in the first column, above values
 * beside names, as QuickBooks writes reports. -1 if there's none.
 */
function nameBelowTitles(rows: readonly SampleRow[], width: number): number {
  const at = width === 2 ? rows.findIndex(({ cells: [name, value = ''] }) => name === '' && value !== '') : -1
  if (at < 1 || at > MAX_PREAMBLE || isTyped(rows[at].cells[1])) return -1
  const areTitles = rows.slice(0, at).every(({ cells: [, ...others] }) => others.every((cell) => cell.trim() === ''))
  const values = rows.slice(at + 1).flatMap(({ cells: [, value = ''] }) => (value === '' ? [] : [value]))
  return areTitles && values.length >= LEAST_RUN && values.every(isTyped) ? at : -1
}

const cellsOf = (rows: readonly SampleRow[]): (readonly string[])[] =>
  rows.filter((row) => !row.blank).map(({ cells }) => cells)

function isSureHeader(rows: readonly (readonly string[])[]): boolean {
  const { header, sure } = judgeFirstRow(rows)
  return header && sure
}

function isPreamble(row: SampleRow, width: number): boolean {
  if (row.blank) return true
  const filled = row.cells.filter((cell) => cell !== '')
  // A title that a spreadsheet padded with empty cells.
  if (row.cells.length >= width) return width > 2 && filled.length < 2 && !filled.some(isTyped)
  return row.cells.length * 2 <= width || filled.length <= 1 || (row.raw.startsWith('#') && !areMarked(row, '#'))
}

/** Whether the line above a table without a header is one after all, but split differently or with a stray quote. */
function isDamagedHeader([first, ...table]: readonly SampleRow[], width: number, form: Form): boolean {
  if (first.blank) return false
  const { cells, raw } = first
  const next = judgeFirstRow(cellsOf(table))
  const names = fitHeader(cells, raw, { ...form, width })
  const isWhole = names.every((name) => name !== '')
  // A title has blanks between its words, too.
  if (next.header) return isWhole && !next.sure && !names.every((name) => raw.split(' ').includes(name))
  return isWhole || (cells.length === width - 1 && cells.every((cell) => cell !== '') && isOneShort(table, width))
}
