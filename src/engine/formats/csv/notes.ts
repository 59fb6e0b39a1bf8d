import { shortened } from '../../../lib/text.ts'
import type { CsvSettings, Note, Proposal } from '../../../tables/plan.ts'
import type { DialectFinding } from './detection/dialect.ts'
import { hasBareEscapes } from './detection/dialect-bytes.ts'
import type { LastRow, Pass, Adjustments } from './pass.ts'
import { formatCount, plural } from '../../../lib/counts.ts'
import { lastRowsNote, isTotalLabel, MAX_REMARKS } from '../layout/ends.ts'
import { groupsProposal } from '../layout/header-rows.ts'

const SHOWN = 80

/** Notes on a successful reading: lines that aren't rows, and rows that were adjusted. */
export function notesOf(pass: Pass, settings: CsvSettings): Note[] {
  return [
    ...lineNotes(pass, settings),
    ...adjustmentNotes(pass.adjustments, pass.rows.width, settings),
    ...endNotes(pass, settings),
    ...characterNotes(pass),
  ]
}

function lineNotes({ commentLines, blankLines, blankRows }: Pass, { comment }: CsvSettings): Note[] {
  const notes: Note[] = []
  if (commentLines > 0) {
    const message = `${plural(commentLines, 'line')} that begin${commentLines === 1 ? 's' : ''} with “${comment}” ${commentLines === 1 ? 'is a comment' : 'are comments'} and not read.`
    notes.push({ code: 'comments', message, count: commentLines })
  }
  if (blankLines > 0) {
    const message = `${plural(blankLines, 'blank line')} ${blankLines === 1 ? 'is' : 'are'} not read.`
    notes.push({ code: 'blank-lines', message, count: blankLines })
  }
  if (blankRows > 0) {
    const message = `${plural(blankRows, 'row')} without any value ${blankRows === 1 ? 'is a row' : 'are rows'} like the others.`
    notes.push({ code: 'blank-rows', message, count: blankRows })
  }
  return notes
}

function adjustmentNotes(
  { padded, surplus, strayQuotes, outside, repeated }: Adjustments,
  width: number,
  { repeatedHeaders }: CsvSettings,
): Note[] {
  const columns = plural(width, 'column')
  const say = (code: string, tally: Adjustments['padded'], one: string, many: string): Note[] => {
    const { count, line, raw } = tally
    if (count === 0) return []
    const place = `line ${formatCount(line)}, “${shortened(raw, SHOWN)}”`
    const message = count === 1 ? `1 ${one}: ${place}.` : `${formatCount(count)} ${many}; the first is ${place}.`
    return [{ code, message, count }]
  }
  return [
    ...say(
      'short-rows',
      padded,
      `row has fewer fields than the ${columns}, and is filled up with nulls`,
      `rows have fewer fields than the ${columns}, and are filled up with nulls`,
    ),
    ...say(
      'trailing-delimiters',
      surplus,
      `row has empty fields beyond the ${columns}, which are left out`,
      `rows have empty fields beyond the ${columns}, which are left out`,
    ),
    ...say(
      'stray-quotes',
      strayQuotes,
      'row has a quote in the wrong place, which is taken as text',
      'rows have a quote in the wrong place, which is taken as text',
    ),
    ...say(
      'outside-table',
      outside,
      'line outside of the drawn table is not read',
      'lines outside of the drawn table are not read',
    ),
    ...(repeatedHeaders === 'leave-out'
      ? say(
          'repeated-headers',
          repeated,
          'line repeats the header, and is left out',
          'lines repeat the header, and are left out',
        )
      : []),
  ]
}

/** Proposes to leave out rows without any value. In a single column, these may be nulls. */
export function blankRowsProposals({ blankRows, rows }: Pass): Proposal[] {
  if (blankRows === 0) return []
  const one = blankRows === 1
  const message = `${plural(blankRows, 'row')} ${one ? 'has' : 'have'} no value in any column: spreadsheets write blank rows so.`
  const change = { kind: 'reading', settings: { kind: 'csv', blankRows: 'leave-out' } } as const
  const ambiguous = rows.width === 1 ? { ambiguous: true } : {}
  const label = `Apply: leave out ${plural(blankRows, 'blank row')}`
  return [{ code: 'blank-rows', label, message, count: blankRows, ...ambiguous, change }]
}

/** Proposes to leave out rows that repeat the header, as in concatenated files. */
export function repeatedHeadersProposals({ rows }: Pass, { repeatedHeaders }: CsvSettings): Proposal[] {
  const { count, line, raw } = rows.repeated
  if (count === 0 || repeatedHeaders === 'leave-out') return []
  const what = count === 1 ? '1 row repeats the header' : `${formatCount(count)} rows repeat the header; the first is`
  const message = `${what}${count === 1 ? ':' : ''} line ${formatCount(line)}, “${shortened(raw, SHOWN)}”.`
  const change = { kind: 'reading', settings: { kind: 'csv', repeatedHeaders: 'leave-out' } } as const
  // In a single column, a value may equal the column's name.
  const ambiguous = rows.width === 1 ? { ambiguous: true } : {}
  const label = `Apply: leave out ${plural(count, 'repeated header')}`
  return [{ code: 'repeated-headers', label, message, count, ...ambiguous, change }]
}

/** Proposals for another delimiter, for a header of two rows, and those from the text itself. */
export function dialectProposals(
  { dialect, groupNames, proposals }: DialectFinding,
  notes: readonly Note[],
): Proposal[] {
  const groups = groupNames ? [groupsProposal(groupNames, { kind: 'csv', header: true, headerRows: 2 })] : []
  const note = notes.find(({ code }) => code === 'delimiter-pair')
  if (!note) return [...groups, ...proposals]
  const single = dialect.delimiter.slice(1)
  const change = { kind: 'reading', settings: { kind: 'csv', delimiter: single } } as const
  const label = `Apply: split at single ${delimiterName(single)}`
  return [...groups, { code: 'delimiter-pair', label, message: note.message, ambiguous: true, change }, ...proposals]
}

/** The last row, or the one above remarks and other totals, if it calls itself a total. */
export function totalRow(pass: Pass): LastRow | null {
  const { lastRow, lastFull, rows } = pass
  if (rows.width < 2 || rows.rows < 3) return null
  const last = hasRemarks(pass) ? [lastFull, lastRow] : [lastRow]
  return last.find((row) => row !== null && isTotalLabel(row.text)) ?? null
}

/** Whether the last rows are remarks: a text in the first field only, padded with empty fields by a spreadsheet. */
export function hasRemarks({ lastRow, lastFull }: Pass): boolean {
  const count = lastRow && lastFull ? lastRow.row - lastFull.row : 0
  return count > 0 && count <= MAX_REMARKS
}

/** Notes on the end of the table: rows that the person left out, and a last row that looks like a total but is read. */
function endNotes(pass: Pass, { skipLast = 0, lastLine }: CsvSettings): Note[] {
  const { rows } = pass
  const notes: Note[] = []
  if (rows.leftOut > 0) {
    const message = `You left out ${plural(rows.leftOut, 'line')}.`
    notes.push({ code: 'rows-left-out', message, count: rows.leftOut })
  }
  if (skipLast === 0 && rows.linesAfter > 0) {
    const message = `You left out ${plural(rows.linesAfter, 'line')} after line ${formatCount(lastLine ?? 0)}.`
    notes.push({ code: 'rows-left-out', message, count: rows.linesAfter })
  }
  if (skipLast > 0) {
    notes.push(lastRowsNote(skipLast, rows.firstAfter ?? ''))
  }
  const total = totalRow(pass)
  if (total !== null) {
    const isAboveTotal = total !== pass.lastRow && isTotalLabel(pass.lastRow?.text ?? '')
    const which = isAboveTotal
      ? 'The first of the rows at the end'
      : total === pass.lastRow
        ? 'The last row'
        : 'The last row above the remarks'
    const message = `${which} looks like a total, and is read as a row: line ${formatCount(total.line)}, “${shortened(total.raw, SHOWN)}”.`
    notes.push({ code: 'total-row', message, count: 1 })
  }
  return notes
}

function characterNotes({ lineEnds: { lf, crlf, cr }, nulBytes }: Pass): Note[] {
  const notes: Note[] = []
  const kinds = [
    lf > 0 ? `${formatCount(lf)} LF` : '',
    crlf > 0 ? `${formatCount(crlf)} CRLF` : '',
    cr > 0 ? `${formatCount(cr)} CR` : '',
  ].filter(Boolean)
  if (kinds.length > 1) {
    notes.push({ code: 'mixed-line-ends', message: `Lines end in different ways: ${kinds.join(', ')}.` })
  }
  if (nulBytes) notes.push({ code: 'nul-bytes', message: 'The text has NUL characters in it; they are kept.' })
  return notes
}

const DELIMITER_NAMES: Readonly<Record<string, string>> = {
  ',': 'commas',
  ';': 'semicolons',
  '\t': 'tabs',
  ' ': 'spaces',
  '|': 'pipes',
  ':': 'colons',
}

/** The name of a delimiter, for people. */
export const delimiterName = (delimiter: string): string => DELIMITER_NAMES[delimiter] ?? `“${delimiter}”`

/** Notes on guesses about how the file is split, and on lines outside its table. */
export function dialectNotes(finding: DialectFinding, given: Partial<CsvSettings>): Note[] {
  const { dialect, isOneColumn, separator, rival, headerIsSure, headerIsMarked, otherTable, others, isNumbered } =
    finding
  const notes: Note[] = []
  if (finding.attributes) {
    const message =
      'This is an ARFF file: names come from its @attribute lines, and “?” is null. In quotes, the backslash before a quote or another backslash is left out; any other stays.'
    notes.push({ code: 'arff', message })
  }
  const { skipLines, header, headerRows = 1, delimiter, trim, layout, rowNames } = dialect
  if (hasBareEscapes(dialect)) {
    const message = 'Backslashes are escapes: \\n is read as a line break, \\t as a tab, \\\\ as a backslash.'
    notes.push({ code: 'backslash-escapes', message })
  }
  if (separator !== null) {
    const line = `The first line, “sep=${separator === '\t' ? '\\t' : separator}”, `
    const message = separator === delimiter ? 'names the separator.' : 'names a separator that the rows don’t have.'
    notes.push({ code: 'separator-line', message: line + message })
  }
  const preamble = skipLines - (separator === null ? 0 : 1)
  if (preamble > 0) {
    const lines = preamble === 1 ? 'line is' : `${preamble} lines are`
    const message = `The ${separator === null ? 'first' : 'next'} ${lines} not part of the table and skipped.`
    notes.push({ code: 'preamble', message, count: preamble })
  }
  if (isOneColumn) {
    const doubt = others.length > 0 ? { doubt: true } : {}
    notes.push({ code: 'no-delimiter', message: 'No delimiter was found: each line is read as one value.', ...doubt })
  } else if (rival && given.delimiter === undefined) {
    const other = rival.delimiter === delimiter ? 'otherwise' : `at ${delimiterName(rival.delimiter)}`
    const message = `The delimiter is a guess: rows are split at ${delimiterName(delimiter)}, and could be split ${other} nearly as well.`
    notes.push({ code: 'delimiter-guess', message, doubt: true })
  }
  const [single] = delimiter
  if (delimiter === single + single && [',', ';', '\t'].includes(single) && given.delimiter === undefined) {
    const message = `Rows are split at two ${delimiterName(single)} each. At single ones there’d be a blank column between all columns.`
    notes.push({ code: 'delimiter-pair', message, doubt: true })
  }
  if (!headerIsSure && given.header === undefined) {
    const message = `Whether the first row is the header is a guess: it is read as ${header ? 'the header' : 'data'}.`
    notes.push({ code: 'header-guess', message, doubt: true })
  }
  if (headerIsMarked === true) {
    notes.push({ code: 'header-mark', message: 'The header begins with “#”, which is no part of its names.' })
  }
  if (otherTable !== null) {
    const message = `Another table begins in line ${formatCount(otherTable)}: its rows don’t fit the first one.`
    notes.push({ code: 'other-table', message })
  }
  if (headerRows > 1 && given.headerRows === undefined) {
    notes.push({
      code: 'header-rows',
      message: `The first ${headerRows} rows are the header: names are what they say together.`,
    })
  }
  if (rowNames && given.rowNames === undefined) {
    notes.push({
      code: 'row-names',
      message: 'The header has no name for the first column, which is taken for names of rows.',
    })
  }
  if (isNumbered) {
    notes.push({ code: 'row-numbers', message: 'The numbers to the left of the drawn table are not read.' })
  }
  if (layout === 'fixed') {
    notes.push({ code: 'fixed-width', message: 'Columns are found by their position in the line.' })
  } else if (layout === 'eurostat') {
    notes.push({ code: 'keys-and-flags', message: 'Keys and flags are split into columns, as Eurostat writes them.' })
  } else if (trim && given.trim === undefined) {
    notes.push({
      code: 'trimmed',
      message: 'Blanks around fields count as part of the delimiter, and are left out.',
    })
  }
  return notes
}
