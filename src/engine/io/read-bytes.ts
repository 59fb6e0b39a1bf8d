/** Files up to this size are read whole. Bytes. */
const WHOLE = 4 * 1024 * 1024

/** The small file that was read last: one at a time, so that a thousand of them don't stay in memory. */
let latest: { readonly file: Blob; readonly bytes: Promise<ArrayBuffer> } | null = null

/**
 * A file's bytes from one offset to another, which belong to the caller. A browser asks another process for each part of
 * a file, about a millisecond each time: a small one, of which several readers want the first bytes, is asked for once.
 * @throws {DOMException} when the file can't be read any more
 */
export async function readBytes(file: Blob, from: number, to: number): Promise<ArrayBuffer> {
  if (file.size > WHOLE) return file.slice(from, to).arrayBuffer()
  if (latest?.file !== file) latest = { file, bytes: file.arrayBuffer() }
  return (await latest.bytes).slice(from, to)
}
