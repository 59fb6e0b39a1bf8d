import { useQuery, useQueryClient } from '@tanstack/react-query'

export interface StorageState {
  /** Bytes; null where the browser doesn't tell. */
  readonly used: number | null
  readonly quota: number | null
  /** Whether the browser promised not to clear it; null where it knows no such promise. */
  readonly persisted: boolean | null
}

const KEY = ['storage'] as const

/** What this site uses of this machine's disk. */
export function useStorage(): { readonly state: StorageState | null; readonly again: () => void } {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: KEY, queryFn: readStorage, refetchInterval: 10_000, staleTime: 0 })
  return { state: data ?? null, again: () => void queries.invalidateQueries({ queryKey: KEY }) }
}

async function readStorage(): Promise<StorageState> {
  // Some browsers have it without some of its methods.
  const manager: Partial<StorageManager> = 'storage' in navigator ? navigator.storage : {}
  const estimate = await manager.estimate?.().catch(() => null)
  const persisted = await manager.persisted?.().catch(() => null)
  return { used: estimate?.usage ?? null, quota: estimate?.quota ?? null, persisted: persisted ?? null }
}
