/** Characters of a row that is told of. */
export const TOLD_TEXT = 200

/** How often something was met, and the first line that it was met in. */
export class Tally {
  count = 0
  line = 0
  raw = ''

  add(line: number, raw: () => string): void {
    if (this.count === 0) {
      this.line = line
      this.raw = raw()
    }
    this.count++
  }

  /** Takes in what was counted in the rest of the file, which begins behind so many lines. */
  merge(rest: Pick<Tally, 'count' | 'line' | 'raw'>, lines: number): void {
    if (this.count === 0 && rest.count > 0) {
      this.line = rest.line + lines
      this.raw = rest.raw
    }
    this.count += rest.count
  }
}
