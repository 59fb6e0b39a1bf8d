import type { Data, RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../../tables/plan.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import type { ColumnBuilder, ReadColumn } from '../column-builder.ts'
import { CellColumns } from './cell-columns.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'

/** Rows of cells in the kernel's memory. */
export interface CellRows {
  /** Index of each row's first cell. */
  readonly first: Int32Array
  /**
   * Appends a column's values from row `from` up to `to`, until one is refused.
   * @param index index of the column
   * @returns whether all values were accepted
   */
  appendColumn(index: number, from: number, to: number, builder: ColumnBuilder): boolean
  leaveOut(rows: { has(row: number): boolean }): void
  /** The text of a row's cell, by the column's index in the file, and where the row is. */
  valueAt(row: number, index: number): CellText
}

/** The text of a cell, and the place of its row. */
export interface CellText {
  readonly value: string
  readonly place: Pick<RejectedRow, 'row' | 'line' | 'raw'>
}

/** Reads rows into columns: with the kernel, or with a builder for columns that it can't read. */
export class TableReader {
  private readonly columns: readonly ReadColumn[]
  private readonly cells: CellMemory
  private known: CellColumns | null = null
  private builders: readonly ColumnBuilder[] | null

  /**
   * @param cells memory with the rows
   * @param builders by default those for the columns' types, which are loaded when the kernel leaves a column
   */
  constructor(columns: readonly ReadColumn[], cells: CellMemory, builders: readonly ColumnBuilder[] | null = null) {
    this.columns = columns
    this.cells = cells
    this.builders = builders
  }

  /** Reads a range of rows as a batch. Rows with a value that isn't of its column's type are rejected. */
  async read(
    rows: CellRows,
    from: number,
    to: number,
  ): Promise<{ readonly batch: RecordBatch; readonly rejected: RejectedRow[] }> {
    /** By row: the first column whose value doesn't fit. */
    const refused = new Map<number, ReadColumn>()
    const columns = await this.readColumns(rows, from, to, refused)
    if (refused.size === 0) return { batch: batchFromColumns(columns, to - from), rejected: [] }
    const { rejectedValue } = await import('../rejected-value.ts')
    const rejected = [...refused]
      .sort(([a], [b]) => a - b)
      .map(([row, column]) => {
        const { value, place } = rows.valueAt(row, column.index)
        return rejectedValue(column, value, place)
      })
    const fitting = to - from - refused.size
    rows.leaveOut(refused)
    return { batch: batchFromColumns(await this.readColumns(rows, from, from + fitting, refused), fitting), rejected }
  }

  private async readColumns(
    rows: CellRows,
    from: number,
    to: number,
    refused: Map<number, ReadColumn>,
  ): Promise<Data[]> {
    this.known ??= await CellColumns.for(this.columns, this.cells)
    const known = this.known.read(rows.first.subarray(from, to))
    // Whether a format is valid is known to its builder alone.
    const needsBuilders = known.includes(null) || this.columns.some(({ format }) => format !== undefined)
    const builders = needsBuilders ? (this.builders ??= await makeBuilders(this.columns)) : []
    return this.columns.map((column, i) => known[i] ?? build(rows, from, to, column, builders[i], refused))
  }
}

async function makeBuilders(columns: readonly ReadColumn[]): Promise<readonly ColumnBuilder[]> {
  const { makeColumnBuilder } = await import('../builder.ts')
  return columns.map(({ type, format }) => makeColumnBuilder(type, format))
}

function build(
  rows: CellRows,
  from: number,
  to: number,
  column: ReadColumn,
  builder: ColumnBuilder,
  refused: Map<number, ReadColumn>,
): Data {
  while (!rows.appendColumn(column.index, from + builder.length, to, builder)) {
    const row = from + builder.length
    if (!refused.has(row)) refused.set(row, column)
    builder.appendNull()
  }
  return builder.finish()
}
