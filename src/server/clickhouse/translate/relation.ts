import { Untranslatable } from './plan.ts'
import { stored, type Expression } from './expression.ts'
import type { Type } from './types.ts'

/** Characters of a statement's SQL: expressions that stand for themselves several times may grow beyond all measure. */
const MOST_CHARACTERS = 200_000

/** What stands after FROM. */
export interface Source {
  readonly alias: string
  /** A table's name, or a statement in parentheses. */
  readonly sql: string
}

/** Rows of several sources, those that all conditions hold of. */
export interface Relation {
  readonly sources: readonly Source[]
  readonly conditions: readonly Condition[]
  readonly columns: readonly Expression[]
  /** Its rows come in no order that anybody has settled: it's no table's. */
  readonly unordered: boolean
}

/** @property pair what both sides of an equality are, where it's one */
export interface Condition extends Expression {
  readonly pair?: readonly [Expression, Expression]
  /** Both being NULL is as good as being equal. It can only join. */
  readonly nullsMatch?: boolean
}

/** Names sources, and keeps what several statements are made of. */
export class Names {
  /** Statements with a name, in front of all. */
  readonly common: { readonly name: string; readonly sql: string }[] = []
  private next = 0

  name(): string {
    return `t${this.next++}`
  }
}

/** A source's columns, by their places. */
export function columnsOf(alias: string, columns: readonly Expression[]): Expression[] {
  return columns.map(({ type, range, average }, i) => columnOf(alias, `c${i}`, type, { range, average }))
}

export function columnOf(
  alias: string,
  name: string,
  type: Type,
  { range, average }: Pick<Expression, 'range' | 'average'>,
): Expression {
  return { sql: `${alias}.${name}`, type, range, average, uses: new Set([alias]) }
}

/** A relation that is one source: a table, or a statement in parentheses. */
export function sourceOf(sql: string, columns: readonly Expression[], names: Names, unordered: boolean): Relation {
  const alias = names.name()
  return { sources: [{ alias, sql }], conditions: [], columns: columnsOf(alias, columns), unordered }
}

/** The same rows as one source. */
export function wrapped(relation: Relation, names: Names): Relation {
  return sourceOf(`(${select(relation)})`, relation.columns, names, relation.unordered)
}

interface Clauses {
  readonly distinct?: boolean
  readonly groups?: readonly Expression[]
}

/** A statement that gives a relation's columns as `c0`, `c1`, ... */
export function select(relation: Relation, { distinct = false, groups }: Clauses = {}): string {
  const list = relation.columns.map((column, i) => `${column.average ? column.sql : stored(column)} AS c${i}`)
  const by = groups && groups.length > 0 ? ` GROUP BY ${groups.map(({ sql }) => sql).join(', ')}` : ''
  // A statement needs a column.
  const what = list.length > 0 ? list.join(', ') : '1 AS c0'
  const sql = `SELECT ${distinct ? 'DISTINCT ' : ''}${what}${from(relation)}${by}`
  return sized(sql)
}

/** @throws {Untranslatable} */
export function sized(sql: string): string {
  if (sql.length > MOST_CHARACTERS) throw new Untranslatable('a statement that grows too long')
  return sql
}

/** Sources joined one after another, each by what connects it with those before; the rest filters. */
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

/** Whether one side is of what is there already, and the other of the next source alone. */
function connects({ pair }: Condition, alias: string, placed: ReadonlySet<string>): boolean {
  if (!pair) return false
  const isNext = ({ uses }: Expression): boolean => uses.size === 1 && uses.has(alias)
  const isPlaced = ({ uses }: Expression): boolean => uses.size > 0 && [...uses].every((each) => placed.has(each))
  return (isNext(pair[0]) && isPlaced(pair[1])) || (isNext(pair[1]) && isPlaced(pair[0]))
}

function where(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`
}
