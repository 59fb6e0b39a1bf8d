/* Messages between the benchmark's page, its worker and its script. */

/** A stored table. */
export interface Stored {
  readonly dataset: string
  readonly table: string
  readonly fileId: string
  readonly size: number
}

export interface BareTable {
  readonly dataset: string
  readonly table: string
  readonly file: File
}

export type ToBare =
  | { readonly type: 'open'; readonly tables: readonly BareTable[] }
  | { readonly type: 'run'; readonly sql: string }

/** Milliseconds measured by the worker, and the result. */
export interface Took {
  readonly took: number
  /** An Arrow stream. */
  readonly arrow: Uint8Array<ArrayBuffer>
}

export type FromBare = Took | { readonly error: string }

/**
 * A statement's time in Rowhouse and in DuckDB-WASM alone, in milliseconds: the best of the rounds, from the page's
 * request until it has the rows; and the time of DuckDB-WASM's own call in the worker.
 */
export interface Measured {
  readonly ours: number
  readonly bare: number
  readonly engine: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
}
