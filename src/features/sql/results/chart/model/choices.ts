import type { Aggregate, ChartSpec, FurtherMeasure, Mark } from '../../../types.ts'
import { isContinuous, isDiscrete, isDrawable, isIdName, isNumeric, type Field, type FieldKind } from './fields.ts'

/* Which charts a result allows, and which fields each encoding takes. */

export const MARKS: readonly { readonly mark: Mark; readonly label: string }[] = [
  { mark: 'bar', label: 'Bar' },
  { mark: 'line', label: 'Line' },
  { mark: 'area', label: 'Area' },
  { mark: 'scatter', label: 'Scatter' },
  { mark: 'histogram', label: 'Histogram' },
  { mark: 'box', label: 'Box' },
  { mark: 'heatmap', label: 'Heat map' },
]

export const AGGREGATES: Readonly<Record<Aggregate, string>> = {
  none: 'Each row',
  count: 'Count of rows',
  sum: 'Sum',
  mean: 'Mean',
  median: 'Median',
  min: 'Least',
  max: 'Greatest',
}

/** Most rows that lines and areas draw one by one: more would be unreadable and slow. */
const RAW_ROWS = 10_000

/** What an encoding accepts. */
export interface Slot {
  readonly takes: (field: Field) => boolean
  /** What it needs, for messages: "a number". */
  readonly needs: string
  readonly required: boolean
  /** Kinds to choose by default, in order of preference. */
  readonly prefers: readonly FieldKind[]
}

interface MarkRule {
  readonly x: Slot
  readonly y: Slot | null
  readonly color: Slot | null
  /** For dots. */
  readonly size?: Slot
  readonly aggregates: (spec: ChartSpec) => readonly Aggregate[]
  /** Whether it takes several measures. */
  readonly several?: boolean
}

/** Number of colors. */
const MOST_MEASURES = 8

const ALONG: readonly FieldKind[] = ['time', 'integer', 'number', 'category']
const APART: readonly FieldKind[] = ['category', 'time', 'integer', 'number']
const MEASURED: readonly FieldKind[] = ['number', 'integer', 'time']
const slot = (
  takes: (field: Field) => boolean,
  needs: string,
  required: boolean,
  prefers: readonly FieldKind[] = MEASURED,
): Slot => ({ takes, needs, required, prefers })
const SERIES = slot(isDiscrete, 'text or whole numbers', false)
const MEASURES = ['sum', 'mean', 'median', 'min', 'max'] as const

export const RULES: Readonly<Record<Mark, MarkRule>> = {
  bar: {
    x: slot(isDrawable, 'a value that can be drawn', true, APART),
    y: slot(isNumeric, 'a number', false),
    color: SERIES,
    aggregates: ({ y }) => (y === null ? ['count'] : [...MEASURES, 'count']),
    several: true,
  },
  line: {
    x: slot(isDrawable, 'a value that can be drawn', true, ALONG),
    y: slot(isNumeric, 'a number', false),
    color: SERIES,
    aggregates: ({ y }) => (y === null ? ['count'] : ['none', ...MEASURES, 'count']),
    several: true,
  },
  area: {
    x: slot(isDrawable, 'a value that can be drawn', true, ALONG),
    y: slot(isNumeric, 'a number', false),
    color: SERIES,
    aggregates: ({ y }) => (y === null ? ['count'] : [...MEASURES, 'count']),
    several: true,
  },
  scatter: {
    x: slot(isContinuous, 'a number or a time', true),
    y: slot(isContinuous, 'a number or a time', true),
    color: SERIES,
    size: slot(isNumeric, 'a number', false),
    aggregates: () => ['none'],
  },
  histogram: {
    x: slot(isContinuous, 'a number or a time', true),
    y: null,
    color: SERIES,
    aggregates: () => ['count'],
  },
  box: {
    x: slot(isDiscrete, 'text or whole numbers', false),
    y: slot(isNumeric, 'a number', true),
    color: null,
    aggregates: () => ['none'],
  },
  heatmap: {
    x: slot(isDrawable, 'a value that can be drawn', true, APART),
    y: slot(isDrawable, 'a value that can be drawn', true, APART),
    color: slot(isNumeric, 'a number', false),
    aggregates: ({ color }) => (color === null ? ['count'] : ['mean', 'sum', 'median', 'min', 'max', 'count']),
  },
}

/** Why a result can't be drawn with a mark; null if it can. */
export function whyNotMark(mark: Mark, fields: readonly Field[]): string | null {
  const wanted = [RULES[mark].x, RULES[mark].y].filter((each) => each?.required) as Slot[]
  if (wanted.every(({ takes }) => fields.filter(takes).length >= wanted.length)) return null
  const [first] = wanted
  if (wanted.length === 2) return mark === 'scatter' ? 'needs two columns of numbers or times' : 'needs two columns'
  return `needs ${first?.needs ?? 'a column'}`
}

/** Why an aggregate isn't possible; null if it is. */
export function whyNotAggregate(aggregate: Aggregate, spec: ChartSpec, rows: number): string | null {
  const possible = RULES[spec.mark].aggregates(spec)
  if (!possible.includes(aggregate)) {
    const measure = spec.mark === 'heatmap' ? spec.color : spec.y
    if (aggregate === 'none') return 'this chart sums rows up'
    if (possible.length === 1 && possible[0] === 'none') return 'this chart shows rows as they are'
    return measure === null && spec.mark !== 'histogram' ? 'needs a column to measure' : 'a histogram counts rows'
  }
  if (aggregate === 'none' && spec.mark === 'line' && rows > RAW_ROWS) return 'too many rows to draw each'
  return null
}

/**
 * The nearest spec that can be drawn.
 * @returns null if nothing in the result can be drawn
 */
export function repaired(spec: ChartSpec, fields: readonly Field[], rows: number): ChartSpec | null {
  const mark =
    whyNotMark(spec.mark, fields) === null
      ? spec.mark
      : MARKS.find((each) => whyNotMark(each.mark, fields) === null)?.mark
  if (!mark) return null
  const rule = RULES[mark]
  const used: string[] = []
  const need = (wanted: Slot, key: string | null, other: string | null): string | null => {
    const rank = (field: Field): number =>
      wanted.prefers.indexOf(field.kind) + (isIdName(field.key) ? 10 : 0) + (field.empty ? 100 : 0)
    const free = fields
      .filter((field) => wanted.takes(field) && !used.includes(field.key))
      .toSorted((a, b) => rank(a) - rank(b))
    const found = free.find((field) => field.key === key) ?? free.find((field) => field.key !== other) ?? free[0]
    if (found) used.push(found.key)
    return found?.key ?? null
  }
  const keep = (wanted: Slot | null, key: string | null): string | null =>
    fields.find((field) => field.key === key && wanted?.takes(field))?.key ?? null
  // Required encodings choose first.
  const x = rule.x.required ? need(rule.x, spec.x, spec.y) : keep(rule.x, spec.x)
  const y = rule.y?.required ? need(rule.y, spec.y, spec.x) : keep(rule.y, spec.y)
  const { more: wished, size: wishedSize, ...kept } = spec
  const size = keep(rule.size ?? null, wishedSize ?? null)
  const encoded: ChartSpec = { ...kept, mark, x, y, color: keep(rule.color, spec.color) }
  const single = size === null ? encoded : { ...encoded, size }
  const aggregate =
    whyNotAggregate(single.aggregate, single, rows) === null
      ? single.aggregate
      : (rule.aggregates(single).find((each) => whyNotAggregate(each, single, rows) === null) ?? 'count')
  const next = { ...single, aggregate }
  const more = rule.several ? furtherOf(next, wished ?? [], fields) : []
  return more.length > 0 ? { ...next, color: null, more } : next
}

/** The additional measures, without duplicates. */
function furtherOf(spec: ChartSpec, wished: readonly FurtherMeasure[], fields: readonly Field[]): FurtherMeasure[] {
  if (spec.y === null) return []
  const rows = spec.aggregate === 'none'
  const seen = new Set([measureId(spec)])
  const found: FurtherMeasure[] = []
  for (const { y, aggregate: asked, right } of wished) {
    const aggregate = rows ? 'none' : asked === 'none' ? 'sum' : asked
    const id = measureId({ y, aggregate })
    if (seen.has(id) || found.length + 1 >= MOST_MEASURES) continue
    if (!fields.some((field) => field.key === y && isNumeric(field))) continue
    seen.add(id)
    found.push({ y, aggregate, right })
  }
  return found
}

const measureId = ({ y, aggregate }: Pick<ChartSpec, 'y' | 'aggregate'>): string =>
  aggregate === 'count' ? 'rows' : JSON.stringify([y, aggregate])

/** Whether another measure than the one at this index is the same. */
export function isMeasured(spec: ChartSpec, index: number, measure: FurtherMeasure): boolean {
  const others = [spec, ...(spec.more ?? []).filter((_, i) => i !== index)]
  return others.some((each) => measureId(each) === measureId(measure))
}

/** Why a further measure can't use an aggregate; null if it can. Either all measures are of single rows, or none is. */
export function whyNotFurther(aggregate: Aggregate, spec: ChartSpec, rows: number): string | null {
  if ((spec.aggregate === 'none') === (aggregate === 'none')) return whyNotAggregate(aggregate, spec, rows)
  return aggregate === 'none' ? 'Y is summed up' : 'Y shows each row'
}

/** A measure that isn't in the chart yet; null if there's none, or no room for it. */
export function nextMeasure(spec: ChartSpec, fields: readonly Field[], rows: number): FurtherMeasure | null {
  const more = spec.more ?? []
  const rank = (field: Field): number =>
    (isIdName(field.key) ? 10 : 0) + (field.empty ? 100 : 0) + (field.key === spec.x ? 1000 : 0)
  const measured = fields.filter(isNumeric).toSorted((a, b) => rank(a) - rank(b))
  const aggregates = spec.aggregate === 'none' ? (['none'] as const) : ([spec.aggregate, ...MEASURES, 'count'] as const)
  for (const aggregate of aggregates) {
    for (const { key } of measured) {
      const wished = [...more, { y: key, aggregate, right: false }]
      const found = repaired({ ...spec, more: wished }, fields, rows)?.more ?? []
      if (found.length > more.length) return found.at(-1) ?? null
    }
  }
  return null
}

/** Applies a choice, and adjusts choices that conflict with it. */
export function changed(
  spec: ChartSpec,
  change: Partial<ChartSpec>,
  fields: readonly Field[],
  rows: number,
): ChartSpec {
  // A color splits a single measure into series.
  const next = { ...spec, ...change, ...(change.color ? { more: [] } : {}) }
  const measured = (each: ChartSpec): string | null => (each.mark === 'heatmap' ? each.color : each.y)
  // If a measure is new, its values are more likely wanted than the count of rows.
  const fresh = measured(spec) === null && measured(next) !== null && change.aggregate === undefined
  const moved = change.mark !== undefined && change.mark !== spec.mark
  const toCells = moved && change.mark === 'heatmap'
  const fromCells = moved && spec.mark === 'heatmap'
  const y = fromCells && spec.color !== null ? { y: spec.color, color: null } : {}
  const swapped = toCells ? { y: spec.color, color: spec.y } : y
  const start: ChartSpec = {
    ...next,
    ...swapped,
    ...(fresh ? { aggregate: next.mark === 'heatmap' ? 'mean' : 'sum' } : {}),
  }
  return repaired(start, fields, rows) ?? spec
}
