import type { CsvSettings, SourceRows } from '../../../tables/plan.ts'
import { openText } from '../../io/text-stream.ts'
import { inChunks } from '../../kernel/cell-memory.ts'
import { Ends, shownText } from '../layout/ends.ts'
import { rowOf, type SampleRow } from './detection/sample.ts'
import { anyRows } from './any-rows.ts'
import type { InspectedRows } from './inspected-rows.ts'
import { openedRecords } from './records.ts'
import { Yielder } from '../../../lib/yielding.ts'

/** Calls `take` for each batch of a file's valid rows. */
export async function eachBatch(
  file: Blob,
  settings: CsvSettings,
  signal: AbortSignal,
  take: (rows: InspectedRows) => void,
): Promise<void> {
  const rows = anyRows(settings, { keep: 0 })
  const yielder = new Yielder(signal)
  for await (const piece of inChunks(openText(file, { ...settings, signal }))) {
    rows.push(piece)
    while (rows.next()) take(rows)
    if (yielder.due) await yielder.yield()
  }
  rows.end()
  while (rows.next()) take(rows)
}

/** Calls `take` for each line of a file, blank ones included, split like its rows. */
export async function eachLine(
  file: Blob,
  settings: CsvSettings,
  signal: AbortSignal,
  take: (row: SampleRow) => void,
): Promise<void> {
  const all = { skipLines: 0, header: false, comment: null, lastLine: Number.POSITIVE_INFINITY, leaveOut: [] }
  await eachBatch(file, { ...settings, ...all }, signal, (rows) => {
    for (let record = 0; record < rows.tokenizer.records; record++) {
      const row = rowOf(rows, record)
      if (row) take(row)
    }
  })
}

/** The first and last non-blank lines of a file, split like its rows. */
export async function sourceOfCsv(source: File, given: CsvSettings, signal: AbortSignal): Promise<SourceRows> {
  const [file, settings] = given.layout === 'records' ? await openedRecords(source, given, signal) : [source, given]
  const ends = new Ends<SampleRow>()
  await eachLine(file, settings, signal, (row) => {
    if (!row.blank) ends.add(() => row)
  })
  return ends.rows(({ line, cells }) => ({ number: line, cells: cells.map(shownText) }))
}
