import { EngineError } from '../../errors.ts'
import { noSuchPath, seekMember } from './path.ts'
import { RowSource, STEP, type Step } from './rows.ts'
import { BAD, isText, KIND, type Kind, type Scanned } from '../../columns/json/scanner.ts'
import type { Window } from './window.ts'
import { MAX_RAW } from '../../../tables/plan.ts'

/** Bytes to scan without a break. */
const BYTES_AT_ONCE = 8 * 1000 * 1000

/** The columns are objects whose keys aren't row numbers, so that the keys must become a column. */
export class RowsHaveKeys extends Error {}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/**
 * Reads an object of columns: arrays, `{"a": [1, 2], "b": [3, 4]}`, or objects, as written by pandas. A row takes one
 * item of each, so the whole text is held in memory.
 */
export class ColumnRows extends RowSource {
  private readonly path: readonly string[]
  /** Indexes of the columns in the text. */
  private columns: readonly number[] = []
  /** Position of each column's next item. */
  private cursors = new Int32Array(0)
  private phase: 'start' | 'members' | 'rows' = 'start'
  /** The text is checked up to here. */
  private scanned = 0
  /** The current row's key, if columns are objects; null if they are arrays. */
  private key: string | null = null
  private keyed = false

  constructor(window: Window, path: readonly string[], rowKeys = false) {
    super(window, 'objects')
    this.path = path
    if (rowKeys) this.tokens.addRowKeys()
  }

  /** Whether keys were skipped because they are row numbers. */
  get hasNumbers(): boolean {
    return this.keyed && !this.tokens.hasRowKeys
  }

  override get span(): readonly [start: number, end: number] {
    return [0, this.window.limit]
  }

  protected override lineOf(): null {
    return null
  }

  /** The text of the row in the tokens. */
  protected override rawOf(): string {
    const { tokens, window } = this
    const parts: string[] = []
    let size = 0
    const textOf = (column: number): string => {
      const quote = isText(tokens.kinds[column]) ? 1 : 0
      const value = window.bytes.subarray(tokens.starts[column] - quote, tokens.ends[column] + quote)
      return decoder.decode(value.subarray(0, MAX_RAW * 4))
    }
    for (let i = 0; i < tokens.count && size < MAX_RAW; i++) {
      const column = tokens.present[i]
      if (column === 0 && tokens.hasRowKeys) continue
      const part = `${JSON.stringify(tokens.keys.name(column))}:${textOf(column)}`
      size += part.length
      parts.push(part)
    }
    return `${tokens.hasRowKeys ? `${textOf(0)}:` : ''}{${parts.join(',')}}`.slice(0, MAX_RAW)
  }

  next(): Step {
    const { tokens } = this
    const { scanner } = tokens
    if (this.phase !== 'rows' && !this.prepared()) return STEP.more
    scanner.reset(this.window.bytes, 0, this.window.limit, true)
    tokens.begin()
    let ended = 0
    this.key = null
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
    const kind = scanner.value() as Kind
    const c = scanner.space()
    if (c === 0x3a) {
      this.takeKey(column, kind)
      scanner.pos++
      this.tokens.put(column, scanner.value() as Kind, scanner.start, scanner.end)
    } else {
      this.tokens.put(column, kind, scanner.start, scanner.end)
    }
  }

  /** Checks an item's key, which must be the same in all columns. The scanner has just read it. */
  private takeKey(column: number, kind: Kind): void {
    const { tokens } = this
    const { bytes, start, end } = tokens.scanner
    const key = decoder.decode(bytes.subarray(start, end))
    if (this.key === null) {
      this.key = key
      this.keyed = true
      if (tokens.hasRowKeys) tokens.put(0, kind, start, end)
      else if (key !== String(this.count)) throw new RowsHaveKeys()
    } else if (key !== this.key) {
      const name = tokens.keys.name(column)
      throw new EngineError(
        'corrupt-file',
        `“${name}” has the key “${key}” where the first column has “${this.key}”.`,
        {
          place: `row ${(this.count + 1).toLocaleString('en-US')}`,
          remedy:
            'Choose “Object of records” or “Array of objects” as the layout, or write the file again with one object a row.',
        },
      )
    }
  }

  /** Does the next part of the preparation; returns whether all of it is done. */
  private prepared(): boolean {
    const { window } = this
    const { scanner } = this.tokens
    if (!window.eof) return false
    scanner.reset(window.bytes, this.scanned, window.limit, true)
    const status = this.phase === 'start' ? this.open() : this.members()
    if (status === BAD) throw this.broken(scanner.problem)
    this.scanned = scanner.pos
    // The whole text is available, but scanning it takes long, so let others run in between.
    return this.phase === 'rows'
  }

  override async more(): Promise<void> {
    if (!this.window.eof) await super.more()
  }

  /** Finds the first column. */
  private open(): Scanned {
    const { tokens } = this
    const { scanner } = tokens
    for (const key of this.path) {
      const status = seekMember(tokens, key)
      if (status < 0) return status
      if (status === KIND.null) throw noSuchPath(this.path)
    }
    if (scanner.space() !== 0x7b) throw noSuchPath(this.path)
    scanner.pos++
    tokens.begin()
    this.phase = 'members'
    if (scanner.space() !== 0x7d) return KIND.object
    scanner.pos++
    return this.close()
  }

  /** Finds the next columns and validates them, so that no errors can occur later. */
  private members(): Scanned {
    const { tokens } = this
    const { scanner } = tokens
    const enough = scanner.pos + BYTES_AT_ONCE
    do {
      // Invalid values are reported when they're read, but keys must be valid.
      scanner.flaw = null
      const status = scanner.key(scanner.space())
      if (status < 0) return status
      if (scanner.flaw) throw this.broken(scanner.flaw)
      const column = tokens.columnOf(status === KIND.escaped, -1, -1)
      const kind = scanner.value()
      if (kind < 0) return kind
      if (column >= 0) this.found(column, kind as Kind)
      const c = scanner.space()
      if (c === 0x7d) {
        scanner.pos++
        return this.close()
      }
      if (c !== 0x2c) return scanner.stopped('a comma or “}”')
      scanner.pos++
    } while (scanner.pos < enough)
    return KIND.object
  }

  private found(column: number, kind: Kind): void {
    const { tokens } = this
    const { scanner } = tokens
    if (kind !== KIND.array && kind !== KIND.object) {
      const name = tokens.keys.name(column)
      throw new EngineError('corrupt-file', `“${name}” isn’t a list of values, as the file’s other columns are.`, {
        remedy: 'Remove the file and add it again, so that its layout is detected again.',
      })
    }
    tokens.put(column, kind, scanner.start, scanner.end)
  }

  private close(): Scanned {
    const { tokens } = this
    this.columns = Array.from(tokens.present.subarray(0, tokens.count))
    this.cursors = new Int32Array(tokens.keys.size)
    for (const column of this.columns) this.cursors[column] = tokens.starts[column] + 1
    this.phase = 'rows'
    return this.path.length > 0 ? KIND.object : this.rest()
  }

  private rest(): Scanned {
    const { scanner } = this.tokens
    scanner.space()
    return scanner.pos < scanner.limit
      ? scanner.bad(scanner.pos, 'There is text after the end of the object.')
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
