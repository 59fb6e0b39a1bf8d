import type { FormatId } from '../../../contract/formats.ts'
import type { Column } from '../../../tables/types.ts'
import type { EngineContext, FilePart, ReadBatch } from '../../formats/types.ts'

/** A file of one table: what it tells of itself without its rows, and how its rows are read. */
export interface TableFile {
  readonly columns: readonly Column[]
  readonly rows: number
  /**
   * @param columns their positions
   * @param limit rows that are enough
   * @param parts only these of the file
   */
  read(
    columns: ReadonlySet<number>,
    limit: number | null,
    context: EngineContext,
    parts?: ReadonlySet<number>,
  ): AsyncGenerator<ReadBatch>
  /** What can be read of it by itself, with what is known of the columns' values in the types that they have here. */
  readonly parts: readonly FilePart[]
}

/**
 * Looks at a file of a format that tells its columns and rows by itself.
 * @throws {EngineError} when it can't be read, or has no table
 */
export type OpenTableFile = (file: File, format: FormatId, signal: AbortSignal) => Promise<TableFile>
