import type { SqlSession } from './types.ts'

/** Milliseconds until an unused session is closed, since its worker takes up memory. */
const WAITS = 30_000

/** Starts the first session's worker before the session is needed, since starting it takes long. */
export class SpareSession<S extends Pick<SqlSession, 'check' | 'close'>> {
  readonly #create: () => S
  #spare: S | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** From the first session on, the engine's code is loaded, and further sessions start fast. */
  #taken = false

  constructor(create: () => S) {
    this.#create = create
  }

  warm(): void {
    if (this.#taken || this.#spare) return
    const spare = this.#create()
    this.#spare = spare
    // The first call starts the worker. If it can't start, calls of whoever takes the session reject.
    spare.check('SELECT 1').catch(() => undefined)
    this.#timer = setTimeout(() => {
      this.#spare = null
      spare.close()
    }, WAITS)
  }

  take(): S {
    clearTimeout(this.#timer)
    const spare = this.#spare
    this.#spare = null
    this.#taken = true
    return spare ?? this.#create()
  }
}
