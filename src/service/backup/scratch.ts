import { privateFiles } from '../../lib/private-files.ts'

/** Its folder in the private file system. */
export const SCRATCH_FOLDER = 'backups'

/**
 * Makes a file of a stream: in the private file system where there is one, so that it needs no memory, otherwise in
 * memory. What earlier calls left, of any tab that isn't writing any more, is removed first.
 * @throws {DOMException} `QuotaExceededError`, with nothing left
 */
export async function keepInScratch(
  stream: ReadableStream<Uint8Array>,
  name: string,
  signal: AbortSignal,
): Promise<File> {
  const root = await privateFiles()
  if (!root) return new File([await new Response(stream.pipeThrough(new TransformStream(), { signal })).blob()], name)
  const folder = await root.getDirectoryHandle(SCRATCH_FOLDER, { create: true })
  const id = crypto.randomUUID()
  return navigator.locks.request(lockName(id), { signal }, async () => {
    await sweep(folder)
    const handle = await folder.getFileHandle(id, { create: true })
    try {
      await stream.pipeTo(await handle.createWritable(), { signal })
    } catch (error) {
      await folder.removeEntry(id).catch(() => undefined)
      throw error
    }
    return new File([await handle.getFile()], name, { type: 'application/zip' })
  })
}

const lockName = (id: string): string => `rowhouse-backup-${id}`

async function sweep(folder: FileSystemDirectoryHandle): Promise<void> {
  for await (const id of folder.keys()) {
    await navigator.locks.request(lockName(id), { ifAvailable: true }, async (lock) => {
      if (lock) await folder.removeEntry(id).catch(() => undefined)
    })
  }
}
