import { EngineError, type KeptChange, type KeptStore, type KeptTable } from '../../../engine/client.ts'
import { isFullDisk } from '../../../lib/full-disk.ts'
import { foldName } from '../../../lib/names.ts'
import { nameProblem } from '../../../tables/names.ts'
import { keepProblem, type SqlDatabase } from '../database.ts'
import type { LocalTableRecord } from '../types.ts'
import type { LocalFiles } from './tables.ts'

interface KeptDeps {
  readonly files: Pick<LocalFiles, 'whileCreating' | 'put' | 'remove' | 'removeUnused'>
  readonly records: Pick<SqlDatabase, 'locals' | 'changeLocals'>
  /** Called after records have changed. */
  readonly changed: () => Promise<void>
  readonly now: () => number
  readonly newId: () => string
}

/** Stores persistent tables as records beside those of local files. Each change replaces records in one transaction. */
export function createKeptStore({ files, records, changed, now, newId }: KeptDeps): KeptStore {
  const tables = async (): Promise<KeptTable[]> => keptTables(await records.locals())
  return {
    whileCreating: (creationId, work) => files.whileCreating(creationId, work),
    tables,
    async keep(changes) {
      const gone: string[] = []
      try {
        for (const { name, after } of changes) {
          const problem = after && nameProblem(name, NONE)
          if (problem) throw new EngineError('sql-not-allowed', problem, { remedy: 'Choose another name.' })
          if (after?.stored) await files.put(after.fileId, after.stored)
        }
        await records.changeLocals((all) => {
          gone.length = 0
          const put: LocalTableRecord[] = []
          const remove: string[] = []
          for (const change of changes) {
            const { name, before, after } = change
            const there = all.find((table) => table.kept && foldName(table.name) === foldName(name))
            if ((there?.fileId ?? null) !== before) throw changedElsewhere(change)
            if (there) gone.push(there.fileId)
            if (after) put.push(recordOf(change, after, there, { id: newId(), createdAt: now() }))
            else if (there) remove.push(there.id)
          }
          return { put, remove }
        })
      } catch (error) {
        for (const { after } of changes) if (after) await files.remove(after.fileId).catch(() => undefined)
        throw asEngineError(error)
      }
      await changed()
      for (const fileId of gone) void files.removeUnused(fileId).catch(() => undefined)
      return tables()
    },
  }
}

const NONE: ReadonlySet<string> = new Set()

/** The persistent tables among all records. */
export function keptTables(records: readonly LocalTableRecord[]): KeptTable[] {
  return records.filter(({ kept }) => kept).map(({ name, fileId }) => ({ name, fileId }))
}

function recordOf(
  { name }: KeptChange,
  { fileId, rowCount, byteSize, schema }: NonNullable<KeptChange['after']>,
  there: LocalTableRecord | undefined,
  made: Pick<LocalTableRecord, 'id' | 'createdAt'>,
): LocalTableRecord {
  const { id, createdAt } = there ?? made
  const source = { name: `my.${name}`, size: byteSize, table: null }
  return { id, name, fileId, source, rowCount, byteSize, columns: schema, createdAt, kept: true }
}

function changedElsewhere({ name, before }: KeptChange): EngineError {
  const what = before === null ? 'There is a table' : 'Another tab or window has changed'
  return new EngineError('file-changed', `${what} my.${name} meanwhile, so nothing was changed here.`, {
    remedy: 'Look at it as it is now, and run the statement again if it’s still right.',
  })
}

function asEngineError(error: unknown): unknown {
  if (error instanceof EngineError) return error
  if (isFullDisk(error))
    return new EngineError('out-of-space', 'The disk, or this browser’s share of it, is full: nothing was changed.', {
      remedy: 'Remove datasets, local files or conversions that you no longer need, and run it again.',
      cause: error,
    })
  return new EngineError('out-of-space', 'The table couldn’t be kept, so nothing was changed.', {
    remedy: keepProblem(error),
    cause: error,
  })
}
