import { isMainThread } from 'node:worker_threads'
import { serve, type ServingScope } from '../../engine/channel/serve.ts'

/* A process that works on rows for the server. It runs one call at a time, and is killed on a timeout. */

const scope: ServingScope = {
  postMessage: (message) => process.send?.(message),
  addEventListener: (_, listener) => process.on('message', (data) => listener({ data } as MessageEvent)),
}

if (isMainThread) {
  // Without the server there is nothing left to do or clean up.
  process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))

  serve(scope, {
    files: async () => (await import('./files-role.ts')).openFiles(),
    query: async () => (await import('./query-role.ts')).openQuery(),
    export: async () => (await import('../clickhouse/export-role.ts')).openExport(),
  })
}
// Its second thread, which runs DuckDB.
else void import('../duckdb/thread.ts')
