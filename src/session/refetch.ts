import type { QueryClient, QueryFilters } from '@tanstack/react-query'

/**
 * Reads what these queries show again, after it has changed. Those that are read for the first time are begun anew:
 * TanStack Query would let them end with what was there before.
 */
export function refetch(queries: QueryClient, filters: QueryFilters): void {
  for (const query of queries.getQueryCache().findAll({ ...filters, type: 'active' })) {
    if (query.state.data === undefined) void query.cancel({ silent: true })
  }
  void queries.invalidateQueries(filters)
}
