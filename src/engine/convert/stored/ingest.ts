import { plural, formatCount } from '../../../lib/counts.ts'
import type { ImportPlan, InspectedTable, Inspection, RejectedRow } from '../../../tables/plan.ts'
import { printType } from '../../../tables/types.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { EngineError } from '../../errors.ts'
import type { FileEngine } from '../../formats/duckdb/attached.ts'
import type { InspectionHelper } from '../../formats/types.ts'
import { appendedColumns, asStored, columnsApart } from '../../../tables/combine/append.ts'
import type { CombinedColumn, CombineInput } from '../../../tables/combine/plan.ts'
import { inspectTables } from '../inspect.ts'
import { FOR_STATEMENT, plannedTable, type PlannedTable } from '../plan.ts'
import { readTable } from '../read-table.ts'
import { giveEngine, TableFilling, takeEngine } from './stored-table.ts'
import type { WriterThread } from '../writer-thread/writer-thread.ts'
import type { FileIngest, IngestProgress, IngestRequest, StoredTable } from '../../storage/table-types.ts'
import type { TableStorage } from '../../storage/tables.ts'
import { inputTable } from '../../../tables/combine/match.ts'
import { plannedInput } from '../combine.ts'
import { tableColumns } from '../../../tables/names.ts'
import { checkpoint } from '../../../lib/yielding.ts'
import { planFrom } from '../../../tables/edits.ts'

interface IngestContext {
  readonly signal: AbortSignal
  readonly progress: (progress: IngestProgress) => void
  readonly storage: TableStorage
  /** Starts a second thread, if the file is large enough: it inspects one half, and reads while this thread inserts. */
  readonly startThread?: () => WriterThread
}

/**
 * Loads one table of a file into a database file of its own: every requested row, or nothing.
 * @throws {EngineError} that names the line and column of a row that doesn't fit
 */
export async function ingestFile(file: File, request: FileIngest, context: IngestContext): Promise<StoredTable> {
  const thread = context.startThread?.()
  try {
    const choosing = chosenTable(file, request, thread, context)
    // Starting the engine takes time, while the other thread reads.
    const taking = takeEngine()
    const [chosen, loader] = await Promise.all([choosing, taking])
    const inputs = request.onto ? await appendedTo(request.onto, chosen, context) : [chosen]
    const { withoutRejected = false, firstRows = false } = request
    const filling = { loader, thread, inputs, withoutRejected, firstRows }
    const stored = await store(request.creationId, filling, context)
    giveEngine(loader)
    return stored
  } finally {
    thread?.end()
  }
}

async function store(creationId: string, filling: Filling, context: IngestContext): Promise<StoredTable> {
  const columns = tableColumns(filling.inputs[0].planned.columns)
  const table = await TableFilling.begin(filling.loader, context.storage, creationId, columns)
  try {
    const fingerprinter = new Fingerprinter(columns)
    for (const input of filling.inputs) await fill(input, table, fingerprinter, filling, context)
    const expected = fingerprinter.finish()
    const stored = await table.finish(expected, context.signal)
    const schema = columns.map(({ name, type }) => ({ name, type: printType(type) }))
    return { fileId: table.fileId, rowCount: expected.rows, byteSize: stored.size, schema }
  } catch (error) {
    // Anything that can't be removed now is removed later; report the first error.
    await table.discard().catch(() => undefined)
    throw table.reason(error, context.signal)
  }
}

interface Chosen {
  readonly file: File
  readonly plan: ImportPlan
  /** Index into the plan's tables. */
  readonly index: number
  readonly planned: PlannedTable
}

/** The rows of a stored table followed by those of a file, as one table. */
async function appendedTo(onto: File, chosen: Chosen, { signal }: IngestContext): Promise<Chosen[]> {
  const inspection = await inspectTables(onto, { format: 'duckdb' }, { signal, progress: () => undefined })
  const own = { file: onto, plan: planFrom(inspection), index: 0 }
  const planned = joined(...([own, chosen].map(inputOf) as [CombineInput, CombineInput]))
  return [own, chosen].map((input, i) => ({ ...input, planned: planned[i] }))
}

const inputOf = ({ file, plan, index }: Omit<Chosen, 'planned'>): CombineInput => ({
  file: file.name,
  plan,
  table: index,
})

/** The table named by the request's plan, or else the file's only one. */
async function chosenTable(
  file: File,
  request: IngestRequest,
  thread: WriterThread | undefined,
  { signal, progress }: IngestContext,
): Promise<Chosen> {
  if (request.planned) {
    const { plan, table } = request.planned
    const chosen = plan.tables[table]
    if (!chosen) throw new EngineError('invalid-plan', `The plan has no table number ${table + 1}.`)
    return { file, plan, index: table, planned: plannedTable(chosen, 'text') }
  }
  const inspection = await inspectTables(file, request.format === null ? {} : { format: request.format }, {
    signal,
    progress: ({ bytes, rows }) => progress({ phase: 'inspect', bytes, totalBytes: file.size, rows }),
    ...(thread ? { startHelper: () => helperOf(thread) } : {}),
  })
  return onlyTable(file, inspection, request.withoutRejected ?? false)
}

/** The thread as the inspection's helper; it stays open for reading. */
function helperOf(thread: WriterThread): InspectionHelper {
  return {
    inspectRest: (...request) => thread.inspectRest(...request),
    end: () => undefined,
  }
}

interface Filling {
  readonly loader: FileEngine
  readonly thread: WriterThread | undefined
  /** Inputs in order. Rows that the thread has already read belong to the last one. */
  readonly inputs: readonly Chosen[]
  readonly withoutRejected: boolean
  readonly firstRows: boolean
}

async function fill(
  { file, plan, planned }: Chosen,
  into: TableFilling,
  fingerprinter: Fingerprinter,
  { thread, inputs, withoutRejected, firstRows }: Filling,
  context: IngestContext,
): Promise<void> {
  const { table } = planned
  const { format, settings } = plan
  const limit = firstRows && table.found ? { limit: table.found.rows } : {}
  const request = { format, settings, table: table.name, columns: planned.columns, ...limit }
  let [rows, leftOut] = [0, 0]
  const reading = { signal: context.signal, progress: () => undefined }
  const isLast = inputs.at(-1)?.file === file
  const batches = thread && isLast ? thread.readTable(file, request, reading) : readTable(file, request, reading)
  for await (const { batch, rejected, bytes } of batches) {
    if (!withoutRejected) refuseRejected(rejected, table.name)
    leftOut += rejected.length
    into.add(batch)
    fingerprinter.add(batch)
    rows += batch.numRows
    if (isLast) context.progress({ phase: 'load', bytes, totalBytes: file.size, rows })
    await checkpoint(context.signal)
  }
  refuseOtherCount(rows, table.found && table.found.rows - leftOut)
}

/** The file's only table with columns, planned as inspected. */
function onlyTable(file: File, inspection: Inspection, withoutRejected: boolean): Chosen {
  const tables = inspection.tables.filter(({ columns }) => columns.length > 0)
  const shown = tables.filter(({ hidden }) => !hidden)
  const candidates = shown.length > 0 ? shown : tables
  const [only, ...others] = candidates
  if (!only || others.length > 0) {
    const names = candidates.map(({ name }) => `“${name ?? ''}”`).join(', ')
    throw new EngineError(
      'invalid-plan',
      `“${file.name}” has ${candidates.length} tables (${names}), but a table is made from one.`,
      { remedy: 'Save each of them as a file of its own, and upload those.' },
    )
  }
  if (!withoutRejected) refuseRejected(only.rejected, only.name, only.rejectedCount)
  const plan = planFrom(inspection)
  const index = inspection.tables.indexOf(only)
  return { file, plan, index, planned: plannedTable(plan.tables[index], 'text') }
}

function refuseRejected(rejected: readonly RejectedRow[], table: InspectedTable['name'], count = 0): void {
  const [first] = rejected
  if (!first) return
  const place = [
    ...(table === null ? [] : [`sheet “${table}”`]),
    first.line === null ? `row ${formatCount(first.row)}` : `line ${formatCount(first.line)}`,
    ...(first.column === null ? [] : [`column “${first.column}”`]),
  ].join(', ')
  const more = count > 1 ? ` ${formatCount(count)} rows don’t fit.` : ''
  throw new EngineError('corrupt-file', `${first.message}${more}`, {
    place,
    remedy: 'Mend the file, or convert it first, which sets such rows aside.',
  })
}

function refuseOtherCount(rows: number, found: number | undefined): void {
  if (found === undefined || found === rows) return
  throw new EngineError('file-changed', `The file has ${plural(rows, 'row')} now; it had ${found} a moment ago.`, {
    remedy: 'Add the file again.',
  })
}

/**
 * Plans reading a stored table's rows and those of a file as one table. Rows of the file that don't fit the table's
 * column types are rejected.
 * @throws {EngineError} `invalid-plan` if one has a column that the other lacks
 */
function joined(table: CombineInput, file: CombineInput): readonly [PlannedTable, PlannedTable] {
  const inputs = [table, asStored(file)] as const
  const columns = appendedColumns(inputTable('table', table), inputs[1])
  const apart = columnsApart(columns)
  if (apart) {
    throw new EngineError('invalid-plan', apart, {
      remedy: 'Give the file’s columns the names of the table’s, or load it as a table of its own.',
    })
  }
  const plan = columns.map(({ name, type, own, added }): CombinedColumn => ({
    name,
    type,
    cells: [own?.index ?? null, added?.index ?? null],
  }))
  const kept = columns.map(() => false)
  const planned = inputs.map((input, i) => plannedInput(input, i, { columns: plan }, kept, FOR_STATEMENT.options))
  return [planned[0], planned[1]]
}
