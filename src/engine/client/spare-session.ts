import type { SqlSession } from './types.ts'

/** Milliseconds that a session waits for somebody who wants it; its worker has memory. */
const WAITS = 30_000

/** Has the first session ready before it's wanted: its worker is what takes long. */
export class SpareSession<S extends Pick<SqlSession, 'check' | 'close'>> {
  readonly #create: () => S
  #spare: S | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Somebody has a session: the engine is there, and another one is quick. */
  #taken = false

  constructor(create: () => S) {
    this.#create = create
  }

  warm(): void {
    if (this.#taken || this.#spare) return
    const spare = this.#create()
    this.#spare = spare
    // The first call starts the worker. Whoever takes the session hears by themselves that it can't start.
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
