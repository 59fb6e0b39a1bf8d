import type { CsvPlace, CsvSettings, InspectedColumn, Note, Proposal, ReadSettings } from '../../../tables/plan.ts'
import {
  LABEL_CELLS,
  mostOf,
  NO_SUBTOTALS,
  SubtotalCheck,
  type Subtotal,
  type Subtotals,
  subtotalsProposal,
  wrongSubtotalsNote,
} from '../layout/subtotals.ts'
import {
  amountOf,
  FEWEST_ROWS,
  isUnnamed,
  MARKS,
  MAX_REMARKS,
  remarksProposal,
  totalProposal,
  TotalSums,
  type Mark,
  unnamedTotalProposal,
} from '../layout/ends.ts'
import { TEXT } from '../../columns/infer/kinds.ts'
import { hasRemarks, totalRow } from './notes.ts'
import type { LastRow, Pass } from './pass.ts'
import type { InspectedRows } from './inspected-rows.ts'
import { eachBatch } from './source.ts'

/**
 * The table's last line once a number of rows at its end, valid or rejected, are left out. If it doesn't have more
 * rows, it's the header's line.
 * @returns undefined if it has no rows
 */
async function lastLineBefore(
  file: Blob,
  settings: CsvSettings,
  skipLast: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const isRow = rowTest(settings)
  /** Lines of the last rows, as many as are left out. */
  let lines: number[] = []
  await eachBatch(file, settings, signal, (rows) => {
    const own: number[] = []
    for (let record = rows.tokenizer.records - 1; record >= 0 && own.length < skipLast; record--) {
      if (isRow(rows, record)) own.push(rows.tokenizer.lines[record])
    }
    lines = [...lines, ...own.toReversed()].slice(-skipLast)
  })
  return lines.length === 0 ? undefined : lines[0] - 1
}

/**
 * Returns a test for records that are rows, valid or rejected, and not left out by the settings. Blank lines aren't
 * rows.
 */
function rowTest(settings: CsvSettings): (rows: InspectedRows, record: number) => boolean {
  const { skipLines, leaveOut, lastLine = Number.POSITIVE_INFINITY } = settings
  const unwanted = new Set(leaveOut)
  return (rows, record) => {
    const { lines, recordStarts, recordEnds } = rows.tokenizer
    const line = lines[record]
    const isBelowHeader = rows.width >= 0 && line > Math.max(skipLines, rows.headerLines.at(-1) ?? 0)
    if (!isBelowHeader || line > lastLine || unwanted.has(line)) return false
    return recordEnds[record] > recordStarts[record] && !rows.isNoRow(record)
  }
}

/**
 * Adds the table's last line to the settings if rows at its end are left out, and the lines of subtotals if these are.
 * @param given the person's settings; a last line in them is kept
 */
export async function boundedBy(
  file: Blob,
  settings: CsvSettings,
  given: CsvPlace | undefined,
  signal: AbortSignal,
): Promise<CsvSettings> {
  const { skipLast = 0 } = settings
  const isOpen = skipLast > 0 && given?.lastLine === undefined
  const lastLine = isOpen ? await lastLineBefore(file, settings, skipLast, signal) : undefined
  return withoutSubtotals(file, lastLine === undefined ? settings : { ...settings, lastLine }, signal)
}

/** The numbers in a row's texts. */
const numbersIn = (texts: readonly string[], mark: Mark): (readonly [number, number])[] =>
  texts.flatMap((text, column) => {
    const value = amountOf(text, mark)
    return Number.isNaN(value) ? [] : [[column, value] as const]
  })

/**
 * Number of columns whose last row is the sum of the others; 0 if it's no total.
 * @param isNamed whether the row calls itself a total
 */
async function totalColumns(file: Blob, settings: CsvSettings, isNamed: boolean, signal: AbortSignal): Promise<number> {
  const sums = new TotalSums()
  let last: string[] = []
  await eachBatch(file, settings, signal, (rows) => {
    for (let row = 0; row < rows.count; row++) {
      const above = last
      sums.add((mark) => numbersIn(above, mark))
      last = Array.from({ length: rows.width }, (_, column) => rows.text(rows.first[row] + column))
    }
  })
  if (!isNamed && !isUnnamed(last)) return 0
  return sums.columns((mark) => numbersIn(last, mark), isNamed)
}

/**
 * Adds the lines of subtotals to those left out, if the settings say so.
 * @param settings complete
 */
async function withoutSubtotals(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<CsvSettings> {
  if (settings.leaveOutSubtotals !== true) return settings
  const { right } = await subtotalsIn(file, settings, signal)
  return right.length === 0
    ? settings
    : { ...settings, leaveOut: [...(settings.leaveOut ?? []), ...right.map(({ row }) => row)] }
}

/** Rows before the end that call themselves totals, by line. */
async function subtotalsIn(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<Subtotals> {
  const checks = MARKS.map((mark) => ({ mark, check: new SubtotalCheck() }))
  await eachBatch(file, settings, signal, (rows) => {
    for (let row = 0; row < rows.count; row++) {
      const record = rows.records[row]
      const texts = Array.from({ length: rows.width }, (_, column) => rows.text(rows.first[row] + column))
      for (const { mark, check } of checks) {
        const line = record < 0 ? 0 : rows.tokenizer.lines[record]
        check.take(line, texts.slice(0, LABEL_CELLS), numbersIn(texts, mark), texts.includes(''))
      }
    }
  })
  return mostOf(checks.map(({ check }) => check))
}

/** The remarks at the end that are rejected as too narrow, if any. */
function narrowRemarks({ rows, remarks }: InspectedRows): { text: string; count: number; line: number }[] {
  if (remarks?.lastRow !== rows) return []
  const count = rows - remarks.row + 1
  return count <= MAX_REMARKS && count < rows ? [{ text: remarks.text, count, line: remarks.line }] : []
}

/** Number of rows at the end that alone have fewer fields than the table, such as a balance below bookings. */
function shortAtEnd({ adjustments: { padded }, lastRow, rows }: Pass): number {
  const isLast = lastRow?.row === rows.rows && lastRow.line - padded.line + 1 === padded.count
  return isLast && padded.count <= MAX_REMARKS && padded.count * 2 < rows.rows ? padded.count : 0
}

/** Whether only the last row has no name, so that it's worth adding up the rows above. */
function mayBeUnnamedTotal({ rows, inferences }: Pass, { row, text, column }: LastRow): boolean {
  if (row !== rows.rows || row < FEWEST_ROWS || (column === 0 && text !== '')) return false
  const { nulls, nullLike } = inferences[0].stats()
  return nulls + (nullLike.get('') ?? 0) === 1
}

/** Whether a row has hardly more than a text and a value, such as a balance to the right of bookings. */
const isBare = ({ raw }: LastRow, { delimiter, width = 0 }: CsvSettings): boolean =>
  raw.split(delimiter).filter((cell) => cell.trim() !== '').length * 3 <= width

/** Minimum number of rows in a table whose last one is compared with those above. */
const FEWEST_ABOVE = 3

/**
 * Whether only the last row has text in the first column, and blank cells where no other row has any, such as a balance
 * below bookings.
 */
function isUnlikeAbove(
  { rows, inferences, adjustments: { padded } }: Pass,
  { row, raw, column }: LastRow,
  { delimiter }: CsvSettings,
): boolean {
  if (row !== rows.rows || row <= FEWEST_ABOVE || column !== 0 || padded.count > 0) return false
  const { counts, firstRows } = inferences[0].stats()
  const isAlone = counts[TEXT] === 1 && firstRows[TEXT] === row
  return (
    isAlone &&
    raw.split(delimiter).some((cell) => cell.trim() === '') &&
    inferences.some((inference) => inference.stats().nulls === 1)
  )
}

/** Input for recognizing a table's end, besides the rows themselves. */
interface Ending {
  readonly file: Blob
  readonly settings: CsvSettings
  /** Whether the person set the last line itself, not the number of rows to leave out. */
  readonly endIsSet: boolean
  readonly signal: AbortSignal
}

/** Notes and proposals about a table's end and its totals. */
export interface EndFindings {
  readonly proposals: readonly Proposal[]
  readonly notes: readonly Note[]
}

/** Proposals and notes about subtotals and about the table's end. */
export async function endingOf(
  pass: Pass,
  columns: readonly InspectedColumn[],
  ending: Ending,
  patch: (place: CsvPlace) => Partial<ReadSettings>,
): Promise<EndFindings> {
  const { file, settings, signal } = ending
  const total = totalRow(pass)
  const { right, wrong } = pass.subtotals.found ? await subtotalsIn(file, settings, signal) : NO_SUBTOTALS
  // Only at the end, it's the table's total. What the rule leaves is kept.
  const areAmongRows =
    settings.leaveOutSubtotals !== true && right.some(({ row }) => total === null || row < total.line)
  const ends = { ...ending, total, subtotals: areAmongRows ? right : [] }
  return {
    proposals: await endProposals(pass, columns, ends, patch),
    notes: wrongSubtotalsNote(wrong, 'line', total?.line),
  }
}

/**
 * Proposes to leave out rows that are sums of others; a row at the end that calls itself a total, with everything after
 * it; or remarks at the end that are unlike the rows above.
 */
async function endProposals(
  pass: Pass,
  columns: readonly InspectedColumn[],
  {
    file,
    settings,
    endIsSet,
    signal,
    total,
    subtotals,
  }: Ending & { total: LastRow | null; subtotals: readonly Subtotal[] },
  patch: (place: CsvPlace) => Partial<ReadSettings>,
): Promise<Proposal[]> {
  const { lastRow, lastFull, rows } = pass
  const { skipLast = 0 } = settings
  // Rejected rows count, too.
  const without = (count: number, lastLine: number): Partial<ReadSettings> =>
    patch(endIsSet ? { skipLast: 0, lastLine } : { skipLast: skipLast + count })
  const narrow = narrowRemarks(rows).map(({ text, count, line }) =>
    remarksProposal(text, count, without(count, line - 1), { fit: false }),
  )
  if (subtotals.length > 0) {
    const proposal = subtotalsProposal(subtotals, 'line', patch({ leaveOutSubtotals: true }))
    const isTotalFound = total === null || subtotals.some(({ row }) => row === total.line)
    return [proposal, ...(isTotalFound ? narrow : [totalProposal(total.text, 0, without(1, total.line - 1))])]
  }
  if (total !== null) {
    const sums = await totalColumns(file, { ...settings, lastLine: total.line }, true, signal)
    const count = rows.rows - total.row + 1
    return [totalProposal(total.text, sums, without(count, total.line - 1), count - 1)]
  }
  if (narrow.length > 0) return narrow
  if (lastRow !== null && mayBeUnnamedTotal(pass, lastRow)) {
    const sums = await totalColumns(file, settings, false, signal)
    if (sums > 0) return [unnamedTotalProposal(sums, without(1, lastRow.line - 1))]
    return isBare(lastRow, settings)
      ? [remarksProposal(lastRow.text, 1, without(1, lastRow.line - 1), { fit: true, beside: true })]
      : []
  }
  const short = shortAtEnd(pass)
  if (short > 0 && lastRow !== null && columns[0].flags.includes('mixed-types')) {
    const change = without(short, lastRow.line - short)
    return [remarksProposal(pass.adjustments.padded.raw.trim(), short, change, { fit: false, isUnsure: true })]
  }
  if (lastRow === null || !columns[lastRow.column].flags.includes('mixed-types')) return []
  if (lastFull !== null && hasRemarks(pass)) {
    const count = rows.rows - lastFull.row
    return [remarksProposal(lastRow.text, count, without(count, lastFull.line), { fit: true })]
  }
  return isUnlikeAbove(pass, lastRow, settings)
    ? [remarksProposal(lastRow.text, 1, without(1, lastRow.line - 1), { fit: true, beside: true })]
    : []
}
