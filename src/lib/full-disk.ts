/**
 * Whether something couldn't be kept for want of room, whatever the browser called it. On a disk that others filled
 * Chromium closes an IndexedDB with an `UnknownError` that says why in words alone: `FILE_ERROR_NO_SPACE`.
 */
export function isFullDisk(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return error.name === 'QuotaExceededError' || /quota|no[ _]space/i.test(error.message)
}

/**
 * Why a file of the private file system couldn't be written. On a full disk Chromium may say nothing but that writing
 * was aborted, though nobody did.
 * @param signal what would have aborted it
 */
export function writeFailure(error: unknown, signal: AbortSignal | undefined): unknown {
  const full = error instanceof DOMException && error.name === 'AbortError' && !signal?.aborted
  return full ? new DOMException('The file couldn’t be written to its end.', 'QuotaExceededError') : error
}

/**
 * Makes sure that a file is as long as what was written to it.
 * @throws {DOMException} `QuotaExceededError`
 */
export function refuseShort({ size }: Blob, written: number): void {
  if (size !== written) throw new DOMException(`${size} of ${written} bytes were written`, 'QuotaExceededError')
}
