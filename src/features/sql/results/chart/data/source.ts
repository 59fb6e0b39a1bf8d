import type { Aggregate } from '../../../types.ts'
import type { Bins } from '../model/bins.ts'

/* What a chart asks of its rows. The engine answers it in SQL, the page from the rows that it has: with the same numbers. */

/** A column, and what its values are taken for. Times are milliseconds since 1970 in UTC. */
export interface Role {
  /** Index of the column. */
  readonly column: number
  readonly as: 'number' | 'time' | 'text'
  /** It's an area: 0 and less is no number of it. */
  readonly isArea?: boolean
}

/** Rows in which all values are there and finite are drawn; what keeps the others out is counted. */
export interface Profile {
  readonly rows: number
  readonly drawn: number
  readonly roles: readonly RoleProfile[]
}

interface RoleProfile {
  readonly nulls: number
  /** Not null, and not to be drawn: NaN, infinities, areas of 0 and less. */
  readonly odd: number
  /** Of rows that are drawn; null for text, and when there are none. */
  readonly min: number | null
  readonly max: number | null
}

export interface Measure {
  /** Index of the role that is measured; with `count` it only has to be there. */
  readonly role: number
  readonly aggregate: Exclude<Aggregate, 'none' | 'count'>
}

interface Ranking {
  /** How many different values there are. */
  readonly distinct: number
  /** The first of them, by the measure or by rows, largest first. */
  readonly top: readonly string[]
  /** Rows of those that aren't among them. */
  readonly restRows: number
}

export interface GroupKey {
  /** Index of the role. */
  readonly role: number
  /** Null: by the value itself. */
  readonly bins: Bins | null
  /** Rows with other values are left out (`drop`), or have the key null (`fold`). */
  readonly only: { readonly values: readonly string[]; readonly rest: 'drop' | 'fold' } | null
}

export interface Group {
  /** The value, the bin's number, or null for folded ones; by key. */
  readonly keys: readonly (string | number | null)[]
  readonly rows: number
  /** The measure; the number of rows when there's none. */
  readonly value: number
}

export interface BoxStats {
  /** Null when there's one box for all. */
  readonly key: string | null
  readonly rows: number
  readonly min: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly max: number
  /** The farthest values within one and a half times the box's height of it. */
  readonly low: number
  readonly high: number
  /** Rows beyond those. */
  readonly outliers: number
}

export interface ChartSource {
  /** Where it's counted. */
  readonly place: 'engine' | 'page'
  profile(roles: readonly Role[], signal: AbortSignal): Promise<Profile>
  /** How many different values a role has among the rows that are drawn; `limit + 1` when there are more than `limit`. */
  distinct(roles: readonly Role[], role: number, limit: number, signal: AbortSignal): Promise<number>
  rank(request: RankRequest, signal: AbortSignal): Promise<Ranking>
  groups(request: GroupRequest, signal: AbortSignal): Promise<Group[]>
  boxes(request: BoxRequest, signal: AbortSignal): Promise<BoxStats[]>
}

export interface RankRequest {
  readonly roles: readonly Role[]
  /** Index of a role that is text. */
  readonly role: number
  readonly measure: Measure | null
  readonly limit: number
}

export interface GroupRequest {
  readonly roles: readonly Role[]
  readonly keys: readonly GroupKey[]
  readonly measure: Measure | null
}

export interface BoxRequest {
  readonly roles: readonly Role[]
  readonly key: GroupKey | null
  /** Index of the role whose values are described. */
  readonly value: number
}
