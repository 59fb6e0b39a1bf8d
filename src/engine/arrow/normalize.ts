import type { Data, RecordBatch } from 'apache-arrow'
import type { ColumnType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import { batchFromColumns } from './batch.ts'
import { cast } from './cast/cast.ts'

/**
 * Brings a batch from any program into the one physical type of each column type, and names its columns `c0`, `c1`,
 * .... Columns that have the layout already aren't copied. Dictionaries are looked up; odd widths and units are
 * converted.
 * @param types of the batch's columns in order: as `columnTypeOf` gives them, or VARCHAR for decimals and times of more
 *   digits than a column type holds
 * @param names of the columns, for errors; without them those of the batch
 * @throws {EngineError} `unsupported-format` when digits would be lost: nanoseconds as TIME or TIMESTAMP WITH TIME ZONE,
 *   milliseconds as DATE; `internal` when a column's values aren't of the type asked for
 */
export function normalizeBatch(
  batch: RecordBatch,
  types: readonly ColumnType[],
  names?: readonly string[],
): RecordBatch {
  const columns = types.map((type, i) => {
    const child: Data | undefined = batch.data.children[i]
    if (child === undefined) throw new EngineError('internal', `A batch has no column ${i} of ${types.length}.`)
    try {
      return cast(child, type)
    } catch (error) {
      throw inColumn(error, names?.[i] ?? batch.schema.fields[i].name)
    }
  })
  return batchFromColumns(columns, batch.numRows)
}

/** The error with the column as its place, unless it knows a better one. */
function inColumn(error: unknown, name: string): unknown {
  if (!(error instanceof EngineError) || error.place !== undefined) return error
  return error.with({ place: `column “${name}”` })
}
