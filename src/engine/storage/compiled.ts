import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'

let compiling: Promise<WebAssembly.Module> | null = null

/**
 * Compiles DuckDB once for this worker, in a browser. A worker that will need it begins before it loads the rest of its
 * code. The response is compiled as it is: the library would pass it through a stream, and browsers keep compiled code
 * only of responses that they fetched.
 * @throws {TypeError} if it can't be fetched
 */
export function compileDuckDB(): Promise<WebAssembly.Module> {
  compiling ??= WebAssembly.compileStreaming(fetch(wasmUrl)).catch((error: unknown) => {
    compiling = null
    throw error
  })
  return compiling
}
