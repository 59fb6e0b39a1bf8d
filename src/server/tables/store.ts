import { access, readdir, rm, rmdir, stat } from 'node:fs/promises'
import path from 'node:path'
import type { ChannelPool } from '../../engine/channel/pool.ts'
import { runStatement } from '../../engine/client/run-statement.ts'
import { mentioned } from '../../engine/client/table-store.ts'
import { fileIdOf } from '../../engine/storage/table-names.ts'
import type { EngineStore } from '../../service/engine-tables.ts'
import { isMissing } from '../objects/files.ts'
import type { FileCall, QueryCalls } from './calls.ts'
import { pathOfTable } from './file-tables.ts'

interface StoreParts {
  /** Where tables lie, alone. */
  readonly folder: string
  /** Milliseconds that a creation's files are safe from sweeps without a record that names them. */
  readonly unnamedFor?: number | undefined
  readonly call: FileCall
  readonly queries: ChannelPool<QueryCalls>
}

/** Another server over the same folder may be loading tables that no record names yet. */
const UNNAMED_FOR = 3_600_000

/** Tables' files on the disk, and the statements about them. */
export function createStore({ folder, unnamedFor = UNNAMED_FOR, call, queries }: StoreParts): EngineStore {
  const creating = new Set<string>()
  return {
    async whileCreating(creationId, work) {
      creating.add(creationId)
      try {
        return await work()
      } finally {
        creating.delete(creationId)
      }
    },
    ingest: (file, request, { signal }) => call('ingest', file, { ...request, folder }, signal),
    async run({ sql, tables, timeoutMs, maxRows }, { signal }) {
      const files = new Map<string, string>()
      for (const { fileId } of mentioned(sql, tables)) {
        const place = pathOfTable(folder, fileId)
        if (await isThere(place)) files.set(fileId, place)
      }
      return runStatement(queries, { sql, tables, files, maxRows }, timeoutMs, signal)
    },
    async remove(fileId) {
      const place = pathOfTable(folder, fileId)
      await rm(place, { force: true })
      // Only an empty folder goes.
      await rmdir(path.dirname(place)).catch(() => undefined)
    },
    async sweep(keep) {
      const ended: string[] = []
      for (const creationId of await namesIn(folder)) {
        if (!creating.has(creationId) && (await isOlder(path.join(folder, creationId), unnamedFor)))
          ended.push(creationId)
      }
      if (ended.length === 0) return
      // What had ended by then has its record.
      const kept = await keep()
      for (const creationId of ended) await sweepCreation(path.join(folder, creationId), creationId, kept)
    },
  }
}

async function sweepCreation(folder: string, creationId: string, keep: ReadonlySet<string>): Promise<void> {
  for (const name of await namesIn(folder)) {
    const fileId = fileIdOf(creationId, name)
    if (fileId === null || !keep.has(fileId)) await rm(path.join(folder, name), { force: true })
  }
  await rmdir(folder).catch(() => undefined)
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** A folder changes with each file that comes or goes in it. */
async function isOlder(place: string, milliseconds: number): Promise<boolean> {
  const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
  return mtimeMs <= Date.now() - milliseconds
}

function isThere(place: string): Promise<boolean> {
  return access(place).then(
    () => true,
    () => false,
  )
}
