import { formatInfo } from '../../contract/formats.ts'
import { planChanges } from '../../tables/changes/changes.ts'
import type { ImportPlan } from '../../tables/plan.ts'
import type { Receipt } from '../../tables/receipt.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, FormatWriter } from '../formats/types.ts'
import { MemoryOutputs } from '../storage/output.ts'
import { carryTable, type ConvertContext, type Making, type OutputPlan } from './carry.ts'
import { openOutput, type OutputRequest, type OutputWriter } from './output-writer.ts'
import { type CheckedColumn, FOR_STATEMENT, type PlannedTable, plannedTables } from './plan.ts'
import type { ConvertRequest, ConvertResult, Output } from './protocol.ts'
import { receiptOf, refuseMismatch, type Carried } from './receipt.ts'
import { RejectedRows } from './rejected-rows.ts'
import { adapted, RowsLeftOut, type OutputTablePlan } from './transfer.ts'
import { readBackOf, verifyTable } from './verify.ts'
import { extensionOf, stemOf } from '../../tables/file-names.ts'

/** Smaller files are finished before a second thread has started. Bytes. */
export const WORTH_A_THREAD = 8 * 1024 * 1024

/**
 * Converts a file by a plan: reads, writes, reads the output back and compares. Each table becomes a file, unless the
 * format holds several. On any failure or cancellation, nothing is left behind.
 * @throws {EngineError} `verification` if an output differs from what was read
 */
export async function convertFile(
  file: File,
  request: ConvertRequest,
  context: ConvertContext,
): Promise<ConvertResult> {
  const { plan, shape } = request
  const written = shape ? { ...request, ...FOR_STATEMENT } : request
  const made = await fileTables(file, plan, written, context.locate !== undefined)
  const notes = shape ? (await import('./renest.ts')).notRenested(plan, request.options) : []
  const tables = made.map((table, i) => (i === 0 ? { ...table, changes: [...table.changes, ...notes] } : table))
  const { multiTable } = await writerOf(request.target)
  const groups = shape || (multiTable && !request.split) ? [tables] : tables.map((table) => [table])
  const names = outputNames(file.name, request, groups)
  const outputs = groups.map((group, i) => ({ name: names[i], tables: group }))
  return makeOutputs(outputs, `${stemOf(file.name)}.rejected.csv`, request, context)
}

/**
 * The tables to make according to a file's plan.
 * @param foreign whether another program writes the output
 */
export async function fileTables(
  file: File,
  plan: ImportPlan,
  written: Pick<ConvertRequest, 'target' | 'options' | 'rowCount' | 'split'>,
  foreign = false,
): Promise<OutputTablePlan[]> {
  const source = { format: plan.format, settings: plan.settings }
  const made = async ({ fallback, ...planned }: PlannedTable): Promise<OutputTablePlan> => ({
    name: planned.table.name ?? stemOf(file.name),
    columns: planned.columns,
    changes: [...(await planChanges(plan, planned.table, written)), ...planned.changes],
    checks: checkedColumns(planned),
    ...(fallback ? { fallback: await made(fallback) } : {}),
    ...(written.rowCount ? { rowCount: { check: written.rowCount, table: planned.table.name } } : {}),
    inputs: [{ file, source, planned }],
  })
  const apart = foreign ? 'another program writes the file' : written.split ? 'the table is split into files' : null
  const tables = await plannedTables(plan, written.options, { foreign, apart })
  return Promise.all(tables.map(made))
}

function checkedColumns({ table, columns }: PlannedTable): CheckedColumn[] {
  const included = table.columns.filter((column) => column.include)
  return columns.flatMap((column, index) => {
    const checks = included[index]?.checks
    return checks ? [{ ...column, index, checks }] : []
  })
}

/**
 * Makes files from tables: reads, writes, reads each file back and compares. On any failure or cancellation, nothing is
 * left behind.
 * @param rejectedName name of the file with rejected rows
 * @throws {EngineError} `verification` if an output differs from what was read
 */
export async function makeOutputs(
  outputs: readonly OutputPlan[],
  rejectedName: string,
  request: OutputRequest,
  context: ConvertContext,
): Promise<ConvertResult> {
  const writer = await writerOf(request.target)
  const { shape } = request
  if (!shape) await checkOutputs(outputs, writer, request)
  const combines = outputs.some(({ tables }) => tables.some(({ inputs }) => inputs.length > 1))
  const rejectedRows = new RejectedRows(context.storage, request.jobId, context.signal, combines)
  const thread = context.startThread?.()
  const pending: OutputWriter[] = []
  const open = async (): Promise<OutputWriter> => {
    const opening: EngineContext = { signal: context.signal, progress: () => undefined }
    const output = await (thread
      ? thread.openOutput({ ...request, inMemory: context.storage instanceof MemoryOutputs })
      : openOutput(request, context.storage, opening))
    pending.push(output)
    return output
  }
  const make = async (plans: readonly OutputPlan[]): Promise<Output[]> => {
    const made: Output[] = []
    const total = plans.reduce((sum, { tables }) => sum + tables.length, 0)
    let done = 0
    for (const plan of plans) {
      const making = { plan, writer, open, rejectedRows, thread, done, total }
      if (request.split) {
        const { makeParts } = await import('./split/split.ts')
        made.push(...(await makeParts({ ...making, split: request.split }, request, context)))
      } else made.push(await makeOutput(making, request, context))
      done += plan.tables.length
    }
    return made
  }
  try {
    const makeAll = async (): Promise<Output[]> => {
      if (!shape) return make(outputs)
      const { makeShaped } = await import('./shape/shape.ts')
      return makeShaped(outputs[0], { shape, jobId: request.jobId, rejectedRows }, context, async (plan) => {
        await checkOutputs([plan], writer, request)
        return make([plan])
      })
    }
    const made = await makeAll()
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
    // Anything that can't be removed now is removed later; report the first error.
    await Promise.allSettled([...pending.map((output) => output.discard()), rejectedRows.discard()])
    throw error
  } finally {
    thread?.end()
  }
}

/** Refuses what the format can't hold, and what can't be split, before any work. */
async function checkOutputs(
  outputs: readonly OutputPlan[],
  writer: FormatWriter,
  { options, split }: OutputRequest,
): Promise<void> {
  for (const table of outputs.flatMap(({ tables }) => tables)) {
    writer.check(
      adapted(table.columns, writer, options).map(({ column }) => column),
      options,
    )
    if (split) (await import('./split/split.ts')).refuseSplit(table, split)
  }
}

async function makeOutput(making: Making, request: OutputRequest, context: ConvertContext): Promise<Output> {
  const { plan, open, thread, done, total } = making
  const output = await open()
  const started = performance.now()
  const carried: Carried[] = []
  try {
    for (const [i, table] of plan.tables.entries()) {
      carried.push(await carryTable(table, { ...making, output, done: done + i }, request, context))
    }
  } catch (error) {
    if (!(error instanceof RowsLeftOut)) throw error
    await output.discard()
    const tables = plan.tables.map((table) => table.fallback ?? table)
    return makeOutput({ ...making, plan: { ...plan, tables } }, request, context)
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
        output: {
          name: plan.name,
          size: written.size,
          format: request.target,
          readBack: readBackOf(readBack[i], transfer),
        },
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

/**
 * Names for the outputs, one for each group of tables. Numbers are added if a file system couldn't distinguish the
 * sheets' names.
 */
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
