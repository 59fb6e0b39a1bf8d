import type { CsvSettings } from '../../../tables/plan.ts'
import { Yielder } from '../../../lib/abort.ts'
import { openText } from '../../io/text-stream.ts'
import { amountOf, Sum, totalsIn } from '../layout/totals.ts'
import { inPieces } from '../../kernel/cell-memory.ts'
import { CsvRows } from './rows.ts'

/** Calls `take` for each batch of a file's rows that have the right shape. */
async function eachBatch(
  file: Blob,
  settings: CsvSettings,
  signal: AbortSignal,
  take: (rows: CsvRows) => void,
): Promise<void> {
  const rows = new CsvRows(settings, { keep: 0 })
  const yielder = new Yielder(signal)
  for await (const piece of inPieces(openText(file, { ...settings, signal }))) {
    rows.push(piece)
    while (rows.next()) take(rows)
    if (yielder.due) await yielder.yield()
  }
  rows.end()
  while (rows.next()) take(rows)
}

/** The line of a file's last row, when so many rows at its end are left out. Where it has no more, it's the header's. */
export async function lastLineBefore(
  file: Blob,
  settings: CsvSettings,
  skipLast: number,
  signal: AbortSignal,
): Promise<number> {
  /** Of the last rows, as many as are left out and one more. */
  let lines: number[] = []
  let first = 0
  await eachBatch(file, settings, signal, ({ count, records, tokenizer }) => {
    const from = Math.max(0, count - skipLast - 1)
    for (let row = first === 0 ? 0 : from; row < count; row++) {
      const line = records[row] < 0 ? 0 : tokenizer.lines[records[row]]
      if (first === 0) first = line
      lines.push(line)
    }
    lines = lines.slice(-skipLast - 1)
  })
  return lines.length > skipLast ? lines[0] : Math.max(0, first - 1)
}

/** How many columns have their sum in the last row; 0 where it's no total. */
export async function totalColumns(file: Blob, settings: CsvSettings, signal: AbortSignal): Promise<number> {
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
