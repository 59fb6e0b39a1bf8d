/** Entries that a `RecentMap` keeps. */
const KEPT = 64
/** Longer statements aren't kept, in characters: they would be most of the memory. */
const LONGEST = 20_000

/** What was found out about statements, those used last. */
export class RecentMap<T> {
  /** By text, the one used longest ago first. */
  private readonly entries = new Map<string, T>()

  get(text: string): T | undefined {
    const value = this.entries.get(text)
    if (value === undefined) return undefined
    this.entries.delete(text)
    this.entries.set(text, value)
    return value
  }

  set(text: string, value: T): void {
    if (text.length > LONGEST) return
    this.entries.set(text, value)
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= KEPT) return
      this.entries.delete(oldest)
    }
  }

  clear(): void {
    this.entries.clear()
  }
}
