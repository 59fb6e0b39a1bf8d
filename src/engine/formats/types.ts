import type { Data, RecordBatch } from 'apache-arrow'
import type { FormatId } from '../../contract/formats.ts'
import type { Column, ColumnType } from '../../tables/types.ts'
import type { Inspection, Note, ReadSettings, RejectedRow, WriteOptions, SourceRows } from '../../tables/plan.ts'
import type { ReadColumn } from '../columns/column-builder.ts'
import type { ByteSink } from '../../lib/sink.ts'

/*
 * The interfaces of formats. Rows travel as Arrow record batches whose columns have the one physical type that
 * `arrow/types.ts` gives each column type, so that readers, fingerprints and writers needn't know each other.
 */

interface Progress {
  /** Bytes of the source read so far; compressed bytes if it is compressed. */
  readonly bytes: number
  /** Rows so far. */
  readonly rows: number
}

export interface EngineContext {
  /** Checked at least every 100 ms; once it's aborted, a reader or writer throws its reason and releases everything. */
  readonly signal: AbortSignal
  /** Called often; the caller throttles it. */
  readonly progress: (progress: Progress) => void
  /** For a sample: about how many rows of each sheet of a workbook to inspect. */
  readonly mostRows?: number | undefined
  /** Starts a second thread, if possible, which inspects one half of a large file. */
  readonly startHelper?: () => InspectionHelper
}

/** A second thread that inspects the rest of a file while this one inspects its beginning. */
export interface InspectionHelper {
  /** The result of the format's `inspectRest`. */
  inspectRest(format: FormatId, file: File, settings: ReadSettings, from: number): Promise<unknown>
  end(): void
}

export interface ReadRequest {
  readonly settings: ReadSettings
  /** Sheet name; null where a file is one table. */
  readonly table: string | null
  /** The columns to read, in order: a batch has exactly these, named `c0`, `c1`, ... */
  readonly columns: readonly ReadColumn[]
  /** Stop after this many rows (previews). */
  readonly limit?: number
  /** Only these parts of the file, by their numbers, where the format has `parts`. */
  readonly parts?: ReadonlySet<number>
  /** Whether to compute text checksums, as the inspection did, if the format has text. */
  readonly checksums?: boolean
}

/** The table whose own rows are wanted, and how they are split. */
export type SourceRequest = Pick<ReadRequest, 'settings' | 'table'>

export interface ReadBatch {
  /** Columns `c0`, `c1`, ... of the request's types, in the physical types of `arrow/types.ts`; may have no rows. */
  readonly batch: RecordBatch
  /** The rows of this part that didn't fit, in order. */
  readonly rejected: readonly RejectedRow[]
  /** Bytes of the source read so far. */
  readonly bytes: number
  /**
   * The columns' names as the file has them, in the request's order; at least on the first batch, if the file has
   * names (no header: absent). The verification compares them.
   */
  readonly names?: readonly string[]
  /** Like `names`: the columns' types in the file, as `printType` prints them, if the file has types of its own. */
  readonly types?: readonly string[]
  /**
   * If requested: for each column, the text checksum of the rows since the last report; null if it isn't known for all
   * of them.
   */
  readonly checksums?: readonly bigint[] | null
  /** For each column: how many blank cells of these rows were filled with the value above; absent if none may be. */
  readonly filled?: readonly number[]
}

/** No value of a column is smaller than `min` or larger than `max`, both as DuckDB writes values of the type. */
export interface Bounds {
  readonly type: ColumnType
  readonly min: string
  readonly max: string
}

/** A part of a file that can be read by itself. */
export interface FilePart {
  readonly rows: number
  /** @returns null if the file doesn't say, or if all values are null */
  readonly bounds: (column: number) => Bounds | null
}

export interface FormatReader {
  readonly format: FormatId
  /**
   * Reads the whole file once and says what is in it: complete settings, and for each table its columns with types
   * that hold for every row.
   * @param given settings that the person chose; all others are detected
   * @throws {EngineError} if the file has no table
   */
  inspect(file: File, given: Partial<ReadSettings>, context: EngineContext): Promise<Inspection>
  /**
   * Inspects the rows of a file from the byte `from` on, while another thread inspects those before. Returns plain data
   * that only the format itself understands; null if the rest can't be inspected without what's before it.
   */
  inspectRest?(file: File, settings: ReadSettings, from: number, context: EngineContext): Promise<unknown>
  /**
   * Streams a table's rows.
   * @throws {EngineError} when the file is damaged
   */
  read(file: File, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch>
  /**
   * The first and last rows of a table's file or sheet as written there, whatever the settings make of them; absent if
   * the format has no such rows.
   */
  source?(file: File, request: SourceRequest, context: EngineContext): Promise<SourceRows>
  /** The parts of a file that can be read by themselves, in order; absent if the format has none. */
  parts?(file: File, context: EngineContext): Promise<readonly FilePart[]>
  /** Whether `read` can give any column as any type that text can be read as; otherwise the pipeline casts. */
  readonly convertsTypes: boolean
}

interface Converted {
  readonly data: Data
  /** How many values changed. */
  readonly changed: number
}

/** How a column must change so that a format can hold it. */
export interface Adaptation {
  readonly type: ColumnType
  /** What to report; the pipeline fills in `count` if `convert` counts. */
  readonly note: Note
  /** Changes one batch's column; absent when both types have the same physical type. */
  readonly convert?: (data: Data) => Converted | Promise<Converted>
  /** Leave the note out when `convert` changed nothing. */
  readonly onlyIfChanged?: boolean
}

export interface OutputTable {
  /** Sheet name, or the file's name without extension. */
  readonly name: string
  /** After adaptation. */
  readonly columns: readonly Column[]
}

export interface TableWriter {
  /** Begins a table. Called once, or once for each table if the format holds several. */
  begin(table: OutputTable): Promise<void>
  /** Appends rows: columns `c0`, `c1`, ... in the order and types of `begin`. */
  write(batch: RecordBatch): Promise<void>
  /** Ends the file, so that all of it is in the sink. The caller closes the sink. */
  finish(): Promise<WriteResult>
}

export interface WriteResult {
  /** How the output as a whole differs from the batches. */
  readonly changes: readonly Note[]
  /**
   * How to read the file back, for each `begin` in order: a table that had to be split names its parts in order.
   * The verification asks for the same columns and types that were written.
   */
  readonly readBack: readonly WrittenTable[]
}

export interface WrittenTable {
  readonly settings: ReadSettings
  readonly tables: readonly (string | null)[]
  /** How this table differs from its batches, as far as that depends on values. */
  readonly changes?: readonly Note[]
}

export interface FormatWriter {
  readonly format: FormatId
  /** Whether one file can hold several tables. */
  readonly multiTable: boolean
  /**
   * How a column must change for this format; null if it's held as it is. Text formats hold nested values as JSON text
   * and read them back: that isn't a change of type, but `describe` reports it.
   */
  adapt(column: Column, options: WriteOptions): Adaptation | null
  /** What to report, before running, about a column that is held in another form (nested as JSON text, zone as UTC). */
  describe(column: Column, options: WriteOptions): Note | null
  /**
   * Refuses what the format can't hold, before any work.
   * @throws {EngineError} `unwritable`
   */
  check(columns: readonly Column[], options: WriteOptions): void
  open(sink: ByteSink, options: WriteOptions, context: EngineContext): TableWriter
}
