/** Where a writer puts its bytes, in order. */
export interface ByteSink {
  /** The bytes may be reused by the caller once the promise is settled. */
  write(bytes: Uint8Array): Promise<void>
  /** Bytes written so far. */
  readonly size: number
}

/** Keeps what is written in memory: for tests, and where the browser has no file system of its own. */
export class MemorySink implements ByteSink {
  private parts: Uint8Array<ArrayBuffer>[] = []
  size = 0

  write(bytes: Uint8Array): Promise<void> {
    this.parts.push(new Uint8Array(bytes))
    this.size += bytes.length
    return Promise.resolve()
  }

  /** The bytes of each write since the last time, for the caller to keep. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  /** All of it, as a file. */
  file(name: string, type = 'application/octet-stream'): File {
    return new File(this.parts, name, { type })
  }
}
