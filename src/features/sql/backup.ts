import { createTableStore, LOCAL_TABLES_FOLDER, openOnDisk, type TableStore } from '../../engine/client.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { plural } from '../../ui/format.ts'
import { foldName } from '../../lib/names.ts'
import { freeName } from '../../tables/names.ts'
import { historyEntrySchema, localTableSchema, savedQuerySchema, tabSchema } from './schema.ts'
import type { BackedUpTable, HistoryEntry, LocalTableRecord, SavedQuery, SqlTab } from './types.ts'
import { createChannel, type Channel, createSqlDatabase, type SqlDatabase } from './database.ts'
import { z } from '../../contract/zod.ts'

interface SqlBackupDeps {
  readonly database: Pick<SqlDatabase, 'tabs' | 'saved' | 'history' | 'locals' | 'addAll'>
  /** Stores the rows of local tables. */
  readonly files: Pick<TableStore, 'whileCreating' | 'file' | 'put' | 'sweep'>
  readonly channel: Channel
  readonly now: () => number
  readonly newId: () => string
}

/** Exports and restores what the SQL screen stores. */
interface SqlBackup {
  export(): Promise<{ readonly value: unknown; readonly files: readonly TableFile[] }>
  /** @throws {Error} with a message for people, if it isn't an export */
  read(value: unknown, files: ReadonlySet<string>): ReadSqlBackup
}

interface TableFile {
  readonly key: string
  readonly name: string
  /** Rejects if the file is gone. */
  readonly open: () => Promise<Blob>
}

interface PlaceOptions {
  readonly signal: AbortSignal
  readonly onPut: (bytes: number) => void
}

interface ReadSqlBackup {
  /** Descriptions for people. */
  readonly contents: readonly string[]
  /**
   * Writes local tables' files, each under a creation id that is held until `then` has settled. `add` adds all records
   * in one transaction, replacing those with the same ids, and returns messages about what isn't the same as before.
   * Files that no record uses are swept.
   */
  readonly place: (
    files: ReadonlyMap<string, Blob>,
    options: PlaceOptions,
    then: (add: () => Promise<readonly string[]>) => Promise<void>,
  ) => Promise<void>
}

/** The SQL database and files of this browser. */
export function browserSqlBackup(): SqlBackupDeps {
  return {
    database: createSqlDatabase(),
    files: createTableStore({ folder: LOCAL_TABLES_FOLDER }),
    channel: createChannel(),
    now: Date.now,
    newId: () => crypto.randomUUID(),
  }
}

export function createSqlBackup(deps: SqlBackupDeps): SqlBackup {
  const { database, files } = deps
  return {
    async export() {
      const [tabs, saved, history, locals] = await Promise.all([
        database.tabs(),
        database.saved(),
        database.history(),
        database.locals(),
      ])
      // Tables of one database share a file.
      const owners = new Map(locals.toReversed().map(({ fileId, id }) => [fileId, id]))
      return {
        value: toExported({ tabs, saved, history, locals: locals.map((table) => withoutFile(table, owners)) }),
        files: locals
          .filter(({ id, fileId }) => owners.get(fileId) === id)
          .map(({ id, name, fileId, onDisk }) => ({
            key: id,
            name,
            open: () => (onDisk ? openOnDisk(onDisk) : files.file(fileId)),
          })),
      }
    },
    read(value, keys) {
      const contents = readContents(value, keys)
      return {
        contents: inWords(contents),
        place: async (blobs, options, then) => {
          try {
            await placeTables(deps, contents.locals, blobs, options, (fileIds) =>
              then(() => add(deps, contents, fileIds)),
            )
          } finally {
            await sweep(deps)
          }
        },
      }
    },
  }
}

/** Restored files get new ids. */
function withoutFile(record: LocalTableRecord, owners: ReadonlyMap<string, string>): BackedUpTable {
  const { fileId, onDisk: _, ...kept } = record
  const owner = owners.get(fileId)
  return owner === undefined || owner === record.id ? kept : { ...kept, sharesFile: owner }
}

function inWords({ tabs, saved, history, locals }: SqlContents): string[] {
  const mine = locals.filter(({ kept }) => kept)
  const files = locals.filter(({ kept }) => !kept)
  const sized = ([one, many]: [string, string], of: readonly BackedUpTable[]): string => {
    const bytes = of.reduce((sum, { byteSize }) => sum + byteSize, 0)
    return `${plural(of.length, one, many)} (${formatBytes(bytes)})`
  }
  const words = {
    [plural(saved.length, 'saved query', 'saved queries')]: saved.length,
    [plural(tabs.length, 'SQL tab')]: tabs.length,
    [sized(['local table', 'local tables'], files)]: files.length,
    [sized(['table that SQL made', 'tables that SQL made'], mine)]: mine.length,
    [`${plural(history.length, 'statement')} in the history`]: history.length,
  }
  return Object.entries(words).flatMap(([text, count]) => (count > 0 ? [text] : []))
}

/** Each table gets its own creation id, so that removing one later doesn't hold the others. */
async function placeTables(
  { files, newId }: SqlBackupDeps,
  tables: readonly BackedUpTable[],
  blobs: ReadonlyMap<string, Blob>,
  { signal, onPut }: PlaceOptions,
  then: (fileIds: ReadonlyMap<string, string>) => Promise<void>,
): Promise<void> {
  const fileIds = new Map<string, string>()
  const placeFrom = async (at: number): Promise<void> => {
    const table = tables[at]
    if (!table) return then(shared(tables, fileIds))
    if (table.sharesFile !== undefined) return placeFrom(at + 1)
    const blob = blobs.get(table.id)
    if (!blob) throw new Error(`The file of its local table “${table.name}” is missing.`)
    const creationId = newId()
    const fileId = `${creationId}/${newId()}`
    await files.whileCreating(creationId, async () => {
      signal.throwIfAborted()
      await files.put(fileId, blob, { signal })
      fileIds.set(table.id, fileId)
      onPut(blob.size)
      await placeFrom(at + 1)
    })
  }
  await placeFrom(0)
}

/** Adds the tables that share another one's file. */
function shared(tables: readonly BackedUpTable[], own: ReadonlyMap<string, string>): Map<string, string> {
  const all = tables.flatMap(({ id, sharesFile = id }) => {
    const fileId = own.get(sharesFile)
    return fileId === undefined ? [] : [[id, fileId] as const]
  })
  return new Map(all)
}

async function add(
  { database, channel, now }: SqlBackupDeps,
  { tabs, saved, history, locals }: SqlContents,
  fileIds: ReadonlyMap<string, string>,
): Promise<string[]> {
  const notes: string[] = []
  const placed = locals.flatMap((record): LocalTableRecord[] => {
    const { sharesFile: _, ...table } = record
    const fileId = fileIds.get(table.id)
    return fileId === undefined ? [] : [{ ...table, fileId }]
  })
  const time = now()
  await database.addAll({
    // A window that has one of them open takes over the newer version.
    tabs: (there) => {
      const latest = new Map(there.map((tab) => [tab.id, tab.updatedAt]))
      return tabs.map((tab) => ({ ...tab, updatedAt: Math.max(time, tab.updatedAt, (latest.get(tab.id) ?? 0) + 1) }))
    },
    saved,
    history,
    locals: (there) => withFreeNames(placed, there, notes),
  })
  for (const { id } of tabs) channel.tell({ kind: 'tab', id })
  for (const kind of ['saved', 'history', 'local'] as const) channel.tell({ kind })
  return notes
}

function withFreeNames(
  placed: readonly LocalTableRecord[],
  there: readonly LocalTableRecord[],
  notes: string[],
): LocalTableRecord[] {
  const replaced = new Set(placed.map(({ id }) => id))
  const others = there.filter(({ id }) => !replaced.has(id))
  // Persistent tables have a namespace of their own.
  const taken = (kept: boolean): Set<string> =>
    new Set(others.filter((each) => (each.kept ?? false) === kept).map(({ name }) => foldName(name)))
  const places = { local: taken(false), kept: taken(true) }
  return placed.map((table) => {
    const names = table.kept ? places.kept : places.local
    // A table of the backup that can keep its name must not lose it to one that can't.
    const wanted = placed.filter(({ kept }) => kept === table.kept).map(({ name }) => foldName(name))
    const own = !names.has(foldName(table.name))
    const name = own ? table.name : freeName(table.name, new Set([...names, ...wanted]))
    names.add(foldName(name))
    const what = table.kept ? 'The table' : 'Local table'
    if (!own) notes.push(`${what} “${table.name}” is called “${name}” now: another one has its name.`)
    return { ...table, name }
  })
}

/**
 * Removes files that no record uses, both from a failed restore and of replaced records. What fails now is left to the
 * next sweep.
 */
async function sweep({ files, database }: SqlBackupDeps): Promise<void> {
  await files.sweep(async () => new Set((await database.locals()).map(({ fileId }) => fileId))).catch(() => undefined)
}

/* The format of the SQL screen's part of a backup. */

const VERSION = 1
const MAX_RECORDS = 100_000

interface SqlContents {
  readonly tabs: readonly SqlTab[]
  readonly saved: readonly SavedQuery[]
  readonly history: readonly HistoryEntry[]
  readonly locals: readonly BackedUpTable[]
}

const schema = z.object({
  version: z.literal(VERSION),
  tabs: z.array(tabSchema).max(MAX_RECORDS),
  saved: z.array(savedQuerySchema).max(MAX_RECORDS),
  history: z.array(historyEntrySchema).max(MAX_RECORDS),
  locals: z.array(localTableSchema).max(MAX_RECORDS),
})

function toExported(contents: SqlContents): unknown {
  return { version: VERSION, ...contents } satisfies { version: 1 } & SqlContents
}

/**
 * Parses the SQL screen's part of a backup.
 * @param files ids of the local tables whose files the backup has
 * @throws {Error} with a message for people, if it isn't an export
 */
function readContents(exported: unknown, files: ReadonlySet<string>): SqlContents {
  const read = schema.safeParse(exported)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new Error(`Its data for SQL can’t be read (“${where}”: ${issue?.message ?? 'unknown'}).`)
  }
  const { tabs, saved, history, locals } = read.data
  for (const [what, items] of Object.entries({ tab: tabs, 'saved query': saved, statement: history, table: locals })) {
    if (new Set(items.map((item) => item.id)).size < items.length) {
      throw new Error(`Its data for SQL can’t be read (the same ${what} is in it twice).`)
    }
  }
  if (new Set(locals.map(({ name, kept }) => `${kept ? 'my' : 'local'}.${foldName(name)}`)).size < locals.length) {
    throw new Error('Its data for SQL can’t be read (two local tables have one name).')
  }
  const missing = locals.find(({ id, sharesFile = id }) => !files.has(sharesFile))
  if (missing) throw new Error(`The file of its local table “${missing.name}” is missing.`)
  if (files.size > locals.length) throw new Error('It holds a file that no local table names.')
  return { tabs, saved, history, locals }
}
