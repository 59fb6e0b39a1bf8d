import type { StoreName } from '../ports.ts'

type Listener = (stores: StoreName[]) => void

interface Changes {
  tell(stores: Iterable<StoreName>): void
  listen(listener: Listener): () => void
  close(): void
}

/** What screens show; the others change with every upload or request. */
const TOLD: ReadonlySet<StoreName> = new Set(['workspaces', 'keys', 'datasets'])

/** Tells listeners here and in all tabs of the database called `name` what was changed. */
export function shareChanges(name: string): Changes {
  const listeners = new Set<Listener>()
  let channel: BroadcastChannel | null = null

  const notify = (stores: StoreName[]) => {
    // What a listener throws is its own: the change is made.
    for (const listener of listeners) queueMicrotask(() => listener([...stores]))
  }
  const open = (): BroadcastChannel => {
    if (channel) return channel
    channel = new BroadcastChannel(`${name}-changes`)
    channel.addEventListener('message', ({ data }: MessageEvent<StoreName[]>) => notify(data))
    return channel
  }

  return {
    tell(stores) {
      const told = [...stores].filter((store) => TOLD.has(store))
      if (told.length === 0) return
      open().postMessage(told)
      notify(told)
    },
    listen(listener) {
      open()
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    close() {
      listeners.clear()
      channel?.close()
      channel = null
    },
  }
}
