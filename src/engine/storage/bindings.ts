/** How DuckDB reaches a file that is registered with it: the library's numbers. */
export const PROTOCOL = { fileReader: 2, accessHandle: 3 } as const

/** The part of DuckDB-WASM's blocking bindings that we use. */
export interface Bindings {
  open(config: { path: string; query?: { queryPollingInterval?: number } }): void
  connect(): { useUnsafe(callback: (bindings: unknown, connection: number) => number): number }
  runQuery(connection: number, sql: string): Uint8Array
  /** Begins a query that `pollPendingQuery` goes on with; null until the result's schema is known. */
  startPendingQuery(connection: number, sql: string, stream: boolean): Uint8Array | null
  pollPendingQuery(connection: number): Uint8Array | null
  cancelPendingQuery(connection: number): boolean
  /** A message of the result; empty behind the last. */
  fetchQueryResults(connection: number): Uint8Array | null
  /** Where each token begins, in bytes of UTF-8, and of which kind it is. Comments are none. */
  tokenize(sql: string): { readonly offsets: readonly number[]; readonly types: readonly number[] }
  insertArrowFromIPCStream(connection: number, buffer: Uint8Array, options: { name: string; create: boolean }): void
  registerFileHandle(name: string, handle: unknown, protocol: number, directIO: boolean): void
  registerFileBuffer(name: string, buffer: Uint8Array): void
  copyFileToBuffer(name: string): Uint8Array<ArrayBuffer>
  dropFile(name: string): void
}
