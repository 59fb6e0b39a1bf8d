/** A value to observe: has the two functions that React's `useSyncExternalStore` takes. */
export interface Readable<State> {
  /** Returns the same value while nothing changes. */
  readonly snapshot: () => State
  /** The value at the last announcement, if changes are announced later. */
  readonly announced?: () => State
  /** Calls back after each change; returns a function that stops it. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Milliseconds between announcements of frequent changes. */
const FRAME_MS = 80

/** A set of callbacks. */
export class Listeners<Args extends readonly unknown[] = []> {
  private readonly all = new Set<(...args: Args) => void>()

  get size(): number {
    return this.all.size
  }

  /** @returns a function that removes it */
  readonly add = (listener: (...args: Args) => void): (() => void) => {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  readonly tell = (...args: Args): void => {
    for (const listener of this.all) listener(...args)
  }
}

/** A value that outlives components, with its subscribers. */
export class Store<State> implements Readable<State> {
  protected state: State
  private seen: State
  private readonly listeners = new Listeners()
  private frame: ReturnType<typeof setTimeout> | null = null
  private isHeld = false

  constructor(state: State) {
    this.state = state
    this.seen = state
  }

  readonly snapshot = (): State => this.state

  readonly announced = (): State => this.seen

  readonly subscribe = (listener: () => void): (() => void) => this.listeners.add(listener)

  /** @param soon for progress: announced within `FRAME_MS`, together with other changes until then */
  set(state: State, soon = false): void {
    this.state = state
    if (this.isHeld) return
    if (soon) this.frame ??= setTimeout(() => this.tell(), FRAME_MS)
    else this.tell()
  }

  /** Changes something for each of many, and announces that as one change. */
  together<T>(many: Iterable<T>, change: (one: T) => void): void {
    const outer = this.isHeld
    this.isHeld = true
    try {
      for (const one of many) change(one)
    } finally {
      this.isHeld = outer
      if (!outer && this.state !== this.seen) this.tell()
    }
  }

  merge(change: Partial<State>, soon = false): void {
    this.set({ ...this.state, ...change }, soon)
  }

  protected tell(): void {
    if (this.frame !== null) clearTimeout(this.frame)
    this.frame = null
    this.seen = this.state
    this.listeners.tell()
  }
}
