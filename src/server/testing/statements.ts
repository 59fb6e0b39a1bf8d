import { vi } from 'vitest'

/* Replaces the browser's DuckDB by the server's, for the service's tests of statements. */

vi.mock('../../engine/sql/duckdb.ts', async () => {
  const { builtDuckDB } = await import('./native.ts')
  return { WASM: builtDuckDB() }
})
