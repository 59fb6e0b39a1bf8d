type Topic = 'jobs' | 'recipes'

/** The tabs of this app that are open in this browser. */
export interface Tabs {
  /** This one's. */
  readonly id: string
  /** Ids of the tabs that are open, this one included. */
  alive(): Promise<ReadonlySet<string>>
  /** Tells the other tabs that stored things changed. */
  tell(topic: Topic): void
  /** Calls back when another tab tells. */
  listen(listener: (topic: Topic) => void): () => void
  /** Runs work that makes files, from its start until they're written down. */
  making<T>(work: () => Promise<T>): Promise<T>
  /** Runs work while no tab makes files, and says whether it could: it doesn't wait. */
  whileNoneMake(work: () => Promise<void>): Promise<boolean>
  /** Resolves when a tab is closed or dies. */
  gone(id: string): Promise<void>
}

const PREFIX = 'rowhouse-tab-'
const MAKING = 'rowhouse-making'

/** A tab is alive as long as it holds its lock; the browser lets go of it, however the tab ends. */
export function createTabs(): Tabs {
  const id = crypto.randomUUID()
  const channel = new BroadcastChannel('rowhouse-convert')
  const held = new Promise<void>((resolve) => {
    void navigator.locks.request(`${PREFIX}${id}`, () => {
      resolve()
      return new Promise<never>(() => undefined)
    })
  })
  return {
    id,
    async alive() {
      await held
      const { held: locks = [] } = await navigator.locks.query()
      return new Set(locks.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
    },
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel's has none
    tell: (topic) => channel.postMessage(topic),
    listen(listener) {
      const receive = (event: MessageEvent<Topic>): void => listener(event.data)
      channel.addEventListener('message', receive)
      return () => channel.removeEventListener('message', receive)
    },
    making: (work) => navigator.locks.request(MAKING, { mode: 'shared' }, work),
    whileNoneMake: (work) =>
      navigator.locks.request(MAKING, { ifAvailable: true }, async (lock) => {
        if (lock) await work()
        return lock !== null
      }),
    gone: (tab) => navigator.locks.request(`${PREFIX}${tab}`, { mode: 'shared' }, () => undefined),
  }
}
