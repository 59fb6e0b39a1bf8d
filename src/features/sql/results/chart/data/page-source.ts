import type { ResultSet } from '../../../../../engine/client.ts'
import { binOf } from '../model/bins.ts'
import { toArea, toNumber, toTime } from '../model/fields.ts'
import type { BoxStats, ChartSource, Group, GroupKey, Measure, Profile, Role } from './source.ts'
import { Yielder } from '../../../../../lib/yielding.ts'

/** A role's values by row: null for NULL, `ODD` for values without a position on the axis. */
type Values = readonly Value[]
type Value = string | number | null | typeof ODD
const ODD = Symbol('odd')

/** Aggregates the rows in the page, in time slices so that the page stays responsive. */
export function pageSource(result: ResultSet): ChartSource {
  const read = new Map<string, Promise<Values>>()
  const values = (role: Role, signal: AbortSignal): Promise<Values> => {
    const key = `${role.column} ${role.as} ${role.isArea ?? false}`
    let found = read.get(key)
    if (!found) {
      found = readValues(result, role, signal)
      read.set(key, found)
      // Read again after an abort.
      found.catch(() => read.delete(key))
    }
    return found
  }
  const rows = async (roles: readonly Role[], signal: AbortSignal): Promise<Rows> => {
    const columns: Values[] = []
    for (const role of roles) columns.push(await values(role, signal))
    signal.throwIfAborted()
    return { columns, count: result.rowCount, signal }
  }
  return {
    place: 'page',
    profile: async (roles, signal) => profileOf(await rows(roles, signal), roles),
    distinct: async (roles, role, limit, signal) => {
      const seen = new Set<Value>()
      const all = await rows(roles, signal)
      await forDrawn(all, (row) => {
        if (seen.size <= limit) seen.add(all.columns[role]?.[row] ?? null)
      })
      return seen.size
    },
    rank: async ({ roles, role, measure, limit }, signal) => {
      const key = { role, bins: null, only: null }
      const groups = await grouped(await rows(roles, signal), [key], measure)
      const sorted = groups.toSorted((a, b) => b.value - a.value || compareBytes(String(a.keys[0]), String(b.keys[0])))
      return {
        distinct: sorted.length,
        top: sorted.slice(0, limit).map(({ keys }) => String(keys[0])),
        restRows: sorted.slice(limit).reduce((sum, group) => sum + group.rows, 0),
      }
    },
    groups: async ({ roles, keys, measure }, signal) => grouped(await rows(roles, signal), keys, measure),
    boxes: async ({ roles, key, value }, signal) => {
      const all = await rows(roles, signal)
      const collected = await collect(all, key ? [key] : [], value)
      return collected.map(({ keys, values: of }): BoxStats => ({ key: key ? String(keys[0]) : null, ...boxOf(of) }))
    },
  }
}

interface Rows {
  readonly columns: readonly Values[]
  readonly count: number
  readonly signal: AbortSignal
}

/** Longest time slice, in milliseconds. */
export const SLICE_MS = 8

async function readValues(
  result: ResultSet,
  { column, as, isArea = false }: Role,
  signal: AbortSignal,
): Promise<Values> {
  const yielder = new Yielder(signal, SLICE_MS)
  const toValue = isArea ? toArea : toNumber
  const parse = as === 'number' ? toValue : as === 'time' ? toTime : (text: string) => text
  const values: Value[] = []
  for (let row = 0; row < result.rowCount; row++) {
    if (yielder.due) await yielder.yield()
    const text = result.text(row, column)
    values.push(text === null ? null : (parse(text) ?? ODD))
  }
  return values
}

/** Visits each row whose values can all be drawn. */
async function forDrawn({ columns, count, signal }: Rows, visit: (row: number) => void): Promise<void> {
  const yielder = new Yielder(signal, SLICE_MS)
  for (let row = 0; row < count; row++) {
    if (yielder.due) await yielder.yield()
    if (columns.every((values) => isThere(values[row]))) visit(row)
  }
}

const isThere = (value: Value | undefined): value is string | number =>
  typeof value === 'string' || typeof value === 'number'

async function profileOf(all: Rows, roles: readonly Role[]): Promise<Profile> {
  const found = roles.map(() => ({ min: Infinity, max: -Infinity }))
  let drawn = 0
  await forDrawn(all, (row) => {
    drawn++
    for (const [i, each] of found.entries()) {
      const value = all.columns[i]?.[row]
      if (typeof value !== 'number') continue
      if (value < each.min) each.min = value
      if (value > each.max) each.max = value
    }
  })
  return {
    rows: all.count,
    drawn,
    roles: found.map(({ min, max }, i) => ({
      nulls: countOf(all.columns[i], null),
      odd: countOf(all.columns[i], ODD),
      min: min <= max ? min : null,
      max: min <= max ? max : null,
    })),
  }
}

const countOf = (values: Values | undefined, which: Value): number =>
  values?.reduce<number>((sum, value) => (value === which ? sum + 1 : sum), 0) ?? 0

interface Collected {
  readonly keys: readonly (string | number | null)[]
  /** Values of the measure; empty without one. */
  readonly values: number[]
  rows: number
}

async function collect(all: Rows, keys: readonly GroupKey[], role: number | null): Promise<Collected[]> {
  const groups = new Map<string, Collected>()
  const readers = keys.map((key) => keyReader(key, all.columns[key.role] ?? []))
  await forDrawn(all, (row) => {
    const found = readers.map((read) => read(row))
    if (found.includes(undefined)) return
    const own = found as (string | number | null)[]
    const id = JSON.stringify(own)
    let group = groups.get(id)
    if (!group) groups.set(id, (group = { keys: own, values: [], rows: 0 }))
    group.rows++
    const value = role === null ? null : all.columns[role]?.[row]
    if (typeof value === 'number') group.values.push(value)
  })
  return [...groups.values()]
}

/** Returns a row's key; undefined if the row is left out. */
function keyReader({ bins, only }: GroupKey, values: Values): (row: number) => string | number | null | undefined {
  const kept = only ? new Set<Value>(only.values) : null
  const rest = only?.rest === 'fold' ? null : undefined
  return (row) => {
    const value = values[row]
    if (!isThere(value)) return undefined
    if (bins) return typeof value === 'number' ? binOf(bins, value) : undefined
    return kept && !kept.has(value) ? rest : value
  }
}

async function grouped(all: Rows, keys: readonly GroupKey[], measure: Measure | null): Promise<Group[]> {
  const groups = await collect(all, keys, measure?.role ?? null)
  return groups.map((group) => ({
    keys: group.keys,
    rows: group.rows,
    value: measure ? aggregateOf(measure.aggregate, group.values) : group.rows,
  }))
}

const encoder = new TextEncoder()

/** Compares UTF-8 bytes, as DuckDB does. */
function compareBytes(a: string, b: string): number {
  const [left, right] = [encoder.encode(a), encoder.encode(b)]
  const end = Math.min(left.length, right.length)
  for (let i = 0; i < end; i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return left.length - right.length
}

/* Aggregates with DuckDB's definitions. */

function aggregateOf(aggregate: Measure['aggregate'], values: readonly number[]): number {
  switch (aggregate) {
    case 'sum':
      return sum(values)
    case 'mean':
      return sum(values) / values.length
    case 'median':
      return quantile(ascending(values), 0.5)
    case 'min':
      return values.reduce((least, value) => Math.min(least, value), Infinity)
    case 'max':
      return values.reduce((most, value) => Math.max(most, value), -Infinity)
  }
}

/** @param values at least one */
function boxOf(values: readonly number[]): Omit<BoxStats, 'key'> {
  const sorted = ascending(values)
  const [q1, median, q3] = [quantile(sorted, 0.25), quantile(sorted, 0.5), quantile(sorted, 0.75)]
  const [below, above] = [q1 - 1.5 * (q3 - q1), q3 + 1.5 * (q3 - q1)]
  const within = sorted.filter((value) => value >= below && value <= above)
  return {
    rows: sorted.length,
    min: sorted[0] ?? 0,
    q1,
    median,
    q3,
    max: sorted.at(-1) ?? 0,
    low: within[0] ?? q1,
    high: within.at(-1) ?? q3,
    outliers: sorted.length - within.length,
  }
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)
const ascending = (values: readonly number[]): number[] => values.toSorted((a, b) => a - b)

/** Interpolates like DuckDB's `quantile_cont`. */
function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share
  const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0]
  return low + (high - low) * (place - Math.floor(place))
}
