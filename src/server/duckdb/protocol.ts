import type { MessagePort } from 'node:worker_threads'

/* Messages between the calling thread and DuckDB's thread. */

/** What the thread gets at its start. */
export interface ThreadData {
  readonly port: MessagePort
  /** Incremented with each response, so that the calling thread can wait for it. */
  readonly answered: SharedArrayBuffer
}

export type Ask =
  /** Opens the database, or another connection to it. */
  | { readonly do: 'connect' }
  /**
   * Runs statements, and returns the rows of the last one as an Arrow stream. @property several whether there may be
   * several
   */
  | { readonly do: 'query'; readonly sql: string; readonly several: boolean }
  /** Starts a statement, and returns its result's schema. `fetch` returns its rows, and no bytes after the last. */
  | { readonly do: 'start'; readonly sql: string }
  | { readonly do: 'fetch' }
  /** Registers our functions. */
  | { readonly do: 'register' }

/** Requests of a connection are answered in order. `interrupt` takes effect at once, and has no response. */
export type ToThread =
  | { readonly id: number; readonly connection: number; readonly ask: Ask }
  | { readonly interrupt: number }

export type FromThread =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> | null }
  /** In DuckDB's words. */
  | { readonly id: number; readonly error: string }
