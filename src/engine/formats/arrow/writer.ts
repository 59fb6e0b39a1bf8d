/* oxlint-disable no-underscore-dangle -- so are the library's own hooks named */
import { RecordBatchFileWriter, RecordBatchWriter, type RecordBatch, type Schema } from 'apache-arrow'
import { concatBytes } from '../../../lib/bytes.ts'
import { VARCHAR } from '../../../tables/types.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult } from '../types.ts'
import { adaptBy, refuseUnwritable, type Substitutes } from '../shared/adapt.ts'
import { outputSchema, renameBatch } from '../shared/output-batches.ts'
import { checkpoint } from '../../../lib/yielding.ts'

const SUBSTITUTES: Substitutes = {
  HUGEINT: { type: { kind: 'decimal', width: 38, scale: 0 }, why: 'Arrow has no 128-bit integers' },
  UUID: { type: VARCHAR, why: 'a UUID is kept as its text' },
  INTERVAL: { type: VARCHAR, why: 'an interval is kept as its text' },
  JSON: { type: VARCHAR, why: 'JSON is kept as its text' },
}

/** Writes Arrow IPC files (Feather version 2), uncompressed, batch by batch. */
export const arrowWriter: FormatWriter = {
  format: 'arrow',
  multiTable: false,
  adapt: (column) => adaptBy(column, SUBSTITUTES),
  describe: () => null,
  check: (columns) => {
    for (const column of columns) refuseUnwritable(column, 'Arrow')
  },
  open: (sink, _options, context) => new ArrowTableWriter(sink, context),
}

/**
 * Writes files for this engine only. Fields store their column types in metadata, so that none has to change for Arrow.
 * @param asText names of each column's types that are stored as text
 */
export function openTypedWriter(sink: ByteSink, context: EngineContext, asText: readonly string[]): TableWriter {
  return new ArrowTableWriter(sink, context, asText)
}

const writeSchemaMessage = (RecordBatchWriter.prototype as unknown as { _writeSchema: (schema: Schema) => void })
  ._writeSchema

/** The library's encoder, except that bytes are taken as they are written, not collected until the end. */
class Encoder extends RecordBatchFileWriter {
  private chunks: Uint8Array[] = []

  protected override _write(chunk: ArrayBufferView): this {
    const bytes = new Uint8Array(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    if (bytes.length > 0) {
      this.chunks.push(bytes)
      this._position += bytes.length
    }
    return this
  }

  /** The library omits the schema message, without which the file can't be read as a stream. */
  protected override _writeSchema(schema: Schema): this {
    super._writeSchema(schema)
    writeSchemaMessage.call(this, schema)
    return this
  }

  take(): Uint8Array[] {
    const { chunks } = this
    this.chunks = []
    return chunks
  }
}

class ArrowTableWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly context: EngineContext
  private readonly encoder = new Encoder()
  private schema: Schema | undefined
  private rows = 0

  private readonly asText: readonly string[] | undefined

  constructor(sink: ByteSink, context: EngineContext, asText?: readonly string[]) {
    this.sink = sink
    this.context = context
    this.asText = asText
  }

  async begin(table: OutputTable): Promise<void> {
    if (this.schema) throw new EngineError('internal', 'An Arrow file holds one table.')
    this.schema = outputSchema(table.columns, { item: 'item', entries: 'entries' }, this.asText)
    this.encoder.reset(undefined, this.schema)
    await this.drain()
  }

  async write(batch: RecordBatch): Promise<void> {
    if (!this.schema) throw new EngineError('internal', 'Rows before the table was begun.')
    if (batch.numRows === 0) return
    this.encoder.write(renameBatch(batch, this.schema))
    this.rows += batch.numRows
    await this.drain()
    await checkpoint(this.context.signal)
  }

  async finish(): Promise<WriteResult> {
    this.encoder.finish()
    await this.drain()
    return { changes: [], readBack: [{ settings: { kind: 'arrow', layout: 'file' }, tables: [null] }] }
  }

  private async drain(): Promise<void> {
    // Headers and padding are a few bytes each, so combine them into one write.
    let small: Uint8Array[] = []
    const flush = async (): Promise<void> => {
      if (small.length > 0) await this.sink.write(concatBytes(small))
      small = []
    }
    for (const chunk of this.encoder.take()) {
      if (chunk.length < 65_536 && small.length < 1024) {
        small.push(chunk)
        continue
      }
      await flush()
      await this.sink.write(chunk)
    }
    await flush()
    this.context.progress({ bytes: this.sink.size, rows: this.rows })
  }
}
