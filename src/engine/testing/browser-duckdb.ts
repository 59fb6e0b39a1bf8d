import { readFileSync } from 'node:fs'
import path from 'node:path'
import { pathOfAsset } from '../io/node-files.ts'
import wasmUrl from '@duckdb/duckdb-wasm/dist/duckdb-eh.wasm?url'

/*
 * DuckDB-WASM in Node as it runs in a browser's worker, where it writes through synchronous handles: Node's own build
 * knows none. Tests only, by
 * `vi.mock('@duckdb/duckdb-wasm/blocking', () => import('../testing/browser-duckdb.ts').then(({ load }) => load()))`.
 */

const DIST = path.resolve('node_modules/@duckdb/duckdb-wasm/dist')

interface Library {
  createDuckDB(...request: unknown[]): Promise<{ instantiate(): Promise<unknown> }>
}

/**
 * The browser's build, of which all databases share one instance, one after the other: opening it again takes a
 * thirtieth of starting another. From here on the process looks like no Node to those who ask.
 */
export async function load(): Promise<object> {
  WebAssembly.instantiateStreaming = async (source, imports) => {
    // Its address is one of a server that isn't there.
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
