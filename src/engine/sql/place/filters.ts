import { quoteText } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { marker } from './markers.ts'
import type { TableFile } from './table-file.ts'

/*
 * Finds the parts of a file (row groups) that may have rows which a statement's filters accept. The statement is
 * explained over a view whose columns consist of a marker and the row number. The engine pushes filters down to that
 * source, and the markers show which column a comparison is about, whatever the statement calls it.
 */

/** A column of that view. */
export function filtered(id: string, index: number, type: string): string {
  const value = `concat(${quoteText(marker(id, index))}, CAST(range AS VARCHAR))`
  return type === 'VARCHAR' ? value : `CAST(${value} AS ${type})`
}

/** The filters on the plan's only source; null if there are several sources. */
export function filtersOf(plan: readonly PlanNode[]): string[] | null {
  const sources: string[][] = []
  const visit = ({ name, children, extra_info: info }: PlanNode, above: readonly string[]): void => {
    const kind = name.trim()
    const own = kind === 'FILTER' ? [info['Expressions'] ?? []].flat() : []
    if (kind === 'RANGE') sources.push([...above])
    for (const child of children) visit(child, kind === 'FILTER' ? [...above, ...own] : [])
  }
  for (const node of plan) visit(node, [])
  return sources.length === 1 ? sources[0] : null
}

const COLUMN = String.raw`(?:CAST\()?concat\('~([0-9a-f]{32}):(\d+)~', CAST\(range AS VARCHAR\)\)(?: AS ([A-Z ]+(?:\(\d+,\d+\))?)\))?`
const LITERAL = String.raw`(-?\d+(?:\.\d+)?|'(?:[^']|'')*'(?:::(?:DATE|TIMESTAMP(?: WITH TIME ZONE)?))?)`
const COMPARISON = new RegExp(String.raw`\(${COLUMN} (=|<=?|>=?) ${LITERAL}\)`, 'y')
const BETWEEN = new RegExp(String.raw`\(${COLUMN} BETWEEN ${LITERAL} AND ${LITERAL}\)`, 'y')

/** The condition on a part's minimum and maximum under which a comparison can be true for one of its rows. */
const HOLDS: Readonly<Record<string, (low: string, high: string, value: string) => string>> = {
  '=': (low, high, value) => `(${low} <= ${value} AND ${high} >= ${value})`,
  '<': (low, _, value) => `${low} < ${value}`,
  '<=': (low, _, value) => `${low} <= ${value}`,
  '>': (_, high, value) => `${high} > ${value}`,
  '>=': (_, high, value) => `${high} >= ${value}`,
}

/** Translates filters to conditions on parts' bounds. A filter that it doesn't understand gives no condition. */
class FilterReader {
  /** Columns that the conditions use. */
  readonly columns = new Set<number>()
  private readonly id: string
  private readonly all: readonly Column[]

  constructor(id: string, all: readonly Column[]) {
    this.id = id
    this.all = all
  }

  /** @returns null if the filter isn't understood */
  condition(filter: string): string | null {
    const found = this.at(filter, 0)
    return found?.end === filter.length ? found.sql : null
  }

  private at(text: string, from: number): { readonly sql: string; readonly end: number } | null {
    COMPARISON.lastIndex = from
    BETWEEN.lastIndex = from
    const compared = COMPARISON.exec(text)
    if (compared) {
      const [, id, column, type, operator = '', value = ''] = compared
      const bounds = this.bounds(id, Number(column), type)
      return bounds && { sql: HOLDS[operator](...bounds, value), end: COMPARISON.lastIndex }
    }
    const between = BETWEEN.exec(text)
    if (between) {
      const [, id, column, type, first, last] = between
      const bounds = this.bounds(id, Number(column), type)
      return bounds && { sql: `(${bounds[1]} >= ${first} AND ${bounds[0]} <= ${last})`, end: BETWEEN.lastIndex }
    }
    return text[from] === '(' ? this.either(text, from) : null
  }

  /** Parses `(… OR … OR …)`. */
  private either(text: string, from: number): { readonly sql: string; readonly end: number } | null {
    const all: string[] = []
    for (let at = from + 1; ;) {
      const each = this.at(text, at)
      if (!each) return null
      all.push(each.sql)
      if (text[each.end] === ')') return { sql: `(${all.join(' OR ')})`, end: each.end + 1 }
      if (!text.startsWith(' OR ', each.end)) return null
      at = each.end + 4
    }
  }

  /** The names of a column's bounds, if the column is compared as it is and not cast. */
  private bounds(id: string | undefined, column: number, type: string | undefined): [low: string, high: string] | null {
    const own = this.all[column]
    if (id !== this.id || !own || printType(own.type) !== (type ?? 'VARCHAR')) return null
    this.columns.add(column)
    return [`low${column}`, `high${column}`]
  }
}

/**
 * A query for the numbers of the parts that may have rows which the filters accept.
 * @returns null if no part can be ruled out
 */
export function partsQuery(
  filters: readonly string[],
  {
    id,
    columns,
    parts,
  }: { readonly id: string; readonly columns: readonly Column[]; readonly parts: TableFile['parts'] },
): string | null {
  const reader = new FilterReader(id, columns)
  const conditions = filters.flatMap((filter) => reader.condition(filter) ?? [])
  const asked = [...reader.columns]
  if (conditions.length === 0 || parts.length < 2) return null
  const rows = parts.map(({ bounds }, i) => {
    const values = asked.map((column) => bounds(column))
    return `(${[i, ...values.flatMap((each) => (each ? [quoteText(each.min), quoteText(each.max)] : ['NULL', 'NULL']))].join(', ')})`
  })
  const names = asked.flatMap((column) => [`low${column}`, `high${column}`])
  const typed = asked.flatMap((column) =>
    [`low${column}`, `high${column}`].map((name) => `CAST(${name} AS ${printType(columns[column].type)}) AS ${name}`),
  )
  // A condition is NULL for a part without bounds, which then counts as a match.
  const may = conditions.map((condition) => `coalesce(${condition}, true)`)
  return `SELECT part FROM (SELECT part, ${typed.join(', ')} FROM (VALUES ${rows.join(', ')}) AS t(part, ${names.join(', ')})) WHERE ${may.join(' AND ')}`
}
