import { concatBytes } from '../../lib/bytes.ts'

/** Buffers a stream, so that bytes can be inspected before they are consumed. */
export class Lookahead {
  /** The buffered bytes; those from `at` on aren't consumed yet. */
  bytes: Uint8Array = new Uint8Array(0)
  at = 0
  private readonly source: AsyncIterator<Uint8Array>
  private before = 0
  private ended = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** Number of buffered bytes not yet consumed. */
  get left(): number {
    return this.bytes.length - this.at
  }

  /** Number of bytes consumed. */
  get taken(): number {
    return this.before + this.at
  }

  /** Waits until that many bytes are buffered; returns false if the stream ends first. */
  async has(count: number): Promise<boolean> {
    while (this.left < count && !this.ended) {
      const next = await this.source.next()
      this.ended = next.done === true
      if (next.done) break
      const rest = this.bytes.subarray(this.at)
      this.before += this.at
      this.at = 0
      this.bytes = rest.length === 0 ? next.value : concatBytes([rest, next.value])
    }
    return this.left >= count
  }

  /** Skips bytes; returns false if the stream ends first. */
  async skip(count: number): Promise<boolean> {
    for (let missing = count; missing > 0;) {
      if (!(await this.has(1))) return false
      const step = Math.min(missing, this.left)
      this.at += step
      missing -= step
    }
    return true
  }

  /** Closes the stream. */
  async close(): Promise<void> {
    await this.source.return?.()
  }
}
