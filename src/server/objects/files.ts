import { openAsBlob } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import path from 'node:path'
import { TooLargeError } from '../../service/ports.ts'
import { withoutWarnings } from '../warnings.ts'
import { ID, UNNAMED_FOR, type ServerObjects } from './objects.ts'
import { Readers } from './readers.ts'

/** What is being written has this behind its name. */
const PART = '.part'

interface FileObjectsOptions {
  /** Where they lie, alone. It's made where it isn't there. */
  readonly folder: string
  /**
   * Milliseconds that bytes which no record names are safe from sweeps: another server over the same folder may be about
   * to name them.
   */
  readonly unnamedFor?: number
}

/**
 * Objects as files of a folder, in folders by the first two characters of their ids. A file has its name once it's whole
 * and on the disk.
 */
export function createFileObjects({ folder, unnamedFor = UNNAMED_FOR }: FileObjectsOptions): ServerObjects {
  const files = new WeakMap<Blob, string>()
  /** What this process writes, or has written for a record that isn't there yet. */
  const unnamed = new Set<string>()
  const readers = new Readers()
  const placeOf = (blobId: string): string => path.join(folder, blobId.slice(0, 2), blobId)

  return {
    async put(body, { maxBytes, signal }) {
      signal?.throwIfAborted()
      const blobId = crypto.randomUUID()
      const place = placeOf(blobId)
      unnamed.add(blobId)
      try {
        await mkdir(path.dirname(place), { recursive: true })
        const size = await keep(place, body, maxBytes, signal)
        return { blobId, size }
      } catch (error) {
        await body?.cancel(error).catch(() => undefined) // It may be what failed, or be locked by what read it.
        throw signal?.aborted ? signal.reason : diskError(error)
      } finally {
        setTimeout(() => unnamed.delete(blobId), unnamedFor).unref()
      }
    },
    async get(blobId) {
      if (!ID.test(blobId) || readers.isRemoved(blobId)) return undefined
      const place = placeOf(blobId)
      try {
        const { size } = await stat(place)
        const blob = await withoutWarnings(() => openAsBlob(place))
        if (blob.size !== size) return undefined
        files.set(blob, place)
        readers.add(blobId, blob)
        return blob
      } catch (error) {
        if (isMissing(error)) return undefined
        throw error
      }
    },
    async remove(blobId) {
      if (!ID.test(blobId)) return
      const place = placeOf(blobId)
      if (!readers.removeLater(blobId, () => rm(place, { force: true }))) await rm(place, { force: true })
    },
    async sweep(keepers) {
      const before = Date.now() - unnamedFor
      const found = await list(folder)
      if (found.length === 0) return
      const kept = await keepers()
      for (const place of found) {
        const blobId = path.basename(place).replace(PART, '')
        if (kept.has(blobId) || unnamed.has(blobId)) continue
        const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
        if (mtimeMs <= before) await rm(place, { force: true })
      }
    },
    async withFile(blob, use) {
      const place = files.get(blob)
      if (place === undefined) throw new Error('not an object of this store')
      return use(place)
    },
    link: () => Promise.resolve(null),
  }
}

/** Writes a stream to a file beside its place, and moves it there when it's whole. */
async function keep(
  place: string,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const part = place + PART
  const file = await open(part, 'wx')
  try {
    const size = await write(file, body, maxBytes, signal)
    await file.sync()
    await file.close()
    signal?.throwIfAborted()
    await rename(part, place)
    await syncFolder(path.dirname(place))
    return size
  } catch (error) {
    await file.close().catch(() => undefined) // It may be closed already.
    await rm(part, { force: true }).catch(() => undefined) // The next sweep removes it.
    throw error
  }
}

async function write(
  file: FileHandle,
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  const reader = body?.getReader()
  const stop = (): void => void reader?.cancel(signal?.reason).catch(() => undefined)
  signal?.addEventListener('abort', stop)
  let size = 0
  try {
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      signal?.throwIfAborted()
      if (done) return size
      size += value.byteLength
      if (size > maxBytes) throw new TooLargeError(maxBytes)
      for (let at = 0; at < value.byteLength;) at += (await file.write(value, at)).bytesWritten
    }
  } catch (error) {
    await reader?.cancel(error).catch(() => undefined) // It may be what failed.
    throw error
  } finally {
    signal?.removeEventListener('abort', stop)
    reader?.releaseLock()
  }
}

/** A name in a folder is on the disk when the folder is. Not all systems open folders. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

async function list(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw error
  })
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name))
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** What the port says of a full disk, or of one that is written to no more. */
export function diskError(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const full = code === 'ENOSPC' || code === 'EDQUOT'
  return full ? new DOMException('The disk is full.', 'QuotaExceededError') : error
}
