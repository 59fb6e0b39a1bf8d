import type { CallContext } from '../channel/serve.ts'
import type { RunItem, SessionCalls } from './protocol.ts'
import type { ResultColumn } from './session-types.ts'
import { SOON, type RowsMessage, type RunOutput } from './stream.ts'

/** Bytes of rows that are copied with the summary, which takes less time than a message of their own. */
const COPIED_BYTES = 256 * 1024

/** Holds what a statement gives the page until it's sent, so that a small result is one message with its summary. */
export class Outbox implements RunOutput {
  private readonly call: CallContext<SessionCalls['run']>
  private items: RunItem[] = []
  private transfer: Transferable[] = []
  private bytes = 0
  private readonly begun = performance.now()

  constructor(call: CallContext<SessionCalls['run']>) {
    this.call = call
  }

  columns(columns: readonly ResultColumn[]): void {
    this.items.push({ columns })
  }

  rows({ message, transfer, bytes }: RowsMessage): void {
    this.items.push({ message })
    this.transfer.push(...transfer)
    this.bytes += bytes
  }

  progress(fraction: number | null): void {
    if (performance.now() - this.begun > SOON) this.call.progress(fraction)
  }

  async flush(): Promise<void> {
    const { items, transfer, bytes } = this
    if (items.length === 0) return
    this.items = []
    this.transfer = []
    this.bytes = 0
    await this.call.send(items, bytes, transfer)
  }

  /** What goes with the summary. */
  async rest(): Promise<readonly RunItem[]> {
    if (this.bytes > COPIED_BYTES) await this.flush()
    return this.items
  }

  /** Sends what came before an error, and throws it. */
  readonly failed = async (cause: unknown): Promise<never> => {
    // If the call was cancelled, nobody waits for it.
    await this.flush().catch(() => undefined)
    throw cause
  }
}
