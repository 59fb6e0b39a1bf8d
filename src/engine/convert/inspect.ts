import type { ImportPlan, Inspection, ReadSettings, SourceRows } from '../../tables/plan.ts'
import { FirstRejected } from '../../tables/rejected.ts'
import { printType } from '../../tables/types.ts'
import { cellToString } from '../arrow/text.ts'
import { formatInfo } from '../../contract/formats.ts'
import { formatName } from '../../tables/labels.ts'
import { compressionOfFile, detectFormat, nameNotes } from './detect.ts'
import { EngineError } from '../errors.ts'
import { readerOf } from '../formats/registry.ts'
import type { EngineContext, ReadBatch } from '../formats/types.ts'
import { plannedAt } from './plan.ts'
import { readTable } from './read-table.ts'
import { checkpoint } from '../../lib/yielding.ts'
import type { InspectRequest } from '../../tables/inspect-request.ts'
import type { CheckedTable, InspectResult, Preview, SourceRowsRequest } from './inspection-types.ts'
import { planFrom } from '../../tables/edits.ts'

const PREVIEW_ROWS = 100
const PREVIEW_TEXT = 500
/** Maximum number of cells in a preview: with 10,000 columns, it shows fewer rows. */
const PREVIEW_CELLS = 200_000
/** A preview gives up looking for valid rows after this many rejected ones. */
const PREVIEW_REJECTED = 10_000

/**
 * Inspects a file, and returns the first rows of each table, too.
 * @throws {EngineError}
 */
export async function inspectFile(file: File, request: InspectRequest, context: EngineContext): Promise<InspectResult> {
  const inspection = await inspectTables(file, request, context)
  const plan = planFrom(inspection)
  const previews: Preview[] = []
  for (const [index, table] of inspection.tables.entries()) {
    previews.push(table.columns.length > 0 ? await previewTable(file, plan, index, context.signal) : NO_PREVIEW)
  }
  return { inspection, previews }
}

const NO_PREVIEW: Preview = { columns: [], rows: [], rejected: [] }

/**
 * Like `inspectFile`, without the first rows.
 * @throws {EngineError}
 */
export async function inspectTables(file: File, request: InspectRequest, context: EngineContext): Promise<Inspection> {
  const { format, compression } = request.format
    ? { format: request.format, compression: await compressionOfFile(file) }
    : await detectFormat(file, context.signal)
  const reader = await readerOf(format)
  const given: Partial<ReadSettings> = compression ? { compression, ...request.settings } : (request.settings ?? {})
  const inspection = await reader.inspect(file, given, context)
  if (inspection.tables.every((table) => table.columns.length === 0)) {
    throw new EngineError('empty-file', `“${file.name}” has no table in it: no columns were found.`, {
      remedy: 'Check that it is the file that you meant.',
    })
  }
  // A chosen format needs no explanation; pages and XML as workbooks have notes of their own.
  const isPlain = formatName(format, inspection.notes) === formatInfo(format).displayName
  const named = !request.format && isPlain ? nameNotes(file.name, { format, compression }) : []
  return { ...inspection, notes: [...named, ...inspection.notes] }
}

/**
 * The first rows of one of a plan's tables, as the plan reads them.
 * @param index into the plan's tables
 * @throws {EngineError}
 */
export async function previewTable(file: File, plan: ImportPlan, index: number, signal: AbortSignal): Promise<Preview> {
  const { table, columns } = plannedAt(plan, index)
  const limit = Math.max(1, Math.min(PREVIEW_ROWS, Math.floor(PREVIEW_CELLS / columns.length)))
  const rows: (string | null)[][] = []
  const rejected = new FirstRejected(PREVIEW_ROWS)
  let rejectedCount = 0
  const request = { format: plan.format, settings: plan.settings, table: table.name, columns, limit }
  for await (const { batch, rejected: bad } of readTable(file, request, { signal, progress: () => undefined })) {
    rejectedCount += bad.length
    rejected.add(bad)
    const cells = batch.data.children
    for (let row = 0; row < batch.numRows && rows.length < limit; row++) {
      rows.push(columns.map((column, i) => cut(cellToString(column.type, cells[i], row))))
    }
    if (rows.length >= limit || rejectedCount >= PREVIEW_REJECTED) break
  }
  return {
    columns: columns.map(({ name, type }) => ({ name, type: printType(type) })),
    rows,
    rejected: rejected.rows,
  }
}

/** Maximum number of rejected rows to show for fixing. */
const CHECKED_REJECTED = 1000

/**
 * Reads all rows of one of a plan's tables, to find those that don't fit.
 * @param index into the plan's tables
 * @throws {EngineError}
 */
export async function checkTable(
  file: File,
  plan: ImportPlan,
  index: number,
  context: EngineContext,
): Promise<CheckedTable> {
  const planned = plannedAt(plan, index)
  const { table, columns } = planned
  const rejected = new FirstRejected(CHECKED_REJECTED)
  let [rows, rejectedCount, leftOut] = [0, 0, 0]
  const request = { format: plan.format, settings: plan.settings, table: table.name, columns }
  async function* reading(): AsyncGenerator<ReadBatch, void, undefined> {
    for await (const read of readTable(file, request, context)) {
      rows += read.batch.numRows + read.rejected.length
      rejectedCount += read.rejected.length
      rejected.add(read.rejected)
      yield read
    }
  }
  const mender = table.mends?.putBack ? new (await import('./mend.ts')).Mender(plan, planned, table.mends) : null
  for await (const { rejected: left, bytes } of mender ? mender.mend(reading(), context.signal) : reading()) {
    leftOut += left.length
    context.progress({ rows, bytes })
    await checkpoint(context.signal)
  }
  return { rows, rejectedCount, leftOut, rejected: rejected.rows }
}

/**
 * The first and last rows of a table as in its file; null if its format has no such rows.
 * @throws {EngineError}
 */
export async function sourceRows(
  file: File,
  { format, settings, table }: SourceRowsRequest,
  signal: AbortSignal,
): Promise<SourceRows | null> {
  const reader = await readerOf(format)
  return (await reader.source?.(file, { settings, table }, { signal, progress: () => undefined })) ?? null
}

function cut(text: string | null): string | null {
  return text !== null && text.length > PREVIEW_TEXT ? `${text.slice(0, PREVIEW_TEXT)}…` : text
}
