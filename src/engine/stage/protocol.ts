import type { FormatId } from '../../contract/formats.ts'
import type { ReadSettings, RejectedRow } from '../../tables/plan.ts'
import type { OutputTable, WriteResult } from '../formats/types.ts'
import type { OutputRequest } from '../output-writer.ts'
import type { TableRequest } from '../read-table.ts'
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
