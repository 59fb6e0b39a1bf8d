/** Files up to this size are read whole. Bytes. */
const WHOLE = 4 * 1024 * 1024

/** How much of the following files is read ahead. Bytes. */
const AHEAD = 16 * 1024 * 1024

/** The small files last used, each alone or a group of them. Only two, so that a thousand don't stay in memory. */
let latest: readonly ReadonlyMap<Blob, Promise<Uint8Array>>[] = []

/**
 * Reads a range of a file. The returned bytes may be shared, so don't change them. Browsers ask another process for
 * each range, which takes about a millisecond, so a small file, whose first bytes several readers want, is read only
 * once.
 * @throws {DOMException} if the file can't be read any more
 */
export async function readBytes(file: Blob, from: number, to: number): Promise<Uint8Array> {
  if (file.size > WHOLE) return new Uint8Array(await file.slice(from, to).arrayBuffer())
  let bytes = known(file)
  if (!bytes) keep([[file, (bytes = bytesOf(file))]])
  return (await bytes).subarray(from, to)
}

/**
 * Starts to read small files that are needed next, as many as come to 16 MB, unless half as much is read already, so
 * that nobody waits for them. Chromium takes half as long for them as one blob as for each alone.
 */
export function readAhead(files: readonly Blob[]): void {
  const next = files.findIndex((file) => !known(file))
  if (next < 0 || files.slice(0, next).reduce((sum, { size }) => sum + size, 0) > AHEAD / 2) return
  const group: Blob[] = []
  let size = 0
  for (const file of files.slice(next)) {
    size += file.size
    if (file.size > WHOLE || size > AHEAD) break
    group.push(file)
  }
  if (group.length === 0) return
  const whole = new Blob(group).arrayBuffer()
  let end = 0
  keep(
    group.map((file) => {
      const from = end
      end += file.size
      // If one of the files can't be read, the others must be.
      const bytes = whole.then((all) => new Uint8Array(all, from, file.size)).catch(() => bytesOf(file))
      return [file, bytes]
    }),
  )
}

function known(file: Blob): Promise<Uint8Array> | undefined {
  const files = latest.find((each) => each.has(file))
  if (files) latest = [...latest.filter((each) => each !== files), files]
  return files?.get(file)
}

const bytesOf = async (file: Blob): Promise<Uint8Array> => new Uint8Array(await file.arrayBuffer())

function keep(files: readonly (readonly [Blob, Promise<Uint8Array>])[]): void {
  const kept = new Map(files)
  latest = [...latest.slice(-1), kept]
  for (const [file, bytes] of files) {
    // The error is thrown to whoever awaits it. The next attempt reads again.
    bytes.catch(() => kept.delete(file))
  }
}
