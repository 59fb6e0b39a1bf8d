import { refuseShort, writeFailure } from '../../lib/full-disk.ts'
import { privateFiles } from '../../lib/private-files.ts'

/** Its folder in the origin private file system. */
export const SCRATCH_FOLDER = 'backups'
/** How long a file is kept for its download, in milliseconds. Browsers don't report when a download has ended. */
const DOWNLOADED_WITHIN = 5 * 60_000

/**
 * Writes a stream to a file in the origin private file system, or in memory where there is none. `sweepScratch` removes
 * the file after its download.
 * @param check checks the file before it's returned
 * @throws {DOMException} `QuotaExceededError`, or the error of `check`; the file is then removed
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

/** Removes files that had enough time for their download, and remains of interrupted calls, of all tabs. */
export async function sweepScratch(now = Date.now()): Promise<void> {
  const root = await privateFiles()
  const folder = await root?.getDirectoryHandle(SCRATCH_FOLDER, { create: true })
  if (!folder) return
  for await (const [id, handle] of folder.entries()) {
    await navigator.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
      if (!lock || handle.kind !== 'file') return
      const { lastModified } = await handle.getFile()
      // After the clock was set back, the file seems to be from the future.
      if (Math.abs(now - lastModified) >= DOWNLOADED_WITHIN) await folder.removeEntry(id).catch(() => undefined)
    })
  }
}
