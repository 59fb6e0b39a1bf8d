import type { Aggregate } from '../../../types.ts'
import type { Bins } from '../model/bins.ts'

/* The queries of a chart. The engine answers them in SQL, the page from its own rows; both give the same numbers. */

/** A column, and how to read its values. Times are milliseconds since 1970 in UTC. */
export interface Role {
  /** Index of the column. */
  readonly column: number
  readonly as: 'number' | 'time' | 'text'
  /** Whether it's shown as an area: values must then be positive. */
  readonly isArea?: boolean
}

/** A row is drawn if all of its values are there and finite. The counts say why others aren't. */
export interface Profile {
  readonly rows: number
  readonly drawn: number
  readonly roles: readonly RoleProfile[]
}

interface RoleProfile {
  readonly nulls: number
  /** Not null, but not drawable: NaN, infinities, and areas that aren't positive. */
  readonly odd: number
  /** Over the drawn rows; null for text, and if there are none. */
  readonly min: number | null
  readonly max: number | null
}

export interface Measure {
  /** Index of the measured role. For `count`, it only must have a value. */
  readonly role: number
  readonly aggregate: Exclude<Aggregate, 'none' | 'count'>
}

interface Ranking {
  /** Number of distinct values. */
  readonly distinct: number
  /** The first values by the measure or by row count, in descending order. */
  readonly top: readonly string[]
  /** Number of rows with other values. */
  readonly restRows: number
}

export interface GroupKey {
  /** Index of the role. */
  readonly role: number
  /** Null groups by the value itself. */
  readonly bins: Bins | null
  /**
   * What to do with rows that have other values: leave them out (`drop`), or group them under the key null (`fold`).
   */
  readonly only: { readonly values: readonly string[]; readonly rest: 'drop' | 'fold' } | null
}

export interface Group {
  /** One key per role: the value, the bin's number, or null for folded ones. */
  readonly keys: readonly (string | number | null)[]
  readonly rows: number
  /** The measure; the number of rows if there's none. */
  readonly value: number
}

export interface BoxStats {
  /** Null if there's one box for all rows. */
  readonly key: string | null
  readonly rows: number
  readonly min: number
  readonly q1: number
  readonly median: number
  readonly q3: number
  readonly max: number
  /** Ends of the whiskers: the farthest values within 1.5 times the box's height. */
  readonly low: number
  readonly high: number
  /** Number of rows beyond the whiskers. */
  readonly outliers: number
}

export interface ChartSource {
  /** Where it aggregates. */
  readonly place: 'engine' | 'page'
  profile(roles: readonly Role[], signal: AbortSignal): Promise<Profile>
  /** Number of a role's distinct values among the drawn rows; `limit + 1` if there are more than `limit`. */
  distinct(roles: readonly Role[], role: number, limit: number, signal: AbortSignal): Promise<number>
  rank(request: RankRequest, signal: AbortSignal): Promise<Ranking>
  groups(request: GroupRequest, signal: AbortSignal): Promise<Group[]>
  boxes(request: BoxRequest, signal: AbortSignal): Promise<BoxStats[]>
}

export interface RankRequest {
  readonly roles: readonly Role[]
  /** Index of a text role. */
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
  /** Index of the role whose values are summarized. */
  readonly value: number
}
