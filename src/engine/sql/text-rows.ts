import type { RecordBatch } from 'apache-arrow'

/** A batch's rows, every cell as text. */
export function textRows(batch: RecordBatch): string[][] {
  return Array.from({ length: batch.numRows }, (_, row) =>
    batch.data.children.map((__, column) => String(batch.getChildAt(column)?.get(row))),
  )
}
