/** Looks at each byte of a growing buffer once, and remembers where it isn't UTF-8. */
export class Utf8Watch {
  /** Line of the first record that has bytes that aren't UTF-8; 0 when none has. */
  firstLine = 0
  private checked = 0
  private invalid: number[] = []
  /** Whether all bytes that were looked at are UTF-8. */
  allValid = true

  /** What is behind hasn't been looked at. */
  get checkedTo(): number {
    return this.checked
  }

  /** The buffer's first bytes, all of them looked at, were dropped. */
  shift(by: number): void {
    this.checked -= by
    if (this.invalid.length > 0) this.invalid = this.invalid.map((at) => at - by).filter((at) => at >= 0)
  }

  /** The first byte that isn't UTF-8 of those that belong to no record yet. */
  get firstInvalid(): number {
    return this.invalid[0] ?? Number.POSITIVE_INFINITY
  }

  /**
   * Checks what is new. A character that `length` cuts is left for later, unless there is no more to come.
   * @param find gives the first byte between two places that isn't UTF-8, else the second place
   */
  check(bytes: Uint8Array, length: number, final: boolean, find: (from: number, to: number) => number): void {
    let end = length
    for (let back = final ? 4 : 1; back <= 3 && length - back >= this.checked; back++) {
      const byte = bytes[length - back]
      if (byte >= 0xc0) end = length - back
      if (byte >= 0xc0 || byte < 0x80) break
    }
    let from = this.checked
    this.checked = Math.max(end, from)
    for (let at = find(from, end); at < end; at = find(from, end)) {
      this.invalid.push(at)
      this.allValid = false
      from = at + 1
    }
  }

  /** Whether a record has bytes that aren't UTF-8; those before `after` are forgotten. */
  take(start: number, end: number, after: number, line: number): boolean {
    if (this.invalid.length === 0) return false
    const found = this.invalid.some((at) => at >= start && at < end)
    if (found) this.firstLine ||= line
    if (this.invalid[0] < after) this.invalid = this.invalid.filter((at) => at >= after)
    return found
  }
}
