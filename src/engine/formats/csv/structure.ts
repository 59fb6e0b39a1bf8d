import type { CsvSettings } from '../../../tables/plan.ts'
import { cellKind, WORDS } from './cells.ts'
import { areRowNames, findHeader, fitHeader, type HeaderFinding } from './header.ts'
import { blockOf, filledWidth, type Form, type SampleRow } from './sample.ts'

const MAX_PREAMBLE = 50
const MAX_TITLES = 5

/** What is table in a sample, and what isn't. */
export interface Structure {
  readonly settings: Pick<CsvSettings, 'comment' | 'skipLines' | 'header' | 'width' | 'rowNames'>
  /** Whether the cells say that there is a header, or none. */
  readonly headerIsSure: boolean
}

/** Finds the table in a sample that is split: what is above it, how wide it is, and whether it has a header. */
export function structureOf(rows: readonly SampleRow[], form: Form, given: Partial<CsvSettings>): Structure {
  const comment = given.comment === undefined ? commentOf(rows) : given.comment
  const lines = comment ? rows.filter((row) => !row.raw.startsWith(comment)) : rows
  const { width: common } = blockOf(lines)
  const preamble = given.skipLines === undefined ? preambleOf(lines, common, form) : 0
  const table = lines.slice(preamble).filter((row) => !row.blank || common === 1)
  const [first, ...others] = table
  // A comment above the header is skipped as a line; below it, it has to be known as one.
  const firstLine = preamble > 0 ? (lines[preamble]?.line ?? 1) : 1
  const skipLines = given.skipLines ?? firstLine - 1
  if (!first || common === 1) {
    const { header, sure } = headerOf(table, 1, form, false)
    return { settings: { comment, skipLines, header: given.header ?? header }, headerIsSure: sure }
  }
  const body = others.filter((row) => row.cells.length >= common)
  const rowNames = given.rowNames ?? (filledWidth(first) === common - 1 && body.length > 0 && isOneShort(body, common))
  const found = headerOf(table, common, form, rowNames)
  const header = given.header ?? found.header
  const names = header ? namedWidth(first, common) : 0
  const width = given.width ?? Math.max(filledColumns(header ? others : table, common), names)
  const settings = { comment, skipLines, header, width, ...(rowNames && header ? { rowNames } : {}) }
  return { settings, headerIsSure: found.sure }
}

/** Whether the first of a table's columns has no name in a header that is one short: its values tell rows apart. */
function isOneShort(body: readonly SampleRow[], common: number): boolean {
  return filledColumns(body, common) === common && areRowNames(body.map(({ cells }) => cells))
}

function headerOf(table: readonly SampleRow[], width: number, form: Form, rowNames: boolean): HeaderFinding {
  const [first, ...others] = table
  if (!first) return { header: false, sure: true }
  const names = width === 1 ? first.cells : fitHeader(first.cells, first.raw, { ...form, width, rowNames })
  return findHeader([names, ...others.map(({ cells }) => cells)])
}

/** How many columns there are, without those at the end that are empty in every row: lines that end with delimiters. */
function filledColumns(rows: readonly SampleRow[], common: number): number {
  const fit = rows.filter((row) => row.cells.length === common)
  return fit.length === 0 ? common : Math.max(...fit.map(filledWidth))
}

/** How many columns a header asks for: those without a name at the end, and more empty ones than are too many, aren't. */
function namedWidth(header: SampleRow, common: number): number {
  const named = header.cells.filter((cell) => cell.trim() !== '').length
  return named > common ? filledWidth(header) : Math.min(filledWidth(header), common)
}

/** `#` or `//`, when lines in the table begin with it and none of them is like the other rows. */
function commentOf(rows: readonly SampleRow[]): string | null {
  const { width } = blockOf(rows)
  if (width < 2) return null
  for (const mark of ['#', '//']) {
    const marked = rows.filter((row) => row.raw.startsWith(mark))
    if (marked.length === 0 || marked.some((row) => row.cells.length === width)) continue
    const firstOther = rows.findIndex((row) => !row.blank && !row.raw.startsWith(mark))
    // Only above the table: lines to skip, and a row that begins so further down is still a row.
    if (firstOther >= 0 && rows.slice(firstOther).some((row) => row.raw.startsWith(mark))) return mark
  }
  return null
}

/** How many rows there are before the table: titles and remarks, narrower by half than what follows. */
function preambleOf(rows: readonly SampleRow[], width: number, form: Form): number {
  if (width < 2) return 0
  const last = Math.min(MAX_PREAMBLE, rows.length - 1)
  let at = 0
  while (at < last && isPreamble(rows[at], width)) at++
  // Nothing but rows like those: no preamble.
  if (at === last && isPreamble(rows[at], width)) return 0
  if (at > 0 && isDamagedHeader(rows.slice(at - 1), width, form)) return at - 1
  // Titles may have delimiters in them: they are above a header that is as wide as the rows.
  const header = rows.slice(at, at + MAX_TITLES).findIndex((row) => row.cells.length === width)
  return header > 0 && isHeader(rows.slice(at + header)) ? at + header : at
}

function isHeader(rows: readonly SampleRow[]): boolean {
  const { header, sure } = findHeader(rows.filter((row) => !row.blank).map(({ cells }) => cells))
  return header && sure
}

function isPreamble(row: SampleRow, width: number): boolean {
  if (row.blank) return true
  const filled = row.cells.filter((cell) => cell !== '')
  // A title that a spreadsheet filled up with empty cells.
  if (row.cells.length === width)
    return width > 2 && filled.length < 2 && filled.every((cell) => cellKind(cell, ',') === WORDS)
  return row.cells.length * 2 <= width || filled.length <= 1 || row.raw.startsWith('#')
}

/** Whether the line above a table that has no other header is one, though split otherwise or with a quote too many. */
function isDamagedHeader([first, ...table]: readonly SampleRow[], width: number, form: Form): boolean {
  if (first.blank || findHeader(table.map(({ cells }) => cells)).header) return false
  const { cells } = first
  const names = fitHeader(cells, first.raw, { ...form, width })
  if (names.every((name) => name !== '')) return true
  return cells.length === width - 1 && cells.every((cell) => cell !== '') && isOneShort(table, width)
}
