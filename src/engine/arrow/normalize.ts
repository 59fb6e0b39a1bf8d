import { DataType, type Data, type RecordBatch } from 'apache-arrow'
import { isNested, type ColumnType } from '../../tables/types.ts'
import { EngineError } from '../errors.ts'
import { batchFromColumns } from './batch.ts'
import { arrowName, toArrowType } from './types.ts'

/**
 * Converts a batch from any program to the one physical type of each column type, and names its columns `c0`, `c1`,
 * .... Columns that already have the right layout aren't copied. Dictionaries are decoded; unusual widths and units are
 * converted.
 * @param types of the batch's columns in order: as returned by `columnTypeOf`, or VARCHAR for decimals and times with
 * more digits than a column type can hold
 * @param names of the columns, for errors; by default those of the batch
 * @throws {EngineError} `unsupported-format` if digits would be lost: nanoseconds as TIME or TIMESTAMP WITH TIME ZONE,
 * milliseconds as DATE; `internal` if a column's values aren't of the requested type
 */
export async function normalizeBatch(
  batch: RecordBatch,
  types: readonly ColumnType[],
  names?: readonly string[],
): Promise<RecordBatch> {
  const columns: Data[] = []
  for (const [i, type] of types.entries()) {
    const child: Data | undefined = batch.data.children[i]
    if (child === undefined) throw new EngineError('internal', `A batch has no column ${i} of ${types.length}.`)
    try {
      columns.push(inLayout(child, type) ?? (await import('./cast/cast.ts')).cast(child, type))
    } catch (error) {
      throw inColumn(error, names?.[i] ?? batch.schema.fields[i].name)
    }
  }
  return batchFromColumns(columns, batch.numRows)
}

/** The column, if it already has the layout of `toArrowType(type)`, as most columns have; else null. */
function inLayout(data: Data, type: ColumnType): Data | null {
  const wanted = toArrowType(type)
  // An empty column may come without offsets.
  if (isNested(type) || data.length === 0 || arrowName(data.type) !== arrowName(wanted)) return null
  // Decimals may have other widths, or more digits than their type.
  return DataType.isDecimal(data.type) ? null : data.clone(wanted)
}

/** Adds the column as the error's place, unless it has a more precise one. */
function inColumn(error: unknown, name: string): unknown {
  if (!(error instanceof EngineError) || error.place !== undefined) return error
  return error.with({ place: `column “${name}”` })
}
