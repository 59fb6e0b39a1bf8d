import type { FormatId } from '../../contract/formats.ts'
import type { WriteOptions } from '../../tables/plan.ts'
import type { Shape, Split } from '../../tables/reshape/types.ts'
import { writerOf } from '../formats/registry.ts'
import type { Column } from '../../tables/types.ts'
import type { Difference } from '../../tables/receipt.ts'
import type { FingerprintState } from './fingerprint/fingerprint.ts'
import type { EngineContext, ReadBatch, TableWriter, WrittenTable } from '../formats/types.ts'
import type { OutputStorage } from '../storage/output.ts'
import type { TableRequest } from './read-table.ts'

/** An output file with the writer that fills it: in this thread, or in another. */
export interface OutputWriter extends TableWriter {
  readonly id: string
  /** Makes the file whole and durable; after `finish`. */
  commit(): Promise<File>
  /** Leaves nothing. Also after `commit`. */
  discard(): Promise<void>
}

export interface OutputRequest {
  readonly jobId: string
  readonly target: FormatId
  readonly options: WriteOptions
  /** How each table becomes several files. */
  readonly split?: Split
  /** What is written in place of the tables. */
  readonly shape?: Shape
  /** Not to be kept, and so in no file system. */
  readonly inMemory?: boolean
}

/** What of a table is to be read back: plain data. */
export interface ReadBackRequest {
  readonly file: File
  readonly format: FormatId
  readonly columns: readonly Column[]
  readonly readBack: WrittenTable
  /** Only these parts of the file. */
  readonly parts?: ReadonlySet<number>
}

/** What was read back of a table: plain data, that of several parts to be merged. */
export interface FoundRows {
  readonly state: FingerprintState
  /** Where the file's own names and types aren't those that were sent; by what each is about. */
  readonly described: ReadonlyMap<string, Difference>
}

/** What a conversion needs of a second thread. */
export interface ConversionThread {
  /** Begins an output that the thread fills. */
  openOutput(request: OutputRequest): OutputWriter
  readTable(file: File, table: TableRequest, context: EngineContext): AsyncIterable<ReadBatch>
  /** Reads back in the thread, and gives what it comes to. */
  findRows(request: ReadBackRequest, signal: AbortSignal): Promise<FoundRows>
  /** Leaves the thread to the next one. */
  end(): void
}

/** Begins an output in this thread. */
export async function openOutput(
  { jobId, target, options }: OutputRequest,
  storage: OutputStorage,
  context: EngineContext,
): Promise<OutputWriter> {
  const writer = await writerOf(target)
  const output = await storage.create(jobId)
  try {
    const table = writer.open(output.sink, options, context)
    return {
      id: output.id,
      begin: (columns) => table.begin(columns),
      write: (batch) => table.write(batch),
      finish: () => table.finish(),
      commit: () => output.commit(),
      discard: () => output.discard(),
    }
  } catch (error) {
    await output.discard()
    throw error
  }
}
