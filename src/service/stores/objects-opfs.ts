import { holdLock } from '../../lib/windows.ts'
import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import type { Objects } from '../ports.ts'
import { bounded, type Bounds } from './bounded.ts'

/** Folder in the origin private file system; files are named by their blob's id. */
export const OBJECTS_FOLDER = 'objects'
const PIECE = 1_048_576
/** How long a new blob without a record is protected from sweeps. */
const NAMED_WITHIN_MS = 60_000

/**
 * Objects in the origin private file system, shared by all pages and workers of this origin. A file gets its content
 * when it's closed: an interrupted one stays empty, under an unknown id, until the next sweep.
 */
export function createOpfsObjects(): Objects {
  return {
    async put(body, bounds) {
      bounds.signal?.throwIfAborted()
      const blobId = crypto.randomUUID()
      const folder = await objectsFolder()
      const size = await whileUnnamed(blobId, () => write(folder, blobId, body, bounds))
      return { blobId, size }
    },
    async get(blobId) {
      const folder = await objectsFolder()
      const handle = await folder.getFileHandle(blobId).catch(ignoreMissing)
      return handle?.getFile()
    },
    async remove(blobId) {
      const folder = await objectsFolder()
      await folder.removeEntry(blobId).catch(ignoreMissing)
    },
    async sweep(keep) {
      const folder = await objectsFolder()
      const found: string[] = []
      for await (const name of folder.keys()) found.push(name)
      if (found.length === 0) return
      const known = await keep()
      const unknown = found.filter((name) => !known.has(name))
      await withFreeLocks(unknown, async (unused) => {
        // Ask again: a blob that has just been written may have a record by now.
        const kept = unused.length === 0 ? known : await keep()
        for (const name of unused) if (!kept.has(name)) await folder.removeEntry(name).catch(ignoreMissing)
      })
    },
  }
}

async function objectsFolder(): Promise<FileSystemDirectoryHandle> {
  const root = await navigator.storage.getDirectory()
  return root.getDirectoryHandle(OBJECTS_FOLDER, { create: true })
}

async function write(
  folder: FileSystemDirectoryHandle,
  blobId: string,
  body: ReadableStream<Uint8Array> | null,
  bounds: Bounds,
): Promise<number> {
  try {
    const handle = await folder.getFileHandle(blobId, { create: true })
    const file = await handle.createWritable()
    try {
      const size = await copy(bounded(body, bounds), file)
      await file.close()
      refuseShort(await handle.getFile(), size)
      return size
    } catch (error) {
      await file.abort(error).catch(() => undefined) // It may have failed already.
      throw error
    }
  } catch (error) {
    await body?.cancel(error).catch(() => undefined) // It may be the cause.
    await folder.removeEntry(blobId).catch(() => undefined) // Else the next sweep removes it.
    throw writeFailure(error, bounds.signal)
  }
}

/** Combines small chunks, since each write has a cost. */
async function copy(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  file: FileSystemWritableFileStream,
): Promise<number> {
  let piece = new Uint8Array(PIECE)
  let filled = 0
  let size = 0
  let writing: Promise<void> = Promise.resolve()
  const flush = async (bytes: Uint8Array<ArrayBuffer>) => {
    await writing
    writing = file.write(bytes)
    writing.catch(() => undefined) // Awaited before the next write.
  }
  for await (const value of chunks) {
    size += value.byteLength
    if (value.byteLength >= PIECE) {
      await flush(piece.slice(0, filled))
      await flush(value)
      filled = 0
      continue
    }
    if (filled + value.byteLength > PIECE) {
      await flush(piece.subarray(0, filled))
      piece = new Uint8Array(PIECE)
      filled = 0
    }
    piece.set(value, filled)
    filled += value.byteLength
  }
  await flush(piece.subarray(0, filled))
  await writing
  return size
}

const lockName = (blobId: string): string => `rowhouse-object-${blobId}`

/**
 * Protects a blob from sweeps while it's being written, and for a while longer until a record refers to it. The lock
 * ends with its page or worker.
 */
async function whileUnnamed<T>(blobId: string, work: () => Promise<T>): Promise<T> {
  const release = await holdLock(lockName(blobId))
  try {
    const result = await work()
    setTimeout(release, NAMED_WITHIN_MS)
    return result
  } catch (error) {
    release()
    throw error
  }
}

/** Runs work while holding the locks that are free among these names. */
function withFreeLocks(names: readonly string[], work: (free: string[]) => Promise<void>): Promise<void> {
  const free: string[] = []
  const next = (at: number): Promise<void> => {
    const name = names[at]
    if (name === undefined) return work(free)
    return navigator.locks.request(lockName(name), { ifAvailable: true }, (lock) => {
      if (lock) free.push(name)
      return next(at + 1)
    })
  }
  return next(0)
}

function ignoreMissing(error: unknown): undefined {
  if (error instanceof DOMException && error.name === 'NotFoundError') return undefined
  throw error
}
