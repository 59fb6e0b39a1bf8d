import { createTableStore, LOCAL_TABLES_FOLDER, openOnDisk, type TableStore } from '../../engine/client.ts'
import { formatBytes } from '../../lib/bytes.ts'
import { plural } from '../../ui/format.ts'
import { foldName, freeName } from '../../tables/table-names.ts'
import {
  AGGREGATES,
  MARKS,
  ORDERS,
  OUTCOMES,
  SCALES,
  STACKS,
  VIEWS,
  WHERE,
  type LocalTableRecord,
  type HistoryEntry,
  type SavedQuery,
  type SqlTab,
} from './types.ts'
import { createChannel, type Channel, createSqlDatabase, type SqlDatabase } from './database.ts'
import { z } from '../../contract/zod.ts'

interface SqlBackupDeps {
  readonly database: Pick<SqlDatabase, 'tabs' | 'saved' | 'history' | 'locals' | 'addAll'>
  /** Where local tables' rows are. */
  readonly files: Pick<TableStore, 'whileCreating' | 'file' | 'put' | 'sweep'>
  readonly channel: Channel
  readonly now: () => number
  readonly newId: () => string
}

/** What the SQL screen keeps, for a backup. */
interface SqlBackup {
  export(): Promise<{ readonly value: unknown; readonly files: readonly TableFile[] }>
  /** @throws {Error} in a sentence for the person, when it isn't what was exported */
  read(value: unknown, files: ReadonlySet<string>): ReadSqlBackup
}

interface TableFile {
  readonly key: string
  readonly name: string
  /** Rejects when it's gone. */
  readonly open: () => Promise<Blob>
}

interface PlaceOptions {
  readonly signal: AbortSignal
  readonly onPut: (bytes: number) => void
}

interface ReadSqlBackup {
  /** In words. */
  readonly contents: readonly string[]
  /**
   * Puts local tables' files under creations of their own, held until `then` has settled. `add` adds all records in one
   * transaction, in place of those with the same ids; it gives what isn't as it was. Files that it doesn't come to name
   * are swept.
   */
  readonly place: (
    files: ReadonlyMap<string, Blob>,
    options: PlaceOptions,
    then: (add: () => Promise<readonly string[]>) => Promise<void>,
  ) => Promise<void>
}

/** This browser's. */
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
      return {
        value: toExported({ tabs, saved, history, locals: locals.map(withoutFile) }),
        files: locals.map(({ id, name, fileId, onDisk }) => ({
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

/** Files get other ids when they come back. */
function withoutFile(record: LocalTableRecord): BackedUpTable {
  const { fileId: _, onDisk: __, ...kept } = record
  return kept
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

/** Each table under a creation of its own: removing one later holds its creation alone. */
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
    if (!table) return then(fileIds)
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

async function add(
  { database, channel, now }: SqlBackupDeps,
  { tabs, saved, history, locals }: SqlContents,
  fileIds: ReadonlyMap<string, string>,
): Promise<string[]> {
  const notes: string[] = []
  const placed = locals.flatMap((table): LocalTableRecord[] => {
    const fileId = fileIds.get(table.id)
    return fileId === undefined ? [] : [{ ...table, fileId }]
  })
  const time = now()
  await database.addAll({
    // A window that has one of them open takes over the later one.
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
  // Tables that statements made have their names in a place of their own.
  const taken = (kept: boolean): Set<string> =>
    new Set(others.filter((each) => (each.kept ?? false) === kept).map(({ name }) => foldName(name)))
  const places = { local: taken(false), kept: taken(true) }
  return placed.map((table) => {
    const names = table.kept ? places.kept : places.local
    // Of those in the backup, one that can keep its name isn't to lose it to one that can't.
    const wanted = placed.filter(({ kept }) => kept === table.kept).map(({ name }) => foldName(name))
    const own = !names.has(foldName(table.name))
    const name = own ? table.name : freeName(table.name, new Set([...names, ...wanted]))
    names.add(foldName(name))
    const what = table.kept ? 'The table' : 'Local table'
    if (!own) notes.push(`${what} “${table.name}” is called “${name}” now: another one has its name.`)
    return { ...table, name }
  })
}

/** What was put and came to nothing, and what the old records named. What can't be removed now, the next sweep gets. */
async function sweep({ files, database }: SqlBackupDeps): Promise<void> {
  await files.sweep(async () => new Set((await database.locals()).map(({ fileId }) => fileId))).catch(() => undefined)
}

/* What a backup holds of the SQL screen. */

const VERSION = 1
const MAX_RECORDS = 100_000

/** A local table's record; its file is in the backup under its id. */
type BackedUpTable = Omit<LocalTableRecord, 'fileId' | 'onDisk'>

interface SqlContents {
  readonly tabs: readonly SqlTab[]
  readonly saved: readonly SavedQuery[]
  readonly history: readonly HistoryEntry[]
  readonly locals: readonly BackedUpTable[]
}

const id = z.string().min(1).max(128)
const time = z.int().min(0).max(8_640_000_000_000_000)
const count = z.int().min(0)
const parameters = z.record(
  z.string(),
  z.object({
    type: z.enum(['VARCHAR', 'BIGINT', 'DOUBLE', 'DECIMAL(38,9)', 'BOOLEAN', 'DATE', 'TIMESTAMP']),
    text: z.string().nullable(),
  }),
)

const chart = z.object({
  mark: z.enum(MARKS),
  x: z.string().nullable(),
  y: z.string().nullable(),
  aggregate: z.enum(AGGREGATES),
  color: z.string().nullable(),
  more: z.array(z.object({ y: z.string(), aggregate: z.enum(AGGREGATES), right: z.boolean() })).optional(),
  style: z
    .object({
      title: z.string(),
      xTitle: z.string(),
      yTitle: z.string(),
      rightTitle: z.string().optional(),
      scale: z.enum(SCALES),
      stack: z.enum(STACKS),
      order: z.enum(ORDERS),
    })
    .optional(),
})

const tab: z.ZodType<SqlTab> = z.object({
  id,
  title: z.string(),
  text: z.string(),
  parameters,
  where: z.enum(WHERE),
  view: z.enum(VIEWS),
  chart: chart.nullable(),
  order: z.number(),
  updatedAt: time,
})

const savedQuery: z.ZodType<SavedQuery> = z.object({
  id,
  name: z.string(),
  text: z.string(),
  description: z.string().optional(),
  chart: chart.nullable().optional(),
  parameters,
  updatedAt: time,
})

const historyEntry: z.ZodType<HistoryEntry> = z.object({
  id,
  text: z.string(),
  startedAt: z.number().min(0),
  milliseconds: z.number().min(0),
  rows: count.nullable(),
  where: z.enum(['browser', 'service']),
  outcome: z.enum(OUTCOMES),
  error: z.string().nullable(),
})

const sign = z.string().nullable()
const source: z.ZodType<LocalTableRecord['source']> = z.object({
  name: z.string(),
  size: count,
  table: z.string().nullable(),
  path: z.string().exactOptional(),
  read: z
    .object({
      kind: z.enum(['csv', 'json', 'xlsx', 'parquet', 'arrow', 'duckdb', 'sqlite']),
      text: z
        .object({
          encoding: z.string(),
          delimiter: z.string(),
          quote: sign,
          escape: sign,
          header: z.boolean(),
          skipLines: count,
          comment: sign,
          nullStrings: z.array(z.string()),
        })
        .nullable(),
    })
    .exactOptional(),
})

const localTable: z.ZodType<BackedUpTable> = z.object({
  id,
  name: z
    .string()
    .min(1)
    .max(128)
    .regex(/^\P{Cc}*$/u),
  source,
  rowCount: count,
  byteSize: count,
  columns: z.array(z.object({ name: z.string(), type: z.string() })).max(MAX_RECORDS),
  createdAt: time,
  inPlace: z.enum(['parquet', 'arrow']).exactOptional(),
  kept: z.literal(true).exactOptional(),
  sample: z.literal(true).exactOptional(),
})

const schema = z.object({
  version: z.literal(VERSION),
  tabs: z.array(tab).max(MAX_RECORDS),
  saved: z.array(savedQuery).max(MAX_RECORDS),
  history: z.array(historyEntry).max(MAX_RECORDS),
  locals: z.array(localTable).max(MAX_RECORDS),
})

function toExported(contents: SqlContents): unknown {
  return { version: VERSION, ...contents } satisfies { version: 1 } & SqlContents
}

/**
 * Reads what a backup holds of the SQL screen.
 * @param files ids of the local tables whose files it holds
 * @throws {Error} in a sentence for the person, when it isn't what was exported
 */
function readContents(exported: unknown, files: ReadonlySet<string>): SqlContents {
  const read = schema.safeParse(exported)
  if (!read.success) {
    const [issue] = read.error.issues
    const where = issue?.path.join('.') ?? ''
    throw new Error(`What it holds of SQL can’t be read (“${where}”: ${issue?.message ?? 'unknown'}).`)
  }
  const { tabs, saved, history, locals } = read.data
  for (const [what, items] of Object.entries({ tab: tabs, 'saved query': saved, statement: history, table: locals })) {
    if (new Set(items.map((item) => item.id)).size < items.length) {
      throw new Error(`What it holds of SQL can’t be read (the same ${what} is in it twice).`)
    }
  }
  if (new Set(locals.map(({ name, kept }) => `${kept ? 'my' : 'local'}.${foldName(name)}`)).size < locals.length) {
    throw new Error('What it holds of SQL can’t be read (two local tables have one name).')
  }
  const missing = locals.find((table) => !files.has(table.id))
  if (missing) throw new Error(`The file of its local table “${missing.name}” is missing.`)
  if (files.size > locals.length) throw new Error('It holds a file that no local table names.')
  return { tabs, saved, history, locals }
}
