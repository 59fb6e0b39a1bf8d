import { JSON_LINES } from '../../kernel/assembly/layout.ts'
import { RowSource, STEP, type Step } from './rows.ts'

/** One row per line. Invalid lines are rejected, and reading continues. */
export class LineRows extends RowSource {
  /** There's no line end between `at` and this position. */
  protected searched = 0

  override async more(): Promise<void> {
    const searched = this.window.limit - this.at
    await super.more()
    this.searched = searched
  }

  protected override lineOf(_start: number, line: number): number | null {
    return line
  }

  override get form(): number | null {
    return this.shape === 'values' ? null : JSON_LINES
  }

  override get lines(): number {
    return this.lineNumber
  }

  override get between(): boolean {
    return this.at >= this.window.limit
  }

  next(): Step {
    const { window, tokens } = this
    const { scanner } = tokens
    for (;;) {
      const { bytes, limit } = window
      if (this.at >= limit) return window.eof ? STEP.done : STEP.more
      let end = bytes.indexOf(0x0a, Math.max(this.at, this.searched))
      if (end < 0 || end > limit) end = limit
      if (end === limit && !window.eof) return STEP.more
      this.lineNumber++
      this.rowStart = this.at
      this.rowEnd = end
      this.at = end + 1
      bytes[end] = 0
      scanner.reset(bytes, this.rowStart, end, true)
      scanner.space()
      if (scanner.pos >= end) continue
      return this.take(end)
    }
  }

  protected take(end: number): Step {
    const { tokens } = this
    const { scanner } = tokens
    const columns = tokens.keys.size
    let kind = this.scan()
    if (kind >= 0) {
      const c = scanner.space()
      if (scanner.pos < end) kind = scanner.bad(scanner.pos, trailingProblem(c))
    }
    if (this.window.bytes[this.rowEnd - 1] === 0x0d) this.rowEnd--
    if (kind >= 0) {
      const step = this.settle(kind)
      if (step === STEP.rejected) tokens.forget(columns)
      return step
    }
    tokens.forget(columns)
    this.count++
    return this.reject('syntax', `The line isn’t valid JSON. ${scanner.problem?.message ?? ''}`)
  }
}

function trailingProblem(c: number): string {
  if (c === 0x2c) return 'There is a comma after the row: in this layout lines have none.'
  return c === 0x7b ? 'There is more than one object on the line.' : 'There is text after the end of the row.'
}
