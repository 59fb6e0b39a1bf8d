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

/** An output file and its writer, in this thread or another. */
export interface OutputWriter extends TableWriter {
  readonly id: string
  /** Makes the file complete and durable. Call after `finish`. */
  commit(): Promise<File>
  /** Removes the file. Also works after `commit`. */
  discard(): Promise<void>
}

export interface OutputRequest {
  readonly jobId: string
  readonly target: FormatId
  readonly options: WriteOptions
  /** How to split each table into several files. */
  readonly split?: Split
  /** What to write instead of the tables. */
  readonly shape?: Shape
  /** Whether the output is temporary, and so not in the file system. */
  readonly inMemory?: boolean
}

/** What to read back of a table, as plain data. */
export interface ReadBackRequest {
  readonly file: File
  readonly format: FormatId
  readonly columns: readonly Column[]
  readonly readBack: WrittenTable
  /** Reads only these parts of the file. */
  readonly parts?: ReadonlySet<number>
}

/** The result of reading back a table or parts of it, as plain data for merging. */
export interface FoundRows {
  readonly state: FingerprintState
  /** Differences between the file's names and types and those that were written, by subject. */
  readonly described: ReadonlyMap<string, Difference>
}

/** The interface of a second thread for conversions. */
export interface ConversionThread {
  /** Begins an output that the thread writes. */
  openOutput(request: OutputRequest): OutputWriter
  readTable(file: File, table: TableRequest, context: EngineContext): AsyncIterable<ReadBatch>
  /** Reads back in the thread, and returns the result. */
  findRows(request: ReadBackRequest, signal: AbortSignal): Promise<FoundRows>
  /** Releases the thread for the next conversion. */
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
