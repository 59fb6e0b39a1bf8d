/* What the benchmark's page, its worker and its script say to each other. */

/** A table at rest. */
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

/** Milliseconds as the worker sees them, and the answer. */
export interface Took {
  readonly took: number
  /** An Arrow stream. */
  readonly arrow: Uint8Array<ArrayBuffer>
}

export type FromBare = Took | { readonly error: string }

/**
 * A statement by us and by DuckDB-WASM alone, in milliseconds: each the best of its rounds, from the page's asking until
 * it has the rows; and what of the latter the engine's own call took, in its worker.
 */
export interface Measured {
  readonly ours: number
  readonly bare: number
  readonly engine: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
}
