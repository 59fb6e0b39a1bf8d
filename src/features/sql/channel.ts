/** What changed in the database. */
export type Change =
  | { readonly kind: 'tab'; readonly id: string }
  | { readonly kind: 'history' }
  | { readonly kind: 'saved' }
  | { readonly kind: 'local' }

/** Tells the other windows of this browser what changed, and listens to them. */
export interface Channel {
  tell(change: Change): void
  listen(listener: (change: Change) => void): () => void
}

export function createChannel(name = 'rowhouse-sql'): Channel {
  const channel = new BroadcastChannel(name)
  return {
    tell: (change) => channel.postMessage(change),
    listen(listener) {
      const receive = (event: MessageEvent<Change>): void => listener(event.data)
      channel.addEventListener('message', receive)
      return () => channel.removeEventListener('message', receive)
    },
  }
}
