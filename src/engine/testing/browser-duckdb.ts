import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathOfAsset } from '../io/node-files.ts'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'

/*
 * DuckDB-WASM's browser build in Node, to test what it writes through synchronous handles, which the build for Node
 * doesn't support. Tests only. Use it with
 * `vi.mock('@duckdb/duckdb-wasm/blocking', () => import('../testing/browser-duckdb.ts').then(({ load }) => load()))`.
 */

const DIST = path.resolve('node_modules/@duckdb/duckdb-wasm/dist')

interface Library {
  createDuckDB(...request: unknown[]): Promise<{ instantiate(): Promise<unknown> }>
}

/**
 * Loads the browser build. All databases share one instance, one after the other, since reopening it is thirty times as
 * fast as starting another. From now on the process doesn't look like Node to libraries that check.
 */
export async function load(): Promise<object> {
  WebAssembly.instantiateStreaming = async (source, imports) => {
    // Its URL is on a server that doesn't exist.
    await Promise.resolve(source).catch(() => undefined)
    return WebAssembly.instantiate(readFileSync(pathOfAsset(wasmUrl)), imports)
  }
  Object.assign(process, { type: 'renderer' })
  Object.assign(globalThis, { self: globalThis, WorkerGlobalScope: Object, location: { href: 'http://localhost/' } })
  const library = (await import(path.join(DIST, 'duckdb-browser-blocking.mjs'))) as Library
  let creating: ReturnType<Library['createDuckDB']> | null = null
  const createDuckDB: Library['createDuckDB'] = (...request) => {
    creating ??= library.createDuckDB(...request).then(async (bindings) => {
      const instantiated = bindings.instantiate()
      await instantiated
      return Object.assign(bindings, { instantiate: () => instantiated })
    })
    return creating
  }
  return { ...library, createDuckDB }
}
