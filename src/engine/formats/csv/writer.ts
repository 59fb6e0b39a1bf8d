import { BufferType, Data, type RecordBatch } from 'apache-arrow'
import { APOSTROPHE } from '../../../lib/ascii.ts'
import { isNested, type Column } from '../../../tables/types.ts'
import type { CsvOptions, CsvSettings, Note, WriteOptions } from '../../../tables/plan.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import { CsvRowWriter, type CsvForm } from '../../columns/cells/csv-row-writer.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult } from '../types.ts'
import { adaptToFinite } from '../shared/finite.ts'
import { Yielder } from '../../../lib/yielding.ts'

const encoder = new TextEncoder()

const FORMULA_NOTE: Note = {
  code: 'formulas-neutralized',
  message: 'Text that a spreadsheet would run as a formula has an apostrophe before it.',
}

/** `= + - @`, tab and carriage return (https://owasp.org/www-community/attacks/CSV_Injection). */
const STARTS = new Set([0x3d, 0x2b, 0x2d, 0x40, 9, 13])

/** Write RFC 4180: a null is an unquoted null string, an empty text `""`. */
export const csvWriter: FormatWriter = makeWriter('csv')
export const tsvWriter: FormatWriter = makeWriter('tsv')

function makeWriter(format: 'csv' | 'tsv'): FormatWriter {
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

class CsvWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly options: CsvOptions
  private readonly context: EngineContext
  private readonly form: CsvForm
  private csv: CsvRowWriter | null = null
  private rows = 0

  constructor(sink: ByteSink, options: CsvOptions, context: EngineContext) {
    checkOptions(options)
    this.sink = sink
    this.options = options
    this.context = context
    this.form = {
      delimiter: encoder.encode(options.delimiter),
      nullText: encoder.encode(options.nullString),
      lineEnd: encoder.encode(options.lineEnd),
      quoteAll: options.quoteAll,
      plain: !options.quoteAll && neverInPlainText(options.delimiter) && neverInPlainText(options.nullString),
    }
  }

  async begin({ columns }: OutputTable): Promise<void> {
    const { options, form } = this
    this.csv = new CsvRowWriter(columns, form)
    if (options.bom) await this.sink.write(Uint8Array.of(0xef, 0xbb, 0xbf))
    if (!options.header) return
    const header = columns.map(({ name }) => this.quoted(name, columns.length === 1)).join(options.delimiter)
    await this.sink.write(encoder.encode(header + options.lineEnd))
  }

  /** A name as the header has it. The empty name of an only column would be a blank line. */
  private quoted(name: string, only: boolean): string {
    const { delimiter, quoteAll } = this.options
    const special = ['"', '\r', '\n', delimiter.slice(0, 1)].some((text) => name.includes(text))
    const needed = quoteAll || special || (name === '' && only) || name.startsWith('\ufeff')
    return needed ? `"${name.replaceAll('"', '""')}"` : name
  }

  async write(batch: RecordBatch): Promise<void> {
    const { sink, csv, context } = this
    if (!csv) throw new Error('no table was begun')
    const yielder = new Yielder(context.signal)
    for (const piece of csv.write(batch.data.children, batch.numRows)) {
      await sink.write(piece)
      context.progress({ bytes: sink.size, rows: this.rows })
      if (yielder.due) await yielder.yield()
    }
    this.rows += batch.numRows
    context.signal.throwIfAborted()
  }

  finish(): Promise<WriteResult> {
    return Promise.resolve({ changes: [], readBack: [{ settings: this.settings(), tables: [null] }] })
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

/** Puts an apostrophe before each text of a Utf8 column that begins as formulas do. */
function neutralizeFormulas(data: Data): { readonly data: Data; readonly changed: number } {
  const offsets: Int32Array = data.valueOffsets
  const values: Uint8Array = data.values
  const { length } = data
  const risky = (row: number): boolean => offsets[row + 1] > offsets[row] && STARTS.has(values[offsets[row]])
  let changed = 0
  for (let row = 0; row < length; row++) if (risky(row)) changed++
  if (changed === 0) return { data, changed }
  const newOffsets = new Int32Array(length + 1)
  const newValues = new Uint8Array(offsets[length] - offsets[0] + changed)
  let at = 0
  for (let row = 0; row < length; row++) {
    if (risky(row)) newValues[at++] = APOSTROPHE
    newValues.set(values.subarray(offsets[row], offsets[row + 1]), at)
    at += offsets[row + 1] - offsets[row]
    newOffsets[row + 1] = at
  }
  const neutral = new Data(data.type, data.offset, length, data.nullCount, {
    [BufferType.OFFSET]: newOffsets,
    [BufferType.DATA]: newValues,
    [BufferType.VALIDITY]: data.nullBitmap,
  })
  return { data: neutral, changed }
}
