import type { RejectedRow } from '../../tables/plan.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { scalar, VARCHAR, type Column } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { batchFromColumns } from '../arrow/normalize.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, TableWriter } from '../formats/types.ts'
import type { OutputStorage, PendingOutput } from '../storage/output.ts'

const COLUMNS: readonly Column[] = [
  { name: 'table', type: VARCHAR },
  { name: 'row', type: scalar('BIGINT') },
  { name: 'line', type: scalar('BIGINT') },
  { name: 'reason', type: VARCHAR },
  { name: 'message', type: VARCHAR },
  { name: 'column', type: VARCHAR },
  { name: 'value', type: VARCHAR },
  { name: 'raw', type: VARCHAR },
]

const SHOWN = 200
const encoder = new TextEncoder()

/** Keeps the rows that didn't fit as a table of their own, a CSV file that is begun with the first of them. */
export class RejectedRows {
  count = 0
  /** The first of them, for showing. */
  readonly first: RejectedRow[] = []
  private readonly storage: OutputStorage
  private readonly jobId: string
  private readonly context: EngineContext
  private output: PendingOutput | null = null
  private writer: TableWriter | null = null

  constructor(storage: OutputStorage, jobId: string, signal: AbortSignal) {
    this.storage = storage
    this.jobId = jobId
    this.context = { signal, progress: () => undefined }
  }

  async add(table: string | null, rows: readonly RejectedRow[]): Promise<void> {
    if (rows.length === 0) return
    this.count += rows.length
    if (this.first.length < SHOWN) this.first.push(...rows.slice(0, SHOWN - this.first.length))
    const writer = this.writer ?? (await this.begin())
    const builders = COLUMNS.map((column) => makeColumnBuilder(column.type))
    for (const row of rows) {
      const cells = [table, row.row, row.line, row.reason, row.message, row.column, row.value, row.raw]
      for (const [i, cell] of cells.entries()) {
        if (cell === null) {
          builders[i].appendNull()
          continue
        }
        const bytes = encoder.encode(String(cell))
        builders[i].appendText(bytes, 0, bytes.length)
      }
    }
    await writer.write(
      batchFromColumns(
        builders.map((builder) => builder.finish()),
        rows.length,
      ),
    )
  }

  private async begin(): Promise<TableWriter> {
    this.output = await this.storage.create(this.jobId)
    const writer = (await writerOf('csv')).open(this.output.sink, defaultOptions('csv'), this.context)
    await writer.begin({ name: 'rejected rows', columns: COLUMNS })
    this.writer = writer
    return writer
  }

  /** Ends the file. Null when every row fitted. */
  async finish(): Promise<{ readonly id: string; readonly size: number } | null> {
    if (!this.output || !this.writer) return null
    await this.writer.finish()
    const file = await this.output.commit()
    return { id: this.output.id, size: file.size }
  }

  async discard(): Promise<void> {
    await this.output?.discard()
  }
}
