import { asError } from '../../lib/errors.ts'

/** The part of a synchronous access handle that writes. */
export type WritingHandle = Pick<FileSystemSyncAccessHandle, 'write'>

/**
 * Writes all of the bytes at a place of the file.
 * @throws {DOMException} `QuotaExceededError` when the disk is full
 */
export function writeWhole(handle: WritingHandle, bytes: Uint8Array, at: number): void {
  let done = 0
  while (done < bytes.length) {
    const rest = done === 0 ? bytes : bytes.subarray(done)
    const count = handle.write(rest, { at: at + done })
    // On a full disk Chromium throws nothing: it writes less, or gives the error's number (-8) as an unsigned count.
    if (count === 0 || count > rest.length) throw new DOMException('nothing was written', 'QuotaExceededError')
    done += count
  }
}

/**
 * A synchronous access handle for code that doesn't look at what its writes return: each is whole, or throws. What was
 * thrown is remembered, because such code may go on all the same.
 */
export class WholeWrites {
  /** Why the file isn't what was written to it; undefined while it is. */
  failure: Error | undefined
  private readonly handle: FileSystemSyncAccessHandle

  constructor(handle: FileSystemSyncAccessHandle) {
    this.handle = handle
  }

  read(buffer: Uint8Array, options?: FileSystemReadWriteOptions): number {
    return this.handle.read(buffer, options)
  }

  write(bytes: Uint8Array, options?: FileSystemReadWriteOptions): number {
    this.guarded(() => writeWhole(this.handle, bytes, options?.at ?? 0))
    return bytes.length
  }

  truncate(size: number): void {
    this.guarded(() => this.handle.truncate(size))
  }

  flush(): void {
    this.guarded(() => this.handle.flush())
  }

  getSize(): number {
    return this.handle.getSize()
  }

  close(): void {
    this.handle.close()
  }

  private guarded(work: () => void): void {
    try {
      work()
    } catch (error) {
      this.failure ??= asError(error)
      throw error
    }
  }
}
