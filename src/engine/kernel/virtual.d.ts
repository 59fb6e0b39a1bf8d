/** The compiled kernel; see `vite-plugin.ts`. */
declare module 'virtual:rowhouse-kernel' {
  const base64: string
  export default base64
}

/** The compiled kernel for documents in DuckDB's memory. */
declare module 'virtual:rowhouse-document-kernel' {
  const base64: string
  export default base64
}
