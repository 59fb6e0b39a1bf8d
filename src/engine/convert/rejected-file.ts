import { type RejectedRow, defaultOptions } from '../../tables/plan.ts'
import { scalar, VARCHAR, type Column } from '../../tables/types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { appendTexts } from '../columns/column-builder.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { writerOf } from '../formats/registry.ts'
import type { EngineContext, TableWriter } from '../formats/types.ts'
import type { PendingOutput } from '../storage/output.ts'

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

/** The CSV file of a conversion's rejected rows. */
export class RejectedFile {
  private readonly output: PendingOutput
  private readonly writer: TableWriter
  private readonly columns: readonly Column[]

  private constructor(output: PendingOutput, writer: TableWriter, columns: readonly Column[]) {
    this.output = output
    this.writer = writer
    this.columns = columns
  }

  /** @param ofFiles whether rows come from several files, so that the file's name is included */
  static async begin(output: PendingOutput, ofFiles: boolean, context: EngineContext): Promise<RejectedFile> {
    const columns = ofFiles ? [FILE, ...COLUMNS] : COLUMNS
    const writer = (await writerOf('csv')).open(output.sink, defaultOptions('csv'), context)
    await writer.begin({ name: 'rejected rows', columns })
    return new RejectedFile(output, writer, columns)
  }

  async add(file: string, table: string | null, rows: readonly RejectedRow[]): Promise<void> {
    const builders = this.columns.map((column) => makeColumnBuilder(column.type))
    const hasFile = this.columns.includes(FILE)
    for (const { row, line, reason, message, column, value, raw } of rows) {
      const cells = [...(hasFile ? [file] : []), table, row, line, reason, message, column, value, raw]
      for (const [i, cell] of cells.entries()) appendTexts(builders[i], [cell === null ? null : String(cell)])
    }
    await this.writer.write(
      batchFromColumns(
        builders.map((builder) => builder.finish()),
        rows.length,
      ),
    )
  }

  async finish(): Promise<{ readonly id: string; readonly size: number }> {
    await this.writer.finish()
    const file = await this.output.commit()
    return { id: this.output.id, size: file.size }
  }
}
