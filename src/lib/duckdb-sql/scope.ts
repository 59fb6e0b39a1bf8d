import { sameName } from './names.ts'
import type { Core, Cte, Parsed, Query, Relation, Span } from './parse.ts'

/** What can be named at a position in a statement. */
export interface Scope {
  readonly parsed: Parsed
  readonly query: Query
  readonly core: Core
  /** Nearest first; `outer` is the number of queries in between. */
  readonly relations: readonly { readonly relation: Relation; readonly outer: number }[]
  /** Nearest first. */
  readonly ctes: readonly VisibleCte[]
}

/** A CTE, and the CTEs that its own query can name. */
export interface VisibleCte {
  readonly cte: Cte
  readonly before: readonly VisibleCte[]
}

/** The names in scope at a position, in UTF-16 code units of the statement. */
export function scopeAt(parsed: Parsed, position: number): Scope {
  const root = parsed.query
  let query = root
  let core = coreAt(parsed, root, position)
  let ctes: readonly VisibleCte[] = []
  const levels: (readonly Relation[])[] = []
  for (;;) {
    const inner = core.subqueries.find((subquery) => holds(parsed, subquery, position))
    ctes = visibleCtes(query, ctes, inner ?? null)
    // A CTE's query doesn't see the relations of the query that contains it.
    if (!query.ctes.some((cte) => cte.query === inner)) levels.unshift(core.relations)
    if (!inner) break
    query = inner
    core = coreAt(parsed, inner, position)
  }
  return {
    parsed,
    query,
    core,
    ctes,
    relations: levels.flatMap((relations, outer) => relations.map((relation) => ({ relation, outer }))),
  }
}

/** The CTEs that a part of a query can name: all of them or, in a CTE's body, those before it. */
export function visibleCtes(query: Query, outer: readonly VisibleCte[], inside: Query | null): readonly VisibleCte[] {
  let visible = outer
  for (const cte of query.ctes) {
    if (cte.query === inside) return cte.recursive ? [{ cte, before: visible }, ...visible] : visible
    visible = [{ cte, before: visible }, ...visible]
  }
  return visible
}

export function findCte(ctes: readonly VisibleCte[], path: readonly string[]): VisibleCte | null {
  const [name] = path
  return (path.length === 1 && name !== undefined && ctes.find(({ cte }) => sameName(cte.name, name))) || null
}

/** The name that qualifies a relation's columns. */
export function relationName({ alias, path }: Relation): string | null {
  return alias ?? path.at(-1) ?? null
}

/** The relation with which a path begins, and how many of the path's names it takes; null if there's none. */
export function findRelation(
  relations: Scope['relations'],
  path: readonly string[],
): { readonly relation: Relation; readonly taken: number } | null {
  for (let taken = Math.min(3, path.length); taken > 0; taken--) {
    const wanted = path.slice(0, taken)
    const found = relations.find(({ relation }) => {
      const names = relation.alias === null ? relation.path : [relation.alias]
      const ending = names.slice(-taken)
      return ending.length === taken && ending.every((name, index) => sameName(name, wanted[index] ?? ''))
    })
    if (found) return { relation: found.relation, taken }
  }
  return null
}

/** The text that tokens cover. */
export function spanText({ text, tokens }: Parsed, { lo, hi }: Span): string {
  const first = tokens[lo]
  const last = tokens[hi - 1]
  return first && last && hi > lo ? text.slice(first.from, last.to) : ''
}

function coreAt(parsed: Parsed, query: Query, position: number): Core {
  const found = query.cores.find(
    (core, index) => index === query.cores.length - 1 || position <= start(parsed, core.hi),
  )
  return found ?? { lo: query.lo, hi: query.hi, relations: [], items: null, opaque: false, subqueries: [] }
}

/** Whether a position is in a subquery, between its parentheses. */
function holds(parsed: Parsed, { lo, hi }: Query, position: number): boolean {
  const before = parsed.tokens[lo - 1]
  return (before?.to ?? 0) <= position && position <= start(parsed, hi)
}

function start({ text, tokens }: Parsed, index: number): number {
  return tokens[index]?.from ?? text.length
}
