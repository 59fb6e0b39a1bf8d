import type { RejectedRow } from '../../tables/plan.ts'
import { defaultOptions } from '../../tables/plan.ts'
import { scalar, VARCHAR, type Column } from '../../tables/types.ts'
import { appendTexts } from '../columns/column-builder.ts'
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
/** Characters of each row's text in `first`; the file has all of the text that was kept. */
const SHOWN_RAW = 10_000

/** Writes rejected rows to a CSV file, which is created with the first of them. */
export class RejectedRows {
  count = 0
  /** The first ones, to be shown. */
  readonly first: RejectedRow[] = []
  private readonly storage: OutputStorage
  private readonly jobId: string
  private readonly context: EngineContext
  private readonly columns: readonly Column[]
  private readonly ofFiles: boolean
  private output: PendingOutput | null = null
  private writer: TableWriter | null = null

  /** @param ofFiles whether rows come from several files, so that the file's name is included */
  constructor(storage: OutputStorage, jobId: string, signal: AbortSignal, ofFiles: boolean) {
    this.ofFiles = ofFiles
    this.columns = ofFiles ? [FILE, ...COLUMNS] : COLUMNS
    this.storage = storage
    this.jobId = jobId
    this.context = { signal, progress: () => undefined }
  }

  /** @param from the rows' file and sheet */
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
    const { makeColumnBuilder } = await import('../columns/builder.ts')
    const builders = this.columns.map((column) => makeColumnBuilder(column.type))
    for (const { row, line, reason, message, column, value, raw } of rows) {
      const cells = [...(this.ofFiles ? [file] : []), table, row, line, reason, message, column, value, raw]
      for (const [i, cell] of cells.entries()) appendTexts(builders[i], [cell === null ? null : String(cell)])
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

  /** Ends the file. Returns null if no rows were rejected. */
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
