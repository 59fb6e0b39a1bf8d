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
      /** The workspace's name in SQL; empty if the person doesn't know it. */
      readonly slug: string
      /** Origins of its signed URLs, if they differ from its own. */
      readonly fileOrigins?: readonly string[]
      /** The operator's token for the console of a Rowhouse server. */
      readonly token?: string
      /** Keys for the server's workspaces visited before, entered by the person or created by the app. */
      readonly keys?: OwnKeys
    }

/** A key that this browser uses. */
export interface KeptKey {
  readonly id: string
  readonly key: string
}

/** By workspace. */
export type OwnKeys = Readonly<Record<string, KeptKey>>

/** What only the stand-in can do, since everything is in this browser. */
export interface LocalData {
  /** Whether the engine has answered a statement yet: the first one has to wait until the engine has started. */
  readonly hasAnswered: Readable<boolean>
  /** Creates a backup: everything in one file. */
  backup(options: BackupOptions): Promise<File>
  /**
   * Reads and checks a backup without changing anything.
   * @throws {Error} with a message for the person: what is wrong with the file, and what to do
   */
  inspectBackup(file: File, options: BackupOptions): Promise<BackupContents>
  /**
   * Replaces the service's data with the backup's, and adds the rest of the backup. If anything in the file is wrong,
   * nothing changes.
   * @returns what it held, and what differs from it now, in sentences for the person
   */
  restore(file: File, options: BackupOptions): Promise<BackupContents & { readonly notes: readonly string[] }>
  /** Removes everything that Rowhouse stores in this browser. */
  erase(): Promise<void>
  /** The file of a published table, for the engine's `duckdb` format to read; null if it's gone. */
  tableFile(datasetId: string, table: string): Promise<File | null>
  /** The files of a workspace's tables, and of the public tables of the other workspaces. */
  tables(workspaceId: string): Promise<readonly LocalTableName[]>
}

interface BackupOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (done: number, total: number) => void
}

/** What a backup holds. */
export interface BackupContents {
  readonly createdAt: Date
  readonly appVersion: string
  readonly workspaces: readonly { readonly name: string; readonly slug: string; readonly datasets: number }[]
  readonly datasets: number
  readonly tables: number
  readonly keys: number
  /** Size of all datasets' tables in bytes. */
  readonly bytes: number
  /** What else is in it, in words: `3 saved queries`. It's added to what is there. */
  readonly extras: readonly string[]
}

/** A published table's name in SQL, `workspace.dataset.table`, and its file. */
export interface LocalTableName {
  readonly datasetId: string
  /** The workspace's slug. */
  readonly workspace: string
  readonly dataset: string
  readonly table: string
  readonly fileId: string
}

/** The connected service, with everything that screens need from it. */
export interface Session {
  readonly connection: Connection
  /** The service's absolute URL, up to and including the version segment: `https://.../public/v1`. */
  readonly apiBaseUrl: string
  readonly workspaceId: string
  /** The first part of `workspace.dataset.table`. */
  readonly slug: string
  /** Scopes of the app's own key; null if unknown (for a real service). */
  readonly scopes: readonly Scope[] | null
  readonly api: ApiClient
  /** Null if connected to a real service without the operator's token. */
  readonly console: ConsoleClient | null
  readonly local: LocalData | null
}

export type SessionState =
  | { readonly status: 'connecting' }
  | { readonly status: 'ready'; readonly session: Session }
  | { readonly status: 'failed'; readonly error: Error; readonly retry: () => void }

/** Holds the session and changes it. Created once, by the app. */
export interface SessionStore extends Readable<SessionState> {
  /** Resolves when there's a session; rejects if it can't be opened. */
  ready(): Promise<Session>
  /** Switches to another workspace of the stand-in or, with the operator's token, of the server. */
  switchWorkspace(id: string): Promise<void>
  /** Connects to a real service, or to the stand-in if null, from the next load on, and reloads the page. */
  connect(remote: Omit<Extract<Connection, { kind: 'remote' }>, 'kind' | 'keys'> | null): Promise<void>
  /** Calls back when datasets, keys or workspaces changed, in this tab or another. */
  onChange(listener: (topic: ChangeTopic) => void): () => void
}

export type ChangeTopic = 'datasets' | 'keys' | 'workspaces'
