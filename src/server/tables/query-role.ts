import type { Role } from '../../engine/channel/serve.ts'
import { answerQuery, openQueryEngine } from '../../engine/sql/query.ts'
import { stopped } from '../../engine/storage/database.ts'
import { openFile } from '../engine/files.ts'
import type { QueryCalls } from './calls.ts'

/** Runs statements. It has started when its engine has. */
export async function openQuery(): Promise<Role<QueryCalls>> {
  const engine = await openQueryEngine()
  return {
    handlers: {
      run: async ({ files, ...request }, { signal }) => {
        const opened = new Map<string, Blob>()
        for (const [fileId, path] of files) opened.set(fileId, await openFile(path))
        return answerQuery(engine, { ...request, files: opened }, signal)
      },
    },
    fatal: stopped,
  }
}
