import type { ChannelPool } from '../../engine/channel/pool.ts'
import { runStatement } from '../../engine/client/run-statement.ts'
import { mentioned } from '../../engine/client/table-store.ts'
import type { EngineStore } from '../../service/engine-tables.ts'
import type { FileCall, QueryCalls } from './calls.ts'
import type { TableFiles } from './table-files.ts'

interface StoreParts {
  readonly files: TableFiles
  /** Milliseconds that a creation's files are safe from sweeps without a record that names them. */
  readonly unnamedFor: number
  readonly call: FileCall
  readonly queries: ChannelPool<QueryCalls>
}

/** Tables at rest, and the statements about them. */
export function createStore({ files, unnamedFor, call, queries }: StoreParts): EngineStore {
  const creating = new Set<string>()
  return {
    async whileCreating(creationId, work) {
      creating.add(creationId)
      try {
        return await work()
      } finally {
        creating.delete(creationId)
        await files.ended(creationId)
      }
    },
    async ingest(file, request, { signal }) {
      const table = await call('ingest', file, { ...request, folder: files.folder }, signal)
      await files.keep(table.fileId, signal)
      return table
    },
    run({ sql, tables, timeoutMs, maxRows }, { signal }) {
      const fileIds = mentioned(sql, tables).map(({ fileId }) => fileId)
      return files.withFiles(
        fileIds,
        (found) => runStatement(queries, { sql, tables, files: found, maxRows }, timeoutMs, signal),
        signal,
      )
    },
    remove: (fileId) => files.remove(fileId),
    async sweep(keep) {
      const before = Date.now() - unnamedFor
      const ended = (await files.creations()).filter(
        ({ creationId, changedAt }) => !creating.has(creationId) && changedAt <= before,
      )
      if (ended.length === 0) return
      // What had ended by then has its record.
      const kept = await keep()
      for (const creation of ended) {
        for (const { fileId, remove } of creation.files) {
          if (fileId === null || !kept.has(fileId)) await remove()
        }
      }
    },
  }
}
