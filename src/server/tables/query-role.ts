import type { Role } from '../../engine/channel/serve.ts'
import { EngineError } from '../../engine/errors.ts'
import { answerQuery, openQueryEngine, planQuery } from '../../engine/sql/query.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { openFile } from '../engine/files.ts'
import type { QueryCalls } from './calls.ts'

/** Runs statements. Resolves once its engine has started. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const [, script = ''] = process.argv
  const engine = await openQueryEngine(nativeDuckDB(script), { keptFiles: 0 })
  return {
    handlers: {
      run: async ({ files, ...request }, { signal }) =>
        answerQuery(engine, { ...request, files: await openAll(files) }, signal),
      plan: async ({ files, ...request }, { signal }) =>
        planQuery(engine, { ...request, files: await openAll(files) }, signal),
    },
    // After running out of memory, restart: the memory would be freed too late for the next statement.
    fatal: (error) => (error instanceof EngineError && error.code === 'out-of-memory' ? error : null),
  }
}

async function openAll(files: ReadonlyMap<string, string>): Promise<Map<string, Blob>> {
  const opened = new Map<string, Blob>()
  for (const [fileId, path] of files) opened.set(fileId, await openFile(path))
  return opened
}
