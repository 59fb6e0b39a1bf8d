import type { InspectedColumn, Note, Proposal } from '../../../../tables/plan.ts'
import { columnName, printRange, type Range } from '../../../../tables/range.ts'
import { isNumeric } from '../../../../tables/types.ts'
import { formatCount, plural } from '../../../../lib/counts.ts'
import { lastRowsNote } from '../../layout/ends.ts'
import type { DefinedTable, SheetFacts } from './book.ts'
import type { HeaderFound } from './names.ts'
import type { Row } from './row.ts'
import type { TableSettings } from './settings.ts'
import type { TableRows } from './table-rows.ts'
import { listOf } from '../../../../lib/text.ts'

/** Characters of a remark to show. */
const SHOWN = 80

/** A row labeled as a total. */
export interface TotalRow {
  readonly label: string
  readonly number: number
  /** Number of remarks after it. */
  readonly below: number
}

/** Facts about a table's rows. */
interface TableFacts {
  readonly isHidden: boolean
  /** Number of data rows. */
  readonly count: number
  /** Number of rows above the header that aren't empty. */
  readonly titleRows: number
  readonly hiddenRows: number
  readonly firstRow: number
  readonly lastRow: number
  readonly total: TotalRow | null
  readonly rows: Pick<TableRows, 'leftOut' | 'outside' | 'last' | 'repeated'>
  readonly settings: TableSettings
  firstText(row: Row): string
}

/** Remarks outside the table, and its definition in Excel. */
export interface NotedPlace {
  readonly footers: readonly string[]
  readonly defined?: DefinedTable
}

/** Notes on a table besides its rows. */
export function notesOf(table: TableFacts, header: HeaderFound, facts: SheetFacts, place: NotedPlace): Note[] {
  const { footers, defined } = place
  const { headerRow, headerRows, groups, isGuess, indexes } = header
  const notes: Note[] = []
  const add = (code: string, number: number, one: string, many: string): void => {
    if (number > 0)
      notes.push({ code, message: number === 1 ? one : many.replace('#', formatCount(number)), count: number })
  }
  if (table.isHidden) notes.push({ code: 'hidden-sheet', message: 'The sheet is hidden in the workbook.' })
  add(
    'title-rows',
    table.titleRows - groups,
    '1 row above the header is left out.',
    '# rows above the header are left out.',
  )
  if (headerRow !== null && headerRows > 1 && isGuess) {
    notes.push({
      code: 'header-rows',
      message: `Rows ${headerRow} to ${headerRow + headerRows - 1} are the header: names are what they say together.`,
    })
  }
  const from = headerRow === null ? table.firstRow - 1 : headerRow + headerRows - 1
  const blank = table.count === 0 ? 0 : table.lastRow - from - table.count - table.rows.leftOut
  add('blank-rows', blank, '1 blank row is left out.', '# blank rows are left out.')
  const between = indexes.length === 0 ? 0 : indexes[indexes.length - 1] - indexes[0] + 1 - indexes.length
  add('blank-columns', between, '1 blank column is left out.', '# blank columns are left out.')
  add(
    'hidden-rows',
    table.hiddenRows,
    '1 hidden row is read like the others.',
    '# hidden rows are read like the others.',
  )
  add(
    'hidden-columns',
    facts.hiddenColumns,
    '1 hidden column is read like the others.',
    '# hidden columns are read like the others.',
  )
  // A title above the header has no row of the table; names of several rows are what merged cells say together.
  const aboveRows = facts.merges.filter(
    ({ top, bottom }) =>
      headerRow !== null &&
      (bottom < headerRow || (headerRows > 1 && top >= headerRow && bottom < headerRow + headerRows)),
  ).length
  const repeated = table.settings.merges.filter((range) => beginsIn(table, range)).length
  add(
    'merged-cells',
    facts.mergedRanges - repeated - aboveRows,
    '1 range of merged cells: its value is in its first cell, the others are null.',
    '# ranges of merged cells: the value is in the first cell of each, the others are null.',
  )
  add(
    'merged-repeated',
    table.rows.repeated,
    '1 cell is merged with one above: its value is repeated.',
    '# cells are merged with one above: its value is repeated.',
  )
  if (defined && table.settings.around === undefined) notes.push(definitionNote(defined, table.settings))
  if (footers.length > 0) {
    const where = defined ? 'outside of Excel’s table' : 'after the table'
    const rows = footers.length === 1 ? `1 row ${where} is` : `${formatCount(footers.length)} rows ${where} are`
    notes.push({ code: 'footer', message: `${rows} left out: “${footers[0].slice(0, SHOWN)}”.`, count: footers.length })
  }
  return [...notes, ...leftOutNotes(table)]
}

function definitionNote({ name, range, hasHeader }: DefinedTable, { totals = 0 }: TableSettings): Note {
  const [are, count] = totals === 1 ? ['is', ''] : ['are', `${totals} `]
  const left = totals === 0 ? '' : ` Its ${count}${totals === 1 ? 'totals row' : 'totals rows'} ${are} left out.`
  const header = hasHeader ? 'Its first row is the header.' : 'It has no header row.'
  return { code: 'excel-table', message: `Excel defines ${printRange(range)} as the table “${name}”. ${header}${left}` }
}

/** Whether a range is merged over several of a table's rows. */
export const beginsIn = (
  { firstRow, lastRow }: Pick<TableFacts, 'firstRow' | 'lastRow'>,
  { top, bottom }: Range,
): boolean => bottom > top && top >= firstRow && top <= lastRow

/**
 * Proposes to repeat the values of cells that are merged over several rows. Only for text and dates, which tell what
 * rows belong to: repeated numbers would count several times.
 */
export function mergedProposals(
  table: TableFacts & { readonly name: string },
  columns: readonly InspectedColumn[],
  { merges, mergedRanges }: SheetFacts,
): Proposal[] {
  if (merges.length < mergedRanges) return []
  const done = new Set(table.settings.merges.map(({ left }) => left))
  const down = merges.filter((range) => beginsIn(table, range) && !done.has(range.left))
  const merged = columns.filter(({ index }) => down.some(({ left }) => left === index))
  const isNumber = ({ type }: InspectedColumn): boolean => isNumeric(type)
  const [numbers, others] = [merged.filter(isNumber), merged.filter((column) => !isNumber(column))]
  const propose = (of: readonly InspectedColumn[], all: readonly InspectedColumn[], label: string): Proposal => {
    const count = down.filter(({ left }) => of.some(({ index }) => index === left)).length
    const names = listOf(of.map(({ name }) => `“${name}”`))
    const letters = [...done, ...all.map(({ index }) => index)].toSorted((a, b) => a - b).map(columnName)
    const cells = count === 1 ? 'a cell that is' : `${formatCount(count)} cells that are`
    return {
      code: 'repeat-merged',
      label,
      message: `${names} ${of.length === 1 ? 'has' : 'have'} ${cells} merged over several rows: the value is in the first row, the others are null.`,
      count,
      change: { kind: 'reading', settings: { kind: 'xlsx', repeatMerged: { [table.name]: letters } } },
    }
  }
  return [
    ...(others.length > 0 ? [propose(others, others, 'Apply: repeat merged values in each row')] : []),
    ...(numbers.length > 0
      ? [{ ...propose(numbers, merged, 'Apply: repeat merged numbers in each row'), ambiguous: true }]
      : []),
  ]
}

/** Notes on rows that the person left out, and on a last row that is labeled as a total. */
function leftOutNotes(table: TableFacts): Note[] {
  const { last, leftOut, outside } = table.rows
  const notes: Note[] = []
  const { above, below, beside } = outside
  const parts = [
    above > 0 ? `${plural(above, 'row')} above` : '',
    below > 0 ? `${plural(below, 'row')} below` : '',
    beside > 0 ? `cells beside it in ${plural(beside, 'row')}` : '',
  ].filter(Boolean)
  if (parts.length > 0) {
    const message = `Your range leaves out ${listOf(parts)}.`
    notes.push({ code: 'rows-left-out', message, count: above + below + beside })
  }
  if (leftOut > 0) {
    notes.push({ code: 'rows-left-out', message: `You left out ${plural(leftOut, 'row')}.`, count: leftOut })
  }
  if (last.length > (table.settings.totals ?? 0)) {
    notes.push(lastRowsNote(last.length, table.firstText(last[0])))
  }
  const { total } = table
  if (total !== null && last.length === 0) {
    const which = total.below > 0 ? 'The last row above the remarks' : 'The last row'
    const message = `${which} looks like a total, and is read as a row: row ${formatCount(total.number)}, “${total.label}”.`
    notes.push({ code: 'total-row', message, count: 1 })
  }
  return notes
}
