import type { RecordBatch } from 'apache-arrow'
import { formatBytes } from '../../lib/bytes.ts'
import type { BatchBuffers } from '../arrow/buffer-types.ts'
import { concatenate } from '../arrow/concatenate.ts'
import type { SqlEngine } from './engine.ts'
import type { StatementCall } from './protocol.ts'
import type { ResultColumn, RunSummary } from './session-types.ts'

/** Limit of a result in the page, in bytes. */
const RESULT_LIMIT = 2 * 2 ** 30

/** Milliseconds of a statement that the page needn't hear of before it has rows. */
export const SOON = 100

/** Receives a statement's result. */
export interface RunOutput {
  columns(columns: readonly ResultColumn[]): void
  rows(rows: RowsMessage): void
  /** Sends what was given, and resolves when there's room for more. What comes last goes with the summary. */
  flush(): Promise<void>
  /** Share that is done, or that was read of a file queried in place; null if unknown. */
  progress?(fraction: number | null): void
}

/**
 * Runs a statement of a session, and sends its columns and rows.
 * @param resultLimit bytes after which it stops
 * @throws {EngineError} as `SqlEngine.run`
 */
export async function streamStatement(
  engine: SqlEngine,
  call: StatementCall,
  signal: AbortSignal,
  output: RunOutput,
  resultLimit = RESULT_LIMIT,
): Promise<RunSummary> {
  const begun = performance.now()
  const sent = { rows: 0, bytes: 0, firstMs: null as number | null, message: null as string | null, leftOut: false }
  let lastNotes: readonly string[] = []
  let made: Pick<RunSummary, 'kept' | 'made'> = {}
  await engine.run(
    call,
    signal,
    async (outcome, notes) => {
      lastNotes = notes
      if (outcome.kind === 'change') {
        output.columns([])
        await output.flush()
        const said = await outcome.apply()
        sent.message = said.message
        made = said
        return
      }
      made = outcome
      output.columns(outcome.columns)
      const coalescer = new BatchCoalescer()
      const give = (message: RowsMessage | null): void => {
        if (!message) return
        sent.rows += message.message.rows
        sent.bytes += message.bytes
        output.rows(message)
      }
      const pause = async (): Promise<void> => {
        give(coalescer.overdue())
        if (sent.rows > 0 || performance.now() - begun > SOON) await output.flush()
      }
      for await (const batch of outcome.read(pause)) {
        sent.firstMs ??= performance.now() - begun
        give(coalescer.add(batch))
        if (sent.bytes >= resultLimit) {
          sent.leftOut = true
          break
        }
      }
      give(coalescer.flush())
    },
    tellsWhole((fraction) => output.progress?.(fraction)),
  )
  const totalMs = performance.now() - begun
  return {
    ...sent,
    ...(made.kept?.length ? { kept: made.kept } : {}),
    ...(made.made?.length ? { made: made.made } : {}),
    notes: [...lastNotes, ...spillNote(engine.spilled)],
    firstMs: sent.firstMs ?? totalMs,
    totalMs,
  }
}

function spillNote(bytes: number): string[] {
  return bytes === 0 ? [] : [`What didn’t fit in memory was on the disk meanwhile: ${formatBytes(bytes)}.`]
}

/** Passes on progress only when its percentage changes. */
function tellsWhole(tell: (fraction: number | null) => void): (fraction: number | null) => void {
  let last: number | null = null
  return (fraction) => {
    const whole = fraction === null ? null : Math.floor(fraction * 100) / 100
    if (whole === last) return
    last = whole
    tell(whole)
  }
}

/**
 * Rows and bytes that are worth a message: each buffer costs the page about 200 bytes beside its content, so that batches
 * of DuckDB's 2,048 rows would take half again as much as narrow rows do.
 */
const ENOUGH_ROWS = 32_768
const ENOUGH_BYTES = 8 * 2 ** 20
/** Longest delay before rows that have arrived are sent. */
const MOST_DELAY_MS = 100

export interface RowsMessage {
  /** Each column is of the type that `transferType(column.type)` gives: the page derives the same. */
  readonly message: BatchBuffers
  readonly transfer: Transferable[]
  readonly bytes: number
}

/** Combines the engine's small batches; the first are due at once. Each buffer is copied once. */
export class BatchCoalescer {
  private batches: RecordBatch[] = []
  private rows = 0
  private bytes = 0
  private due = 0

  /** @param batch in the physical types that were agreed on */
  add(batch: RecordBatch): RowsMessage | null {
    if (batch.numRows === 0) return null
    this.batches.push(batch)
    this.rows += batch.numRows
    this.bytes += batch.data.byteLength
    return this.rows >= ENOUGH_ROWS || this.bytes >= ENOUGH_BYTES ? this.flush() : null
  }

  /** The collected rows, if they have waited long enough. */
  overdue(): RowsMessage | null {
    return this.batches.length > 0 && performance.now() >= this.due ? this.flush() : null
  }

  flush(): RowsMessage | null {
    const [first] = this.batches
    if (!first) return null
    const transfer: ArrayBuffer[] = []
    const columns = first.data.children.map((_, i) =>
      concatenate(
        this.batches.map(({ data }) => data.children[i]),
        transfer,
      ),
    )
    const message = { rows: this.rows, columns }
    this.batches = []
    this.rows = 0
    this.bytes = 0
    this.due = performance.now() + MOST_DELAY_MS
    return { message, transfer, bytes: transfer.reduce((sum, buffer) => sum + buffer.byteLength, 0) }
  }
}
