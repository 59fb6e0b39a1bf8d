import type { ResultSet } from '../../../../../engine/client.ts'
import type { ChartSpec } from '../../../types.ts'
import { repaired } from './choices.ts'
import type { Field, Sample } from './fields.ts'
import { suggestChart } from './suggest.ts'

/** Rows that the first choice looks at. */
const SAMPLE = 1000
/** Columns that it looks at: beyond those nobody looks for a chart. */
const COLUMNS = 200

/** The chart as it's wanted, made to fit the result; another one where it can't be. Null: nothing can be drawn. */
export function chosen(
  spec: ChartSpec | null,
  fields: readonly Field[],
  result: ResultSet,
  sample: Sample,
): ChartSpec | null {
  const fits =
    spec && [spec.x, spec.y, spec.color].every((key) => key === null || fields.some((field) => field.key === key))
  const start = fits ? spec : suggestChart(result.columns.slice(0, COLUMNS), sample)
  return start ? repaired(start, fields, result.rowCount) : null
}

/** The first rows of a result, for the first choice. */
export function sampleOf(result: ResultSet): Sample {
  const columns = result.columns.slice(0, COLUMNS)
  return Array.from({ length: Math.min(SAMPLE, result.rowCount) }, (_, row) =>
    columns.map((_column, i) => result.text(row, i)),
  )
}
