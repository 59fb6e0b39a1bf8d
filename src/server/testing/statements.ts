import { vi } from 'vitest'

/* Puts a server's DuckDB in the place of the browser's, for the tests of the service's statements. */

vi.mock('../../engine/sql/duckdb.ts', async () => {
  const { builtDuckDB } = await import('./native.ts')
  return { WASM: builtDuckDB() }
})
