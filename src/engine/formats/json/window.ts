import { formatBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import { CellMemory } from '../../kernel/cell-memory.ts'

/** Most text that is held at once: one row, or a whole file of columns. */
export const MAX_HELD = 512 * 1000 * 1000

/** A place in the text, both from 1; columns count characters. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * The part of a text that is being worked on: `bytes[0, limit)`, followed by a 0 for the scanner. Slides over the text, and
 * grows when what must be kept is long. It's in the kernel's memory, and so are the values that are found in it.
 */
export class Window {
  readonly cells = new CellMemory()
  limit = 0
  /** Whether the text ends at `limit`. */
  eof = false
  /** Whether the last `fill` ended at an empty chunk: there may be more after it. */
  paused = false
  private readonly chunks: AsyncIterator<Uint8Array>
  /** Line and column of `bytes[0]`. */
  private line = 1
  private column = 1
  /** Up to here lines have been counted: a position, its line, and where that line begins (-1: before the window). */
  private counted = 0
  private countedLine = 1
  private lineStart = -1

  private readonly countsLines: boolean

  /** @param countsLines whether places will be asked for */
  constructor(chunks: AsyncIterable<Uint8Array>, countsLines: boolean) {
    this.chunks = chunks[Symbol.asyncIterator]()
    this.countsLines = countsLines
  }

  /** Another array whenever the memory has grown. */
  get bytes(): Uint8Array {
    return this.cells.bytes
  }

  /**
   * Forgets what is before `keep`, which becomes position 0, and takes in at least as much as was kept, so that starting
   * over at 0 each time costs no more than twice the text. An empty chunk ends it early.
   * @throws {EngineError} `too-large`
   */
  async fill(keep: number): Promise<void> {
    this.forget(keep)
    const wanted = this.limit * 2
    this.paused = false
    do {
      const { done, value } = await this.chunks.next()
      if (done === true) {
        this.eof = true
        break
      }
      if (value.length === 0) {
        this.paused = true
        break
      }
      this.append(value)
    } while (this.limit < wanted)
    this.bytes[this.limit] = 0
  }

  /** Lets go of the source. */
  async close(): Promise<void> {
    await this.chunks.return?.()
  }

  private forget(keep: number): void {
    if (this.countsLines) {
      const { line, column } = this.placeOf(keep)
      this.line = line
      this.column = column
    }
    this.bytes.copyWithin(0, keep, this.limit)
    this.limit -= keep
    this.counted = 0
    this.countedLine = this.line
    this.lineStart = -1
  }

  private append(chunk: Uint8Array): void {
    const needed = this.limit + chunk.length + 1
    if (needed > MAX_HELD) {
      throw new EngineError('too-large', `A single value of the file is larger than ${formatBytes(MAX_HELD)}.`, {
        place: `line ${this.line.toLocaleString('en-US')}`,
        remedy: 'Write the rows as one JSON object a line (NDJSON), or split the value.',
      })
    }
    this.cells.fitText(this.limit, needed)
    this.bytes.set(chunk, this.limit)
    this.limit += chunk.length
  }

  /** Line and column of a position. Cheap when asked in rising order. */
  placeOf(position: number): Place {
    this.countTo(position)
    const from = this.lineStart < 0 ? 0 : this.lineStart
    const before = this.lineStart < 0 ? this.column : 1
    return { line: this.countedLine, column: before + characters(this.bytes, from, position) }
  }

  private countTo(position: number): void {
    if (position < this.counted) {
      this.counted = 0
      this.countedLine = this.line
      this.lineStart = -1
    }
    const { bytes } = this
    for (let at = bytes.indexOf(0x0a, this.counted); at >= 0 && at < position; at = bytes.indexOf(0x0a, at + 1)) {
      this.countedLine++
      this.lineStart = at + 1
    }
    this.counted = position
  }
}

function characters(bytes: Uint8Array, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if ((bytes[i] & 0xc0) !== 0x80) count++
  return count
}
