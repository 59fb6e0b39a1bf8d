import type { Data } from 'apache-arrow'
import { isNested, mapLeaves, type ColumnType } from '../../../tables/types.ts'
import { beyondDigits } from '../../arrow/decimals.ts'
import { transferType } from '../../arrow/duckdb-types.ts'
import { childType } from '../../arrow/types.ts'
import { makeColumnBuilder } from '../../columns/builder.ts'
import type { ColumnBuilder } from '../../columns/column-builder.ts'
import { EngineError } from '../../errors.ts'

/* Results have all integers of 128 bits, files that are written only those of 38 digits. */

/** Whether one of a HUGEINT column's integers has 39 digits. */
export const isTooLong = (data: Data): boolean => beyondDigits(data, data.values as Uint32Array, 38) !== null

/** @throws {EngineError} `unwritable` where an integer in the column has 39 digits */
export function assertWritable(type: ColumnType, data: Data): void {
  if (isNested(type)) {
    for (const [i, child] of data.children.entries()) assertWritable(childType(type, i), child)
  } else if (type.kind === 'scalar' && type.name === 'HUGEINT' && isTooLong(data)) {
    throw new EngineError('unwritable', 'An integer has 39 digits, and no file that is written holds more than 38.', {
      remedy: 'Cast it to VARCHAR in the statement.',
    })
  }
}

/**
 * Builds a column as `transferType(type)` carries it. It doesn't notice integers of 39 digits that exceed 128 bits.
 * @param type in DuckDB's notation
 */
export function makeResultBuilder(type: string): ColumnBuilder {
  const long = (leaf: ColumnType): ColumnType =>
    leaf.kind === 'scalar' && leaf.name === 'HUGEINT' ? { kind: 'decimal', width: 39, scale: 0 } : leaf
  return makeColumnBuilder(mapLeaves(transferType(type).type, long))
}
