import { type JsonSettings, type RejectedRow, type RejectReason, MAX_RAW } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import { BAD, KIND, MORE, type Kind, type Problem, type Scanned } from '../../columns/json/scanner.ts'
import { JSON_ITEMS, JSON_VALUES } from '../../kernel/assembly/layout.ts'
import { itemOf, noSuchPath, seekItem, seekMember } from './path.ts'
import { RowTokens } from './tokens.ts'
import type { Place, Window } from './window.ts'

export const STEP = {
  /** The tokens contain a row. */
  row: 0,
  /** There's no valid row here; see `rejection()`. */
  rejected: 1,
  /** Call `more()`, then try again. */
  more: 2,
  done: 3,
} as const

export type Step = (typeof STEP)[keyof typeof STEP]

export type RowShape = NonNullable<JsonSettings['rows']>

const SHAPES: Readonly<Record<RowShape, string>> = {
  objects: 'an object',
  arrays: 'an array',
  values: 'a value',
}

type RowPlace = Pick<RejectedRow, 'row' | 'line' | 'raw'>

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** Reads the rows of a text one at a time, synchronously while the window has complete rows. */
export abstract class RowSource {
  readonly tokens = new RowTokens()
  readonly shape: RowShape
  readonly window: Window
  /** Keys that lead from each item to its row. */
  protected readonly within: readonly string[]
  /** Where the next row, or the text before it, begins. */
  at = 0
  protected rowStart = 0
  protected rowEnd = 0
  /** Number of rows so far, including rejected ones. */
  count = 0
  /** Number of lines so far, if each row is a line. */
  lineNumber = 0
  private reason: RejectReason = 'syntax'
  private message = ''

  constructor(window: Window, shape: RowShape, within: readonly string[] = []) {
    this.window = window
    this.shape = shape
    this.within = within
  }

  /**
   * Reads the next row.
   * @throws {EngineError} `corrupt-file` if the rest can't be read
   */
  abstract next(): Step

  /** Reads more of the text. */
  async more(): Promise<void> {
    await this.window.fill(this.at)
    this.at = 0
  }

  /** Whether the window ends between rows, with all rows before it complete. */
  get between(): boolean {
    return false
  }

  /** Number of line ends in the text so far. */
  get lines(): number {
    return this.window.placeOf(this.window.limit).line - 1
  }

  /** Prepares for starting at a row within a larger text. Call this before reading. */
  resume(): void {}

  /** Start and end of the row, or of the item with it, in the scanner's bytes. */
  get span(): readonly [start: number, end: number] {
    return [this.rowStart, this.rowEnd]
  }

  /** The kernel's form of the next rows, such as `JSON_LINES`; null if it can't split them. */
  get form(): number | null {
    return null
  }

  /** Skips rows that the kernel has split. */
  pass(at: number, rows: number, lines: number): void {
    this.at = at
    this.count += rows
    this.lineNumber = lines
  }

  protected lineOf(start: number, _line: number): number | null {
    return this.window.placeOf(start).line
  }

  protected rawOf(start: number, end: number): string {
    return excerpt(this.window.bytes, start, end, MAX_RAW)
  }

  /**
   * A row's place and text.
   * @param line the line number when the row was read
   */
  placeOf(row: number, start: number, end: number, line: number): RowPlace {
    return { row, line: this.lineOf(start, line), raw: this.rawOf(start, end) }
  }

  /** Why the last row was rejected. */
  rejection(): RejectedRow {
    const { reason, message, count, rowStart, rowEnd, lineNumber } = this
    return { ...this.placeOf(count, rowStart, rowEnd, lineNumber), reason, message, column: null, value: null }
  }

  /** Scans the item at the scanner's position, and the row in it. */
  protected scan(): Scanned {
    const { tokens, within } = this
    const { scanner } = tokens
    if (within.length === 0) return this.scanRow()
    scanner.space()
    const start = scanner.pos
    const item = scanner.value()
    if (item < 0) return item
    const end = scanner.pos
    scanner.pos = start
    // If the key is missing or null, there's no row.
    const kind = within.every((key) => seekMember(tokens, key) === KIND.object) ? this.scanRow() : KIND.null
    scanner.pos = end
    return kind
  }

  private scanRow(): Scanned {
    const { tokens, shape } = this
    const { scanner } = tokens
    const c = scanner.space()
    if (shape === 'objects' && c === 0x7b) return tokens.object()
    if (shape === 'arrays' && c === 0x5b) return tokens.array()
    tokens.begin()
    const kind = scanner.value()
    if (shape === 'values' && kind >= 0) {
      tokens.reserve(1)
      tokens.put(0, kind as Kind, scanner.start, scanner.end)
    }
    return kind
  }

  /** The result for a complete row. */
  protected settle(kind: Scanned): Step {
    this.count++
    const { flaw } = this.tokens.scanner
    if (flaw) return this.reject(flaw.kind === 'control' ? 'syntax' : 'encoding', flaw.message)
    if (this.shape === 'values' || kind === (this.shape === 'objects' ? KIND.object : KIND.array)) return STEP.row
    const place = this.within.length === 0 ? '' : ` under “${this.within.join('” → “')}”`
    return this.reject('shape', `The row${place} is ${nameOf(kind)} where ${SHAPES[this.shape]} should be.`)
  }

  protected reject(reason: RejectReason, message: string): Step {
    this.reason = reason
    this.message = message
    return STEP.rejected
  }

  /** The error if the rest of the text can't be read. */
  protected broken(problem: Problem | null): EngineError {
    return broken(problem, this.window)
  }
}

function nameOf(kind: Scanned): string {
  if (kind === KIND.object) return 'an object'
  if (kind === KIND.array) return 'an array'
  if (kind === KIND.null) return 'null'
  if (kind === KIND.true || kind === KIND.false) return 'a boolean'
  return kind === KIND.string || kind === KIND.escaped ? 'a string' : 'a number'
}

export function excerpt(bytes: Uint8Array, start: number, end: number, max: number): string {
  const text = decoder.decode(bytes.subarray(start, Math.min(end, start + max * 4)))
  return text.length > max ? text.slice(0, max) : text
}

function printPlace({ line, column }: Place): string {
  return `line ${line.toLocaleString('en-US')}, column ${column.toLocaleString('en-US')}`
}

function broken(problem: Problem | null, window: Window): EngineError {
  const cut = problem !== null && problem.at >= window.limit
  return new EngineError('corrupt-file', `The file isn’t valid JSON. ${problem?.message ?? ''}`.trim(), {
    place: printPlace(window.placeOf(problem?.at ?? window.limit)),
    remedy: cut
      ? 'Get the file again from where it came from: it may have been cut off.'
      : 'Mend the place with a text editor, or write the file again with the program that made it.',
  })
}

/** The items of an array or, if there's no array, consecutive values. */
export class ArrayRows extends RowSource {
  private readonly path: readonly string[]
  private phase: 'start' | 'first' | 'rest' | 'values' | 'end' = 'start'
  private level = 0
  /** Closing brackets around the rows, outermost first. */
  private readonly ends: number[]
  /** The brackets around the items. */
  private readonly brackets: string

  constructor(window: Window, shape: RowShape, path: readonly string[], within?: readonly string[], brackets = '[]') {
    super(window, shape, within)
    this.path = path
    this.ends = path.map((key) => (itemOf(key) === null ? 0x7d : 0x5d))
    this.brackets = brackets
  }

  override resume(): void {
    this.phase = 'first'
  }

  override get form(): number | null {
    if (this.shape === 'values' || this.within.length > 0) return null
    return this.phase === 'rest' ? JSON_ITEMS : this.phase === 'values' ? JSON_VALUES : null
  }

  override get between(): boolean {
    if (this.phase !== 'rest') return false
    const { bytes, limit } = this.window
    const { scanner } = this.tokens
    scanner.reset(bytes, this.at, limit, true)
    if (scanner.space() !== 0x2c) return false
    scanner.pos++
    scanner.space()
    return scanner.pos >= limit
  }

  next(): Step {
    if (this.phase === 'start' && !this.open()) return STEP.more
    if (this.phase === 'end') return this.close()
    const { window, tokens } = this
    const { scanner } = tokens
    scanner.reset(window.bytes, this.at, window.limit, window.eof)
    let c = scanner.space()
    if (scanner.pos >= window.limit && !window.eof) return STEP.more
    if (this.phase === 'values') {
      if (scanner.pos >= window.limit) return STEP.done
    } else {
      if (c === this.brackets.charCodeAt(1)) return this.shut(scanner.pos + 1)
      if (this.phase === 'rest') {
        if (c !== 0x2c) return this.halted(scanner.stopped(`a comma or “${this.brackets[1]}”`))
        scanner.pos++
      }
    }
    c = scanner.space()
    this.rowStart = scanner.pos
    const columns = tokens.keys.size
    const kind = this.item()
    if (kind < 0) {
      tokens.forget(columns)
      return this.halted(kind)
    }
    this.rowEnd = scanner.pos
    this.at = scanner.pos
    if (this.phase === 'first') this.phase = 'rest'
    const step = this.settle(kind)
    if (step === STEP.rejected) tokens.forget(columns)
    return step
  }

  protected item(): Scanned {
    return this.scan()
  }

  private halted(status: Scanned): Step {
    if (status === MORE) return STEP.more
    throw this.broken(this.tokens.scanner.problem)
  }

  private shut(at: number): Step {
    this.at = at
    this.phase = 'end'
    this.level = this.path.length
    return this.close()
  }

  /** Moves to the first row. Returns false if more text is needed. */
  private open(): boolean {
    const { scanner } = this.tokens
    const { window } = this
    scanner.reset(window.bytes, 0, window.limit, window.eof)
    const status = this.descend()
    if (status === MORE) return false
    if (status === BAD) throw this.broken(scanner.problem)
    this.at = scanner.pos
    return true
  }

  private descend(): Scanned {
    const { scanner } = this.tokens
    for (const [i, key] of this.path.entries()) {
      const item = scanner.space() === 0x5b ? itemOf(key) : null
      this.ends[i] = item === null ? 0x7d : 0x5d
      const status = item === null ? seekMember(this.tokens, key) : seekItem(this.tokens, item)
      if (status < 0) return status
      if (status === KIND.null) throw noSuchPath(this.path)
    }
    const c = scanner.space()
    if (scanner.pos >= scanner.limit && !scanner.final) return MORE
    if (c === this.brackets.charCodeAt(0)) {
      scanner.pos++
      this.phase = 'first'
    } else if (this.path.length > 0 || this.brackets === '{}') {
      throw noSuchPath(this.path)
    } else {
      this.phase = 'values'
    }
    return KIND.array
  }

  /** Checks what follows the rows: closing brackets and other members. */
  private close(): Step {
    const { window } = this
    const { scanner } = this.tokens
    for (;;) {
      scanner.reset(window.bytes, this.at, window.limit, window.eof)
      const c = scanner.space()
      if (scanner.pos >= window.limit && !window.eof) return STEP.more
      if (this.level === 0) {
        if (scanner.pos >= window.limit) return STEP.done
        const end = this.brackets === '{}' ? 'object' : 'array'
        throw this.broken({ kind: 'syntax', at: scanner.pos, message: `There is text after the end of the ${end}.` })
      }
      const end = this.ends[this.level - 1]
      if (c === end) {
        scanner.pos++
        this.level--
      } else {
        if (c !== 0x2c) return this.halted(scanner.stopped(`a comma or “${String.fromCharCode(end)}”`))
        scanner.pos++
        const first = scanner.space()
        const key = end === 0x7d ? scanner.key(first) : 0
        if (key < 0) return this.halted(key)
        const value = scanner.value()
        if (value < 0) return this.halted(value)
      }
      this.at = scanner.pos
    }
  }
}
