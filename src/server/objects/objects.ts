import type { Objects } from '../../service/ports.ts'
import type { Bounds } from '../../service/stores/bounded.ts'

/** The form of an object's id. */
const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/**
 * Milliseconds that bytes which no record names are safe from sweeps: another server may be about to name them. Stores
 * refuse requests by clocks that are off by a quarter of it.
 */
export const UNNAMED_FOR = 3_600_000

interface Link {
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly contentType: string
  readonly contentDisposition: string
}

/** Objects, for processes that open files. */
export interface ServerObjects extends Objects {
  /** Lends a file with the bytes of a blob that `get` gave, until `use` has settled. */
  withFile<T>(blob: Blob, use: (path: string) => Promise<T>, signal: AbortSignal): Promise<T>
  /** Where whoever has the address gets the bytes without this server, until a moment; null where that can't be. */
  link(blobId: string, link: Link): Promise<string | null>
}

interface StoredObject {
  readonly blobId: string
  /** Milliseconds since 1970. */
  readonly changedAt: number
  readonly remove: () => Promise<void>
}

/** Where the bytes are: a folder or a bucket. Ids are well-formed. */
export interface ObjectStore extends Pick<ServerObjects, 'withFile' | 'link'> {
  /**
   * Keeps a stream whole or not at all.
   * @returns its size in bytes
   */
  put(blobId: string, body: ReadableStream<Uint8Array> | null, bounds: Bounds): Promise<number>
  open(blobId: string): Promise<Blob | undefined>
  remove(blobId: string): Promise<void>
  /**
   * All that there is, unfinished uploads too, as it's come to: there may be more than memory holds. Some stores remove
   * unfinished uploads that are older than a moment here.
   */
  list(before: number): AsyncIterable<StoredObject>
}

/** @param unnamedFor milliseconds that bytes which no record names are safe from sweeps */
export function createObjects(store: ObjectStore, unnamedFor = UNNAMED_FOR): ServerObjects {
  /** What this process writes, or has written for a record that isn't there yet. */
  const unnamed = new Set<string>()
  const readers = new Readers()
  return {
    async put(body, bounds) {
      const blobId = crypto.randomUUID()
      unnamed.add(blobId)
      try {
        return { blobId, size: await store.put(blobId, body, bounds) }
      } catch (error) {
        await body?.cancel(error).catch(() => undefined) // It may be what failed.
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
      // What is written now may get its record after `keepers` was asked.
      const written = new Set(unnamed)
      for await (const { blobId, changedAt, remove } of store.list(before)) {
        if (changedAt > before || written.has(blobId) || unnamed.has(blobId)) continue
        // Once is enough: what is that old had its record by then, or never gets one.
        kept ??= await keepers()
        if (!kept.has(blobId)) await remove()
      }
    },
    withFile: (blob, use, signal) => store.withFile(blob, use, signal),
    link: (blobId, link) => store.link(blobId, link),
  }
}

/**
 * Who has a blob reads it to its end, also when it's removed meanwhile: until then its bytes stay. Where nobody tells when
 * a blob is let go of, a sweep removes them.
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

  /** @returns whether somebody reads it, so that it's removed later */
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
    // What can't be removed now is swept.
    this.removals
      .get(blobId)?.()
      .catch(() => undefined)
    this.removals.delete(blobId)
  }
}
