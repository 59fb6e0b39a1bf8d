import { quoteText } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { PlanNode } from '../gate/authorize.ts'
import { marker } from './markers.ts'
import type { TableFile } from './table-file.ts'

/*
 * Which parts of a file can hold rows that a statement's filters let through. The statement is explained over a view whose
 * columns are made of their markers and the row's number: the engine then moves the filters down to where the rows come
 * from, and whatever names the statement gives columns, a comparison there tells by the marker which column it's of.
 */

/** A column in that view. */
export function filtered(id: string, index: number, type: string): string {
  const value = `concat(${quoteText(marker(id, index))}, CAST(range AS VARCHAR))`
  return type === 'VARCHAR' ? value : `CAST(${value} AS ${type})`
}

/** The filters that every row of the plan's only source passes; null where it has several sources. */
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

/** What a part's smallest and largest value must be, for the comparison to hold for one of its rows. */
const HOLDS: Readonly<Record<string, (low: string, high: string, value: string) => string>> = {
  '=': (low, high, value) => `(${low} <= ${value} AND ${high} >= ${value})`,
  '<': (low, _, value) => `${low} < ${value}`,
  '<=': (low, _, value) => `${low} <= ${value}`,
  '>': (_, high, value) => `${high} > ${value}`,
  '>=': (_, high, value) => `${high} >= ${value}`,
}

/** Reads filters as conditions on a part's bounds: of those that it doesn't know, none. */
class FilterReader {
  /** Columns that conditions are about. */
  readonly columns = new Set<number>()
  private readonly id: string
  private readonly all: readonly Column[]

  constructor(id: string, all: readonly Column[]) {
    this.id = id
    this.all = all
  }

  /** @returns null where it isn't known what the filter asks for */
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

  /** `(… OR … OR …)` */
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

  /** The names of a column's bounds, where what is compared is the column itself, not the column as another type. */
  private bounds(id: string | undefined, column: number, type: string | undefined): [low: string, high: string] | null {
    const own = this.all[column]
    if (id !== this.id || !own || printType(own.type) !== (type ?? 'VARCHAR')) return null
    this.columns.add(column)
    return [`low${column}`, `high${column}`]
  }
}

/**
 * A query for the numbers of the parts that can hold rows which filters let through.
 * @returns null where none can be told from the others
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
  // What isn't known of a part makes a condition NULL.
  const may = conditions.map((condition) => `coalesce(${condition}, true)`)
  return `SELECT part FROM (SELECT part, ${typed.join(', ')} FROM (VALUES ${rows.join(', ')}) AS t(part, ${names.join(', ')})) WHERE ${may.join(' AND ')}`
}
