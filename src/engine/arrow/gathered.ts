import type { DataType, RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { concatenateBatches } from './concatenate.ts'
import { arrowName, leafTypeOf, toArrowType } from './types.ts'

/** Rows that DuckDB works on at a time. */
const VECTOR_ROWS = 2048

/**
 * Batches of a few rows each, such as a filter leaves of a table's, as one, since each has fixed costs. Other batches,
 * and those of columns that would have to be cast first, as they are.
 */
export function gathered(batches: readonly RecordBatch[]): readonly RecordBatch[] {
  const filled = batches.filter(({ numRows }) => numRows > 0)
  const rows = filled.reduce((sum, { numRows }) => sum + numRows, 0)
  if (filled.length < 2 || rows > VECTOR_ROWS) return batches
  const types = filled[0].schema.fields.map(({ type }) => ownType(type))
  return types.every((type) => type !== null) ? [concatenateBatches(filled, types)] : batches
}

/** The type of a column that isn't nested, if its layout is already ours. */
function ownType(type: DataType): ColumnType | null {
  const own = leafTypeOf(type)
  return arrowName(type) === arrowName(toArrowType(own)) ? own : null
}
