import type { Clock, Objects, Records, Tables } from '../ports.ts'

/** The files that tables are kept in, as they are. */
export interface TableFiles {
  /** Rejects when it's gone. */
  file(fileId: string): Promise<Blob>
  /** Keeps a table's file under an id of a creation that's being made, `<creation id>/<table id>`. */
  put(fileId: string, blob: Blob, signal: AbortSignal): Promise<void>
}

/** What another room keeps and a backup holds as well. It's added to what there is, never in place of it. */
export interface Extra {
  export(): Promise<ExportedExtra>
  /**
   * Reads what was exported, with the keys of its files. Nothing changes yet.
   * @throws {Error} in a sentence for the person, when it isn't what was exported
   */
  read(value: unknown, files: ReadonlySet<string>): Promise<ReadExtra>
}

/** By the room's name. */
export type Extras = Readonly<Record<string, Extra>>

interface ExportedExtra {
  /** JSON. */
  readonly value: unknown
  readonly files?: readonly ExtraFile[]
}

/** A DuckDB file that an extra's value speaks of. */
interface ExtraFile {
  /** Unique within the extra. */
  readonly key: string
  /** What the person knows it by. */
  readonly name: string
  /** Rejects when it's gone. */
  readonly open: () => Promise<Blob>
}

export interface ReadExtra {
  /** What's in it, in words: `3 saved queries`. */
  readonly contents: readonly string[]
  /**
   * Puts the files where nothing shows them yet and no sweep removes them until `then` has settled. Only `add`, in one
   * step, adds all of it. It's called just before the records are replaced: adding twice, or without what follows, must
   * do no harm.
   */
  readonly place: (
    files: ReadonlyMap<string, Blob>,
    options: { readonly signal: AbortSignal; readonly onPut: (bytes: number) => void },
    then: (add: AddExtra) => Promise<void>,
  ) => Promise<void>
}

/** Gives what isn't as it was exported, in sentences for the person. */
export type AddExtra = () => Promise<readonly string[]>

/** What a backup holds, for the person to see before it replaces anything. */
export interface BackupSummary {
  readonly createdAt: Date
  readonly appVersion: string
  readonly workspaces: readonly { readonly name: string; readonly slug: string; readonly datasets: number }[]
  readonly datasets: number
  readonly tables: number
  readonly keys: number
  /** Bytes of all datasets' tables. */
  readonly bytes: number
  /** What else is in it, in words: `3 saved queries`. */
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
  /** Makes a file of a stream, on disk where there is one. Nothing is left of one that `check` rejects. */
  readonly keep: (
    stream: ReadableStream<Uint8Array>,
    name: string,
    signal: AbortSignal,
    check: (file: Blob) => Promise<BackupSummary>,
  ) => Promise<Kept>
}

export interface BackupOptions {
  readonly signal?: AbortSignal
  /** Bytes. */
  readonly onProgress?: (done: number, total: number) => void
}
