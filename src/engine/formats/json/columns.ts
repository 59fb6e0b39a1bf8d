import { EngineError } from '../../errors.ts'
import { noSuchPath, RowSource, seekMember, STEP, type Step } from './rows.ts'
import { BAD, KIND, type Kind, type Scanned } from './scanner.ts'
import type { Window } from './window.ts'

/**
 * The rows of an object of columns, `{"a": [1, 2], "b": [3, 4]}`, or of objects, as pandas writes them. A row is one item
 * of each, so the whole text is held.
 */
export class ColumnRows extends RowSource {
  private readonly path: readonly string[]
  /** The columns that the text has. */
  private columns: readonly number[] = []
  /** Where each column's next item is. */
  private cursors = new Int32Array(0)
  private ready = false

  constructor(window: Window, path: readonly string[]) {
    super(window, 'objects')
    this.path = path
  }

  override get size(): number {
    const { count, present, starts, ends } = this.tokens
    let size = 0
    for (let i = 0; i < count; i++) size += ends[present[i]] - starts[present[i]]
    return size
  }

  protected override line(): null {
    return null
  }

  protected override raw(): string {
    const { tokens, window } = this
    const parts: string[] = []
    let size = 0
    for (let i = 0; i < tokens.count && size < 10_000; i++) {
      const column = tokens.present[i]
      const quote = isString(tokens.kinds[column]) ? 1 : 0
      const value = window.bytes.subarray(tokens.starts[column] - quote, tokens.ends[column] + quote)
      const part = `${JSON.stringify(tokens.keys.name(column))}:${new TextDecoder().decode(value.subarray(0, 40_000))}`
      size += part.length
      parts.push(part)
    }
    return `{${parts.join(',')}}`.slice(0, 10_000)
  }

  next(): Step {
    const { window, tokens } = this
    const { scanner } = tokens
    if (!this.ready) {
      if (!window.eof) return STEP.more
      scanner.reset(window.bytes, 0, window.limit, true)
      if (this.open() === BAD) throw this.broken(scanner.problem)
      this.ready = true
    }
    scanner.flaw = null
    tokens.begin()
    let ended = 0
    for (const column of this.columns) {
      scanner.pos = this.cursors[column]
      const c = scanner.space()
      if (c === 0x5d || c === 0x7d) {
        ended++
        continue
      }
      if (c === 0x2c) scanner.pos++
      this.item(column)
      this.cursors[column] = scanner.pos
    }
    if (ended === this.columns.length) return STEP.done
    if (ended > 0) throw this.unequal()
    return this.settle(KIND.object)
  }

  private item(column: number): void {
    const { scanner } = this.tokens
    const kind = scanner.value()
    const c = scanner.space()
    if (c === 0x3a) {
      scanner.pos++
      this.tokens.put(column, scanner.value() as Kind, scanner.start, scanner.end)
    } else {
      this.tokens.put(column, kind as Kind, scanner.start, scanner.end)
    }
  }

  /** Finds the columns and checks the whole text, so that nothing can break behind it. */
  private open(): Scanned {
    const { tokens } = this
    const { scanner } = tokens
    for (const key of this.path) {
      const status = seekMember(tokens, key)
      if (status < 0) return status
      if (status === KIND.null) throw noSuchPath(this.path)
    }
    if (scanner.space() !== 0x7b) throw noSuchPath(this.path)
    const status = tokens.object()
    if (status < 0) return status
    this.columns = Array.from(tokens.present.subarray(0, tokens.count))
    this.cursors = new Int32Array(tokens.keys.size)
    for (const column of this.columns) {
      const kind = tokens.kinds[column]
      if (kind !== KIND.array && kind !== KIND.object) {
        const name = tokens.keys.name(column)
        throw new EngineError('corrupt-file', `“${name}” isn’t a list of values, as the file’s other columns are.`, {
          remedy: 'Remove the file and add it again, so that its layout is detected anew.',
        })
      }
      this.cursors[column] = tokens.starts[column] + 1
    }
    return this.path.length > 0 ? KIND.object : this.rest()
  }

  private rest(): Scanned {
    const { scanner } = this.tokens
    scanner.space()
    return scanner.pos < scanner.limit
      ? scanner.bad(scanner.pos, 'There is text behind the end of the object.')
      : KIND.object
  }

  private unequal(): EngineError {
    const { tokens } = this
    const name = tokens.keys.name(tokens.present[0])
    return new EngineError('corrupt-file', `The columns aren’t of one length: “${name}” has more values than others.`, {
      place: `row ${(this.count + 1).toLocaleString('en-US')}`,
      remedy: 'Write the file again with as many values in each column, or as one object a row.',
    })
  }
}

function isString(kind: number): boolean {
  return kind === KIND.string || kind === KIND.escaped
}
