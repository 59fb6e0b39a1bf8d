import type { ResultColumn, ResultSet } from '../../../../../engine/client.ts'
import type { Aggregate, ChartSpec } from '../../../types.ts'
import { repaired } from './choices.ts'
import { fieldsOf, isIdName, isNumeric, type Field, type Sample } from './fields.ts'

/* Suggests a chart by the columns' types and names, and by some of their values. */

interface Looked extends Field {
  /** Number of distinct values in the sample, and whether every row has its own. */
  readonly distinct: number
  readonly unique: boolean
  readonly part: 'measure' | 'time' | 'category' | 'id' | 'none'
}

/** Numbers with the role of a calendar: they're an axis, and not to be summed. */
const CALENDAR = /(?:^|[_\s.-])(?:year|jahr|month|quarter|week|weekday|day|dow|hour|minute|decade|rank|position)$/i
const AVERAGED =
  /avg|average|mean|median|price|rate|ratio|percent|pct|share|temp|score|speed|age|%|per[_ ]|latitude|longitude|(?:^|_)(?:lat|lon|lng)$/i
/** Number of series that colors can distinguish. */
const SERIES = 8
const BARS = 50

/**
 * Suggests a chart for a result.
 * @param sample its first rows; a thousand suffice
 * @returns null if nothing can be drawn
 */
export function suggestChart(columns: readonly ResultColumn[], sample: Sample): ChartSpec | null {
  const all = fieldsOf(columns, sample)
  const filled = all.filter(({ empty }) => !empty)
  const fields = (filled.length > 0 ? filled : all).map((field) => look(field, sample))
  const of = (part: Looked['part']): Looked[] => fields.filter((field) => field.part === part)
  const measures = of('measure')
  const [time] = of('time')
  const categories = of('category')
  const [measure, second] = measures
  const [category] = categories
  if (time && measure) return alongTime(time, measure, categories)
  if (time) return category && time.unique ? counted(category, null) : histogram(time)
  if (category && measure) {
    const [one, two] = categories.filter(({ unique }) => !unique || sample.length <= BARS)
    if (one && two && one.distinct > 2 && two.distinct > 2) return heatmap(one, two, measure)
    if (one && one.distinct <= BARS) return bars(one, measure, two && two.distinct <= SERIES ? two : null)
    if (!second) return one ? bars(one, measure, null) : histogram(measure)
  }
  if (measure && second) {
    const color = categories.find(({ distinct }) => distinct > 1 && distinct <= SERIES)
    return { mark: 'scatter', x: measure.key, y: second.key, aggregate: 'none', color: color?.key ?? null }
  }
  if (measure) return histogram(measure)
  return withoutMeasure(fields, categories)
}

function withoutMeasure(fields: readonly Looked[], categories: readonly Looked[]): ChartSpec | null {
  const [one, two] = categories.filter(({ unique }) => !unique)
  if (one && two && one.distinct > 2 && two.distinct > 2) return heatmap(one, two, null)
  const some = one ?? categories[0]
  if (some) return counted(some, two && two.distinct <= SERIES ? two.key : null)
  const number = fields.find(isNumeric)
  if (number) return histogram(number)
  const any = fields.find(({ kind }) => kind !== 'other')
  return any ? counted(any, null) : null
}

function look(field: Field, sample: Sample): Looked {
  const values = sample.flatMap((row) => row[field.column] ?? [])
  const distinct = new Set(values).size
  const unique = distinct === values.length && values.length > 1
  return { ...field, distinct, unique, part: partOf(field, values, distinct, unique) }
}

function partOf(field: Field, values: readonly string[], distinct: number, unique: boolean): Looked['part'] {
  const name = field.key.replace(/ \(\d+\)$/, '')
  const named = isIdName(name)
  switch (field.kind) {
    case 'other':
      return 'none'
    case 'time':
      return 'time'
    case 'category':
      // Long distinct texts are for reading, not for counting.
      return field.type === 'UUID' || (unique && named) || isProse(values, distinct) ? 'id' : 'category'
    case 'integer':
      if (named || isCounter(name, values)) return 'id'
      if (CALENDAR.test(name)) return 'time'
      return 'measure'
    case 'number':
      return named ? 'id' : 'measure'
  }
}

function isProse(values: readonly string[], distinct: number): boolean {
  const length = values.reduce((sum, value) => sum + value.length, 0)
  return distinct > BARS && distinct > values.length * 0.8 && length > values.length * 24
}

/** Row numbers: 1, 2, 3, … A measure that happens to increase by one has another name. */
function isCounter(name: string, values: readonly string[]): boolean {
  if (!/^(?:i|n|row|row_?num(?:ber)?|index|idx|column0|#)?$/i.test(name) || values.length < 3) return false
  return values.every((value, i) => i === 0 || Number(value) - Number(values[i - 1]) === 1)
}

const aggregateFor = ({ key }: Field): Aggregate => (AVERAGED.test(key) ? 'mean' : 'sum')

function alongTime(time: Looked, measure: Looked, categories: readonly Looked[]): ChartSpec {
  const color = time.unique ? undefined : categories.find(({ distinct }) => distinct > 1 && distinct <= SERIES)
  return { mark: 'line', x: time.key, y: measure.key, aggregate: aggregateFor(measure), color: color?.key ?? null }
}

function bars(category: Looked, measure: Looked, series: Looked | null): ChartSpec {
  const color = series && !category.unique ? series.key : null
  return { mark: 'bar', x: category.key, y: measure.key, aggregate: aggregateFor(measure), color }
}

function heatmap(x: Looked, y: Looked, measure: Looked | null): ChartSpec {
  // Fewer distinct values go across, since there's less room in that direction.
  const [across, down] = x.distinct <= y.distinct ? [x, y] : [y, x]
  const aggregate = measure ? aggregateFor(measure) : 'count'
  return { mark: 'heatmap', x: across.key, y: down.key, aggregate, color: measure?.key ?? null }
}

const counted = (field: Looked, color: string | null): ChartSpec => ({
  mark: 'bar',
  x: field.key,
  y: null,
  aggregate: 'count',
  color,
})

const histogram = ({ key }: Field): ChartSpec => ({
  mark: 'histogram',
  x: key,
  y: null,
  aggregate: 'count',
  color: null,
})

/** Rows for a suggestion. */
const FIRST_ROWS = 1000
/** Columns to consider: nobody charts results with more. */
const LOOKED_AT = 200

/**
 * The spec adjusted to the result, or a suggestion if there is none or it can't be drawn. Null if nothing can be drawn.
 */
export function fittingChart(
  spec: ChartSpec | null,
  fields: readonly Field[],
  result: ResultSet,
  sample: Sample,
): ChartSpec | null {
  const fits =
    spec && [spec.x, spec.y, spec.color].every((key) => key === null || fields.some((field) => field.key === key))
  const start = fits ? spec : suggestChart(result.columns.slice(0, LOOKED_AT), sample)
  return start ? repaired(start, fields, result.rowCount) : null
}

/** The first rows of a result, for suggestions. */
export function sampleOf(result: ResultSet): Sample {
  const columns = result.columns.slice(0, LOOKED_AT)
  return Array.from({ length: Math.min(FIRST_ROWS, result.rowCount) }, (_, row) =>
    columns.map((_column, i) => result.text(row, i)),
  )
}
