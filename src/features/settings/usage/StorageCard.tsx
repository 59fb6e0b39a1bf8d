import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import ShieldCheck from 'lucide-react/icons/shield-check'
import { useState } from 'react'
import type { UsageData } from '../../../contract/schemas.ts'
import { formatBytes } from '../../../lib/bytes.ts'
import { topicKey, useSession } from '../../../session/context.tsx'
import { refetch } from '../../../session/refetch.ts'
import { announce } from '../../../ui/overlays/announce.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Gauge } from '../../../ui/Gauge.tsx'
import { plural } from '../../../ui/format.ts'
import { Card } from '../parts.tsx'
import { useWorkspaces } from '../use-console.ts'
import { bytesBelow, privateFiles } from '../../../lib/private-files.ts'
import css from '../Settings.module.css'
import own from './Usage.module.css'

/**
 * Storage used on this machine, and whether the browser may clear it.
 * @param storage the workspace's; null if it isn't known, or elsewhere
 */
export function StorageCard({ storage }: { readonly storage: UsageData['storage'] | null }) {
  const { state, again } = useStorage()
  return (
    <Card
      title="This browser’s storage"
      aside={
        state?.persisted ? (
          <Badge tone="good" icon={<ShieldCheck aria-hidden />}>
            Kept
          </Badge>
        ) : null
      }
    >
      {state ? <UsedGauge state={state} /> : null}
      {storage ? <WorkspaceStorage storage={storage} /> : null}
      {state ? <Keep persisted={state.persisted} onAsked={again} /> : null}
    </Card>
  )
}

/** A workspace's storage, in words. */
export function WorkspaceStorage({ storage }: { readonly storage: UsageData['storage'] }) {
  const { used_bytes, dataset_count, table_count } = storage
  return (
    <p className={css.words}>
      {dataset_count === 0
        ? 'This workspace has no dataset yet.'
        : `This workspace has ${plural(dataset_count, 'dataset')} with ${plural(table_count, 'table')}. With recent uploads and conversions it takes ${formatBytes(used_bytes)}.`}
    </p>
  )
}

function UsedGauge({ state: { used, room } }: { readonly state: StorageState }) {
  if (used === null || room === null) {
    return <p className={css.words}>This browser doesn’t say how much space there is.</p>
  }
  return (
    <Gauge
      label="Used on this machine"
      value={used}
      max={used + room}
      text={formatBytes(used)}
      note={`${formatBytes(room)} may be added. It counts datasets, uploads, conversions, SQL’s tables, and the app itself for offline use.`}
      tone={room <= 0 ? 'bad' : room * 9 < used ? 'warn' : 'normal'}
    />
  )
}

function Keep({ persisted, onAsked }: { readonly persisted: boolean | null; readonly onAsked: () => void }) {
  const [refused, setRefused] = useState(false)
  if (persisted === null) {
    return <p className={css.words}>This browser makes no promise to keep data: make backups.</p>
  }
  if (persisted) {
    return (
      <p className={css.words}>
        <strong>Your data is kept.</strong> The browser promised not to clear it when the disk gets full. Clearing this
        site’s data by hand still removes it: backups are for that.
      </p>
    )
  }
  const ask = async (): Promise<void> => {
    const granted = await navigator.storage.persist().catch(() => false)
    setRefused(!granted)
    announce(granted ? 'Your data is kept' : 'The browser declined to keep your data')
    onAsked()
  }
  return (
    <div className={own.keep}>
      <p className={css.words}>
        {refused ? (
          <>
            <strong>The browser declined.</strong> Browsers agree for sites that are bookmarked, installed, or used
            often. Until then, make backups.
          </>
        ) : (
          <>
            <strong>The browser may clear this data when the disk gets full.</strong> It can be asked not to; some
            browsers ask you in turn.
          </>
        )}
      </p>
      <Button icon={<ShieldCheck aria-hidden />} onClick={() => void ask()}>
        Keep my data
      </Button>
    </div>
  )
}

/** Each workspace's storage. */
export function WorkspacesCard() {
  const session = useSession()
  const { console, workspaceId } = session
  const workspaces = useWorkspaces().data ?? []
  const usages = useQueries({
    queries: workspaces.map(({ id }) => ({
      queryKey: topicKey(session, 'datasets', 'settings', 'usage-of', id),
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        console ? console.usage(id, { signal }) : Promise.reject(new Error('no console')),
    })),
  })
  const sizes = usages.map(({ data }) => data?.storage ?? null)
  const most = Math.max(1, ...sizes.map((size) => size?.used_bytes ?? 0))
  if (workspaces.length < 2) return null
  return (
    <Card title="By workspace">
      {workspaces.map(({ id, name }, index) => {
        const size = sizes[index]
        if (!size) return null
        return (
          <Gauge
            key={id}
            label={id === workspaceId ? `${name} (this one)` : name}
            value={size.used_bytes}
            max={most}
            text={`${formatBytes(size.used_bytes)} · ${plural(size.dataset_count, 'dataset')}`}
          />
        )
      })}
    </Card>
  )
}

interface StorageState {
  /** Bytes stored; null if the browser doesn't say. */
  readonly used: number | null
  /** Bytes available; null if the browser doesn't say. */
  readonly room: number | null
  /** Whether the browser has promised not to clear it; null if it doesn't support that. */
  readonly persisted: boolean | null
}

const KEY = ['storage'] as const

/** This site's storage on this machine. */
function useStorage(): { readonly state: StorageState | null; readonly again: () => void } {
  const queries = useQueryClient()
  const { data } = useQuery({ queryKey: KEY, queryFn: readStorage, refetchInterval: 10_000, staleTime: 0 })
  return { state: data ?? null, again: () => refetch(queries, { queryKey: KEY }) }
}

async function readStorage(): Promise<StorageState> {
  // Some browsers lack some of its methods.
  const manager: Partial<StorageManager> = 'storage' in navigator ? navigator.storage : {}
  const estimate = await manager.estimate?.().catch(() => null)
  const persisted = await manager.persisted?.().catch(() => null)
  const { usage, quota } = estimate ?? {}
  const room = usage === undefined || quota === undefined ? null : Math.max(0, quota - usage)
  return { used: (await keptBytes()) ?? usage ?? null, room, persisted: persisted ?? null }
}

/**
 * Size of the stored files, and of the app itself for offline use: browsers also count temporary data among a site's
 * usage. Null if data isn't stored in files.
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
