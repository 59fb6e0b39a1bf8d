/** Milliseconds until an unused spare is closed, since its worker takes up memory. */
const WAITS = 30_000

/** Starts the first of several before it's needed, since starting its worker takes long. */
export class Spare<T extends { readonly close: () => void }> {
  readonly #create: () => T
  readonly #start: (spare: T) => void
  #spare: T | null = null
  #timer: ReturnType<typeof setTimeout> | undefined
  /** From the first one on, the engine's code is loaded, and further ones start fast. */
  #taken = false

  /** @param start starts what `create` returns, unless it starts by itself */
  constructor(create: () => T, start: (spare: T) => void = () => undefined) {
    this.#create = create
    this.#start = start
  }

  warm(): void {
    if (this.#taken || this.#spare) return
    const spare = this.#create()
    this.#spare = spare
    this.#start(spare)
    this.#timer = setTimeout(() => {
      this.#spare = null
      spare.close()
    }, WAITS)
  }

  take(): T {
    clearTimeout(this.#timer)
    const spare = this.#spare
    this.#spare = null
    this.#taken = true
    return spare ?? this.#create()
  }
}
