import { Untranslatable } from './plan.ts'
import { stored, type Expression } from './expression.ts'
import type { Range, Type } from './types.ts'

/** The largest length of a statement: expressions that are printed several times can grow exponentially. */
const MOST_CHARACTERS = 200_000

/** An item of FROM. */
export interface Source {
  readonly alias: string
  /** A table's name, or a statement in parentheses. */
  readonly sql: string
}

/** The rows of one or more sources that fulfil all conditions. */
export interface Relation {
  readonly sources: readonly Source[]
  readonly conditions: readonly Condition[]
  readonly columns: readonly Expression[]
  /** Whether the order of its rows doesn't matter, unlike a table's. */
  readonly unordered: boolean
}

/** @property pair both sides, if it's an equality */
export interface Condition extends Expression {
  readonly pair?: readonly [Expression, Expression]
  /** Whether two NULLs count as equal. Such a condition can only be used to join. */
  readonly nullsMatch?: boolean
}

/** Generates names, and collects common table expressions. */
export class Names {
  /** To be printed in the statement's WITH. */
  readonly common: { readonly name: string; readonly sql: string }[] = []
  private next = 0

  name(): string {
    return `t${this.next++}`
  }
}

/** References to a source's columns by position. */
export function columnsOf(alias: string, columns: readonly Expression[]): Expression[] {
  return columns.map(({ type, range }, i) => columnOf(alias, `c${i}`, type, range))
}

export function columnOf(alias: string, name: string, type: Type, range: Range | null): Expression {
  return { sql: `${alias}.${name}`, type, range, uses: new Set([alias]) }
}

/** A relation with one source: a table, or a statement in parentheses. */
export function sourceOf(sql: string, columns: readonly Expression[], names: Names, unordered: boolean): Relation {
  const alias = names.name()
  return { sources: [{ alias, sql }], conditions: [], columns: columnsOf(alias, columns), unordered }
}

/** Turns a relation into one with a single source. */
export function wrapped(relation: Relation, names: Names): Relation {
  return sourceOf(`(${select(relation)})`, relation.columns, names, relation.unordered)
}

interface Clauses {
  readonly distinct?: boolean
  readonly groups?: readonly Expression[]
}

/** A statement that returns a relation's columns as `c0`, `c1`, ... */
export function select(relation: Relation, { distinct = false, groups }: Clauses = {}): string {
  const list = relation.columns.map((column, i) => `${stored(column)} AS c${i}`)
  const by = groups && groups.length > 0 ? ` GROUP BY ${groups.map(({ sql }) => sql).join(', ')}` : ''
  // SELECT needs at least one column.
  const what = list.length > 0 ? list.join(', ') : '1 AS c0'
  const sql = `SELECT ${distinct ? 'DISTINCT ' : ''}${what}${from(relation)}${by}`
  return sized(sql)
}

/** @throws {Untranslatable} */
export function sized(sql: string): string {
  if (sql.length > MOST_CHARACTERS) throw new Untranslatable('a statement that grows too long')
  return sql
}

/** Joins sources one after another, each by the conditions that connect it with those before. Others become WHERE. */
export function from({ sources, conditions }: Relation): string {
  const [first, ...others] = sources
  if (!first) return where(conditions)
  const left = new Set(conditions)
  const placed = new Set([first.alias])
  const waiting = [...others]
  let sql = ` FROM ${first.sql} AS ${first.alias}`
  while (waiting.length > 0) {
    const connected = (source: Source): Condition[] => [...left].filter((each) => connects(each, source.alias, placed))
    const at = Math.max(
      0,
      waiting.findIndex((source) => connected(source).length > 0),
    )
    const [next] = waiting.splice(at, 1)
    if (!next) break
    const on = connected(next)
    for (const each of on) left.delete(each)
    placed.add(next.alias)
    sql +=
      on.length > 0
        ? ` INNER JOIN ${next.sql} AS ${next.alias} ON ${on.map(joining).join(' AND ')}`
        : ` CROSS JOIN ${next.sql} AS ${next.alias}`
  }
  if ([...left].some(({ nullsMatch }) => nullsMatch)) throw new Untranslatable('NULLs that match beside a join')
  return sql + where([...left])
}

export function joining({ pair, nullsMatch, sql }: Condition): string {
  return pair ? `${stored(pair[0])} ${nullsMatch ? '<=>' : '='} ${stored(pair[1])}` : sql
}

/** Whether one side reads only sources joined before, and the other only the next one. */
function connects({ pair }: Condition, alias: string, placed: ReadonlySet<string>): boolean {
  if (!pair) return false
  const isNext = ({ uses }: Expression): boolean => uses.size === 1 && uses.has(alias)
  const isPlaced = ({ uses }: Expression): boolean => uses.size > 0 && [...uses].every((each) => placed.has(each))
  return (isNext(pair[0]) && isPlaced(pair[1])) || (isNext(pair[1]) && isPlaced(pair[0]))
}

function where(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
}
