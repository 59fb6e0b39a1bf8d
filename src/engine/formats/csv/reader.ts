import type { CsvSettings, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { csvTable } from '../../../tables/settings.ts'
import { EngineError } from '../../errors.ts'
import { openText } from '../../io/text-stream.ts'
import { BATCH_TEXT, inChunks, releaseCells, acquireCells } from '../../kernel/cell-memory.ts'
import { TableReader } from '../../columns/cells/table-reader.ts'
import type { EngineContext, FormatReader, ReadBatch, ReadRequest } from '../types.ts'
import { DelimitedTokenizer } from './delimited.ts'
import { toDialect } from './detection/dialect-bytes.ts'
import { CsvRows, isPlain } from './rows.ts'
import { RowSums } from './sums.ts'
import { Yielder } from '../../../lib/yielding.ts'

/* Loaded on demand: what a conversion doesn't need, and what reads layouts, headers and quotes that few files have. */

function makeReader(format: 'csv' | 'tsv'): FormatReader {
  return {
    format,
    convertsTypes: true,
    inspect: async (file, given, context) => (await import('./inspect.ts')).inspectCsv(file, format, given, context),
    inspectRest: async (...rest) => (await import('./pass.ts')).inspectRest(...rest),
    read: readCsv,
    source: async (file, { settings }, { signal }) =>
      (await import('./source.ts')).sourceOfCsv(file, csvSettings(settings), signal),
  }
}

export const csvReader: FormatReader = makeReader('csv')
export const tsvReader: FormatReader = makeReader('tsv')

/** Streams the rows of a CSV file in the requested types. */
export async function* readCsv(
  file: Blob,
  request: ReadRequest,
  context: EngineContext,
): AsyncGenerator<ReadBatch, void, undefined> {
  const cells = acquireCells()
  try {
    let settings = csvTable(csvSettings(request.settings), request.table)
    if (settings.layout === 'records')
      [file, settings] = await (await import('./records.ts')).openedRecords(file, settings, context.signal)
    const rows = isPlain(settings)
      ? new CsvRows(settings, new DelimitedTokenizer(toDialect(settings), { cells }))
      : (await import('./any-rows.ts')).anyRows(settings, { cells })
    const reading = new Reading(file, settings, request, context, rows)
    if (request.columns.some(({ format }) => format?.fillDown))
      reading.filled = new (await import('./filled-rows.ts')).FilledRows(rows, request.columns)
    yield* reading.run()
  } finally {
    releaseCells(cells)
  }
}

type Read = Pick<ReadBatch, 'batch' | 'rejected' | 'filled'>
class Reading {
  filled: { fill(): void; take(read: Read): Read } | null = null
  private readonly request: ReadRequest
  private readonly context: EngineContext
  private readonly text: AsyncIterable<Uint8Array>
  private readonly rows: CsvRows
  private readonly table: TableReader
  private readonly yielder: Yielder
  private readonly sums: RowSums | null
  /** Bytes of the file read so far. */
  private bytes = 0
  /** Whether any batch was returned. */
  private any = false
  /** Rows still to return. */
  private left: number

  constructor(file: Blob, settings: CsvSettings, request: ReadRequest, context: EngineContext, rows: CsvRows) {
    const { signal } = context
    this.request = request
    this.context = context
    this.text = openText(file, { ...settings, signal, onBytes: (bytes) => (this.bytes = bytes) })
    this.rows = rows
    this.table = new TableReader(request.columns, rows.tokenizer.cells)
    this.yielder = new Yielder(signal)
    this.left = request.limit ?? Number.POSITIVE_INFINITY
    this.sums = request.checksums && request.limit === undefined ? new RowSums() : null
  }

  /** Returns the names with the first batch, and the text checksums with the last one. */
  async *run(): AsyncGenerator<ReadBatch, void, undefined> {
    const { columns } = this.request
    let last: ReadBatch | null = null
    let named = false
    for await (const batch of this.batches()) {
      if (last) yield last
      const { header } = this.rows
      last = named || !header ? batch : { ...batch, names: columns.map(({ index }) => header[index] ?? '') }
      named = header !== null
    }
    if (!last || !this.sums) {
      if (last) yield last
      return
    }
    const { found } = this.sums
    yield { ...last, checksums: columns.map(({ index }) => found?.[index] ?? 0n) }
  }

  private async *batches(): AsyncGenerator<ReadBatch> {
    const { rows, table } = this
    let pushed = 0
    for await (const piece of inChunks(this.text)) {
      rows.push(piece)
      pushed += piece.length
      // Collect small slices into larger batches.
      if (pushed < BATCH_TEXT / 2 && this.any) continue
      pushed = 0
      yield* this.readRows()
      if (this.left === 0) break
    }
    rows.end()
    yield* this.readRows()
    if (!this.any) yield { ...(await table.read(rows, 0, 0)), bytes: this.bytes }
  }

  /** Reads the bytes that have been pushed. */
  private async *readRows(): AsyncGenerator<ReadBatch, void, undefined> {
    const { rows, table } = this
    while (this.left > 0 && rows.next()) {
      this.checkWidth()
      this.sums?.add(rows)
      this.filled?.fill()
      let { rejected } = rows
      for (let from = 0; from < rows.count || rejected.length > 0;) {
        const to = Math.min(rows.count, from + this.left)
        const own = await table.read(rows, from, to)
        const read = this.filled?.take(own) ?? own
        this.left -= read.batch.numRows
        yield { ...read, rejected: inOrder(rejected, read.rejected), bytes: this.bytes }
        this.any = true
        rejected = []
        from += read.batch.numRows
        if (this.left === 0) break
      }
      await this.yieldIfDue()
    }
  }

  private checkWidth(): void {
    const { width, count } = this.rows
    const beyond = this.request.columns.find(({ index }) => index >= width)
    if (!beyond || width < 0 || count === 0) return
    throw new EngineError('invalid-plan', `The file has no column number ${beyond.index + 1}: it has ${width}.`, {
      remedy: 'Look at the delimiter and the header again, or add the file again.',
    })
  }

  private async yieldIfDue(): Promise<void> {
    if (!this.yielder.due) return
    await this.yielder.yield()
    this.context.progress({ bytes: this.bytes, rows: this.rows.rows })
  }
}

const inOrder = (one: readonly RejectedRow[], other: readonly RejectedRow[]): RejectedRow[] =>
  [...one, ...other].sort((a, b) => a.row - b.row)

/** @throws {EngineError} `invalid-plan` for settings of another format */
function csvSettings(settings: ReadSettings): CsvSettings {
  if (settings.kind === 'csv') return settings
  throw new EngineError('invalid-plan', `A text table can’t be read with settings for ${settings.kind}.`)
}
