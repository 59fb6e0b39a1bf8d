import { useQuery, useQueryClient } from '@tanstack/react-query'
import { z } from 'zod'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import type { Column } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { histogramSql, profileKind, summarySql, tableName, topSql, versionOf, type ProfileKind } from '../model/sql.ts'

const BINS = 24
const TOP = 10
/** In larger tables, the number of different values is estimated. */
const MOST_COUNTED = 1_000_000

/** A column's statistics. */
export interface Profile {
  readonly kind: ProfileKind
  readonly rows: number
  readonly nulls: number
  /** Number of different values; an estimate unless `exact`. */
  readonly distinct: number
  readonly exact: boolean
  /** As returned by the service; null if the values have no order, or there are none. */
  readonly low: unknown
  readonly high: unknown
  readonly histogram: Histogram | null
  readonly top: readonly { readonly value: string; readonly count: number }[] | null
}

export interface Histogram {
  /** Number of values in each part of the range. */
  readonly bins: readonly number[]
  /** The range as numbers; in seconds for dates and times. */
  readonly low: number
  readonly high: number
}

// Counts above 2^53 are text; a bar chart doesn't need them exactly.
const count = z.coerce.number()
const summaryRow = z.object({ n: count, filled: count, distinct_count: count, low: z.unknown(), high: z.unknown() })
const binRow = z.object({ bin: count.nullable(), n: count, low: count, high: count })
const topRow = z.object({ value: z.string(), n: count })

/** Queries a column's profile when it's shown. Leaving it, or `cancel`, stops the queries. */
export function useProfile(dataset: DatasetDetails, table: DatasetTable, column: Column) {
  const session = useSession()
  const queries = useQueryClient()
  const name = tableName(session.slug, dataset.name, table.name)
  const queryKey = ['profile', session.workspaceId, dataset.id, name, ...versionOf(table), column.name]
  const result = useQuery({
    queryKey,
    staleTime: Infinity,
    queryFn: async ({ signal }): Promise<Profile> => {
      const kind = profileKind(column.type)
      const ask = async <T>(sql: string, row: z.ZodType<T>): Promise<T[]> => {
        const { rows } = await session.api.query(sql, { signal, timeoutSeconds: 120 })
        return z.array(row).parse(rows)
      }
      const exact = table.rowCount <= MOST_COUNTED
      const [summary] = await ask(summarySql(name, column.name, kind, exact), summaryRow)
      if (!summary) throw new TypeError('the service answered no row')
      const { n, filled, distinct_count: distinct, low, high } = summary
      const line = (kind === 'number' || kind === 'time') && distinct > TOP
      const histogram =
        line && filled > 0 ? binned(await ask(histogramSql(name, column.name, column.type, BINS), binRow)) : null
      const most = !line && filled > 0 && kind !== 'bytes' ? await ask(topSql(name, column.name, TOP), topRow) : null
      const top = most?.map(({ value, n: times }) => ({ value, count: times })) ?? null
      return {
        kind,
        rows: n,
        nulls: n - filled,
        distinct: Math.min(distinct, filled),
        exact,
        low,
        high,
        histogram,
        top,
      }
    },
  })
  return { ...result, cancel: () => void queries.cancelQueries({ queryKey }) }
}

function binned(rows: readonly z.infer<typeof binRow>[]): Histogram | null {
  const [first] = rows
  if (!first) return null
  const bins = Array.from({ length: BINS }, () => 0)
  for (const { bin, n } of rows) bins[bin ?? 0] = n
  return { bins, low: first.low, high: first.high }
}
