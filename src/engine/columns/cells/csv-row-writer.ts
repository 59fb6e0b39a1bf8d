import type { Data } from 'apache-arrow'
import type { Column, ColumnType, ScalarName } from '../../../tables/types.ts'
import { textColumn } from '../../arrow/cast/texts.ts'
import { makeCellText } from '../../arrow/text.ts'
import * as layout from '../../kernel/assembly/layout.ts'
import { align, Kernel } from '../../kernel/kernel.ts'
import { kindOf, type Kind } from './kinds.ts'

/** The dialect to write. */
export interface CsvForm {
  readonly delimiter: Uint8Array
  readonly nullText: Uint8Array
  readonly lineEnd: Uint8Array
  readonly quoteAll: boolean
  /** Whether numbers, dates and booleans never need quotes. */
  readonly plain: boolean
}

/** Rows in the kernel's memory at once, which fit in the processor's cache. */
const RUN = 4096
/** Most values at once, unless a single row has more. */
const MOST_CELLS = 1024 * 1024
/** Most bytes of text at once, unless a single row has more. */
const MOST_TEXT = 4 * 1024 * 1024
/** Most bytes of output at once, unless a single row has more. */
const OUTPUT = 1024 * 1024

/** Types with a text as their physical type. */
const TEXTS = new Set<ScalarName>(['VARCHAR', 'UUID', 'INTERVAL', 'JSON'])

/** A column's concatenated texts. */
interface Texts {
  readonly bytes: Uint8Array
  readonly offsets: Int32Array
}

/** Writes rows as CSV text. */
export class CsvRowWriter {
  private readonly columns: readonly Column[]
  private readonly form: CsvForm
  private readonly kernel = new Kernel()
  /** Null for a column whose values are first converted to text. */
  private readonly kinds: readonly (Kind | null)[]
  private readonly cells: number
  private readonly free: number

  constructor(columns: readonly Column[], form: CsvForm) {
    const { kernel } = this
    const { delimiter, nullText, lineEnd, quoteAll } = form
    this.columns = columns
    this.form = form
    this.kinds = columns.map(({ type }) => {
      const kind = form.plain ? kindOf(type) : null
      return kind?.type === layout.TEXT ? null : kind
    })
    const texts = kernel.base
    this.cells = align(texts + delimiter.length + nullText.length + lineEnd.length + layout.SLACK)
    this.free = align(this.cells + columns.length * layout.CELLS_SIZE)
    kernel.reserve(this.free)
    kernel.bytes.set(delimiter, texts)
    kernel.bytes.set(nullText, texts + delimiter.length)
    kernel.bytes.set(lineEnd, texts + delimiter.length + nullText.length)
    kernel.exports.setCsv(texts, delimiter.length, nullText.length, lineEnd.length, quoteAll ? 1 : 0)
  }

  /**
   * Writes rows in chunks.
   * @param columns in the physical types of `toArrowType`
   * @returns chunks of complete rows, each valid until the next is requested
   */
  *write(columns: readonly Data[], rows: number): Generator<Uint8Array, void, undefined> {
    const texts = columns.map((data, i) => (this.kinds[i] === null ? textsOf(this.columns[i].type, data) : null))
    const run = Math.max(1, Math.min(RUN, Math.floor(MOST_CELLS / columns.length)))
    for (let from = 0; from < rows;) {
      let to = Math.min(rows, from + run)
      while (to - from > 1 && textSize(texts, from, to) > MOST_TEXT) to = from + ((to - from) >> 1)
      yield* this.writeRun(columns, texts, from, to)
      from = to
    }
  }

  private *writeRun(columns: readonly Data[], texts: readonly (Texts | null)[], from: number, to: number) {
    const { kernel, cells, form } = this
    const out = this.place(columns, texts, from, to)
    const row = columns.length * (layout.WIDEST + form.delimiter.length + form.nullText.length) + form.lineEnd.length
    let size = OUTPUT + row + layout.SLACK
    for (let done = 0; done < to - from;) {
      kernel.reserve(out + size + layout.SLACK)
      const next = kernel.exports.writeCsv(cells, columns.length, done, to - from, out, out + size)
      // Not even one row fitted: make room for it in the worst case, in which all bytes are quotes.
      if (next === done) size += row + 2 * textSize(texts, from + done, from + done + 1)
      else yield kernel.bytes.subarray(out, kernel.exports.csvEnd() >>> 0)
      done = next
    }
  }

  /**
   * Copies rows into the kernel's memory.
   * @returns the first free address after them
   */
  private place(columns: readonly Data[], texts: readonly (Texts | null)[], from: number, to: number): number {
    const { kernel, kinds, form } = this
    let at = this.free
    const put = (source: Uint8Array): number => {
      const start = at
      at = align(start + source.length + layout.SLACK)
      kernel.reserve(at)
      kernel.bytes.set(source, start)
      return start
    }
    for (const [i, data] of columns.entries()) {
      const bit = data.offset + from
      const bitBytes = (bits: Uint8Array): Uint8Array => bits.subarray(bit >> 3, (data.offset + to + 7) >> 3)
      const validity = data.nullCount > 0 ? put(bitBytes(data.nullBitmap)) : 0
      const text = texts[i]
      const kind = kinds[i]
      let values = 0
      let offsets = 0
      if (text) {
        const start = text.offsets[from]
        offsets = put(bytesOf(text.offsets, 4, from, to + 1))
        values = put(text.bytes.subarray(start, text.offsets[to])) - start
      } else if (kind) {
        values = put(
          kind.width === 0
            ? bitBytes(data.values as Uint8Array)
            : bytesOf(data.values as ArrayBufferView, kind.width, from, to),
        )
      }
      const word = (this.cells + i * layout.CELLS_SIZE) >> 2
      const { words } = kernel
      words[word + (layout.CELLS_TYPE >> 2)] = kind?.type ?? layout.TEXT
      words[word + (layout.CELLS_VALUES >> 2)] = values
      words[word + (layout.CELLS_OFFSETS >> 2)] = offsets
      words[word + (layout.CELLS_VALIDITY >> 2)] = validity
      words[word + (layout.CELLS_BIT >> 2)] = bit & 7
      words[word + (layout.CELLS_DIGITS >> 2)] = kind?.digits ?? 0
      words[word + (layout.CELLS_QUOTED >> 2)] = form.plain && isNumber(this.columns[i].type) ? 0 : 1
    }
    return at
  }
}

/** @param width bytes per value, which may have several elements */
function bytesOf({ buffer, byteOffset }: ArrayBufferView, width: number, from: number, to: number): Uint8Array {
  return new Uint8Array(buffer, byteOffset + from * width, (to - from) * width)
}

function isNumber(type: ColumnType): boolean {
  return type.kind === 'decimal' || (type.kind === 'scalar' && (type.name === 'HUGEINT' || type.name === 'FLOAT'))
}

/** A column's values as text, converted if necessary. */
function textsOf(type: ColumnType, data: Data): Texts {
  const isText = type.kind === 'scalar' && TEXTS.has(type.name)
  const column = isText ? data : textColumn(data, makeCellText(type, data))
  return { bytes: column.values, offsets: column.valueOffsets }
}

function textSize(texts: readonly (Texts | null)[], from: number, to: number): number {
  let size = 0
  for (const text of texts) if (text) size += text.offsets[to] - text.offsets[from]
  return size
}
