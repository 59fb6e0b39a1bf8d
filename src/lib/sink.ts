/** Receives a writer's bytes, in order. */
export interface ByteSink {
  /** The caller may reuse the bytes once the promise has settled. */
  write(bytes: Uint8Array): Promise<void>
  /** Bytes written so far. */
  readonly size: number
}

/** Collects bytes in memory, for tests and for browsers without a private file system. */
export class MemorySink implements ByteSink {
  private parts: Uint8Array<ArrayBuffer>[] = []
  size = 0

  write(bytes: Uint8Array): Promise<void> {
    this.parts.push(new Uint8Array(bytes))
    this.size += bytes.length
    return Promise.resolve()
  }

  /** The bytes of each write since the last call, which the caller may keep. */
  take(): readonly Uint8Array<ArrayBuffer>[] {
    const { parts } = this
    this.parts = []
    return parts
  }

  /** Everything written, as a file. */
  file(name: string, type = 'application/octet-stream'): File {
    return new File(this.parts, name, { type })
  }
}
