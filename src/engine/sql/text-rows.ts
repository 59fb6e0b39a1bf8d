import type { RecordBatch } from 'apache-arrow'

/** A batch's rows with all cells as text. */
export function textRows(batch: RecordBatch): string[][] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    batch.data.children.map((__, column) => String(batch.getChildAt(column)?.get(row))),
  )
}
