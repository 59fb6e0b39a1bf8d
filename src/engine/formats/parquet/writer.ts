import { type Data, DataType, type Field, type RecordBatch, RecordBatchStreamWriter, type Schema } from 'apache-arrow'
import type { RecordBatch as WasmBatch, WriterProperties } from 'parquet-wasm/esm'
import type { Note, ParquetOptions, WriteOptions } from '../../../tables/plan.ts'
import { leavesOf, type Column, scalar, VARCHAR, type ColumnType } from '../../../tables/types.ts'
import { ByteWriter } from '../../../lib/bytes.ts'
import { EngineError } from '../../errors.ts'
import type { ByteSink } from '../../../lib/sink.ts'
import { batchBytes, emptyBatch, outputSchema, renameBatch } from '../shared/output-batches.ts'
import type { EngineContext, FormatWriter, OutputTable, TableWriter, WriteResult, Adaptation } from '../types.ts'
import { refuseUnwritable, adaptBy, type Substitutes } from '../shared/adapt.ts'
import { guardedSync, loadParquet, type ParquetLibrary } from './wasm.ts'
import { ParquetPump } from './pump.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** Batches are passed to the library in runs of this size. */
const RUN_BYTES = 2 * 1024 * 1024
/** Maximum size of a row group, since the library holds a whole one, encoded, in memory. */
const GROUP_BYTES = 256 * 1024 * 1024
const MAX_GROUP_ROWS = 10_000_000
/**
 * Until the end of its row group, each leaf takes 74 kB for a dictionary and 97 kB for zstd, which adds up for
 * thousands of leaves.
 */
const MAX_DICTIONARIES = 1000
const MAX_ZSTD = 4000

const CODEC = {
  uncompressed: 'UNCOMPRESSED',
  snappy: 'SNAPPY',
  gzip: 'GZIP',
  brotli: 'BROTLI',
  zstd: 'ZSTD',
  lz4_raw: 'LZ4_RAW',
} as const

/** Writes Parquet 2.6 that every reader supports: data pages V1, plain and dictionary encodings, statistics. */
export const parquetWriter: FormatWriter = {
  format: 'parquet',
  multiTable: false,
  adapt: adaptColumn,
  describe: () => null,
  check,
  open: (sink, options, context) => new ParquetTableWriter(sink, optionsOf(options), context),
}

function check(columns: readonly Column[], options: WriteOptions): void {
  optionsOf(options)
  for (const column of columns) refuseUnwritable(column, 'Parquet')
}

function optionsOf(options: WriteOptions): ParquetOptions {
  if (options.kind !== 'parquet') throw new EngineError('internal', 'Options of another format.')
  const { rowGroupSize } = options
  if (!Number.isInteger(rowGroupSize) || rowGroupSize < 1 || rowGroupSize > MAX_GROUP_ROWS) {
    throw new EngineError('unwritable', 'The row group size must be a whole number from 1 to 10,000,000.', {
      remedy: 'Use 122,880, which suits most readers.',
    })
  }
  return options
}

class ParquetTableWriter implements TableWriter {
  private readonly sink: ByteSink
  private readonly options: ParquetOptions
  private readonly context: EngineContext
  private schema: Schema | undefined
  private run: RecordBatch[] = []
  private runBytes = 0
  private rows = 0
  private pump: ParquetPump | undefined
  /** Shared by all runs: allocating memory for each would cost more than copying. */
  private readonly stream = new ByteWriter()

  constructor(sink: ByteSink, options: ParquetOptions, context: EngineContext) {
    this.sink = sink
    this.options = options
    this.context = context
  }

  begin(table: OutputTable): Promise<void> {
    if (this.schema) throw new EngineError('internal', 'A Parquet file holds one table.')
    this.schema = outputSchema(table.columns, { item: 'element', entries: 'key_value' })
    return Promise.resolve()
  }

  async write(batch: RecordBatch): Promise<void> {
    if (batch.numRows === 0) return
    this.run.push(renameBatch(batch, this.begun()))
    this.runBytes += batchBytes(batch)
    this.rows += batch.numRows
    if (this.runBytes >= RUN_BYTES) await this.flush()
  }

  async finish(): Promise<WriteResult> {
    // Without a batch, the library wouldn't know the schema.
    if (this.run.length > 0 || !this.pump) await this.flush()
    await this.pump?.end()
    return { changes: this.changes(), readBack: [{ settings: { kind: 'parquet' }, tables: [null] }] }
  }

  private changes(): Note[] {
    if (this.codec() === this.options.codec) return []
    const columns = countLeaves(this.begun().fields).toLocaleString('en-US')
    return [
      { code: 'codec-changed', message: `Compressed with Snappy: for ${columns} columns zstd takes too much memory.` },
    ]
  }

  private codec(): ParquetOptions['codec'] {
    const { codec } = this.options
    return codec === 'zstd' && countLeaves(this.begun().fields) > MAX_ZSTD ? 'snappy' : codec
  }

  private begun(): Schema {
    if (!this.schema) throw new EngineError('internal', 'Rows before the table was begun.')
    return this.schema
  }

  private async flush(): Promise<void> {
    const library = await loadParquet()
    this.pump ??= new ParquetPump(library, this.sink, this.properties(library), this.context.signal)
    const { run } = this
    this.run = []
    this.runBytes = 0
    await this.pump.push(await toLibrary(library, run, this.begun(), this.stream))
    this.context.progress({ bytes: this.sink.size, rows: this.rows })
    await checkpoint(this.context.signal)
  }

  private properties(library: ParquetLibrary): WriterProperties {
    const { Compression, EnabledStatistics, WriterPropertiesBuilder } = library
    let builder = new WriterPropertiesBuilder()
      .setCreatedBy('Rowhouse')
      .setCompression(Compression[CODEC[this.codec()]])
      .setMaxRowGroupSize(this.options.rowGroupSize)
      .setMaxRowGroupBytes(GROUP_BYTES)
      .setStatisticsEnabled(EnabledStatistics.Chunk)
    const { fields } = this.begun()
    if (countLeaves(fields) > MAX_DICTIONARIES) return builder.setDictionaryEnabled(false).build()
    for (const [i, field] of fields.entries()) {
      if (!wantsDictionary(this.run, i)) builder = builder.setColumnDictionaryEnabled(field.name, false)
    }
    return builder.build()
  }
}

function countLeaves(fields: readonly Field[]): number {
  return fields.reduce((sum, { type }) => {
    const children: readonly Field[] | null = (type as DataType).children
    return sum + (children && children.length > 0 ? countLeaves(children) : 1)
  }, 0)
}

/**
 * Copies batches into the library's memory as an Arrow stream. If there are none, an empty batch is copied.
 * @param stream overwritten
 */
async function toLibrary(
  library: ParquetLibrary,
  batches: readonly RecordBatch[],
  schema: Schema,
  stream: ByteWriter,
): Promise<WasmBatch[]> {
  const writer = new RecordBatchStreamWriter()
  writer.reset(undefined, schema)
  for (const batch of batches.length > 0 ? batches : [emptyBatch(schema)]) writer.write(batch)
  writer.finish()
  const pieces: Uint8Array[] = []
  for await (const piece of writer) pieces.push(piece)
  stream.clear()
  stream.reserve(pieces.reduce((sum, { length }) => sum + length, 0))
  for (const piece of pieces) stream.append(piece)
  return guardedSync('writing', () => {
    const table = library.Table.fromIPCStream(stream.view())
    const parts = table.recordBatches()
    table.free()
    return parts
  })
}

const SAMPLE = 4096

/**
 * Whether a dictionary is worthwhile for a column. If most values occur once, it only costs time. Decided by a sample
 * of values from the first batches.
 */
function wantsDictionary(batches: readonly RecordBatch[], column: number): boolean {
  const rows = batches.reduce((sum, batch) => sum + batch.numRows, 0)
  const step = Math.max(1, Math.floor(rows / SAMPLE))
  const seen = new Set<number>()
  let looked = 0
  for (const batch of batches) {
    const data = batch.data.children[column]
    // Leaves of nested columns can't be set individually, so the library's default applies.
    if (data.children.length > 0) return true
    for (let i = 0; i < data.length; i += step) {
      if (data.nullCount > 0 && !data.getValid(i)) continue
      seen.add(hashAt(data, i))
      looked++
    }
  }
  return looked < 64 || seen.size < looked * 0.6
}

function hashAt(data: Data, index: number): number {
  const { type, values } = data
  if (DataType.isBool(type)) return 0
  if (DataType.isUtf8(type) || DataType.isBinary(type)) {
    const offsets = data.valueOffsets as Int32Array
    return hash(values as Uint8Array, offsets[index], Math.min(offsets[index + 1], offsets[index] + 256))
  }
  const fixed = values as unknown as Uint8Array
  const bytes = new Uint8Array(fixed.buffer, fixed.byteOffset, fixed.byteLength)
  const width = data.stride * fixed.BYTES_PER_ELEMENT
  return hash(bytes, index * width, (index + 1) * width)
}

/** FNV-1a. */
function hash(bytes: Uint8Array, start: number, end: number): number {
  let value = 0x811c9dc5
  for (let i = start; i < end; i++) value = Math.imul(value ^ bytes[i], 0x01000193)
  return value
}

const PARQUET: Substitutes = {
  HUGEINT: { type: { kind: 'decimal', width: 38, scale: 0 }, why: 'Parquet has no 128-bit integers' },
  UUID: { type: VARCHAR, why: 'a UUID is kept as its text' },
  INTERVAL: { type: VARCHAR, why: 'an interval is kept as its text, for Parquet would cut it to milliseconds' },
  JSON: { type: VARCHAR, why: 'JSON is kept as its text' },
  TIMESTAMP_S: { type: scalar('TIMESTAMP_MS'), why: 'Parquet has no timestamps of whole seconds' },
}

/** How a column has to change for Parquet. */
function adaptColumn(column: Column): Adaptation | null {
  const adaptation = adaptBy(column, PARQUET)
  if (!adaptation || !hasSeconds(column.type)) return adaptation
  return {
    ...adaptation,
    convert: async (data) => ({
      data: (await import('./seconds.ts')).toMillis(data, column.type),
      changed: data.length - data.nullCount,
    }),
  }
}

const hasSeconds = (type: ColumnType): boolean =>
  leavesOf(type).some((leaf) => leaf.kind === 'scalar' && leaf.name === 'TIMESTAMP_S')
