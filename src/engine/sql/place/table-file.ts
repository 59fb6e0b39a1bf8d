import type { FormatId } from '../../../contract/formats.ts'
import type { Column } from '../../../tables/types.ts'
import type { EngineContext, FilePart, ReadBatch } from '../../formats/types.ts'

/** A file with one table: its columns and row count, and how to read its rows. */
export interface TableFile {
  readonly columns: readonly Column[]
  readonly rows: number
  /**
   * @param columns positions
   * @param limit number of rows that suffice
   * @param parts parts of the file to read
   */
  read(
    columns: ReadonlySet<number>,
    limit: number | null,
    context: EngineContext,
    parts?: ReadonlySet<number>,
  ): AsyncGenerator<ReadBatch>
  /** Parts of the file that can be read separately, with statistics of the columns in their types here. */
  readonly parts: readonly FilePart[]
}

/**
 * Opens a file of a format that states its columns and row count.
 * @throws {EngineError} if it can't be read, or has no table
 */
export type OpenTableFile = (file: File, format: FormatId, signal: AbortSignal) => Promise<TableFile>
