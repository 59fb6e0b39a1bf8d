import type { Objects } from '../../service/ports.ts'
import type { Bounds } from '../../service/stores/bounded.ts'

/** Valid ids of objects. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Milliseconds during which sweeps spare objects without a record, since a server may be about to write that record.
 * It's four times the difference between clocks at which stores refuse requests.
 */
export const UNNAMED_FOR = 3_600_000

interface Link {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly contentType: string
  readonly contentDisposition: string
}

/** Objects that can also be used as files, by worker processes. */
export interface ServerObjects extends Objects {
  /** Calls `use` with a file that has the bytes of a blob from `get`, and keeps the file until `use` settles. */
  withFile<T>(blob: Blob, use: (path: string) => Promise<T>, signal: AbortSignal): Promise<T>
  /** A URL to get the object without this server until it expires; null if there can't be one. */
  link(blobId: string, link: Link): Promise<string | null>
}

interface StoredObject {
  readonly blobId: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly remove: () => Promise<void>
}

/** A folder or a bucket that stores objects. Ids have been checked. */
export interface ObjectStore extends Pick<ServerObjects, 'withFile' | 'link'> {
  /**
   * Stores a stream completely or not at all.
   * @returns its size in bytes
   */
  put(blobId: string, body: ReadableStream<Uint8Array> | null, bounds: Bounds): Promise<number>
  open(blobId: string): Promise<Blob | undefined>
  remove(blobId: string): Promise<void>
  /**
   * All objects one by one, since there may be more than fit into memory. Unfinished uploads from before `before` are
   * either listed, too, or removed here.
   */
  list(before: number): AsyncIterable<StoredObject>
}

/** @param unnamedFor milliseconds during which sweeps spare objects without a record */
export function createObjects(store: ObjectStore, unnamedFor = UNNAMED_FOR): ServerObjects {
  /** Ids that this process is writing, or has just written, whose records may not exist yet. */
  const unnamed = new Set<string>()
  const readers = new Readers()
  return {
    async put(body, bounds) {
      const blobId = crypto.randomUUID()
      unnamed.add(blobId)
      try {
        return { blobId, size: await store.put(blobId, body, bounds) }
      } catch (error) {
        await body?.cancel(error).catch(() => undefined) // The body itself may have failed.
        throw error
      } finally {
        setTimeout(() => unnamed.delete(blobId), unnamedFor).unref()
      }
    },
    async get(blobId) {
      if (!ID.test(blobId) || readers.isRemoved(blobId)) return undefined
      const blob = await store.open(blobId)
      if (blob) readers.add(blobId, blob)
      return blob
    },
    async remove(blobId) {
      if (!ID.test(blobId)) return
      if (!readers.removeLater(blobId, () => store.remove(blobId))) await store.remove(blobId)
    },
    async sweep(keepers) {
      const before = Date.now() - unnamedFor
      let kept: ReadonlySet<string> | null = null
      // These may get their records after `keepers` was called.
      const written = new Set(unnamed)
      for await (const { blobId, changedAt, remove } of store.list(before)) {
        if (changedAt > before || written.has(blobId) || unnamed.has(blobId)) continue
        // Calling it once is enough: objects this old already have their records, or never get any.
        kept ??= await keepers()
        if (!kept.has(blobId)) await remove()
      }
    },
    withFile: (blob, use, signal) => store.withFile(blob, use, signal),
    link: (blobId, link) => store.link(blobId, link),
  }
}

/**
 * Delays removing objects while blobs of them exist, so that they can be read to their end. If the process ends before
 * that, a sweep removes them.
 */
class Readers {
  private readonly blobs = new Map<string, number>()
  private readonly removals = new Map<string, () => Promise<void>>()
  private readonly gone = new FinalizationRegistry<string>((blobId) => {
    const left = (this.blobs.get(blobId) ?? 1) - 1
    if (left > 0) this.blobs.set(blobId, left)
    else this.end(blobId)
  })

  add(blobId: string, blob: Blob): void {
    this.blobs.set(blobId, (this.blobs.get(blobId) ?? 0) + 1)
    this.gone.register(blob, blobId)
  }

  /** @returns whether the object is being read, so that it will be removed later */
  removeLater(blobId: string, remove: () => Promise<void>): boolean {
    if (!this.blobs.has(blobId)) return false
    this.removals.set(blobId, remove)
    return true
  }

  isRemoved(blobId: string): boolean {
    return this.removals.has(blobId)
  }

  private end(blobId: string): void {
    this.blobs.delete(blobId)
    // An object that can't be removed now is swept later.
    this.removals
      .get(blobId)?.()
      .catch(() => undefined)
    this.removals.delete(blobId)
  }
}
