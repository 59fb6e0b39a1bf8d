import type { ChannelPool } from '../../engine/channel/pool.ts'
import { runStatement } from '../../engine/client/run-statement.ts'
import { mentioned } from '../../engine/client/mentions.ts'
import { EngineError } from '../../engine/errors.ts'
import type { EngineStore } from '../../service/engine-tables.ts'
import type { Elsewhere } from '../clickhouse/elsewhere.ts'
import type { FileCall, QueryCalls } from './calls.ts'
import type { TableFiles } from './table-files.ts'

interface KeepingParts {
  readonly files: TableFiles
  /** Milliseconds for which a creation's files without a record are protected from sweeps. */
  readonly unnamedFor: number
  /** Another engine for statements on large tables. */
  readonly elsewhere?: Elsewhere | null
}

interface StoreParts extends KeepingParts {
  readonly call: FileCall
  readonly queries: ChannelPool<QueryCalls>
}

/** Minimum timeout, in milliseconds, for a statement that another engine gave back. */
const SHORTEST = 1000

/** Manages the lifetime of tables' files. */
export function createKeeping({
  files,
  unnamedFor,
  elsewhere,
}: KeepingParts): Pick<EngineStore, 'whileCreating' | 'remove' | 'sweep'> {
  const creating = new Set<string>()
  return {
    async whileCreating(creationId, work) {
      creating.add(creationId)
      try {
        await files.begin(creationId)
        return await work()
      } finally {
        creating.delete(creationId)
        await files.ended(creationId)
      }
    },
    async remove(fileId) {
      await files.remove(fileId)
      await elsewhere?.remove(fileId)
    },
    async sweep(keep) {
      if (elsewhere) await elsewhere.sweep(await keep())
      const before = Date.now() - unnamedFor
      let kept: ReadonlySet<string> | null = null
      // A creation that is in progress may get its record after `keep` was called.
      const begun = new Set(creating)
      for await (const { creationId, changedAt, files: stored } of files.creations()) {
        if (changedAt > before || begun.has(creationId) || creating.has(creationId)) continue
        // One call is enough: by now, such old files have a record, or will never get one.
        kept ??= await keep()
        for (const { fileId, remove } of stored) if (fileId === null || !kept.has(fileId)) await remove()
      }
    },
  }
}

/** The tables' files, and queries on them. */
export function createStore({ call, queries, ...keeping }: StoreParts): EngineStore {
  const { files, elsewhere } = keeping
  return {
    ...createKeeping(keeping),
    async ingest(file, { onto, ...request }, { signal }) {
      const table = await files.withFiles(
        onto === undefined ? [] : [onto],
        (found) => {
          const path = onto === undefined ? undefined : found.get(onto)
          if (onto !== undefined && path === undefined)
            throw new EngineError('file-changed', 'The table’s rows aren’t there any more: it was changed meanwhile.')
          const addition = path === undefined ? {} : { onto: { path, name: `${onto}.duckdb` } }
          return call('ingest', file, { ...request, ...addition, folder: files.folder }, signal)
        },
        signal,
      )
      await files.keep(table.fileId, signal)
      return table
    },
    run({ sql, tables, timeoutMs, maxRows }, { signal }) {
      const named = mentioned(sql, tables)
      const fileIds = named.map(({ fileId }) => fileId)
      return files.withFiles(
        fileIds,
        async (found) => {
          const request = { sql, tables, files: found, maxRows }
          if (!elsewhere) return runStatement(queries, request, timeoutMs, signal)
          const begun = performance.now()
          const answer = await elsewhere.answer({ ...request, named, timeoutMs }, signal)
          if (answer) return { ...answer, executor: 'clickhouse' }
          const left = Math.max(SHORTEST, timeoutMs - (performance.now() - begun))
          return { ...(await runStatement(queries, request, left, signal)), executor: 'duckdb' }
        },
        signal,
      )
    },
  }
}
