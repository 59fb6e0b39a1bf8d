/** A file needn't be cut into smaller pieces. Bytes. */
const APART = 1024 * 1024

/** Where a written file can be cut: the bytes at which some of its rows begin. */
export class Cuts {
  /** In rising order. */
  readonly found: number[] = []
  private last = 0

  /** Notes that a row begins at this byte. */
  add(at: number): void {
    if (at - this.last < APART) return
    this.found.push(at)
    this.last = at
  }
}
