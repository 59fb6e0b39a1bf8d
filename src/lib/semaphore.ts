/** Lets a limited number of tasks run at once; others wait in order. */
export class Semaphore {
  private readonly limit: number
  private readonly waiting: (() => void)[] = []
  private running = 0

  constructor(limit: number) {
    this.limit = limit
  }

  /**
   * Runs `work` once a permit is free.
   * @throws the signal's reason if it's aborted before that; then `work` doesn't run
   */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    await this.acquire(signal)
    try {
      signal?.throwIfAborted()
      return await work()
    } finally {
      this.release()
    }
  }

  private async acquire(signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    if (this.running < this.limit) {
      this.running++
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = (): void => {
        this.waiting.splice(this.waiting.indexOf(go), 1)
        reject(signal?.reason as Error)
      }
      signal?.addEventListener('abort', leave, { once: true })
      this.waiting.push(go)
    })
  }

  /** The permit passes directly to the next in line, so that nobody gets in between. */
  private release(): void {
    const next = this.waiting.shift()
    if (next) next()
    else this.running--
  }
}
