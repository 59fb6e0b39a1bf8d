import type { Channel } from '../channel/channel.ts'
import type { SessionCalls } from '../sql/protocol.ts'
import type { SessionTables } from '../sql/session-types.ts'

/** A worker with what it has been given. */
export interface SessionWorker {
  readonly channel: Channel<SessionCalls>
  readonly files: Set<string>
  /** Its memory ran out, and WebAssembly gives none back. */
  isFull: boolean
}

/** The statement that runs. */
export interface CurrentStatement {
  /** Ends it. */
  readonly controller: AbortController
  /** Whether it's to stop, whoever wants it. */
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
  // Where the worker is lost, the next call says so.
  channel.call('use', tables).catch(() => undefined)
}
