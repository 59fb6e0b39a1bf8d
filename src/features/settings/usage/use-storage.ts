import { useQuery, useQueryClient } from '@tanstack/react-query'
import { bytesBelow, privateFiles } from '../../../lib/private-files.ts'

export interface StorageState {
  /** Bytes of what is kept; null where the browser doesn't tell. */
  readonly used: number | null
  /** Bytes that may be added; null where the browser doesn't tell. */
  readonly room: number | null
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
  const { usage, quota } = estimate ?? {}
  const room = usage === undefined || quota === undefined ? null : Math.max(0, quota - usage)
  return { used: (await keptBytes()) ?? usage ?? null, room, persisted: persisted ?? null }
}

/**
 * Bytes of the files that are kept, and of the app itself for offline use: browsers count among a site's usage what
 * they hold for it in passing. Null where files aren't kept as such.
 */
async function keptBytes(): Promise<number | null> {
  const root = await privateFiles()
  return root && (await bytesBelow(root)) + (await cachedBytes().catch(() => 0))
}

async function cachedBytes(): Promise<number> {
  let bytes = 0
  for (const name of await caches.keys()) {
    for (const response of await (await caches.open(name)).matchAll()) bytes += (await response.blob()).size
  }
  return bytes
}
