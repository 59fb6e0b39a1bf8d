import { chmod, mkdtemp, rm } from 'node:fs/promises'
import path from 'node:path'
import { version } from '../../package.json'
import { z } from '../contract/zod.ts'
import { plural } from '../lib/counts.ts'
import type { BackupDeps, BackupSummary, Extra, Extras, RestoreDeps } from '../service/backup/index.ts'
import type { Data } from './data.ts'
import { makeFolder } from './engine/files.ts'
import { publish } from './engine/outputs.ts'
import { DiskBlob } from './objects/disk-blob.ts'
import { UNNAMED_FOR } from './objects/objects.ts'
import { syncFolder, writeWhole } from './objects/whole-file.ts'
import { pathOfTable } from './tables/file-tables.ts'
import { createKeeping } from './tables/store.ts'

/* Creates and restores a server's backups. The file format is that of the browser: each can restore the other's. */

/** A backup that was created and read back. */
interface MadeFile {
  /** Bytes. */
  readonly size: number
  readonly contents: BackupSummary
}

/**
 * @param place path of the file
 * @param replace whether to overwrite an existing file
 */
export function backupDeps(
  { clock, records, tableFiles }: Data,
  place: string,
  { replace }: { readonly replace: boolean },
): BackupDeps<MadeFile> {
  return {
    clock,
    records,
    files: filesOf(tableFiles),
    appVersion: version,
    async keep(stream, _, signal, check) {
      const folder = path.dirname(place)
      await makeFolder(folder)
      const aside = await mkdtemp(path.join(folder, '.rowhouse-'))
      try {
        const made = path.join(aside, 'backup')
        const size = await writeWhole(made, stream)
        // It contains all users' rows.
        await chmod(made, 0o600)
        const contents = await check(await DiskBlob.open(made))
        signal.throwIfAborted()
        await publish([[made, place]], { replace })
        await syncFolder(folder)
        return { size, contents }
      } finally {
        await rm(aside, { recursive: true, force: true })
      }
    },
  }
}

/**
 * @param isAlone whether no other server can be using the data, so that bytes without a record can be removed at once
 */
export function restoreDeps({ records, objects, tableFiles }: Data, isAlone: boolean): RestoreDeps {
  return {
    records,
    tables: createKeeping({ files: tableFiles, unnamedFor: isAlone ? 0 : UNNAMED_FOR }),
    objects,
    files: filesOf(tableFiles),
    extras: PAGES,
  }
}

/** The number of records that a backup would replace. */
export async function countsOf({ records }: Pick<Data, 'records'>) {
  return records.read(['workspaces', 'datasets', 'keys'], async (transaction) => ({
    workspaces: await transaction.count('workspaces'),
    datasets: await transaction.count('datasets'),
    keys: await transaction.count('keys'),
  }))
}

function filesOf(tableFiles: Data['tableFiles']): RestoreDeps['files'] {
  return {
    file: (fileId) => tableFiles.open(fileId),
    async put(fileId, blob, signal) {
      signal.throwIfAborted()
      await writeWhole(pathOfTable(tableFiles.folder, fileId), untilAborted(blob.stream(), signal))
      await tableFiles.keep(fileId, signal)
    },
  }
}

async function* untilAborted(stream: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const bytes of stream) {
    signal.throwIfAborted()
    yield bytes
  }
}

const list = z.array(z.unknown())
const sqlSchema = z.object({ saved: list, tabs: list, locals: list, history: list })

/** Data of pages that a server can't store. It's read to describe it, and left in the file. */
export const PAGES: Extras = {
  sql: leftOut(sqlSchema, ({ saved, tabs, locals, history }) => [
    [saved.length, 'saved query', 'saved queries'],
    [tabs.length, 'SQL tab'],
    [locals.length, 'table of the SQL screen', 'tables of the SQL screen'],
    [history.length, 'statement in the history', 'statements in the history'],
  ]),
  recipes: leftOut(list, (recipes) => [[recipes.length, 'recipe']]),
}

function leftOut<T>(
  schema: z.ZodType<T>,
  counted: (value: T) => readonly (readonly [count: number, one: string, many?: string])[],
): Extra {
  return {
    export: () => Promise.reject(new Error('a server keeps nothing of a page')),
    async read(value) {
      const read = schema.safeParse(value)
      if (!read.success) throw new Error('What it holds of a page can’t be read.', { cause: read.error })
      const contents = counted(read.data).filter(([count]) => count > 0)
      return {
        contents: contents.map((words) => plural(...words)),
        place: (_files, _options, then) => then(async () => []),
      }
    },
  }
}
