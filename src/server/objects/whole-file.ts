import { open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { fullDisk } from '../engine/files.ts'

/** The suffix of a file that is being written. */
export const PART = '.part'

/**
 * Writes a file that gets its name once it's complete and synced to the disk. An existing file is replaced.
 * @returns its size in bytes
 * @throws {DOMException} `QuotaExceededError` if the disk is full; any error of `bytes`. Nothing is left behind then
 */
export async function writeWhole(
  place: string,
  bytes: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<number> {
  const part = place + PART
  try {
    const file = await open(part, 'w')
    let size = 0
    try {
      for await (const chunk of bytes) {
        await file.writeFile(chunk)
        size += chunk.byteLength
      }
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(part, place)
    await syncFolder(path.dirname(place))
    return size
  } catch (error) {
    const told = diskError(error, path.dirname(place))
    await rm(part, { force: true }).catch(() => undefined) // The next sweep removes it.
    throw told
  }
}

/** Makes names in a folder durable. Not all systems can open folders, so failures are ignored. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null)
  await handle?.sync().catch(() => undefined)
  await handle?.close()
}

export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}

/** The names in a folder; none if it doesn't exist or isn't a folder. */
export async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error) || (error as NodeJS.ErrnoException).code === 'ENOTDIR') return []
    throw error
  }
}

function diskError(error: unknown, folder: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const isFull = code === 'ENOSPC' || code === 'EDQUOT'
  return isFull ? new DOMException(fullDisk(folder), 'QuotaExceededError') : error
}
