import type { Data, RecordBatch } from 'apache-arrow'
import type { RejectedRow } from '../../../tables/plan.ts'
import { rejectedValue } from '../../columns/batch-builder.ts'
import { batchFromColumns } from '../../arrow/normalize.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import type { ColumnBuilder } from '../../columns/column-builder.ts'
import { CellColumns } from '../../kernel/cell-columns.ts'
import type { CellMemory } from '../../kernel/cell-memory.ts'
import type { ReadColumn } from '../../columns/read-column.ts'
import type { CsvRows } from './rows.ts'

/** Reads rows into columns: by the kernel, and here each column that it leaves to others. */
export class TableReader {
  private readonly columns: readonly ReadColumn[]
  private readonly known: CellColumns
  private readonly builders: readonly ColumnBuilder[]

  /** @param cells the memory that the rows are in */
  constructor(columns: readonly ReadColumn[], cells: CellMemory) {
    this.columns = columns
    this.known = new CellColumns(columns, cells)
    this.builders = columns.map(({ type, format }) => makeColumnBuilder(type, format))
  }

  /** Reads the rows of a batch from one up to another. A row with a value that isn't of its column's type is rejected. */
  read(rows: CsvRows, from: number, to: number): { readonly batch: RecordBatch; readonly rejected: RejectedRow[] } {
    /** By row: the first column that its value doesn't fit. */
    const refused = new Map<number, ReadColumn>()
    const columns = this.readColumns(rows, from, to, refused)
    if (refused.size === 0) return { batch: batchFromColumns(columns, to - from), rejected: [] }
    const rejected = [...refused].sort(([a], [b]) => a - b).map(([row, column]) => valueReject(rows, row, column))
    const fitting = to - from - refused.size
    rows.leaveOut(refused)
    return { batch: batchFromColumns(this.readColumns(rows, from, from + fitting, refused), fitting), rejected }
  }

  private readColumns(rows: CsvRows, from: number, to: number, refused: Map<number, ReadColumn>): Data[] {
    const known = this.known.read(rows.first.subarray(from, to))
    return this.columns.map((_, i) => known[i] ?? this.build(rows, from, to, i, refused))
  }

  private build(rows: CsvRows, from: number, to: number, i: number, refused: Map<number, ReadColumn>): Data {
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

function valueReject(rows: CsvRows, row: number, column: ReadColumn): RejectedRow {
  const record = rows.records[row]
  const value = rows.text(rows.first[row] + column.index)
  const line = record < 0 ? null : rows.tokenizer.lines[record]
  return rejectedValue(column, value, { row: rows.numbers[row], line, raw: rows.raw(record) })
}
