import type { Channel } from '../channel/channel.ts'
import type { SessionCalls } from '../sql/protocol.ts'
import type { SessionTables } from '../sql/session-types.ts'

export interface SessionWorker {
  readonly channel: Channel<SessionCalls>
  /** Ids of the files that were sent to it. */
  readonly files: Set<string>
  /** Its memory ran out; WebAssembly never gives any back. */
  isFull: boolean
}

/** The running statement. */
export interface CurrentStatement {
  /** For the session to stop it. */
  readonly controller: AbortController
  /** Aborted when the session or the caller stops it. */
  readonly signal: AbortSignal
  /** Settles when it has ended. */
  readonly ended: Promise<unknown>
}

export function startWorker(open: () => Channel<SessionCalls>, tables: SessionTables): SessionWorker {
  const worker = { channel: open(), files: new Set<string>(), isFull: false }
  tell(worker, tables)
  return worker
}

export function tell({ channel }: SessionWorker, tables: SessionTables): void {
  // If the worker is lost, the next call rejects.
  channel.call('use', tables).catch(() => undefined)
}

export const cancelled = (): DOMException => new DOMException('The operation was cancelled.', 'AbortError')
