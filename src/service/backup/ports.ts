import type { Clock, Objects, Records, Tables } from '../ports.ts'

/** The files that tables are kept in, as they are. */
export interface TableFiles {
  /** Rejects when it's gone. */
  file(fileId: string): Promise<Blob>
  /** Keeps a table's file under an id of a creation that's being made, `<creation id>/<table id>`. */
  put(fileId: string, blob: Blob, signal: AbortSignal): Promise<void>
}

/** What else belongs into a backup, kept by other rooms. */
export interface Extras {
  /** JSON. */
  export(): Promise<unknown>
  /**
   * Adds what was exported to what there is. Called just before the records are replaced: importing twice, or without
   * what follows, must do no harm.
   * @throws {Error} when it isn't what was exported, with nothing imported
   */
  import(exported: unknown): Promise<void>
}

export interface BackupDeps {
  readonly clock: Clock
  readonly records: Records
  readonly tables: Pick<Tables, 'whileCreating' | 'sweep'>
  readonly objects: Pick<Objects, 'sweep'>
  readonly files: TableFiles
  readonly extras?: Extras
  readonly appVersion: string
  /** Makes a file of a stream, on disk where there is one. */
  readonly keep: (stream: ReadableStream<Uint8Array>, name: string, signal: AbortSignal) => Promise<File>
}

export interface BackupOptions {
  readonly signal?: AbortSignal
  /** Bytes. */
  readonly onProgress?: (done: number, total: number) => void
}
