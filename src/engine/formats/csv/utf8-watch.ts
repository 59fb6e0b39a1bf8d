import { findInvalidUtf8, isAscii } from '../../io/text-stream.ts'

/** Beyond this many, characters needn't be counted: the file is UTF-8, however damaged. */
const CONVINCING = 10_000

/** Looks at each byte of a growing buffer once, and remembers where it isn't UTF-8. */
export class Utf8Watch {
  /** Line of the first record that has bytes that aren't UTF-8; 0 when none has. */
  firstLine = 0
  private checked = 0
  private invalid: number[] = []
  /** Characters beyond ASCII. */
  private valid = 0
  private invalidBytes = 0

  /** Whether the bytes beyond ASCII speak against UTF-8: that the file is rather in another encoding than damaged. */
  get looksOtherwiseEncoded(): boolean {
    return this.invalidBytes > this.valid
  }

  /** Whether all bytes that were looked at are UTF-8. */
  get allValid(): boolean {
    return this.invalidBytes === 0
  }

  /** What is behind hasn't been looked at. */
  get checkedTo(): number {
    return this.checked
  }

  /** The buffer's first bytes, all of them looked at, were dropped. */
  shift(by: number): void {
    this.checked -= by
    if (this.invalid.length > 0) this.invalid = this.invalid.map((at) => at - by).filter((at) => at >= 0)
  }

  /** Checks what is new. A character that `length` cuts is left for later, unless there is no more to come. */
  check(bytes: Uint8Array, length: number, final: boolean): void {
    let end = length
    for (let back = final ? 4 : 1; back <= 3 && length - back >= this.checked; back++) {
      const byte = bytes[length - back]
      if (byte >= 0xc0) end = length - back
      if (byte >= 0xc0 || byte < 0x80) break
    }
    let from = this.checked
    this.checked = Math.max(end, from)
    if (isAscii(bytes, from, end)) return
    for (let at = findInvalidUtf8(bytes, from, end); at >= 0; at = findInvalidUtf8(bytes, from, end)) {
      this.count(bytes, from, at)
      this.invalid.push(at)
      this.invalidBytes++
      from = at + 1
    }
    this.count(bytes, from, end)
  }

  /** Counts the characters beyond ASCII in a stretch of UTF-8. */
  private count(bytes: Uint8Array, from: number, to: number): void {
    for (let at = from; at < to && this.valid < CONVINCING; at++) if (bytes[at] >= 0xc0) this.valid++
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
