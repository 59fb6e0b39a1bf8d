import { type IDBPDatabase, type IDBPTransaction, openDB, unwrap } from 'idb'
import { abortWhenLeft } from '../../lib/indexed-db/database.ts'
import { UnavailableError } from '../ports.ts'
import { type Mode, REVISIONS } from './records-cache.ts'

export interface ConnectionOptions {
  readonly name: string
  readonly migrations?: readonly Migration[]
  /** How long to wait for tabs with an older version before failing. */
  readonly patienceMs?: number
}

/** The database connection. It's opened on first use, and reopened if the browser or another tab closed it. */
interface Connection {
  /** @throws {UnavailableError} if a tab with an older version blocks the upgrade, or this version is outdated */
  begin<M extends Mode>(
    stores: readonly string[],
    mode: M,
    durability?: IDBTransactionDurability,
  ): Promise<IDBPTransaction<unknown, string[], M>>
  close(): void
}

const PATIENCE_MS = 2_000

export function connectRecords({
  name,
  migrations = MIGRATIONS,
  patienceMs = PATIENCE_MS,
}: ConnectionOptions): Connection {
  let opening: Promise<IDBPDatabase> | null = null
  let opened: IDBPDatabase | null = null
  let blocked = rejectable()

  const forget = (connection: Promise<IDBPDatabase>) => {
    if (opening !== connection) return
    opening = null
    opened = null
  }

  const connect = (): Promise<IDBPDatabase> => {
    const inTheWay = rejectable()
    blocked = inTheWay
    // After another tab's blocked upgrade or deletion, there may be no event at all.
    const silence = setTimeout(() => inTheWay.reject(noAnswer()), patienceMs * 5)
    let blocking: ReturnType<typeof setTimeout> | undefined
    let failure: unknown
    const mine: Promise<IDBPDatabase> = openDB(name, migrations.length, {
      upgrade(database, from, _, transaction) {
        transaction.done.catch(() => {})
        migrate(migrations.slice(from), database, transaction).catch((error: unknown) => {
          failure = error
          transaction.abort()
        })
      },
      blocked() {
        blocking = setTimeout(() => inTheWay.reject(blockedByOlderTab()), patienceMs)
      },
      // Another tab wants to upgrade or delete the database. Running transactions finish first.
      blocking(_, __, event) {
        ;(event.target as IDBDatabase).close()
        forget(mine)
      },
      terminated: () => forget(mine),
    })
      .then((database) => {
        abortWhenLeft(unwrap(database))
        if (opening === mine) opened = database
        return database
      })
      .catch((error: unknown) => {
        forget(mine)
        throw failure ?? (nameOf(error) === 'VersionError' ? newerTab(error) : error)
      })
      .finally(() => {
        clearTimeout(silence)
        clearTimeout(blocking)
      })
    return mine
  }

  const open = (): Promise<IDBPDatabase> => {
    // `race` would leave a handler on the promise that never settles, for each call.
    if (opened) return Promise.resolve(opened)
    opening ??= connect()
    return Promise.race([opening, blocked.promise])
  }

  return {
    async begin(stores, mode, durability = 'default') {
      const begin = (database: IDBPDatabase) => database.transaction([...stores], mode, { durability })
      const database = await open()
      try {
        return begin(database)
      } catch (error) {
        // The browser closed it without an event so far.
        if (nameOf(error) !== 'InvalidStateError') throw error
        if (opening) forget(opening)
        return begin(await open())
      }
    },
    close() {
      const closing = opening
      if (closing) forget(closing)
      closing?.then(
        (database) => database.close(),
        () => {},
      )
    },
  }
}

async function migrate(
  steps: readonly Migration[],
  database: IDBPDatabase,
  transaction: Parameters<Migration>[1],
): Promise<void> {
  for (const step of steps) await step(database, transaction)
}

/** A promise that can only be rejected; ignoring it isn't an error. */
function rejectable(): { readonly promise: Promise<never>; readonly reject: (error: Error) => void } {
  let reject: (error: Error) => void = () => {}
  const promise = new Promise<never>((_, rejected) => {
    reject = rejected
  })
  promise.catch(() => {})
  return { promise, reject }
}

function nameOf(error: unknown): string | null {
  return error instanceof DOMException ? error.name : null
}

function blockedByOlderTab(): UnavailableError {
  return new UnavailableError(
    'Another tab has an older version of Rowhouse open, and its data with it. Close or reload that tab, then try again.',
  )
}

function noAnswer(): UnavailableError {
  return new UnavailableError(
    'The browser’s storage doesn’t answer. Close other tabs that have Rowhouse open, then try again.',
  )
}

function newerTab(cause: unknown): UnavailableError {
  return new UnavailableError('Rowhouse was updated in another tab. Reload this tab to go on.', { cause })
}

/** Upgrades the database by one version, within the upgrade's transaction. */
export type Migration = (
  database: IDBPDatabase,
  transaction: IDBPTransaction<unknown, string[], 'versionchange'>,
) => void | Promise<void>

/** The number of migrations is the database's version. Released ones mustn't change: add another. */
export const MIGRATIONS: readonly Migration[] = [
  (database) => {
    const store = (name: string) => database.createObjectStore(name, { keyPath: 'id' })
    store('workspaces').createIndex('slug', 'slug', { unique: true })
    const keys = store('keys')
    keys.createIndex('hash', 'hash', { unique: true })
    keys.createIndex('workspaceId', 'workspaceId')
    const datasets = store('datasets')
    datasets.createIndex('workspaceId', 'workspaceId')
    datasets.createIndex('visibility', 'visibility')
    datasets.createIndex('name', ['workspaceId', 'nameKey'], { unique: true })
    store(REVISIONS)
    store('objects').createIndex('workspaceId', 'workspaceId')
    store('counters')
    store('secrets')
  },
]
