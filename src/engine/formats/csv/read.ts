import type { CsvSettings, ReadSettings, RejectedRow } from '../../../tables/plan.ts'
import { csvTable } from '../../../tables/settings.ts'
import { Yielder } from '../../../lib/abort.ts'
import { EngineError } from '../../errors.ts'
import { openText } from '../../io/text-stream.ts'
import { BATCH_TEXT, inChunks, releaseCells, acquireCells, type CellMemory } from '../../kernel/cell-memory.ts'
import { TableReader } from '../../columns/cells/table-reader.ts'
import type { EngineContext, ReadBatch, ReadRequest } from '../types.ts'
import { CsvRows } from './rows.ts'
import { RowSums } from './sums.ts'

/** Streams the rows of a CSV file, in the types wanted. */
export function readCsv(file: Blob, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch> {
  const settings = csvTable(csvSettings(request.settings), request.table)
  const taken = { bytes: 0 }
  const text = openText(file, { ...settings, signal: context.signal, onBytes: (bytes) => (taken.bytes = bytes) })
  return rowsOf(text, (cells) => {
    const readers = { rows: new CsvRows(settings, { cells }), table: new TableReader(request.columns, cells) }
    return new Reading(readers, taken, request, context)
  })
}

async function* rowsOf(
  text: AsyncIterable<Uint8Array>,
  open: (cells: CellMemory) => Reading,
): AsyncGenerator<ReadBatch, void, undefined> {
  const cells = acquireCells()
  try {
    yield* open(cells).run(text)
  } finally {
    releaseCells(cells)
  }
}

interface Readers {
  readonly rows: CsvRows
  readonly table: TableReader
}

/** Reads a text from its beginning. */
class Reading {
  private readonly readers: Readers
  private readonly request: ReadRequest
  private readonly context: EngineContext
  /** Bytes of the file so far. */
  private readonly taken: { readonly bytes: number }
  /** Rows that are still wanted. */
  private left: number
  private readonly yielder: Yielder
  private readonly sums: RowSums | null

  constructor(readers: Readers, taken: { readonly bytes: number }, request: ReadRequest, context: EngineContext) {
    this.readers = readers
    this.request = request
    this.context = context
    this.yielder = new Yielder(context.signal)
    this.taken = taken
    this.left = request.limit ?? Number.POSITIVE_INFINITY
    this.sums = request.checksums && request.limit === undefined ? new RowSums() : null
  }

  /** Tells the names with the first batch, and with the last one what the cells come to. */
  async *run(text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ReadBatch, void, undefined> {
    const { columns } = this.request
    let last: ReadBatch | null = null
    let named = false
    for await (const batch of this.batches(text)) {
      if (last) yield last
      const { header } = this.readers.rows
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

  private async *batches(text: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<ReadBatch> {
    const { rows, table } = this.readers
    let any = false
    let pushed = 0
    for await (const piece of inChunks(text)) {
      rows.push(piece)
      pushed += piece.length
      // Slices may be small, but batches needn't be.
      if (pushed < BATCH_TEXT && any) continue
      pushed = 0
      for await (const batch of this.readRows()) {
        any = true
        yield batch
      }
      if (this.left === 0) break
    }
    rows.end()
    for await (const batch of this.readRows()) {
      any = true
      yield batch
    }
    if (!any) yield { ...table.read(rows, 0, 0), bytes: this.taken.bytes }
  }

  /** Reads what has been pushed. */
  private async *readRows(): AsyncGenerator<ReadBatch, void, undefined> {
    const { rows, table } = this.readers
    while (this.left > 0 && rows.next()) {
      this.checkWidth()
      this.sums?.add(rows)
      let { rejected } = rows
      for (let from = 0; from < rows.count || rejected.length > 0;) {
        const to = Math.min(rows.count, from + this.left)
        const read = table.read(rows, from, to)
        this.left -= read.batch.numRows
        yield { ...read, rejected: inOrder(rejected, read.rejected), bytes: this.taken.bytes }
        rejected = []
        from += read.batch.numRows
        if (this.left === 0) break
      }
      await this.yieldIfDue()
    }
  }

  private checkWidth(): void {
    const { width, count } = this.readers.rows
    const beyond = this.request.columns.find(({ index }) => index >= width)
    if (!beyond || width < 0 || count === 0) return
    throw new EngineError('invalid-plan', `The file has no column number ${beyond.index + 1}: it has ${width}.`, {
      remedy: 'Look at the delimiter and the header again, or add the file again.',
    })
  }

  private async yieldIfDue(): Promise<void> {
    if (!this.yielder.due) return
    const { context, taken, readers } = this
    await this.yielder.yield()
    context.progress({ bytes: taken.bytes, rows: readers.rows.rows })
  }
}

const inOrder = (one: readonly RejectedRow[], other: readonly RejectedRow[]): RejectedRow[] =>
  [...one, ...other].sort((a, b) => a.row - b.row)

/** @throws {EngineError} `invalid-plan` for settings of another format */
export function csvSettings(settings: ReadSettings): CsvSettings {
  if (settings.kind === 'csv') return settings
  throw new EngineError('invalid-plan', `A text table can’t be read with settings for ${settings.kind}.`)
}
