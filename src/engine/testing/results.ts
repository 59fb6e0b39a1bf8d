import { printType } from '../../tables/types.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { makeColumnBuilder } from '../columns/builder.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import { toBuffers } from '../arrow/buffers.ts'
import type { ResultSet } from '../sql/session-types.ts'
import type { RandomTable } from './arbitrary.ts'
import { createResultSet } from '../sql/result/open.ts'

/* Query results from given texts. Tests only. */

const encoder = new TextEncoder()

/** @param rowsOf returns the next batch's number of rows */
export function resultOf(
  columns: readonly (readonly [name: string, type: string])[],
  cells: readonly (readonly (string | null)[])[],
  rowsOf: () => number = () => 7,
): ResultSet {
  const { set, add, end } = createResultSet(columns.map(([name, type]) => ({ name, type })))
  const rows = cells[0]?.length ?? 0
  for (let from = 0; from < rows;) {
    const to = Math.min(rows, from + rowsOf())
    const data = columns.map(([, type], i) => {
      const builder = makeColumnBuilder(transferType(type).type)
      for (const text of cells[i].slice(from, to)) {
        if (text === null) builder.appendNull()
        else {
          const bytes = encoder.encode(text)
          if (!builder.appendText(bytes, 0, bytes.length)) throw new Error(`not a ${type}: ${text}`)
        }
      }
      return builder.finish()
    })
    add(toBuffers(batchFromColumns(data, to - from)).buffers)
    from = to
  }
  end('complete')
  return set
}

export function resultOfTable({ columns, cells }: RandomTable, rowsOf?: () => number): ResultSet {
  return resultOf(
    columns.map(({ name, type }) => [name, printType(type)] as const),
    cells,
    rowsOf,
  )
}
