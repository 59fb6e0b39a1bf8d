import { holdLock } from '../../../lib/locks.ts'

type Topic = 'jobs' | 'recipes'

/** The app's open tabs in this browser. */
export interface Tabs {
  /** This tab's id. */
  readonly id: string
  /** Ids of the open tabs, including this one. */
  alive(): Promise<ReadonlySet<string>>
  /** Tells other tabs that stored data has changed. */
  tell(topic: Topic): void
  /** Calls back when another tab reports a change. */
  listen(listener: (topic: Topic) => void): () => void
  /** Runs work that creates files, until they're recorded. */
  making<T>(work: () => Promise<T>): Promise<T>
  /** Runs work if no tab is creating files, without waiting. Returns whether it ran. */
  whileNoneMake(work: () => Promise<void>): Promise<boolean>
  /** Resolves when a tab has been closed or has crashed. */
  gone(id: string): Promise<void>
}

const PREFIX = 'rowhouse-tab-'
const MAKING = 'rowhouse-making'

/** A tab is alive while it holds its lock, which the browser releases however the tab ends. */
export function createTabs(): Tabs {
  const id = crypto.randomUUID()
  const channel = new BroadcastChannel('rowhouse-convert')
  const held = holdLock(`${PREFIX}${id}`)
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
