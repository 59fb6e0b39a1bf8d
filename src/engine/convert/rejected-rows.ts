import type { RejectedRow } from '../../tables/plan.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { scalar, VARCHAR, type Column } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, TableWriter } from '../formats/types.ts'
import type { OutputStorage, PendingOutput } from '../storage/output.ts'

const FILE: Column = { name: 'file', type: VARCHAR }

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
/** Characters of the text of each of them: the file has all that's kept. */
const SHOWN_RAW = 10_000
const encoder = new TextEncoder()

/** Keeps the rows that didn't fit as a table of their own, a CSV file that is begun with the first of them. */
export class RejectedRows {
  count = 0
  /** The first of them, for showing. */
  readonly first: RejectedRow[] = []
  private readonly storage: OutputStorage
  private readonly jobId: string
  private readonly context: EngineContext
  private readonly columns: readonly Column[]
  private readonly ofFiles: boolean
  private output: PendingOutput | null = null
  private writer: TableWriter | null = null

  /** @param ofFiles whether rows come from more files than one: then they tell which */
  constructor(storage: OutputStorage, jobId: string, signal: AbortSignal, ofFiles: boolean) {
    this.ofFiles = ofFiles
    this.columns = ofFiles ? [FILE, ...COLUMNS] : COLUMNS
    this.storage = storage
    this.jobId = jobId
    this.context = { signal, progress: () => undefined }
  }

  /** @param from the file and the sheet that the rows are of */
  async add(
    { file, table }: { readonly file: string; readonly table: string | null },
    rows: readonly RejectedRow[],
  ): Promise<void> {
    if (rows.length === 0) return
    this.count += rows.length
    const shown = rows
      .slice(0, Math.max(0, SHOWN - this.first.length))
      .map((row) => ({ ...row, raw: row.raw.slice(0, SHOWN_RAW) }))
    this.first.push(...(this.ofFiles ? shown.map((row) => ({ ...row, file })) : shown))
    const writer = this.writer ?? (await this.begin())
    const builders = this.columns.map((column) => makeColumnBuilder(column.type))
    for (const row of rows) {
      const { line, reason, message, column, value, raw } = row
      const cells = [...(this.ofFiles ? [file] : []), table, row.row, line, reason, message, column, value, raw]
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
    await writer.begin({ name: 'rejected rows', columns: this.columns })
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
