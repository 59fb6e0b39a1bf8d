import { asError } from '../../lib/errors.ts'
import type { ByteSink } from '../../lib/sink.ts'

/** The writing part of a synchronous access handle. */
type WritingHandle = Pick<FileSystemSyncAccessHandle, 'write'>

/**
 * Writes all bytes at an offset of the file.
 * @throws {DOMException} `QuotaExceededError` if the disk is full
 */
export function writeWhole(handle: WritingHandle, bytes: Uint8Array, at: number): void {
  let done = 0
  while (done < bytes.length) {
    const rest = done === 0 ? bytes : bytes.subarray(done)
    const count = handle.write(rest, { at: at + done })
    // On a full disk, Chromium doesn't throw, but writes less or returns the error number (-8) as an unsigned count.
    if (count === 0 || count > rest.length) throw new DOMException('nothing was written', 'QuotaExceededError')
    done += count
  }
}

/**
 * A synchronous access handle for code that doesn't check the results of its writes: each one is complete, or throws.
 * Errors are remembered, because such code may continue.
 */
export class WholeWrites {
  /** The first error of a write; undefined if all succeeded. */
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

/** Bytes to collect before a write to the file. In private windows, each write is a call to another process. */
const GATHERED = 1024 * 1024

/** Appends to a file of the private file system, in large pieces. Call `flush` before closing the file. */
export class AccessHandleSink implements ByteSink {
  private readonly handle: WritingHandle
  private readonly gathered = new Uint8Array(GATHERED)
  private pending = 0
  private written = 0

  constructor(handle: WritingHandle) {
    this.handle = handle
  }

  get size(): number {
    return this.written + this.pending
  }

  /** @throws {DOMException} `QuotaExceededError` if the disk is full */
  write(bytes: Uint8Array): Promise<void> {
    try {
      if (this.pending + bytes.length > GATHERED) this.flush()
      if (bytes.length >= GATHERED) this.put(bytes)
      else {
        this.gathered.set(bytes, this.pending)
        this.pending += bytes.length
      }
      return Promise.resolve()
    } catch (error) {
      return Promise.reject(error)
    }
  }

  /** Writes the collected bytes to the file. Throws the errors with which `write` rejects. */
  flush(): void {
    if (this.pending === 0) return
    this.put(this.gathered.subarray(0, this.pending))
    this.pending = 0
  }

  private put(bytes: Uint8Array): void {
    writeWhole(this.handle, bytes, this.written)
    this.written += bytes.length
  }
}
