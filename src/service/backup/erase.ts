import { privateFiles, untilRemoved } from '../../lib/private-files.ts'
import { openBroadcast } from '../../lib/windows.ts'

/* Removes everything that Rowhouse stores in this browser. */

const PREFIX = 'rowhouse-'
const CHANNEL = 'rowhouse-erase'
/** How long to wait for pages that have a database open. */
const BLOCKED_MS = 5_000

/** Says what couldn't be removed, and why. */
class EraseError extends Error {
  readonly tag = 'EraseError'
  override readonly name = 'EraseError'
}

/** What belongs to Rowhouse, since other apps may share the origin. */
export interface EraseTarget {
  /** Absolute URL of the app: the scope of its service worker. */
  readonly scope: string
  /** Folders in the origin private file system. */
  readonly folders: readonly string[]
  /** Clears the page's settings in local and session storage. */
  readonly forgetSettings: () => void
}

/**
 * Removes databases, files, caches, settings and finally the service worker. If it's interrupted, erasing again removes
 * the rest. Other tabs are notified before and after, by `onErase`.
 * @throws {EraseError} if another page keeps something in use
 */
export async function eraseEverything({ scope, folders, forgetSettings }: EraseTarget): Promise<void> {
  const others = openBroadcast<Announcement>(CHANNEL)
  const tell = (state: EraseState): void => others.tell({ state, page: PAGE })
  try {
    tell('begun')
    await eraseDatabases()
    await eraseFolders(folders)
    await eraseCaches(scope)
    forgetSettings()
    await (await navigator.serviceWorker?.getRegistration(scope))?.unregister()
    tell('done')
  } catch (error) {
    tell('failed')
    throw error
  } finally {
    others.close()
  }
}

/** `failed`: some data may be gone, the rest is unchanged. */
export type EraseState = 'begun' | 'done' | 'failed'

/** A page gets its own messages, too, so they carry its id. */
const PAGE = crypto.randomUUID()
interface Announcement {
  readonly state: EraseState
  readonly page: string
}

/** Calls back when another tab starts erasing everything and when it has ended. This tab's data is then gone. */
export function onErase(listener: (state: EraseState) => void): () => void {
  const others = openBroadcast<Announcement>(CHANNEL)
  others.listen(({ state, page }) => {
    if (page !== PAGE) listener(state)
  })
  return others.close
}

async function eraseDatabases(): Promise<void> {
  const databases = await indexedDB.databases()
  for (const { name } of databases) if (name?.startsWith(PREFIX)) await eraseDatabase(name)
}

function eraseDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    let timer: ReturnType<typeof setTimeout> | undefined
    request.addEventListener('blocked', () => {
      // Other pages were asked to close it. One that doesn't is outdated or hangs.
      timer = setTimeout(() => reject(heldElsewhere()), BLOCKED_MS)
    })
    request.addEventListener('success', () => {
      clearTimeout(timer)
      resolve()
    })
    request.addEventListener('error', () => {
      clearTimeout(timer)
      reject(heldElsewhere(request.error))
    })
  })
}

async function eraseFolders(names: readonly string[]): Promise<void> {
  const root = await privateFiles()
  if (root) for (const name of names) await eraseFolder(root, name)
}

async function eraseFolder(root: FileSystemDirectoryHandle, name: string): Promise<void> {
  let cause: unknown
  const isGone = await untilRemoved(async () => {
    try {
      await root.removeEntry(name, { recursive: true })
      return true
    } catch (error) {
      cause = error
      return error instanceof DOMException && error.name === 'NotFoundError'
    }
  })
  if (!isGone) throw heldElsewhere(cause)
}

async function eraseCaches(scope: string): Promise<void> {
  if (typeof caches === 'undefined') return
  const ours = (await caches.keys()).filter((name) => name.startsWith(PREFIX) || name.includes(scope))
  for (const name of ours) await caches.delete(name)
}

function heldElsewhere(cause?: unknown): EraseError {
  return new EraseError(
    'Not everything could be erased: another tab or window of Rowhouse still uses it. Close all others, then erase again.',
    { cause },
  )
}
