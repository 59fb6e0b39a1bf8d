import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import { privateFiles } from '../../lib/private-files.ts'

/** Its folder in the private file system. */
export const SCRATCH_FOLDER = 'backups'
/** How long a file is left to be downloaded: browsers tell nobody when they have read it. Milliseconds. */
const DOWNLOADED_WITHIN = 5 * 60_000

/**
 * Makes a file of a stream: in the private file system where there is one, so that it needs no memory, otherwise in
 * memory. `sweepScratch` removes it when it has been downloaded.
 * @param check what it must stand before it's given
 * @throws {DOMException} `QuotaExceededError`, or what `check` threw, with nothing left
 */
export async function keepInScratch(
  stream: ReadableStream<Uint8Array>,
  name: string,
  signal: AbortSignal,
  check: (file: File) => Promise<unknown>,
): Promise<File> {
  const root = await privateFiles()
  if (!root) {
    const file = new File([await new Response(stream.pipeThrough(new TransformStream(), { signal })).blob()], name)
    await check(file)
    return file
  }
  const folder = await root.getDirectoryHandle(SCRATCH_FOLDER, { create: true })
  const id = crypto.randomUUID()
  return navigator.locks.request(lockName(id), { signal }, async () => {
    const handle = await folder.getFileHandle(id, { create: true })
    try {
      let written = 0
      const counting = new TransformStream<Uint8Array, Uint8Array>({
        transform(chunk, controller) {
          written += chunk.length
          controller.enqueue(chunk)
        },
      })
      await stream.pipeThrough(counting).pipeTo(await handle.createWritable(), { signal })
      const kept = await handle.getFile()
      refuseShort(kept, written)
      const file = new File([kept], name, { type: 'application/zip' })
      await check(file)
      return file
    } catch (error) {
      await folder.removeEntry(id).catch(() => undefined)
      throw writeFailure(error, signal)
    }
  })
}

const lockName = (id: string): string => `rowhouse-backup-${id}`

/** Removes the files that had time to be downloaded, and what calls left that were cut off, of any tab. */
export async function sweepScratch(now = Date.now()): Promise<void> {
  const root = await privateFiles()
  const folder = await root?.getDirectoryHandle(SCRATCH_FOLDER, { create: true })
  if (!folder) return
  for await (const [id, handle] of folder.entries()) {
    await navigator.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
      if (!lock || handle.kind !== 'file') return
      const { lastModified } = await handle.getFile()
      // A clock that was set back makes it look as if it came from the future.
      if (Math.abs(now - lastModified) >= DOWNLOADED_WITHIN) await folder.removeEntry(id).catch(() => undefined)
    })
  }
}
