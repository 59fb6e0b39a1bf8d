import type { RecordBatch } from 'apache-arrow'
import { isNested, type Column } from '../../../tables/types.ts'
import type { CsvOptions, CsvSettings, Note, WriteOptions } from '../../../tables/plan.ts'
import { checkpoint } from '../../../lib/abort.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { makeCellText, type CellWriter } from '../../arrow/text.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../io/sink.ts'
import { Cuts } from '../../io/cuts.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult, WrittenRows } from '../types.ts'
import { adaptToFinite } from '../json/finite.ts'
import { FORMULA_NOTE, neutralizeFormulas } from './formulas.ts'

const FLUSH = 1024 * 1024
const PATIENCE = 50
const QUOTE = 0x22
/** Bytes; longer texts are copied faster at once than byte by byte. */
const SHORT = 40
/** Begins U+FEFF, which would be lost at the beginning of a file. */
const MARK = 0xef
const encoder = new TextEncoder()

/** Writes RFC 4180: a null is an unquoted null string, an empty text `""`. */
export function makeCsvWriter(format: 'csv' | 'tsv'): FormatWriter {
  return {
    format,
    multiTable: false,
    adapt(column, options) {
      const { safeForSpreadsheets } = csvOptions(options)
      if (isNested(column.type)) return adaptToFinite(column)
      if (!safeForSpreadsheets || column.type.kind !== 'scalar' || column.type.name !== 'VARCHAR') return null
      const note = { ...FORMULA_NOTE, column: column.name }
      return { type: column.type, note, convert: neutralizeFormulas, onlyIfChanged: true }
    },
    describe,
    check(_columns, options) {
      checkOptions(csvOptions(options))
    },
    open: (sink, options, context) => new CsvWriter(sink, csvOptions(options), context),
    openRows: (sink, options, context) =>
      new CsvWriter(sink, { ...csvOptions(options), header: false, bom: false }, context),
  }
}

function csvOptions(options: WriteOptions): CsvOptions {
  if (options.kind === 'csv') return options
  throw new EngineError('invalid-plan', `A text table can’t be written with options for ${options.kind}.`)
}

function describe({ name, type }: Column): Note | null {
  if (isNested(type)) {
    return { code: 'nested-as-text', message: 'Lists and structs are written as JSON text.', column: name }
  }
  if (type.kind === 'scalar' && type.name === 'BLOB') {
    return { code: 'binary-as-base64', message: 'Binary values are written as base64 text.', column: name }
  }
  if (type.kind === 'scalar' && type.name === 'TIMESTAMP WITH TIME ZONE') {
    return { code: 'zone-as-utc', message: 'Timestamps are written in UTC, with the offset +00.', column: name }
  }
  return null
}

function checkOptions({ delimiter, nullString }: CsvOptions): void {
  const fail = (message: string): EngineError =>
    new EngineError('unwritable', message, { remedy: 'Choose another one in the output options.' })
  if (delimiter === '') throw fail('The delimiter is empty.')
  if (/["\r\n]/.test(delimiter)) throw fail('The delimiter can’t have quotes or line ends in it.')
  if (/["\r\n]/.test(nullString) || (nullString !== '' && nullString.includes(delimiter.slice(0, 1)))) {
    throw fail('The text for nulls can’t have quotes, line ends or the delimiter in it.')
  }
}

/** One column of a batch. */
interface Cells {
  readonly write: CellWriter
  /** Whether its texts never need quotes. */
  readonly plain: boolean
  /** Where its values are as they're written, but for quotes: all of them, and where each begins. */
  readonly texts: { readonly bytes: Uint8Array; readonly offsets: Int32Array } | null
  /** Null: no nulls. */
  readonly valid: Uint8Array | null
  readonly offset: number
}

class CsvWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly options: CsvOptions
  private readonly context: EngineContext
  private readonly out = new ByteWriter(FLUSH + FLUSH / 4)
  private readonly delimiter: Uint8Array
  private readonly nullText: Uint8Array
  private readonly lineEnd: Uint8Array
  /** Bytes that make a field need quotes. */
  private readonly special = new Uint8Array(256)
  private columns: readonly Column[] = []
  private plain: readonly boolean[] = []
  /** Columns of texts that need quotes only for what is in them. */
  private direct: readonly boolean[] = []
  private rows = 0
  private readonly cuts = new Cuts()

  constructor(sink: ByteSink, options: CsvOptions, context: EngineContext) {
    checkOptions(options)
    this.sink = sink
    this.options = options
    this.context = context
    this.delimiter = encoder.encode(options.delimiter)
    this.nullText = encoder.encode(options.nullString)
    this.lineEnd = encoder.encode(options.lineEnd)
    for (const byte of [this.delimiter[0], QUOTE, 10, 13]) this.special[byte] = 1
  }

  begin(table: OutputTable): Promise<void> {
    const { out, options } = this
    this.columns = table.columns
    const plain = !options.quoteAll && neverInPlainText(options.delimiter) && neverInPlainText(options.nullString)
    this.plain = table.columns.map(({ type }) => plain && isPlainType(type))
    const direct = !options.quoteAll && options.nullString === ''
    this.direct = table.columns.map(({ type }) => direct && isText(type))
    if (options.bom) out.append(Uint8Array.of(0xef, 0xbb, 0xbf))
    if (options.header) {
      for (const [i, { name }] of table.columns.entries()) {
        if (i > 0) out.append(this.delimiter)
        const start = out.length
        out.text(name)
        this.quoteIfNeeded(start)
      }
      out.append(this.lineEnd)
    }
    return Promise.resolve()
  }

  async append({ pieces, count }: WrittenRows): Promise<void> {
    await this.flush()
    this.cuts.add(this.sink.size)
    for (const piece of pieces) await this.sink.write(piece)
    this.rows += count
  }

  async write(batch: RecordBatch): Promise<void> {
    this.cuts.add(this.sink.size + this.out.length)
    const cells = batch.data.children.map((data, i): Cells => ({
      write: makeCellText(this.columns[i].type, data),
      plain: this.plain[i],
      texts: this.direct[i] ? { bytes: data.values, offsets: data.valueOffsets } : null,
      // Looked up once: `nullCount` is a getter that may count.
      valid: data.nullCount > 0 ? data.nullBitmap : null,
      offset: data.offset,
    }))
    const { numRows } = batch
    let last = performance.now()
    for (let row = 0; row < numRows; row++) {
      this.writeRow(cells, row)
      if (this.out.length < FLUSH) continue
      await this.flush()
      if (performance.now() - last < PATIENCE) continue
      await checkpoint(this.context.signal)
      last = performance.now()
    }
    this.rows += numRows
    this.context.signal.throwIfAborted()
  }

  private writeRow(cells: readonly Cells[], row: number): void {
    const { out, delimiter, nullText } = this
    for (let i = 0; i < cells.length; i++) {
      if (i > 0) {
        if (delimiter.length === 1) out.byte(delimiter[0])
        else out.append(delimiter)
      }
      const { write, plain, texts, valid, offset } = cells[i]
      if (valid !== null && (valid[(offset + row) >> 3] & (1 << ((offset + row) & 7))) === 0) {
        out.append(nullText)
      } else if (plain) {
        write(out, row)
      } else if (texts === null || !this.putText(texts.bytes, texts.offsets[row], texts.offsets[row + 1])) {
        const start = out.length
        write(out, row)
        this.quoteIfNeeded(start)
      }
    }
    out.append(this.lineEnd)
  }

  /** Writes a short text that needs no quotes; false, and nothing is written, for any other. */
  private putText(bytes: Uint8Array, from: number, to: number): boolean {
    const { out, special } = this
    if (from === to || to - from > SHORT || bytes[from] === MARK) return false
    out.reserve(to - from)
    const target = out.bytes
    let at = out.length
    let found = 0
    for (let i = from; i < to; i++) {
      const byte = bytes[i]
      target[at++] = byte
      found |= special[byte]
    }
    if (found !== 0) return false
    out.length = at
    return true
  }

  /** Puts what was written from `start` on in quotes, where it would read as something else without. */
  private quoteIfNeeded(start: number): void {
    const { out, special } = this
    const { bytes, length } = out
    let quotes = 0
    let needed = this.options.quoteAll || start === length || this.isNullText(start)
    for (let at = start; at < length; at++) {
      const byte = bytes[at]
      if (special[byte] === 0) continue
      needed = true
      if (byte === QUOTE) quotes++
    }
    if (!needed && !(bytes[start] === MARK && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf)) return
    out.reserve(quotes + 2)
    const target = out.bytes
    let to = length + quotes + 1
    target[to] = QUOTE
    for (let from = length - 1; from >= start; from--) {
      const byte = target[from]
      target[--to] = byte
      if (byte === QUOTE) target[--to] = QUOTE
    }
    target[start] = QUOTE
    out.length = length + quotes + 2
  }

  private isNullText(start: number): boolean {
    const { out, nullText } = this
    if (out.length - start !== nullText.length) return false
    for (let i = 0; i < nullText.length; i++) if (out.bytes[start + i] !== nullText[i]) return false
    return true
  }

  private async flush(): Promise<void> {
    await this.sink.write(this.out.view())
    this.out.clear()
    this.context.progress({ bytes: this.sink.size, rows: this.rows })
  }

  async finish(): Promise<WriteResult> {
    await this.flush()
    return { changes: [], readBack: [{ settings: this.settings(), tables: [null], cuts: this.cuts.found }] }
  }

  private settings(): CsvSettings {
    const { delimiter, header, nullString } = this.options
    return {
      kind: 'csv',
      compression: null,
      encoding: 'utf-8',
      delimiter,
      quote: '"',
      escape: '"',
      skipLines: 0,
      header,
      comment: null,
      nullStrings: [nullString],
      shortRows: 'reject',
    }
  }
}

/** Whether a text can't occur in, or be, a number, date or boolean. */
function neverInPlainText(text: string): boolean {
  return text === '' || /[^0-9A-Za-z+\-.: ]/.test(text.slice(0, 1))
}

function isText(type: Column['type']): boolean {
  return type.kind === 'scalar' && type.name === 'VARCHAR'
}

function isPlainType(type: Column['type']): boolean {
  if (type.kind === 'decimal') return true
  return type.kind === 'scalar' && !['VARCHAR', 'BLOB', 'UUID', 'INTERVAL'].includes(type.name)
}
