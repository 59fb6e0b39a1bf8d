import type { SheetFacts, SheetRows } from './book.ts'
import { Row } from './row.ts'
import { Yielder } from '../../../../lib/yielding.ts'

/** Rows between checks of the clock. */
const ROWS_A_STEP = 500

/** A sheet whose rows are all in memory before the first one is passed on. */
export abstract class MemoryRows implements SheetRows {
  abstract readonly facts: SheetFacts
  protected readonly row = new Row()
  private readonly count: number
  private readonly bytes: number
  private readonly yielder: Yielder
  private at = 0
  private stopped = false

  /** @param bytes size of the sheet in the file */
  constructor(count: number, bytes: number, signal: AbortSignal) {
    this.count = count
    this.bytes = bytes
    this.yielder = new Yielder(signal)
  }

  /** Passes on the row at an index, if it isn't empty. */
  protected abstract take(at: number): void

  get consumed(): number {
    return this.count === 0 ? 0 : Math.round((this.bytes * this.at) / this.count)
  }

  async step(): Promise<boolean> {
    const end = Math.min(this.count, this.at + ROWS_A_STEP)
    while (this.at < end && !this.stopped) this.take(this.at++)
    if (this.yielder.due) await this.yielder.yield()
    return this.at < this.count && !this.stopped
  }

  stop(): void {
    this.stopped = true
  }

  async close(): Promise<void> {
    // There's nothing to close.
  }
}
