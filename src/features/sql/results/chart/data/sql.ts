import { quoteText } from '../../../../../lib/duckdb-sql/index.ts'
import type { Bins } from '../model/bins.ts'
import type { BoxRequest, GroupKey, GroupRequest, Measure, RankRequest, Role } from './source.ts'

/* The SQL for each query of a `ChartSource`, over the statement whose result is drawn. */

export function profileSql(statement: string, roles: readonly Role[]): string {
  const parts = roles.flatMap((role, i) => [
    `count(*) FILTER (WHERE r${i} IS NULL)`,
    `count(*) FILTER (WHERE r${i} IS NOT NULL AND v${i} IS NULL)`,
    ...(role.as === 'text'
      ? ['NULL', 'NULL']
      : ['min', 'max'].map((edge) => `${edge}(v${i}) FILTER (WHERE ${allThere(roles)})`)),
  ])
  const named = parts.map((part, i) => `${part} AS p${i}`)
  return `${source(statement, roles)} SELECT count(*) AS n, count(*) FILTER (WHERE ${allThere(roles)}) AS d, ${named.join(', ')} FROM source`
}

export function distinctSql(statement: string, roles: readonly Role[], role: number, limit: number): string {
  return `${source(statement, roles)} SELECT count(*) AS n FROM (SELECT DISTINCT v${role} FROM source WHERE ${allThere(roles)} LIMIT ${limit + 1})`
}

export function rankSql(statement: string, { roles, role, measure, limit }: RankRequest): string {
  return `${source(statement, roles)}, grouped AS (
  SELECT v${role} AS k, count(*) AS n, ${measureSql(measure)} AS m FROM source WHERE ${allThere(roles)} GROUP BY v${role}
), ranked AS (SELECT k, n, row_number() OVER (ORDER BY m DESC, k ASC) AS i FROM grouped)
SELECT k, i, (SELECT count(*) FROM ranked) AS d, (SELECT sum(n) FROM ranked WHERE i > ${limit})::DOUBLE AS rest
FROM ranked WHERE i <= ${limit} ORDER BY i ASC`
}

export function groupsSql(statement: string, { roles, keys, measure }: GroupRequest): string {
  const names = keys.map((_, i) => `k${i}`)
  const selected = keys.map((key, i) => `${keySql(key)} AS k${i}, `).join('')
  const where = [allThere(roles), ...keys.flatMap(dropSql)].join(' AND ')
  const grouped = names.length > 0 ? ` GROUP BY ${names.join(', ')}` : ''
  return `${source(statement, roles)} SELECT ${names.map((name) => `${name}, `).join('')}count(*) AS n, ${measureSql(measure)} AS m
FROM (SELECT ${selected}* FROM source WHERE ${where})${grouped}`
}

export function boxesSql(statement: string, { roles, key, value }: BoxRequest): string {
  const where = [allThere(roles), ...(key ? dropSql(key) : [])].join(' AND ')
  return `${source(statement, roles)}, kept AS (SELECT ${key ? keySql(key) : `''`} AS k, v${value} AS v FROM source WHERE ${where}),
boxes AS (
  SELECT k, count(*) AS n, min(v) AS lo, quantile_cont(v, 0.25) AS q1, quantile_cont(v, 0.5) AS q2, quantile_cont(v, 0.75) AS q3, max(v) AS hi
  FROM kept GROUP BY k
), fences AS (SELECT *, q1 - 1.5 * (q3 - q1) AS below, q3 + 1.5 * (q3 - q1) AS above FROM boxes)
SELECT k, any_value(n) AS n, any_value(lo) AS lo, any_value(q1) AS q1, any_value(q2) AS q2, any_value(q3) AS q3, any_value(hi) AS hi,
  min(v) FILTER (WHERE v >= below) AS low, max(v) FILTER (WHERE v <= above) AS high, count(*) FILTER (WHERE v < below OR v > above) AS beyond
FROM kept JOIN fences USING (k) GROUP BY k`
}

/** The statement's columns as `r0`, `v0`, …: as they are, and as drawn (null if they can't be drawn). */
function source(statement: string, roles: readonly Role[]): string {
  const width = Math.max(0, ...roles.map(({ column }) => column + 1))
  const names = Array.from({ length: width }, (_, i) => `c${i}`)
  const renamed = names.length > 0 ? `(${names.join(', ')})` : ''
  const columns = roles.map((role, i) => `c${role.column} AS r${i}, ${valueSql(role)} AS v${i}`)
  // On separate lines, since it may end with a comment.
  return `WITH source AS NOT MATERIALIZED (SELECT ${columns.join(', ') || '1 AS one'} FROM (
${statement}
) AS drawn${renamed})`
}

function valueSql({ column, as, isArea = false }: Role): string {
  const name = `c${column}`
  if (as === 'text') return `CAST(${name} AS VARCHAR)`
  if (as === 'number') {
    const number = `TRY_CAST(${name} AS DOUBLE)`
    return `CASE WHEN isfinite(${number})${isArea ? ` AND ${number} > 0` : ''} THEN ${number} END`
  }
  const time = `CAST(${name} AS TIMESTAMP)`
  return `CASE WHEN isfinite(${time}) THEN floor(CAST(epoch_us(${time}) AS DOUBLE) / 1000) END`
}

function allThere(roles: readonly Role[]): string {
  return roles.map((_, i) => `v${i} IS NOT NULL`).join(' AND ') || 'true'
}

function measureSql(measure: Measure | null): string {
  if (!measure) return 'CAST(count(*) AS DOUBLE)'
  const name = measure.aggregate === 'mean' ? 'avg' : measure.aggregate
  return `${name}(v${measure.role})`
}

function keySql({ role, bins, only }: GroupKey): string {
  if (bins) return binSql(bins, `v${role}`)
  if (only?.rest === 'fold') return `CASE WHEN v${role} IN (${list(only.values)}) THEN v${role} END`
  return `v${role}`
}

function dropSql({ role, only }: GroupKey): string[] {
  return only?.rest === 'drop' ? [`v${role} IN (${list(only.values)})`] : []
}

function binSql(bins: Bins, value: string): string {
  if (bins.by === 'step') return `floor((${value} - ${double(bins.start)}) / ${double(bins.step)})`
  const time = `make_timestamp(CAST(${value} AS BIGINT) * 1000)`
  return `floor((year(${time}) * 12 + month(${time}) - 1) / ${bins.every})`
}

const double = (value: number): string => `CAST('${value}' AS DOUBLE)`
const list = (values: readonly string[]): string => values.map(quoteText).join(', ') || 'NULL'
