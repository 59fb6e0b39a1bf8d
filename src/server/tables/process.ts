import { isMainThread } from 'node:worker_threads'
import { serve, type ServingScope } from '../../engine/channel/serve.ts'

/* A process that works on rows for the server: one thing at a time, and killed where that takes too long. */

const scope: ServingScope = {
  postMessage: (message) => process.send?.(message),
  addEventListener: (_, listener) => process.on('message', (data) => listener({ data } as MessageEvent)),
}

if (isMainThread) {
  // A server that is gone wants nothing any more, not even that its engines are put away.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

  serve(scope, {
    files: async () => (await import('./files-role.ts')).openFiles(),
    query: async () => (await import('./query-role.ts')).openQuery(),
    export: async () => (await import('../clickhouse/export-role.ts')).openExport(),
  })
}
// Its own second thread, which DuckDB is in.
else void import('../duckdb/thread.ts')
