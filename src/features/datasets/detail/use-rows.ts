import { useQueries } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { DatasetDetails, DatasetTable } from '../../../api/client.ts'
import type { QueryData } from '../../../contract/schemas.ts'
import { useSession } from '../../../session/context.tsx'
import { announce } from '../../../ui/overlays/announce.tsx'
import type { Span } from '../../../ui/table/use-span.ts'
import { pageSql, tableName, versionOf } from '../model/sql.ts'

/** Rows and columns per request. */
const PAGE = 200
const BLOCK = 60
/** Milliseconds before a page is requested, so that pages only scrolled past aren't. */
const SETTLED = 120

/** A cell's value as returned by the service; undefined until it's loaded. */
export type ValueOf = (row: number, column: number) => unknown

interface Rows {
  readonly valueOf: ValueOf
  readonly onShown: (rows: Span, columns: Span) => void
  readonly busy: boolean
  readonly error: unknown
  readonly retry: () => void
}

interface Piece {
  readonly page: number
  readonly block: number
}

/** A table's rows, loaded in pages as they come into view. */
export function useRows(dataset: DatasetDetails, table: DatasetTable): Rows {
  const session = useSession()
  const [pieces, setPieces] = useState<readonly Piece[]>(() => [{ page: 0, block: 0 }])
  const [wanted, setWanted] = useState(pieces)
  useEffect(() => {
    const timer = setTimeout(() => setPieces(wanted), SETTLED)
    return () => clearTimeout(timer)
  }, [wanted])
  const columns = table.schema
  const name = tableName(session.slug, dataset.name, table.name)
  const results = useQueries({
    queries: pieces.map(({ page, block }) => ({
      // Other changes of the dataset don't affect the rows, so the key only has the table's size.
      queryKey: ['rows', session.workspaceId, dataset.id, name, ...versionOf(table), page, block],
      queryFn: ({ signal }: { signal: AbortSignal }) => {
        const names = columns.length > BLOCK ? columns.slice(block * BLOCK, (block + 1) * BLOCK) : []
        const sql = pageSql(
          name,
          names.map((column) => column.name),
          PAGE,
          page * PAGE,
        )
        return session.api.query(sql, { signal })
      },
      staleTime: Infinity,
      gcTime: 120_000,
      enabled: table.rowCount > 0,
    })),
  })
  const loaded = useMemo(() => {
    const map = new Map<string, QueryData>()
    for (const [i, { page, block }] of pieces.entries()) {
      const data = results[i]?.data
      if (data) map.set(`${page}/${block}`, data)
    }
    return map
  }, [pieces, results])
  const valueOf = useCallback<ValueOf>(
    (row, column) => {
      const block = columns.length > BLOCK ? Math.floor(column / BLOCK) : 0
      const data = loaded.get(`${Math.floor(row / PAGE)}/${block}`)
      const found = data?.rows[row % PAGE]
      const key = columns[column]?.name
      return found && key !== undefined ? found[key] : undefined
    },
    [loaded, columns],
  )
  const onShown = useCallback(
    (rows: Span, across: Span) => setWanted((old) => samePieces(old, piecesOf(rows, across, columns.length))),
    [columns.length],
  )
  const failed = results.find((result) => result.error)
  useEffect(() => {
    if (failed) announce('Some rows weren’t loaded')
  }, [failed])
  return {
    valueOf,
    onShown,
    busy: results.some((result) => result.isFetching),
    error: failed?.error ?? null,
    retry: () => {
      for (const result of results) if (result.error) void result.refetch()
    },
  }
}

function piecesOf(rows: Span, across: Span, columns: number): Piece[] {
  const pieces: Piece[] = []
  const lastPage = Math.floor(Math.max(0, rows.end - 1) / PAGE)
  const lastBlock = columns > BLOCK ? Math.floor(Math.max(0, across.end - 1) / BLOCK) : 0
  const firstBlock = columns > BLOCK ? Math.floor(across.start / BLOCK) : 0
  for (let page = Math.floor(rows.start / PAGE); page <= lastPage; page++) {
    for (let block = firstBlock; block <= lastBlock; block++) pieces.push({ page, block })
  }
  return pieces
}

/** Returns the old array if it's the same, to keep its identity. */
function samePieces(old: readonly Piece[], next: readonly Piece[]): readonly Piece[] {
  const same =
    old.length === next.length && old.every(({ page, block }, i) => next[i]?.page === page && next[i]?.block === block)
  return same ? old : next
}
