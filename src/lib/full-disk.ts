/**
 * Whether something couldn't be stored for lack of space, whatever error the browser reports. If other programs filled
 * the disk, Chromium closes an IndexedDB with an `UnknownError` that gives the reason only in its message:
 * `FILE_ERROR_NO_SPACE`.
 */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'QuotaExceededError' || /quota|no[ _]space/i.test(error.message)
}

/**
 * The reason why a file of the private file system couldn't be written. On a full disk Chromium may only say that
 * writing was aborted, although nobody aborted it.
 * @param signal the one that could have aborted it
 */
export function writeFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  const full = error instanceof DOMException && error.name === 'AbortError' && !signal?.aborted
  return full ? new DOMException('The file couldn’t be written to its end.', 'QuotaExceededError') : error
}

/**
 * Checks that a file is as long as what was written to it.
 * @throws {DOMException} `QuotaExceededError`
 */
export function refuseShort({ size }: Blob, written: number): void {
  if (size !== written) throw new DOMException(`${size} of ${written} bytes were written`, 'QuotaExceededError')
}
