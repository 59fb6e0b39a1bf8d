import type { Objects } from '../../service/ports.ts'

/** What objects are called. */
export const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

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
