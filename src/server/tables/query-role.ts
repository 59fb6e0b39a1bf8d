import type { Role } from '../../engine/channel/serve.ts'
import { EngineError } from '../../engine/errors.ts'
import { answerQuery, openQueryEngine } from '../../engine/sql/query.ts'
import { nativeDuckDB } from '../duckdb/native.ts'
import { openFile } from '../engine/files.ts'
import type { QueryCalls } from './calls.ts'

/** Runs statements. It has started when its engine has. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const [, script = ''] = process.argv
  const engine = await openQueryEngine(nativeDuckDB(script), { keptFiles: 0 })
  return {
    handlers: {
      run: async ({ files, ...request }, { signal }) => {
        const opened = new Map<string, Blob>()
        for (const [fileId, path] of files) opened.set(fileId, await openFile(path))
        return answerQuery(engine, { ...request, files: opened }, signal)
      },
    },
    // What a statement took that found no memory is given back too late for the next one.
    fatal: (error) => (error instanceof EngineError && error.code === 'out-of-memory' ? error : null),
  }
}
