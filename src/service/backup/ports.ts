import type { Clock, Objects, Records, Tables } from '../ports.ts'

/** Storage of tables' files. */
export interface TableFiles {
  /** Rejects if it's gone. */
  file(fileId: string): Promise<Blob>
  /** Stores a table's file under the id of a creation that is in progress: `<creation id>/<table id>`. */
  put(fileId: string, blob: Blob, signal: AbortSignal): Promise<void>
}

/** Other data for backups, such as saved queries. Restoring adds to existing data and never replaces it. */
export interface Extra {
  export(): Promise<ExportedExtra>
  /**
   * Parses an export, given the keys of its files. Doesn't change anything.
   * @throws {Error} with a message for the user, if it isn't an export
   */
  read(value: unknown, files: ReadonlySet<string>): Promise<ReadExtra>
}

/** By name. */
export type Extras = Readonly<Record<string, Extra>>

interface ExportedExtra {
  /** JSON. */
  readonly value: unknown
  readonly files?: readonly ExtraFile[]
}

/** A file of an extra. */
interface ExtraFile {
  /** Unique within the extra. */
  readonly key: string
  /** Its name for the user. */
  readonly name: string
  /** Rejects if it's gone. */
  readonly open: () => Promise<Blob>
}

export interface ReadExtra {
  /** Descriptions of its content: `3 saved queries`. */
  readonly contents: readonly string[]
  /**
   * Stores the files such that they aren't visible, and no sweep removes them until `then` has settled. `add` makes all
   * of it visible in one step. It's called just before the records are replaced, so calling it twice, or without
   * replacing them, must do no harm.
   */
  readonly place: (
    files: ReadonlyMap<string, Blob>,
    options: { readonly signal: AbortSignal; readonly onPut: (bytes: number) => void },
    then: (add: AddExtra) => Promise<void>,
  ) => Promise<void>
}

/** Adds the extra. Returns messages for the user about what isn't as it was exported. */
export type AddExtra = () => Promise<readonly string[]>

/** The content of a backup, shown to the user before it replaces anything. */
export interface BackupSummary {
  readonly createdAt: Date
  readonly appVersion: string
  readonly workspaces: readonly { readonly name: string; readonly slug: string; readonly datasets: number }[]
  readonly datasets: number
  readonly tables: number
  readonly keys: number
  /** Total size of all datasets' tables in bytes. */
  readonly bytes: number
  /** Descriptions of other content: `3 saved queries`. */
  readonly extras: readonly string[]
}

export interface RestoreDeps {
  readonly records: Records
  readonly tables: Pick<Tables, 'whileCreating' | 'sweep'>
  readonly objects: Pick<Objects, 'sweep'>
  readonly files: TableFiles
  readonly extras?: Extras
}

export interface BackupDeps<Kept = File> extends Pick<RestoreDeps, 'records' | 'files' | 'extras'> {
  readonly clock: Clock
  readonly appVersion: string
  /** Writes a stream to a file, on disk if possible. If `check` rejects, the file is removed. */
  readonly keep: (
    stream: ReadableStream<Uint8Array>,
    name: string,
    signal: AbortSignal,
    check: (file: Blob) => Promise<BackupSummary>,
  ) => Promise<Kept>
}

export interface BackupOptions {
  readonly signal?: AbortSignal
  /** In bytes. */
  readonly onProgress?: (done: number, total: number) => void
}
