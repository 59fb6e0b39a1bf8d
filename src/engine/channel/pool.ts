import { Semaphore } from '../../lib/semaphore.ts'
import { EngineError } from '../errors.ts'
import type { Channel } from './channel.ts'
import type { CallsOf } from './messages.ts'

interface PoolOptions<C extends CallsOf<C>> {
  readonly open: () => Channel<C>
  /** Maximum number of concurrent users; others wait in order. */
  readonly limit: number
  /** Idle workers kept for the next user; may be shared by pools. */
  readonly idle?: Channel<C>[]
  /** Maximum number of idle workers. */
  readonly keep?: number
  /** Whether to start another worker when the last idle one is taken. */
  readonly ahead?: boolean
}

/** Gives each user exclusive use of a worker. Workers left open are kept for the next user. */
export class ChannelPool<C extends CallsOf<C>> {
  private readonly open: () => Channel<C>
  private readonly turns: Semaphore
  private readonly idle: Channel<C>[]
  private readonly keep: number
  private readonly ahead: boolean
  private readonly limit: number
  private users = 0

  constructor({ open, limit, idle = [], keep = limit, ahead = false }: PoolOptions<C>) {
    this.open = open
    this.turns = new Semaphore(limit)
    this.idle = idle
    this.keep = keep
    this.ahead = ahead
    this.limit = limit
  }

  /** Whether any worker is in use. */
  get busy(): boolean {
    return this.users > 0
  }

  /**
   * Starts a worker in advance, unless one is idle.
   * @param meanwhile work for the idle worker, which must be cancellable at any time
   */
  warm(meanwhile?: (channel: Channel<C>) => void): void {
    if (this.idle.some(({ closed }) => !closed)) return
    const channel = this.open()
    this.idle.push(channel)
    meanwhile?.(channel)
  }

  /**
   * If a part of a worker couldn't be loaded, tries once more with another worker. A service worker that was stopped
   * has restarted by then, and browsers don't fetch the same part twice for the same worker.
   * @throws the signal's reason if it's aborted before a worker is available
   */
  use<T>(signal: AbortSignal, work: (channel: Channel<C>) => Promise<T>): Promise<T> {
    return this.turns.run(async () => {
      try {
        return await this.useOne(work)
      } catch (error) {
        if (!(error instanceof EngineError) || error.code !== 'not-loaded' || signal.aborted) throw error
        return this.useOne(work)
      }
    }, signal)
  }

  private async useOne<T>(work: (channel: Channel<C>) => Promise<T>): Promise<T> {
    const channel = this.next() ?? this.open()
    this.users++
    try {
      if (this.ahead && this.users < this.limit) this.startNext()
      return await work(channel)
    } catch (error) {
      if (error instanceof EngineError && error.code === 'not-loaded') channel.close()
      throw error
    } finally {
      this.users--
      const kept = this.idle.filter(({ closed }) => !closed).length
      if (!channel.closed && !channel.outgrown && kept < this.keep) this.idle.push(channel)
      else channel.close()
    }
  }

  /** Starts a worker for the next user. If that fails, the next user gets the error, not the current one. */
  private startNext(): void {
    try {
      this.warm()
    } catch {
      // The next user tries again.
    }
  }

  /** An idle worker that is still alive. It may have died if its script couldn't be loaded. */
  private next(): Channel<C> | undefined {
    for (;;) {
      const channel = this.idle.pop()
      if (!channel?.closed) return channel
    }
  }
}
