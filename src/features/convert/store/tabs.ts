import { type Broadcast, holdLock, openBroadcast } from '../../../lib/windows.ts'

/** What has changed of the stored data. */
type Topic = 'jobs' | 'recipes'

/** The app's open tabs in this browser. */
export interface Tabs extends Pick<Broadcast<Topic>, 'tell' | 'listen'> {
  /** This tab's id. */
  readonly id: string
  /** Ids of the open tabs, including this one. */
  alive(): Promise<ReadonlySet<string>>
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
  const { tell, listen } = openBroadcast<Topic>('rowhouse-convert')
  const held = holdLock(`${PREFIX}${id}`)
  return {
    id,
    async alive() {
      await held
      const { held: locks = [] } = await navigator.locks.query()
      return new Set(locks.flatMap(({ name }) => (name?.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [])))
    },
    tell,
    listen,
    making: (work) => navigator.locks.request(MAKING, { mode: 'shared' }, work),
    whileNoneMake: (work) =>
      navigator.locks.request(MAKING, { ifAvailable: true }, async (lock) => {
        if (lock) await work()
        return lock !== null
      }),
    gone: (tab) => navigator.locks.request(`${PREFIX}${tab}`, { mode: 'shared' }, () => undefined),
  }
}
