/** A map that keeps only the most recently used entries. */
export class RecentMap<Key, Value> {
  /** Least recently used first. */
  private readonly entries = new Map<Key, Value>()
  private readonly most: number

  /** @param most number of entries to keep */
  constructor(most: number) {
    this.most = most
  }

  get(key: Key): Value | undefined {
    const value = this.entries.get(key)
    if (value !== undefined) this.set(key, value)
    return value
  }

  set(key: Key, value: Value): void {
    this.entries.delete(key)
    this.entries.set(key, value)
    for (const oldest of this.entries.keys()) {
      if (this.entries.size <= this.most) return
      this.entries.delete(oldest)
    }
  }

  delete(key: Key): void {
    this.entries.delete(key)
  }

  /** Removes the entries for which `isGone` returns true. */
  deleteWhere(isGone: (value: Value) => boolean): void {
    for (const [key, value] of this.entries) if (isGone(value)) this.entries.delete(key)
  }

  clear(): void {
    this.entries.clear()
  }
}
