import type { ByteSink } from '../../lib/sink.ts'
import { writeWhole, type WritingHandle } from './whole-writes.ts'

/** Bytes gathered before they go to the file. In private windows each write is a trip to another process. */
const GATHERED = 1024 * 1024

/** Appends to a file of the private file system, in large pieces: `flush` before the file is closed. */
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

  /** @throws {DOMException} `QuotaExceededError` when the disk is full */
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

  /** Hands what is gathered to the file. Throws as `write` rejects. */
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
