/** What can be watched: the two functions that React's `useSyncExternalStore` takes. */
export interface Readable<State> {
  /** The same value as long as nothing changed. */
  readonly snapshot: () => State
  /** As it was when a change was last announced, where some are announced later. */
  readonly announced?: () => State
  /** Calls back after each change; gives what ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Milliseconds between two changes that are announced, where they come many times a second. */
const FRAME_MS = 80

/** Those who are called back. */
export class Listeners<Args extends readonly unknown[] = []> {
  private readonly all = new Set<(...args: Args) => void>()

  get size(): number {
    return this.all.size
  }

  /** @returns what ends it */
  readonly add = (listener: (...args: Args) => void): (() => void) => {
    this.all.add(listener)
    return () => this.all.delete(listener)
  }

  readonly tell = (...args: Args): void => {
    for (const listener of this.all) listener(...args)
  }
}

/** A value that outlives components, and who watches it. */
export class Store<State> implements Readable<State> {
  protected state: State
  private seen: State
  private readonly listeners = new Listeners()
  private frame: ReturnType<typeof setTimeout> | null = null

  constructor(state: State) {
    this.state = state
    this.seen = state
  }

  readonly snapshot = (): State => this.state

  readonly announced = (): State => this.seen

  readonly subscribe = (listener: () => void): (() => void) => this.listeners.add(listener)

  /** @param soon it's progress: announced with the next frame, together with what changes until then */
  set(state: State, soon = false): void {
    this.state = state
    if (soon) this.frame ??= setTimeout(() => this.tell(), FRAME_MS)
    else this.tell()
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
