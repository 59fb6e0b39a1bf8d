import type { FormatId } from '../../contract/formats.ts'
import type { ConvertRequest, ConvertResult, InspectResult } from '../../engine/convert/protocol.ts'
import type { NamedTable, StatementResult, StoredTable } from '../../engine/storage/table-types.ts'

/* What crosses between the server and the processes that work on rows. Files cross as paths. */

/** A file on the disk, with the name that messages call it. */
export interface FileOnDisk {
  readonly path: string
  readonly name: string
}

interface OfFile {
  readonly file: FileOnDisk
}

/** What a process is asked that reads and writes files. */
export interface FileCalls {
  inspect: { request: OfFile & { readonly format: FormatId }; result: InspectResult }
  /** @property folder where outputs go, under their ids' last parts */
  convert: { request: OfFile & ConvertRequest & { readonly folder: string }; result: ConvertResult }
  /** @property folder of all tables */
  ingest: {
    request: OfFile & {
      readonly creationId: string
      readonly format: FormatId
      readonly folder: string
      /** The file of the table whose rows come first. */
      readonly onto?: FileOnDisk
    }
    result: StoredTable
  }
}

/** Runs a call over a file alone in a process. The file is one that the store made. */
export type FileCall = <N extends keyof FileCalls>(
  name: N,
  file: File,
  request: Omit<FileCalls[N]['request'], 'file'>,
  signal: AbortSignal,
) => Promise<FileCalls[N]['result']>

export interface QueryRequest {
  readonly sql: string
  /** All that the statement may see. */
  readonly tables: readonly NamedTable[]
  /** The files of those that it may be about, by file id. */
  readonly files: ReadonlyMap<string, string>
  readonly maxRows: number
}

/** What a process is asked that runs statements. */
export interface QueryCalls {
  run: { request: QueryRequest; result: StatementResult }
  /** What it gives, and how it's bound, as DuckDB serializes it. */
  plan: {
    request: QueryRequest
    result: { readonly columns: StatementResult['columns']; readonly plan: string }
  }
}
