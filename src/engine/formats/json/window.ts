import { formatBytes } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import { CellMemory } from '../../kernel/cell-memory.ts'

/** Maximum amount of text held at once: one row, or a whole file of columns. */
export const MAX_HELD = 512 * 1000 * 1000

/** A place in the text. Both numbers begin at 1; columns count characters. */
export interface Place {
  readonly line: number
  readonly column: number
}

/**
 * The current part of a text: `bytes[0, limit)`, followed by a 0 for the scanner. It slides over the text, and grows if
 * much must be kept. It's in the kernel's memory, as are the values found in it.
 */
export class Window {
  readonly cells = new CellMemory()
  limit = 0
  /** Whether the text ends at `limit`. */
  eof = false
  /** Whether the last `fill` ended at an empty chunk, after which there may be more. */
  paused = false
  private readonly chunks: AsyncIterator<Uint8Array>
  /** Line and column of `bytes[0]`. */
  private line = 1
  private column = 1
  /** Lines are counted up to this position. Also the line there, and where that line begins (-1: before the window). */
  private counted = 0
  private countedLine = 1
  private lineStart = -1

  private readonly countsLines: boolean

  /** @param countsLines whether `placeOf` will be called */
  constructor(chunks: AsyncIterable<Uint8Array>, countsLines: boolean) {
    this.chunks = chunks[Symbol.asyncIterator]()
    this.countsLines = countsLines
  }

  /** Another array after the memory has grown. */
  get bytes(): Uint8Array {
    return this.cells.bytes
  }

  /**
   * Drops what is before `keep`, which becomes position 0, and reads at least as many bytes as were kept. Therefore,
   * starting over at 0 each time costs at most twice the text. An empty chunk stops it early.
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

  /** Closes the source. */
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

  /** Line and column of a position. Fast if called with increasing positions. */
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
