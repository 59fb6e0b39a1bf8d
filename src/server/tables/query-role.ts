import type { Role } from '../../engine/channel/serve.ts'
import { EngineError } from '../../engine/errors.ts'
import { answerQuery, openQueryEngine, planQuery } from '../../engine/sql/query.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { openFile } from '../engine/files.ts'
import type { QueryCalls } from './calls.ts'

/** Runs statements. It has started when its engine has. */
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
    // What a statement took that found no memory is given back too late for the next one.
    fatal: (error) => (error instanceof EngineError && error.code === 'out-of-memory' ? error : null),
  }
}

async function openAll(files: ReadonlyMap<string, string>): Promise<Map<string, Blob>> {
  const opened = new Map<string, Blob>()
  for (const [fileId, path] of files) opened.set(fileId, await openFile(path))
  return opened
}
