import type { FormatId } from '../../contract/formats.ts'
import type { ReadSettings, RejectedRow } from '../../tables/plan.ts'
import type { FilePart, OutputTable, WriteResult, WrittenRows } from '../formats/types.ts'
import type { OutputRequest } from '../convert/output-writer.ts'
import type { PartResult, PartsState, PartsTask } from '../parts/task.ts'
import type { TableRequest } from '../convert/read-table.ts'
import type { PlainError } from '../rpc.ts'
import type { WireBatch } from './wire.ts'

/* What a conversion's worker asks of its second thread: to write, while it reads on; to read, while it compares. */

export interface StageCalls {
  open: { request: OutputRequest; result: { id: string } }
  begin: { request: OutputTable; result: void }
  write: { request: WireBatch; result: void }
  finish: { request: null; result: WriteResult }
  commit: { request: null; result: File }
  /** Of any output that was opened, by its id. */
  discard: { request: string; result: void }
  read: { request: { file: File; table: TableRequest }; result: void }
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
  /** The next batch of what `read` began; null behind the last. */
  next: { request: null; result: ReadAhead | null }
}
export type StageCall = keyof StageCalls

export interface ReadAhead {
  readonly wire: WireBatch
  readonly rejected: readonly RejectedRow[]
  readonly bytes: number
  readonly names?: readonly string[]
  readonly types?: readonly string[]
}

export type ToStage =
  | { readonly type: 'call'; readonly id: number; readonly name: StageCall; readonly request: unknown }
  | { readonly type: 'abort' }

export type FromStage =
  /** Sent every second: silence means that it hangs. */
  | { readonly alive: true }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: PlainError }
