import type { Data, RecordBatch } from 'apache-arrow'
import type { FormatId } from '../../contract/formats.ts'
import type { Column, ColumnType } from '../../tables/types.ts'
import type { Inspection, Note, ReadSettings, RejectedRow, WriteOptions, SourceRows } from '../../tables/plan.ts'
import type { ReadColumn } from '../columns/column-builder.ts'
import type { ByteSink } from '../../lib/sink.ts'

/*
 * What every format is made of. Rows travel as Arrow record batches whose columns have the one physical type that
 * `arrow/types.ts` gives each column type, so that readers, fingerprints and writers needn't know each other.
 */

export interface Progress {
  /** Bytes of the source taken in so far; compressed ones where it is compressed. */
  readonly bytes: number
  /** Rows so far. */
  readonly rows: number
}

export interface EngineContext {
  /** Checked at least every 100 ms of work; a reader or writer then throws its reason and lets go of everything. */
  readonly signal: AbortSignal
  /** Called often; the caller thins it out. */
  readonly progress: (progress: Progress) => void
  /** A second thread, where there can be one: one half of a large file is inspected in it. */
  readonly startHelper?: () => InspectionHelper
}

/** A second thread that inspects the rest of a file while this one inspects its beginning. */
export interface InspectionHelper {
  /** What the format's `inspectRest` gives. */
  inspectRest(format: FormatId, file: File, settings: ReadSettings, from: number): Promise<unknown>
  end(): void
}

export interface ReadRequest {
  readonly settings: ReadSettings
  /** Sheet name; null where a file is one table. */
  readonly table: string | null
  /** The columns wanted, in the order wanted: a batch has exactly these, named `c0`, `c1`, ... */
  readonly columns: readonly ReadColumn[]
  /** Stop after this many rows (previews). */
  readonly limit?: number
  /** Only these parts of the file, by their numbers, where the format has `parts`. */
  readonly parts?: ReadonlySet<number>
  /** Whether to tell what the cells' text comes to, as the inspection did, where the format keeps text. */
  readonly checksums?: boolean
}

/** Which table it is whose rows are looked at, and how they are split. */
export type SourceRequest = Pick<ReadRequest, 'settings' | 'table'>

export interface ReadBatch {
  /** Columns `c0`, `c1`, ... of the request's types, in the physical types of `arrow/types.ts`; may have no rows. */
  readonly batch: RecordBatch
  /** The rows among these that didn't fit, in order. */
  readonly rejected: readonly RejectedRow[]
  /** Bytes of the source taken in so far. */
  readonly bytes: number
  /**
   * The columns' names as the file has them, in the request's order; on the first batch at least, where the file has
   * names (no header: absent). The verification compares them.
   */
  readonly names?: readonly string[]
  /** As `names`, the columns' types in the file, as `printType` gives them: where the file has types of its own. */
  readonly types?: readonly string[]
  /**
   * Where they're asked for: of each column, what the text of its cells comes to, modulo 2^64, in the rows since it was
   * reported last; null where it isn't known of some.
   */
  readonly checksums?: readonly bigint[] | null
}

/** No value of a column is smaller than `min`, or larger than `max`: as DuckDB writes values of the type. */
export interface Bounds {
  readonly type: ColumnType
  readonly min: string
  readonly max: string
}

/** A part of a file that can be read by itself. */
export interface FilePart {
  readonly rows: number
  /** @returns null where the file doesn't tell, and where all are null */
  readonly bounds: (column: number) => Bounds | null
}

export interface FormatReader {
  readonly format: FormatId
  /**
   * Reads the whole file once and says what is in it: complete settings, and for each table its columns with types
   * that hold for every row.
   * @param given settings that the person set; all else is detected
   * @throws {EngineError} when there's no table to be had
   */
  inspect(file: File, given: Partial<ReadSettings>, context: EngineContext): Promise<Inspection>
  /**
   * Looks at the rows of a file from the byte `from` on, for the inspection that looks at those before: plain data that
   * only the format itself understands, null where the rest can't be known without what's before it.
   */
  inspectRest?(file: File, settings: ReadSettings, from: number, context: EngineContext): Promise<unknown>
  /**
   * Streams a table's rows.
   * @throws {EngineError} when the file is damaged
   */
  read(file: File, request: ReadRequest, context: EngineContext): AsyncIterable<ReadBatch>
  /**
   * The first and the last rows of a table's file or sheet as they stand there, whatever the settings make of them;
   * absent where a format has no such rows.
   */
  source?(file: File, request: SourceRequest, context: EngineContext): Promise<SourceRows>
  /** What can be read of a file by itself, in order, and what the file tells of it; absent where a format has no parts. */
  parts?(file: File, context: EngineContext): Promise<readonly FilePart[]>
  /** Whether `read` can give any column as any type that text can be read as; else the pipeline casts after it. */
  readonly convertsTypes: boolean
}

/** How a column must change, so that a format can hold it. */
export interface Adaptation {
  readonly type: ColumnType
  /** What to tell, with `count` filled in by the pipeline where `convert` counts. */
  readonly note: Note
  /** Changes one batch's column; absent when both types have the same physical type. */
  readonly convert?: (data: Data) => {
    readonly data: Data
    /** How many values aren't what they were. */
    readonly changed: number
  }
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
  /** Begins a table. Called once, or once for each table where the format holds several. */
  begin(table: OutputTable): Promise<void>
  /** Appends rows: columns `c0`, `c1`, ... in the order and types of `begin`. */
  write(batch: RecordBatch): Promise<void>
  /** Ends the file, so that all of it is in the sink. The caller closes the sink. */
  finish(): Promise<WriteResult>
}

export interface WriteResult {
  /** What the output as a whole holds otherwise than the batches did. */
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
  /** What this table holds otherwise than its batches did, known only from their values. */
  readonly changes?: readonly Note[]
}

export interface FormatWriter {
  readonly format: FormatId
  /** Whether one file can hold several tables. */
  readonly multiTable: boolean
  /**
   * How a column has to change for this format; null when it's held as it is. Text formats hold nested values as JSON
   * text and read them back: that is no change of type, but `describe` tells it.
   */
  adapt(column: Column, options: WriteOptions): Adaptation | null
  /** What to tell of a column that is held in another form (nested as JSON text, time zone as UTC), before running. */
  describe(column: Column, options: WriteOptions): Note | null
  /**
   * Refuses, before any work, what the format can't hold.
   * @throws {EngineError} `unwritable`
   */
  check(columns: readonly Column[], options: WriteOptions): void
  open(sink: ByteSink, options: WriteOptions, context: EngineContext): TableWriter
}
