import { Semaphore } from '../../lib/semaphore.ts'
import { EngineError } from '../errors.ts'
import type { Channel } from './channel.ts'
import type { CallsOf } from './messages.ts'

export interface PoolOptions<C extends CallsOf<C>> {
  readonly open: () => Channel<C>
  /** Users at once; others wait in order. */
  readonly limit: number
  /** Workers that are kept for the next user; pools may share them. */
  readonly idle?: Channel<C>[]
  /** How many are kept, at most. */
  readonly keep?: number
  /** Whether the next user's worker is started when the last one that waits is taken. */
  readonly ahead?: boolean
}

/** Gives each user a worker of its own. One that its user leaves open is kept for the next. */
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

  /** Somebody has a worker. */
  get busy(): boolean {
    return this.users > 0
  }

  /**
   * Starts a worker ahead of its next user, unless one waits already.
   * @param meanwhile what it does until then; whoever cancels that needn't wait for its end
   */
  warm(meanwhile?: (channel: Channel<C>) => void): void {
    if (this.idle.some(({ closed }) => !closed)) return
    const channel = this.open()
    this.idle.push(channel)
    meanwhile?.(channel)
  }

  /**
   * Where a part of a worker couldn't be loaded, another one tries once more: a service worker that was stopped in the middle of it is
   * up again by then, and a browser doesn't fetch the same part for the same worker twice.
   * @throws the signal's reason when it's aborted before there is a worker
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

  /** Starts the next user's worker. Where it can't be, that user gets the error, not the one who has a worker. */
  private startNext(): void {
    try {
      this.warm()
    } catch {
      // It's tried again for that user.
    }
  }

  /** One that didn't die while it waited: when its script can't be loaded, above all. */
  private next(): Channel<C> | undefined {
    for (;;) {
      const channel = this.idle.pop()
      if (!channel?.closed) return channel
    }
  }
}
