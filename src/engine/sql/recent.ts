/** What is kept in mind of this many statements. */
const KEPT = 64
/** Texts beyond this many characters aren't: they would be most of the memory. */
const LONGEST = 20_000

/** What was found out about statements, those used last. */
export class Recent<T> {
  /** By text, the one used longest ago first. */
  private readonly known = new Map<string, T>()

  recall(text: string): T | undefined {
    const value = this.known.get(text)
    if (value === undefined) return undefined
    this.known.delete(text)
    this.known.set(text, value)
    return value
  }

  remember(text: string, value: T): void {
    if (text.length > LONGEST) return
    this.known.set(text, value)
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KEPT) return
      this.known.delete(oldest)
    }
  }

  forget(): void {
    this.known.clear()
  }
}
