/** The bytes of a stream, which are there before they are taken. */
export class Lookahead {
  /** What is there: from `at` on it isn't taken yet. */
  bytes: Uint8Array = new Uint8Array(0)
  at = 0
  private readonly source: AsyncIterator<Uint8Array>
  private before = 0
  private ended = false

  constructor(source: AsyncIterable<Uint8Array>) {
    this.source = source[Symbol.asyncIterator]()
  }

  /** How many bytes there are that aren't taken. */
  get left(): number {
    return this.bytes.length - this.at
  }

  /** How many bytes of the stream are taken. */
  get taken(): number {
    return this.before + this.at
  }

  /** Waits until so many bytes are there, or the stream ends before: false then. */
  async has(count: number): Promise<boolean> {
    while (this.left < count && !this.ended) {
      const next = await this.source.next()
      this.ended = next.done === true
      if (next.done) break
      const rest = this.bytes.subarray(this.at)
      this.before += this.at
      this.at = 0
      this.bytes = rest.length === 0 ? next.value : joined(rest, next.value)
    }
    return this.left >= count
  }

  /** Passes over bytes, as many as there may be; false if the stream ends before. */
  async skip(count: number): Promise<boolean> {
    for (let missing = count; missing > 0;) {
      if (!(await this.has(1))) return false
      const step = Math.min(missing, this.left)
      this.at += step
      missing -= step
    }
    return true
  }

  /** Lets go of the stream. */
  async close(): Promise<void> {
    await this.source.return?.()
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const whole = new Uint8Array(a.length + b.length)
  whole.set(a)
  whole.set(b, a.length)
  return whole
}
