import type { CsvPlace, CsvSettings, InspectedColumn, Proposal, ReadSettings } from '../../../tables/plan.ts'
import { LABEL_CELLS, type Subtotal, SubtotalCheck, subtotalsProposal } from '../layout/subtotals.ts'
import { amountOf, MAX_REMARKS, remarksProposal, Sum, totalProposal, totalsIn } from '../layout/ends.ts'
import { hasRemarks, totalRow } from './notes.ts'
import type { Pass } from './pass.ts'
import type { CsvRows } from './rows.ts'
import { eachBatch } from './source.ts'

/**
 * The line that a table ends with, when so many rows at its end are left out, fitting or not. Where it has no more, its
 * header is all there is.
 * @returns none where it has no rows
 */
export async function lastLineBefore(
  file: Blob,
  settings: CsvSettings,
  skipLast: number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const isRow = rowTest(settings)
  /** Of the last rows, as many as are left out. */
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

/** Which records of a batch are rows, fitting or not, that the settings don't leave out; a blank line isn't. */
function rowTest(settings: CsvSettings): (rows: CsvRows, record: number) => boolean {
  const { skipLines, leaveOut, lastLine = Number.POSITIVE_INFINITY } = settings
  const unwanted = new Set(leaveOut)
  return (rows, record) => {
    const { lines, recordStarts, recordEnds } = rows.tokenizer
    const line = lines[record]
    const isBehindHeader = rows.width >= 0 && line > Math.max(skipLines, rows.headerLines.at(-1) ?? 0)
    if (!isBehindHeader || line > lastLine || unwanted.has(line)) return false
    return recordEnds[record] > recordStarts[record] && !rows.isNoRow(record)
  }
}

/** How many columns have their sum in the last row; 0 where it's no total. */
async function totalColumns(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<number> {
  const marks = ['.', ','] as const
  const sums = marks.map((): Sum[] => [])
  let last: string[] = []
  await eachBatch(file, settings, signal, (rows) => {
    for (let row = 0; row < rows.count; row++) {
      const above = last
      for (const [i, mark] of marks.entries()) {
        for (const [column, text] of above.entries()) {
          const value = amountOf(text, mark)
          if (!Number.isNaN(value)) (sums[i][column] ??= new Sum()).add(value)
        }
      }
      last = Array.from({ length: rows.width }, (_, column) => rows.text(rows.first[row] + column))
    }
  })
  const columns = marks.map((mark, i) => {
    const pairs = last.flatMap((text, column) => {
      const total = amountOf(text, mark)
      return Number.isNaN(total) ? [] : [[sums[i][column]?.value ?? 0, total] as const]
    })
    return totalsIn(
      pairs,
      sums[i].flatMap(({ value }) => value),
    )
  })
  return Math.max(...columns)
}

/** The rows amid the others that have the sums of those above, each by its line. */
async function subtotalsIn(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<readonly Subtotal[]> {
  const checks = (['.', ','] as const).map((mark) => ({ mark, check: new SubtotalCheck() }))
  await eachBatch(file, settings, signal, (rows) => {
    for (let row = 0; row < rows.count; row++) {
      const record = rows.records[row]
      const texts = Array.from({ length: rows.width }, (_, column) => rows.text(rows.first[row] + column))
      for (const { mark, check } of checks) {
        const amounts = texts.map((text, column) => [column, amountOf(text, mark)] as const)
        const numbers = amounts.filter(([, value]) => !Number.isNaN(value))
        check.take(record < 0 ? 0 : rows.tokenizer.lines[record], texts.slice(0, LABEL_CELLS), numbers)
      }
    }
  })
  return checks.reduce((most, { check }) => (check.found.length > most.length ? check.found : most), [] as Subtotal[])
}

/** The remarks at the end that don't fit, where there are some. */
function narrowRemarks({ rows, remarks }: CsvRows): { text: string; count: number; line: number }[] {
  if (remarks?.lastRow !== rows) return []
  const count = rows - remarks.row + 1
  return count <= MAX_REMARKS && count < rows ? [{ text: remarks.text, count, line: remarks.line }] : []
}

/** What a table's end is told by, beside the rows that were read. */
interface Ending {
  readonly file: Blob
  readonly settings: CsvSettings
  /** Whether the person said which line is the last one, rather than how many rows go. */
  readonly endIsSet: boolean
  readonly signal: AbortSignal
}

/** That rows which have the sums of others are left out; that a row at the end which calls itself a total is, with what is behind it; or remarks unlike the rows above. */
export async function endProposals(
  pass: Pass,
  columns: readonly InspectedColumn[],
  { file, settings, endIsSet, signal }: Ending,
  patch: (place: CsvPlace) => Partial<ReadSettings>,
): Promise<Proposal[]> {
  const { lastRow, lastFull, rows } = pass
  const { skipLast = 0 } = settings
  // Rows that don't fit count, too.
  const without = (count: number, lastLine: number): Partial<ReadSettings> =>
    patch(endIsSet ? { skipLast: 0, lastLine } : { skipLast: skipLast + count })
  const narrow = narrowRemarks(rows).map(({ text, count, line }) =>
    remarksProposal(text, count, without(count, line - 1), { fit: false }),
  )
  const total = totalRow(pass)
  const found = pass.subtotals.found ? await subtotalsIn(file, settings, signal) : []
  // Those at the end alone are the table's total.
  const subtotals = found.some(({ row }) => total === null || row < total.line) ? found : []
  if (subtotals.length > 0) {
    const lines = [...(settings.leaveOut ?? []), ...subtotals.map(({ row }) => row)]
    const proposal = subtotalsProposal(subtotals, 'line', patch({ leaveOut: lines }))
    const isTotalFound = total === null || subtotals.some(({ row }) => row === total.line)
    return [proposal, ...(isTotalFound ? narrow : [totalProposal(total.text, 0, without(1, total.line - 1))])]
  }
  if (total !== null) {
    const sums = await totalColumns(file, { ...settings, lastLine: total.line }, signal)
    const count = rows.rows - total.row + 1
    return [totalProposal(total.text, sums, without(count, total.line - 1), count - 1)]
  }
  if (narrow.length > 0) return narrow
  if (lastRow === null || lastFull === null || !hasRemarks(pass)) return []
  if (!columns[lastRow.column].flags.includes('mixed-types')) return []
  const count = rows.rows - lastFull.row
  return [remarksProposal(lastRow.text, count, without(count, lastFull.line), { fit: true })]
}
