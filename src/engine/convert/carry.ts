import { formatInfo } from '../../contract/formats.ts'
import type { WriteOptions } from '../../tables/plan.ts'
import type { MendedRow } from '../../tables/receipt.ts'
import { EngineError, type EngineErrorCode } from '../errors.ts'
import type { EngineContext, FormatWriter, TableWriter, WrittenTable } from '../formats/types.ts'
import { readAhead } from '../io/read-bytes.ts'
import type { OutputStorage } from '../storage/output.ts'
import type { ConversionThread, OutputRequest, OutputWriter } from './output-writer.ts'
import type { ConvertProgress } from './protocol.ts'
import { carriedInput, refuseOtherRows, refuseOtherText, type Carried, type CarriedInput } from './receipt.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { TableTransfer, type ColumnAdapter, type OutputTablePlan, type TableInput } from './transfer.ts'

export interface ConvertContext {
  readonly signal: AbortSignal
  readonly progress: (progress: ConvertProgress) => void
  readonly storage: OutputStorage
  /** Starts a second thread, if the file is large enough: it writes while this one reads. */
  readonly startThread?: () => ConversionThread
  /** Finds the written tables in an output that another program wrote; by default they are where they were written. */
  readonly locate?: (file: File, written: readonly WrittenTable[]) => Promise<readonly WrittenTable[]>
}

/** A file to be made, with its tables; if its one table is split, several files that are named after it. */
export interface OutputPlan {
  /** With its extension. */
  readonly name: string
  readonly tables: readonly TableToMake[]
}

/** A table whose rows come from its inputs, unless it says where else from. */
interface TableToMake extends OutputTablePlan {
  readonly carry?: (carrying: Carrying, options: WriteOptions, context: CarryContext) => Promise<Carried>
}

export type CarryContext = Pick<ConvertContext, 'signal' | 'progress'>

/** The destination of a table's rows. */
export interface Carrying {
  readonly writer: ColumnAdapter
  readonly output: Pick<TableWriter, 'begin' | 'write'>
  readonly rejectedRows: RejectedRows
  /** Tables converted before this one, and in all. */
  readonly done: number
  readonly total: number
}

/** What files are made with. */
export interface Making extends Omit<Carrying, 'output'> {
  readonly writer: FormatWriter
  readonly plan: OutputPlan
  /** Begins a file. */
  readonly open: () => Promise<OutputWriter>
  readonly thread: ConversionThread | undefined
}

/** How many of the following files are considered for reading ahead. */
const NEXT = 64

/** Copies a table's rows to the output: a statement's result, or the rows of its inputs, one after another. */
export async function carryTable(
  table: TableToMake,
  carrying: Carrying,
  { options }: Pick<OutputRequest, 'options'>,
  context: CarryContext,
): Promise<Carried> {
  if (table.carry) return table.carry(carrying, options, context)
  const { writer, output, rejectedRows, done, total } = carrying
  const { inputs } = table
  const transfer = new TableTransfer(table, writer, options)
  await output.begin({ name: table.name, columns: transfer.columns })
  const totalBytes = inputs.reduce((sum, { file }) => sum + file.size, 0)
  let bytesBefore = 0
  const parts: CarriedInput[] = []
  const mended: MendedRow[] = []
  const checker = isChecked(table) ? new (await import('./checks/checker.ts')).Checker(table) : null
  for (const [i, input] of inputs.entries()) {
    const { rows: rowsBefore } = transfer
    const reading: EngineContext = {
      signal: context.signal,
      progress: ({ rows, bytes }) => {
        const at = { rows: rowsBefore + rows, bytes: bytesBefore + bytes, totalBytes }
        const files = inputs.length > 1 ? { file: i, files: inputs.length } : {}
        context.progress({ phase: 'convert', table: done, tables: total, ...at, ...files })
      },
    }
    const { file, planned } = input
    readAhead(textFiles(inputs.slice(i + 1, i + 1 + NEXT)))
    checker?.begin(input)
    const transferred = await transfer.run(input, output, rejectedRows, reading, checker).catch((error: unknown) => {
      throw inputs.length > 1 ? ofFile(error, file.name) : error
    })
    refuseOtherRows(file.name, planned, transferred)
    refuseOtherText(file.name, planned, transferred)
    parts.push(carriedInput(input, transferred))
    mended.push(...transferred.mended.map((row) => (inputs.length > 1 ? { ...row, file: file.name } : row)))
    bytesBefore += file.size
  }
  const mends = mended.length > 0 ? [(await import('./mend.ts')).mendNote(mended)] : []
  return { transfer, parts, checks: checker?.outcomes(parts) ?? [], mended, changes: [...transfer.changes, ...mends] }
}

const isChecked = ({ checks, rowCount, inputs }: OutputTablePlan): boolean =>
  checks.length > 0 || rowCount !== undefined || inputs.some(({ planned }) => (planned.table.missing?.length ?? 0) > 0)

/** The files up to the first that isn't a text and so isn't read from its beginning to its end. */
function textFiles(inputs: readonly TableInput[]): readonly File[] {
  const end = inputs.findIndex(({ source }) => !formatInfo(source.format).text)
  return inputs.slice(0, end < 0 ? undefined : end).map(({ file }) => file)
}

/** Adds the file's name to the error of one of several files; other errors stay as they are. */
function ofFile(error: unknown, name: string): unknown {
  if (!(error instanceof EngineError) || NO_FILES_FAULT.has(error.code)) return error
  const remedy = `${error.remedy ?? ''} Or take the file out: the others can be combined without it.`.trim()
  return error.with({ message: `“${name}”: ${error.message}`, remedy, cause: error })
}

const NO_FILES_FAULT: ReadonlySet<EngineErrorCode> = new Set([
  'out-of-space',
  'out-of-memory',
  'unwritable',
  'worker-lost',
])
