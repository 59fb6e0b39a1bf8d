/** What can be watched: the two functions that React's `useSyncExternalStore` takes. */
export interface Readable<State> {
  /** The same value as long as nothing changed. */
  readonly snapshot: () => State
  /** Calls back after each change; gives what ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** Milliseconds between two changes that are told, where they come many times a second. */
const FRAME_MS = 80

/** A value that outlives components, and who watches it. */
export class Store<State> implements Readable<State> {
  protected state: State
  private readonly listeners = new Set<() => void>()
  private frame: ReturnType<typeof setTimeout> | null = null

  constructor(state: State) {
    this.state = state
  }

  readonly snapshot = (): State => this.state

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** @param soon it's progress: told with the next frame, together with what changes until then */
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
    for (const listener of this.listeners) listener()
  }
}
