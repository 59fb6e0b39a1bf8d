import type { Data, RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../../tables/plan.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { makeColumnBuilder } from '../builder.ts'
import type { ColumnBuilder, ReadColumn } from '../column-builder.ts'
import { CellColumns } from './cell-columns.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'

/** Rows of cells in the kernel's memory. */
export interface CellRows {
  /** Of each row its first cell. */
  readonly first: Int32Array
  /**
   * Appends the values of a column from row `from` up to `to`. Stops at one that is refused.
   * @param index the column's
   * @returns whether all were taken
   */
  appendColumn(index: number, from: number, to: number, builder: ColumnBuilder): boolean
  leaveOut(rows: { has(row: number): boolean }): void
  /** Says why a row is rejected whose value isn't of its column's type. */
  refuse(row: number, column: ReadColumn): RejectedRow
}

/** Reads rows into columns: by the kernel, and here each column that it leaves to others. */
export class TableReader {
  private readonly columns: readonly ReadColumn[]
  private readonly known: CellColumns
  private readonly builders: readonly ColumnBuilder[]

  /** @param cells the memory that the rows are in */
  constructor(
    columns: readonly ReadColumn[],
    cells: CellMemory,
    builders = columns.map(({ type, format }) => makeColumnBuilder(type, format)),
  ) {
    this.columns = columns
    this.known = new CellColumns(columns, cells)
    this.builders = builders
  }

  /** Reads the rows of a batch from one up to another. A row with a value that isn't of its column's type is rejected. */
  read(rows: CellRows, from: number, to: number): { readonly batch: RecordBatch; readonly rejected: RejectedRow[] } {
    /** By row: the first column that its value doesn't fit. */
    const refused = new Map<number, ReadColumn>()
    const columns = this.readColumns(rows, from, to, refused)
    if (refused.size === 0) return { batch: batchFromColumns(columns, to - from), rejected: [] }
    const rejected = [...refused].sort(([a], [b]) => a - b).map(([row, column]) => rows.refuse(row, column))
    const fitting = to - from - refused.size
    rows.leaveOut(refused)
    return { batch: batchFromColumns(this.readColumns(rows, from, from + fitting, refused), fitting), rejected }
  }

  private readColumns(rows: CellRows, from: number, to: number, refused: Map<number, ReadColumn>): Data[] {
    const known = this.known.read(rows.first.subarray(from, to))
    return this.columns.map((_, i) => known[i] ?? this.build(rows, from, to, i, refused))
  }

  private build(rows: CellRows, from: number, to: number, i: number, refused: Map<number, ReadColumn>): Data {
    const { index } = this.columns[i]
    const builder = this.builders[i]
    while (!rows.appendColumn(index, from + builder.length, to, builder)) {
      const row = from + builder.length
      if (!refused.has(row)) refused.set(row, this.columns[i])
      builder.appendNull()
    }
    return builder.finish()
  }
}
