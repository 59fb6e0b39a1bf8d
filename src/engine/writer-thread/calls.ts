import type { FormatId } from '../../contract/formats.ts'
import type { ReadSettings } from '../../tables/plan.ts'
import type { BatchBuffers } from '../arrow/buffer-types.ts'
import type { FilePart, OutputTable, ReadBatch, WriteResult, WrittenRows } from '../formats/types.ts'
import type { OutputRequest } from '../convert/output-writer.ts'
import type { PartResult, PartsState, PartsTask } from '../parts/task.ts'
import type { TableRequest } from '../convert/read-table.ts'

/** What a conversion's worker asks of its second thread: to write, while it reads on; to read, while it compares. */
export interface WriterThreadCalls {
  open: { request: OutputRequest; result: { id: string } }
  begin: { request: OutputTable; result: void }
  write: { request: BatchBuffers; result: void }
  finish: { request: null; result: WriteResult }
  commit: { request: null; result: File }
  /** Of any output that was opened, by its id. */
  discard: { request: string; result: void }
  /** Streams a table's batches. */
  read: {
    request: { file: File; table: TableRequest }
    item: Omit<ReadBatch, 'batch'> & { readonly buffers: BatchBuffers }
    result: void
  }
  /** Looks at the rest of a file, for the inspection of what's before it. */
  inspectRest: {
    request: { format: FormatId; file: File; settings: ReadSettings; from: number }
    result: unknown
  }
  /** Begins the work on a file's parts, into the output that was opened last where there is something to write. */
  parts: { request: PartsTask; result: void }
  part: { request: FilePart; result: PartResult }
  partsState: { request: null; result: PartsState }
  /** Rows of a part that was worked on elsewhere. */
  rows: { request: { index: number; rows: WrittenRows }; result: void }
}
