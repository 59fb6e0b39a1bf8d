/** Lets so many run at once; others wait in order. */
export class Turns {
  private readonly limit: number
  private readonly waiting: (() => void)[] = []
  private running = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /** Nobody has a turn. */
  get idle(): boolean {
    return this.running === 0
  }

  /**
   * Resolves when it's one's turn; `give` it back then.
   * @throws the signal's reason, and then there's nothing to give back
   */
  async take(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.running < this.limit) {
      this.running++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        signal.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(go), 1)
        reject(signal.reason as Error)
      }
      signal.addEventListener('abort', leave, { once: true })
      this.waiting.push(go)
    })
  }

  /** The turn is handed on, so that nobody comes between. */
  give(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.running--
  }
}
