import { formatInfo } from '../../contract/formats.ts'
import { planChanges } from '../../tables/changes.ts'
import { extensionOf, stemOf } from '../../tables/names.ts'
import type { Note } from '../../tables/plan.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { EngineError, type EngineErrorCode } from '../errors.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, FormatWriter, WrittenTable } from '../formats/types.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import { openOutput, type ConversionThread, type OutputRequest, type OutputWriter } from './output-writer.ts'
import { plannedTables } from './plan.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult, Output } from './protocol.ts'
import {
  carriedInput,
  receiptOf,
  refuseMismatch,
  refuseOtherRows,
  refuseOtherText,
  type Carried,
  type CarriedInput,
} from './receipt.ts'
import { RejectedRows } from './rejected-rows.ts'
import { adapted, TableTransfer, type CarriedColumn, type TableInput } from './transfer.ts'
import { verifyTable } from './verify.ts'

export interface ConvertContext {
  readonly signal: AbortSignal
  readonly progress: (progress: ConvertProgress) => void
  readonly storage: OutputStorage
  /** A second thread, where the file is worth one: it writes while this one reads. */
  readonly startThread?: () => ConversionThread
  /** Where the written tables are found in an output that another program wrote; by default where they were written. */
  readonly locate?: (file: File, written: readonly WrittenTable[]) => Promise<readonly WrittenTable[]>
}

/** Smaller files are done before a second thread has started. Bytes. */
export const WORTH_A_THREAD = 8 * 1024 * 1024

/** A file that is to be made, with the tables in it. */
export interface OutputPlan {
  readonly name: string
  readonly tables: readonly OutputTablePlan[]
}

/** A table that is to be made: of one table of a file, or of several. */
export interface OutputTablePlan {
  readonly name: string
  readonly columns: readonly CarriedColumn[]
  /** What it holds otherwise than its inputs, as far as the plan tells. */
  readonly changes: readonly Note[]
  readonly inputs: readonly TableInput[]
}

/**
 * Converts a file by a plan: reads, writes, reads the output back and compares. A table becomes a file of its own,
 * unless the format holds several. On any failure, a cancellation too, nothing of it is left.
 * @throws {EngineError} `verification` when an output doesn't read back as what was read from the source
 */
export async function convertFile(
  file: File,
  request: ConvertRequest,
  context: ConvertContext,
): Promise<ConvertResult> {
  const { plan, options } = request
  const source = { format: plan.format, settings: plan.settings }
  const tables = plannedTables(plan, options, context.locate !== undefined).map((planned): OutputTablePlan => ({
    name: planned.table.name ?? stemOf(file.name),
    columns: planned.columns,
    changes: [...planChanges(plan, planned.table, request), ...planned.changes],
    inputs: [{ file, source, planned }],
  }))
  const { multiTable } = await writerOf(request.target)
  const groups = multiTable ? [tables] : tables.map((table) => [table])
  const names = outputNames(file.name, request, groups)
  const outputs = groups.map((group, i) => ({ name: names[i], tables: group }))
  return makeOutputs(outputs, `${stemOf(file.name)}.rejected.csv`, request, context)
}

/**
 * Makes files of tables: reads, writes, reads each file back and compares. On any failure, a cancellation too, nothing is
 * left.
 * @param rejectedName what the file of the rows that didn't fit is called
 * @throws {EngineError} `verification` when an output doesn't read back as what was read
 */
export async function makeOutputs(
  outputs: readonly OutputPlan[],
  rejectedName: string,
  request: OutputRequest,
  context: ConvertContext,
): Promise<ConvertResult> {
  const writer = await writerOf(request.target)
  const tables = outputs.flatMap((output) => output.tables)
  for (const { columns } of tables)
    writer.check(
      adapted(columns, writer, request.options).map((a) => a.column),
      request.options,
    )
  const combines = tables.some(({ inputs }) => inputs.length > 1)
  const rejectedRows = new RejectedRows(context.storage, request.jobId, context.signal, combines)
  const thread = context.startThread?.()
  const pending: OutputWriter[] = []
  try {
    const made: Output[] = []
    let done = 0
    for (const plan of outputs) {
      const opening: EngineContext = { signal: context.signal, progress: () => undefined }
      const output = await (thread
        ? thread.openOutput({ ...request, inMemory: context.storage instanceof MemoryOutputs })
        : openOutput(request, context.storage, opening))
      pending.push(output)
      const making = { plan, writer, output, rejectedRows, thread, done, total: tables.length }
      made.push(await makeOutput(making, request, context))
      done += plan.tables.length
    }
    const rejected = await rejectedRows.finish()
    return {
      outputs: made,
      rejectedCount: rejectedRows.count,
      rejected: rejectedRows.first,
      rejectedFile: rejected && {
        ...rejected,
        name: rejectedName,
        mimeType: formatInfo('csv').mimeType,
        receipts: [],
      },
    }
  } catch (error) {
    // What can't be removed now is swept later; the reason of it all is what is to be told.
    await Promise.allSettled([...pending.map((output) => output.discard()), rejectedRows.discard()])
    throw error
  } finally {
    thread?.end()
  }
}

interface Making {
  readonly plan: OutputPlan
  readonly writer: FormatWriter
  readonly output: OutputWriter
  readonly rejectedRows: RejectedRows
  readonly thread: ConversionThread | undefined
  /** Tables converted before these, and in all. */
  readonly done: number
  readonly total: number
}

async function makeOutput(making: Making, request: OutputRequest, context: ConvertContext): Promise<Output> {
  const { plan, output, thread, done, total } = making
  const started = performance.now()
  const carried: Carried[] = []
  for (const [i, table] of plan.tables.entries()) {
    carried.push(await carryTable(table, { ...making, done: done + i }, request, context))
  }
  const { changes, readBack: writtenTables } = await output.finish()
  const written = await output.commit()
  const readBack = context.locate ? await context.locate(written, writtenTables) : writtenTables
  const converted = performance.now()
  const receipts: Receipt[] = []
  for (const [i, table] of carried.entries()) {
    const begun = performance.now()
    const verifying: EngineContext = {
      signal: context.signal,
      progress: (at) =>
        context.progress({ phase: 'verify', table: done + i, tables: total, ...at, totalBytes: written.size }),
    }
    const { transfer } = table
    const compared = await verifyTable(written, request.target, transfer, readBack[i], verifying, thread)
    receipts.push(
      receiptOf(table, {
        output: { name: plan.name, size: written.size, format: request.target },
        duration: { convert: Math.round(converted - started), verify: Math.round(performance.now() - begun) },
        compared,
        changes: [...(readBack[i].changes ?? []), ...changes],
      }),
    )
  }
  refuseMismatch(receipts)
  const { mimeType } = formatInfo(request.target)
  return { id: output.id, name: plan.name, mimeType, size: written.size, receipts }
}

/** Carries the rows of a table's inputs to the output, one input after another. */
async function carryTable(
  table: OutputTablePlan,
  { writer, output, rejectedRows, done, total }: Making,
  { options }: OutputRequest,
  context: ConvertContext,
): Promise<Carried> {
  const { inputs } = table
  const transfer = new TableTransfer(table, writer, options)
  await output.begin({ name: table.name, columns: transfer.columns })
  const totalBytes = inputs.reduce((sum, { file }) => sum + file.size, 0)
  const before = { rows: 0, bytes: 0 }
  const parts: CarriedInput[] = []
  for (const [i, input] of inputs.entries()) {
    const reading: EngineContext = {
      signal: context.signal,
      progress: ({ rows, bytes }) => {
        const at = { rows: before.rows + rows, bytes: before.bytes + bytes, totalBytes }
        const files = inputs.length > 1 ? { file: i, files: inputs.length } : {}
        context.progress({ phase: 'convert', table: done, tables: total, ...at, ...files })
      },
    }
    const own = inputs.length > 1 ? new TableTransfer(table, writer, options) : transfer
    const { file, planned } = input
    await own.run(input, output, rejectedRows, reading).catch((error: unknown) => {
      throw inputs.length > 1 ? ofFile(error, file.name) : error
    })
    refuseOtherRows(file.name, planned, own)
    refuseOtherText(file.name, planned, own)
    parts.push(carriedInput(input, own))
    if (own !== transfer) transfer.takeIn(own, file.name)
    before.rows += own.rows
    before.bytes += file.size
  }
  return { transfer, parts }
}

/** What went wrong with one of several files says which it is; what isn't a file's fault is told as it is. */
function ofFile(error: unknown, name: string): unknown {
  if (!(error instanceof EngineError) || NO_FILES_FAULT.has(error.code)) return error
  const { code, message, place, remedy, details } = error
  return new EngineError(code, `“${name}”: ${message}`, {
    ...(place === undefined ? {} : { place }),
    remedy: `${remedy ?? ''} Or take the file out: the others can be combined without it.`.trim(),
    ...(details === undefined ? {} : { details }),
    cause: error,
  })
}

const NO_FILES_FAULT: ReadonlySet<EngineErrorCode> = new Set([
  'out-of-space',
  'out-of-memory',
  'unwritable',
  'worker-lost',
])

/** Names for the outputs, one for each group of tables. Sheets whose names a disk can't tell apart get numbers. */
function outputNames(
  source: string,
  request: ConvertRequest,
  groups: readonly (readonly OutputTablePlan[])[],
): string[] {
  const seen = new Map<string, number>()
  return groups.map(([first]) => {
    const sheet = groups.length > 1 ? first?.inputs[0]?.planned.table.name : null
    const name = stemOf(source) + (sheet ? ` - ${sheet.replace(/[/\\:*?"<>|]/g, '_')}` : '')
    const times = (seen.get(name.toLowerCase()) ?? 0) + 1
    seen.set(name.toLowerCase(), times)
    return `${name}${times > 1 ? ` (${times})` : ''}.${extensionOf(request)}`
  })
}
