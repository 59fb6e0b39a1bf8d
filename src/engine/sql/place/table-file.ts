import type { FormatId } from '../../../contract/formats.ts'
import type { Column } from '../../../tables/types.ts'
import type { EngineContext, ReadBatch } from '../../formats/types.ts'

/** A file of one table: what it tells of itself without its rows, and how its rows are read. */
export interface TableFile {
  readonly columns: readonly Column[]
  readonly rows: number
  /**
   * @param columns their positions
   * @param limit rows that are enough
   */
  read(columns: ReadonlySet<number>, limit: number | null, context: EngineContext): AsyncGenerator<ReadBatch>
}

/**
 * Looks at a file of a format that tells its columns and rows by itself.
 * @throws {EngineError} when it can't be read, or has no table
 */
export type OpenTableFile = (file: File, format: FormatId, signal: AbortSignal) => Promise<TableFile>
