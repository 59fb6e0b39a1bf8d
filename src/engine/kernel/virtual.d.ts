/** The kernel; see `vite-plugin.ts`. */
declare module 'virtual:rowhouse-kernel' {
  export function compile(): WebAssembly.Module
}

/** The kernel for documents in DuckDB's memory. */
declare module 'virtual:rowhouse-document-kernel' {
  export function compile(): WebAssembly.Module
}
