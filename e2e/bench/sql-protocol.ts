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

/** Milliseconds and bytes of Arrow, as the worker sees them. */
export interface Took {
  readonly took: number
  readonly bytes: number
}

export type FromBare = Took | { readonly error: string }

/** A statement by us and by DuckDB-WASM alone, in milliseconds: each the best of its rounds. */
export interface Measured {
  readonly ours: number
  readonly bare: number
  readonly columns: readonly { readonly name: string; readonly type: string }[]
  readonly rows: readonly (readonly (string | null)[])[]
}
