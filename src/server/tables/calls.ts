import type { FormatId } from '../../contract/formats.ts'
import type { ConvertRequest, ConvertResult } from '../../engine/convert/protocol.ts'
import type { InspectResult } from '../../engine/convert/inspection-types.ts'
import type { NamedTable, StatementResult, StoredTable } from '../../engine/storage/table-types.ts'

/* Calls from the server to its processes. Files are sent as paths. */

/** A file on disk, and its name for messages. */
export interface FileOnDisk {
  readonly path: string
  readonly name: string
}

interface OfFile {
  readonly file: FileOnDisk
}

/** Calls of a process that reads and writes files. */
export interface FileCalls {
  inspect: { request: OfFile & { readonly format: FormatId }; result: InspectResult }
  /** @property folder for outputs, which are named by the last parts of their ids */
  convert: { request: OfFile & ConvertRequest & { readonly folder: string }; result: ConvertResult }
  /** @property folder of all tables */
  ingest: {
    request: OfFile & {
      readonly creationId: string
      readonly format: FormatId
      readonly folder: string
      /** The file of a table whose rows come before the new ones. */
      readonly onto?: FileOnDisk
    }
    result: StoredTable
  }
}

/** Runs a call in a process that runs no other meanwhile. The file must be from the store. */
export type FileCall = <N extends keyof FileCalls>(
  name: N,
  file: File,
  request: Omit<FileCalls[N]['request'], 'file'>,
  signal: AbortSignal,
) => Promise<FileCalls[N]['result']>

export interface QueryRequest {
  readonly sql: string
  /** All tables that the caller may read. */
  readonly tables: readonly NamedTable[]
  /** Paths by file id, of the tables that the statement may refer to. */
  readonly files: ReadonlyMap<string, string>
  readonly maxRows: number
}

/** Calls of a process that runs statements. */
export interface QueryCalls {
  run: { request: QueryRequest; result: StatementResult }
  /** The statement's columns, and its bound plan as serialized by DuckDB. */
  plan: {
    request: QueryRequest
    result: { readonly columns: StatementResult['columns']; readonly plan: string }
  }
}
