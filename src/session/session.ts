import type { Readable } from '../lib/store.ts'
import type { ApiClient } from '../api/client.ts'
import type { ConsoleClient } from '../api/console.ts'
import type { Scope, Workspace } from '../contract/schemas.ts'

/** Which service the app talks to, and as whom. */
export type Connection =
  | {
      readonly kind: 'stand-in'
      readonly workspace: Workspace
      readonly key: string
    }
  | {
      readonly kind: 'remote'
      /** Up to and including the version segment, `https://.../public/v1`. */
      readonly baseUrl: string
      readonly key: string
      readonly workspaceId: string
      /** The workspace's name in SQL; empty when the person doesn't know it. */
      readonly slug: string
      /** Origins that its signed URLs are at, where they aren't its own. */
      readonly fileOrigins?: readonly string[]
      /** The operator's token for the console of a Rowhouse server. */
      readonly token?: string
      /** For its workspaces that were open: as the person entered them, or made by the app. */
      readonly keys?: OwnKeys
    }

/** A key that this browser uses. */
export interface KeptKey {
  readonly id: string
  readonly key: string
}

/** By workspace. */
export type OwnKeys = Readonly<Record<string, KeptKey>>

/** What only the stand-in can do: everything is in this browser. */
export interface LocalData {
  /** Whether the engine has answered a statement yet: the first one waits until it has started. */
  readonly hasAnswered: Readable<boolean>
  /** Everything as one file. */
  backup(options: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void }): Promise<File>
  /**
   * What a backup holds; all of it is checked, nothing is changed.
   * @throws {Error} in words for the person: what's wrong with the file, and what to do
   */
  inspectBackup(
    file: File,
    options: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<BackupContents>
  /**
   * Replaces everything of the service by a backup's contents, and adds what else is in it: wholly, or (on any fault of
   * the file) not at all.
   */
  restore(
    file: File,
    options: { signal?: AbortSignal; onProgress?: (done: number, total: number) => void },
  ): Promise<RestoreSummary>
  /** Removes everything that Rowhouse keeps in this browser. */
  erase(): Promise<void>
  /** A published table as the file that it's kept in, for the engine to read; null when it's gone. */
  tableFile(datasetId: string, table: string): Promise<LocalTable | null>
  /** The tables of a workspace, and the public ones of the others, with the files that they're kept in. */
  tables(workspaceId: string): Promise<readonly LocalTableName[]>
}

/** What a backup holds. */
export interface BackupContents {
  readonly createdAt: Date
  readonly appVersion: string
  readonly workspaces: readonly { readonly name: string; readonly slug: string; readonly datasets: number }[]
  readonly datasets: number
  readonly tables: number
  readonly keys: number
  /** Bytes of all datasets' tables. */
  readonly bytes: number
  /** What else is in it, in words: `3 saved queries`. It's added to what there is. */
  readonly extras: readonly string[]
}

interface RestoreSummary {
  readonly workspaces: number
  readonly datasets: number
  readonly tables: number
  /** What else was in it, in words. */
  readonly extras: readonly string[]
  /** What isn't as it was in the backup, in sentences for the person. */
  readonly notes: readonly string[]
}

/** A table at rest. Read it with the engine's `duckdb` format. */
interface LocalTable {
  readonly file: File
  readonly rowCount: number
}

/** What a statement reaches a published table by, `workspace.dataset.table`, and the file that it's kept in. */
export interface LocalTableName {
  readonly datasetId: string
  /** The workspace's slug. */
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

/** The service that's connected, with all that a screen may ask of it. */
export interface Session {
  readonly connection: Connection
  /** Where the service is, absolute, up to and including the version segment: `https://.../public/v1`. */
  readonly apiBaseUrl: string
  readonly workspaceId: string
  /** First part of `workspace.dataset.table`. */
  readonly slug: string
  /** Scopes of the app's own key; null when they can't be known (a real service). */
  readonly scopes: readonly Scope[] | null
  readonly api: ApiClient
  /** Null when connected to a real service without the operator's token. */
  readonly console: ConsoleClient | null
  readonly local: LocalData | null
}

export type SessionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'ready'; readonly session: Session }
  | { readonly status: 'failed'; readonly error: Error; readonly retry: () => void }

/** Which session there is, and how it's changed. Made once, by the app. */
export interface SessionStore extends Readable<SessionState> {
  /** Resolves when there's a session; rejects when there can't be one. */
  ready(): Promise<Session>
  /** Another workspace of the stand-in or, with the operator's token, of the server. */
  switchWorkspace(id: string): Promise<void>
  /** Talk to a real service from now on (after a reload too), or, with null, to the stand-in again. */
  connect(remote: Omit<Extract<Connection, { kind: 'remote' }>, 'kind' | 'keys'> | null): Promise<void>
  /** Called when datasets, keys or workspaces changed, in this tab or another. */
  onChange(listener: (topic: ChangeTopic) => void): () => void
}

export type ChangeTopic = 'datasets' | 'keys' | 'workspaces'
