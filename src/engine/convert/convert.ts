import { stemOf } from '../../tables/names.ts'
import { formatInfo } from '../../contract/formats.ts'
import { isChange, planChanges } from '../../tables/changes.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { foundOf } from '../../tables/verbatim.ts'
import { EngineError } from '../errors.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, FormatWriter, WrittenTable } from '../formats/types.ts'
import { MemoryOutputs, type OutputStorage } from '../storage/output.ts'
import { openOutput, type OutputWriter } from './output-writer.ts'
import { carryCutter, carryInParts } from './parts/carry.ts'
import { plannedTables, type PlannedTable } from './plan.ts'
import type { ConvertProgress, ConvertRequest, ConvertResult, Output } from './protocol.ts'
import { RejectedRows } from './rejected-rows.ts'
import type { WriterThread } from './writer-thread.ts'
import { adapted, TableTransfer } from './transfer.ts'
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

/** What a conversion needs of a second thread. */
export type ConversionThread = Pick<WriterThread, 'openOutput' | 'openParts' | 'readTable' | 'end'>

/** Smaller files are done before a second thread has started. Bytes. */
export const WORTH_A_THREAD = 8 * 1024 * 1024

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
  const tables = plannedTables(request.plan, request.options, context.locate !== undefined)
  const writer = await writerOf(request.target)
  const groups = writer.multiTable ? [tables] : tables.map((table) => [table])
  for (const { columns } of tables)
    writer.check(
      adapted(columns, writer, request.options).map((a) => a.column),
      request.options,
    )
  const rejectedRows = new RejectedRows(context.storage, request.jobId, context.signal)
  const thread = context.startThread?.()
  const pending: OutputWriter[] = []
  try {
    const outputs: Output[] = []
    let done = 0
    const names = outputNames(file.name, request, groups)
    for (const [i, group] of groups.entries()) {
      const opening: EngineContext = { signal: context.signal, progress: () => undefined }
      const output = await (thread
        ? thread.openOutput({ ...request, inMemory: context.storage instanceof MemoryOutputs })
        : openOutput(request, context.storage, opening))
      pending.push(output)
      outputs.push(
        await convertGroup(
          file,
          request,
          { name: names[i], group, writer, output, rejectedRows, thread, done, total: tables.length },
          context,
        ),
      )
      done += group.length
    }
    const rejected = await rejectedRows.finish()
    return {
      outputs,
      rejectedCount: rejectedRows.count,
      rejected: rejectedRows.first,
      rejectedFile: rejected && {
        ...rejected,
        name: `${stemOf(file.name)}.rejected.csv`,
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

interface Group {
  /** The output's. */
  readonly name: string
  readonly group: readonly PlannedTable[]
  readonly writer: FormatWriter
  readonly output: OutputWriter
  readonly rejectedRows: RejectedRows
  readonly thread: ConversionThread | undefined
  /** Tables converted before these, and in all. */
  readonly done: number
  readonly total: number
}

async function convertGroup(
  file: File,
  request: ConvertRequest,
  { name, group, writer, output, rejectedRows, thread, done, total }: Group,
  context: ConvertContext,
): Promise<Output> {
  const table = { current: done }
  const phase = (phaseName: 'convert' | 'verify', totalBytes: number): EngineContext => ({
    signal: context.signal,
    progress: ({ rows, bytes }) => {
      context.progress({ phase: phaseName, table: table.current, tables: total, rows, bytes, totalBytes })
    },
  })
  const started = performance.now()
  const reading = phase('convert', file.size)
  const transfers: TableTransfer[] = []
  for (const [i, planned] of group.entries()) {
    table.current = done + i
    const transfer = new TableTransfer(planned, writer, request.options)
    transfers.push(transfer)
    await output.begin({ name: planned.table.name ?? stemOf(file.name), columns: transfer.columns })
    const source = { format: request.plan.format, settings: request.plan.settings }
    const cut = thread && (await carryCutter(source, request.target))
    if (thread && cut && !planned.table.mends?.putBack) {
      const task = { kind: 'carry', source, planned, target: request.target, options: request.options } as const
      await carryInParts(file, cut, task, { transfer, output, rejectedRows, thread }, reading)
    } else {
      await transfer.run(file, source, output, rejectedRows, reading)
    }
    refuseOtherRows(file.name, planned, transfer)
    refuseOtherText(file.name, planned, transfer)
  }
  const { changes, readBack: writtenTables } = await output.finish()
  const written = await output.commit()
  const readBack = context.locate ? await context.locate(written, writtenTables) : writtenTables
  const converted = performance.now()
  const verifying = phase('verify', written.size)
  const receipts: Receipt[] = []
  for (const [i, transfer] of transfers.entries()) {
    table.current = done + i
    const begun = performance.now()
    const { found, differences } = await verifyTable(written, request.target, transfer, readBack[i], verifying, thread)
    receipts.push({
      version: 1,
      source: {
        name: file.name,
        size: file.size,
        format: request.plan.format,
        table: group[i].table.name,
        settings: request.plan.settings,
      },
      output: { name, size: written.size, format: request.target },
      createdAt: new Date().toISOString(),
      duration: { convert: Math.round(converted - started), verify: Math.round(performance.now() - begun) },
      expected: transfer.expected,
      found,
      differences,
      changes: [
        ...planChanges(request.plan, group[i].table, request),
        ...transfer.changes,
        ...(readBack[i].changes ?? []),
        ...changes,
      ],
      notes: group[i].table.found?.notes.filter((note) => !isChange(note)) ?? [],
      ...(isTextCompared(group[i], transfer) ? { textCompared: true } : {}),
      rejectedRows: transfer.rejectedCount,
      ...(transfer.mended.length > 0 ? { mended: transfer.mended } : {}),
      verdict: differences.length === 0 ? 'match' : 'mismatch',
    })
  }
  refuseMismatch(receipts)
  return { id: output.id, name, mimeType: formatInfo(request.target).mimeType, size: written.size, receipts }
}

/** The inspection and the conversion read the same file: what one has counted, the other must come upon. */
function refuseOtherRows(name: string, { table }: PlannedTable, transfer: TableTransfer): void {
  const rows = transfer.rows + transfer.rejectedCount
  if (!table.found || table.found.rows === rows) return
  const [now, before] = [rows, table.found.rows].map((count) => count.toLocaleString('en-US'))
  throw new EngineError('file-changed', `“${name}” has ${now} rows now; it had ${before} when it was added.`, {
    ...(table.name === null ? {} : { place: `sheet “${table.name}”` }),
    remedy: 'Add the file again.',
  })
}

/** Another reader of the same text has to come upon the same cells: what is misread can't agree with itself so. */
function refuseOtherText(name: string, planned: PlannedTable, { checksums }: TableTransfer): void {
  const { table, columns } = planned
  const expected = checksumsOf(planned)
  const differing = columns.find(
    (_, i) => checksums !== null && expected[i] !== undefined && checksums[i] !== expected[i],
  )
  if (!differing) return
  const column = differing.name || `column ${differing.index + 1}`
  throw new EngineError(
    'file-changed',
    `“${name}” isn’t read as it was when it was added: “${column}” holds other text.`,
    {
      ...(table.name === null ? {} : { place: `sheet “${table.name}”` }),
      remedy: 'Add the file again. If that doesn’t help, this is a fault of Rowhouse: please report it.',
    },
  )
}

function isTextCompared(planned: PlannedTable, { checksums }: TableTransfer): boolean {
  return checksums !== null && !checksumsOf(planned).includes(undefined)
}

/** What the inspection found of the columns' text. */
function checksumsOf({ table, columns }: PlannedTable): (string | undefined)[] {
  const included = table.columns.filter(({ include }) => include)
  return columns.map((_, i) => foundOf(table, included[i])?.checksum)
}

function refuseMismatch(receipts: readonly Receipt[]): void {
  const receipt = receipts.find(({ verdict }) => verdict === 'mismatch')
  const [first, ...others] = receipt?.differences ?? []
  if (!receipt || !first) return
  const what = first.column === null ? `the ${first.what}` : `${first.what} of column “${first.column}”`
  const more = others.length > 0 ? ` and ${others.length} more` : ''
  throw new EngineError(
    'verification',
    `The output was thrown away: read back, it isn’t what was read from the source (${what}: ${first.expected} became ${first.found}${more}).`,
    {
      remedy: 'Convert to another format, or leave the column out. This is a fault of Rowhouse: please report it.',
      details: receipt,
    },
  )
}

/** Names for the outputs, one for each group of tables. Sheets whose names a disk can't tell apart get numbers. */
function outputNames(source: string, request: ConvertRequest, groups: readonly (readonly PlannedTable[])[]): string[] {
  const [extension] = formatInfo(request.target).extensions
  const lines = request.options.kind === 'json' && request.options.layout === 'lines'
  const seen = new Map<string, number>()
  return groups.map(([first]) => {
    const sheet = groups.length > 1 ? first?.table.name : null
    const name = stemOf(source) + (sheet ? ` - ${sheet.replace(/[/\\:*?"<>|]/g, '_')}` : '')
    const times = (seen.get(name.toLowerCase()) ?? 0) + 1
    seen.set(name.toLowerCase(), times)
    return `${name}${times > 1 ? ` (${times})` : ''}.${lines ? 'ndjson' : extension}`
  })
}
