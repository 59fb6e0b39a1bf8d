import type { MessagePort } from 'node:worker_threads'

/* What crosses between the thread that wants something of DuckDB and the one that has it. */

/** What the thread is started with. */
export interface ThreadData {
  readonly port: MessagePort
  /** Counts the answers: the other thread waits for it to change. */
  readonly answered: SharedArrayBuffer
}

export type Ask =
  /** Opens the database, or a connection to it. */
  | { readonly do: 'connect' }
  /** Runs statements and gives the last one's rows as a stream of Arrow's. @property several whether they may be */
  | { readonly do: 'query'; readonly sql: string; readonly several: boolean }
  /** Begins one statement, and gives its result's schema; `fetch` gives its rows: no bytes after the last. */
  | { readonly do: 'start'; readonly sql: string }
  | { readonly do: 'fetch' }
  /** Makes our functions known to SQL. */
  | { readonly do: 'register' }

/** An ask is answered when all before it of the same connection are; `interrupt` is done at once, and isn't answered. */
export type ToThread =
  | { readonly id: number; readonly connection: number; readonly ask: Ask }
  | { readonly interrupt: number }

export type FromThread =
  | { readonly id: number; readonly bytes: Uint8Array<ArrayBuffer> | null }
  /** As DuckDB says it. */
  | { readonly id: number; readonly error: string }
