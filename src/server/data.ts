import { access, constants } from 'node:fs/promises'
import path from 'node:path'
import type { Records } from '../service/ports.ts'
import { exists, makeFolder } from './engine/files.ts'
import type { Log } from './http/log.ts'
import { lockFolder, type Lock } from './lock.ts'
import { named, SettingsError } from './options.ts'
import { openPlaces, requireSamePlace, type Places } from './places.ts'
import { DatabaseClock } from './records/clock.ts'
import type { Database } from './records/database.ts'
import { migrate } from './records/migrations.ts'
import { openPglite } from './records/pglite.ts'
import { lockDatabase, openPostgres, requireVersion, unusable } from './records/postgres.ts'
import { createRecords } from './records/records.ts'
import type { Settings } from './settings.ts'
import { admitUser, workerUser, type WorkerUser } from './worker-user.ts'

/** A server's storage: records, objects and tables. */
export interface Data extends Pick<Places, 'objects' | 'tableFiles' | 'marks'> {
  readonly database: Database
  /** The database's clock. */
  readonly clock: DatabaseClock
  readonly records: Records
  /** User that processes run as; null for the server's own. */
  readonly user: WorkerUser | null
  /** Marker of the storage that has the bytes. */
  readonly mark: string
  close(): Promise<void>
}

interface DataOptions {
  readonly log: Log
  /** Script of the processes, if there will be any. */
  readonly script?: string
  /** Whether missing data is an error. */
  readonly mustExist?: boolean
  /** Whether no server may be using the data meanwhile, as when all of it is replaced. */
  readonly alone?: boolean
}

/**
 * Opens a server's storage for this process. If it belongs to a single server, or `alone` is set, no other process can
 * open it.
 * @throws {SettingsError} if a setting can't be used: the database is unreachable, another server uses the folder, ...
 */
export async function openData(
  settings: Settings,
  { log, script, mustExist = false, alone = false }: DataOptions,
): Promise<Data> {
  const { data, databaseUrl } = settings
  const closing = new Closing(log)
  try {
    if (mustExist && databaseUrl === null && !(await exists(path.join(data, 'records')))) throw noData(settings)
    const user = workerUser(settings.workerUser)
    await makeWritable(data)
    for (const locking of [lockOwnFolder, lockPostgres]) {
      const lock = await locking(settings, alone)
      if (lock) closing.add(() => lock.release())
    }
    const database = await openDatabase(settings, mustExist)
    closing.add(() => database.close())
    const clock = new DatabaseClock()
    await clock.ask(database)
    const records = createRecords(database, { clock })
    const places = await openPlaces(settings, { log, user })
    closing.add(async () => places.close())
    const { objects, tableFiles, marks } = places
    const mark = await requireSamePlace(records, marks, settings)
    if (user) await admitUser(user, data, script)
    return { database, clock, records, objects, tableFiles, marks, user, mark, close: () => closing.end() }
  } catch (error) {
    await closing.end()
    throw error
  }
}

/** Closes what was opened, in reverse order, even if some of it fails. */
export class Closing {
  private readonly steps: (() => Promise<unknown>)[] = []
  private readonly log: Log

  constructor(log: Log) {
    this.log = log
  }

  add(step: () => Promise<unknown>): void {
    this.steps.push(step)
  }

  async end(): Promise<void> {
    for (const step of this.steps.splice(0).toReversed())
      await step().catch((error: unknown) => this.log('warn', 'while stopping', {}, error))
  }
}

function noData({ data, databaseUrl }: Settings): SettingsError {
  return new SettingsError(
    databaseUrl === null
      ? `There’s no server’s data in the folder ${data} (--data). Name the folder that the server uses.`
      : 'There’s no server’s data in the database (--database-url, $DATABASE_URL). Name the database that the server uses.',
  )
}

/** @throws {SettingsError} */
async function makeWritable(data: string): Promise<void> {
  try {
    await makeFolder(data)
    await access(data, constants.W_OK | constants.X_OK)
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      const why = 'there is a file of that name, or of a folder above it. Name another place.'
      throw new SettingsError(`${data} (--data) can’t be a folder: ${why}`, { cause })
    }
    const advice = 'Let this server’s user write there, or take another one.'
    throw new SettingsError(`The folder ${data} (--data) can’t be made or written to (${code}). ${advice}`, { cause })
  }
}

/** A folder with an embedded database, or with cached copies of a bucket's files, belongs to one server. */
async function lockOwnFolder({ data, databaseUrl, bucket }: Settings): Promise<Lock | null> {
  if (databaseUrl !== null && bucket === null) return null
  const lock = await lockFolder(data)
  if (lock) return lock
  throw new SettingsError(`Another server uses the folder ${data} (--data). Stop it first, or take another one.`)
}

/** A PostgreSQL database belongs to all of its servers, or only to a restore. */
async function lockPostgres({ databaseUrl }: Settings, alone: boolean): Promise<Lock | null> {
  if (databaseUrl === null) return null
  const lock = await lockDatabase(databaseUrl, { alone }).catch((cause: unknown) => {
    throw unusable(cause)
  })
  if (lock) return lock
  throw new SettingsError(
    alone
      ? `A server uses the database of ${named('database-url')}, or a backup is being made of it. Stop all of its servers first.`
      : `A backup is being restored to the database of ${named('database-url')}. Try again when that has ended.`,
  )
}

/** The configured database, migrated to this version. */
async function openDatabase(settings: Settings, mustExist: boolean): Promise<Database> {
  const { data, databaseUrl } = settings
  const folder = path.join(data, 'records')
  const database = databaseUrl === null ? await openPglite(folder) : openPostgres(databaseUrl)
  try {
    if (databaseUrl !== null) await requireVersion(database)
    if (!mustExist || (await hasRecords(database))) {
      await migrate(database)
      return database
    }
  } catch (cause) {
    await database.close()
    if (databaseUrl !== null) throw unusable(cause)
    if (!(cause instanceof SettingsError)) throw cause
    throw new SettingsError(`The embedded database in ${folder} can’t be used. ${cause.message}`, { cause })
  }
  await database.close()
  throw noData(settings)
}

async function hasRecords(database: Database): Promise<boolean> {
  const [row] = await database.use((connection) =>
    connection.query<{ found: boolean }>("SELECT to_regclass('rowhouse.workspaces') IS NOT NULL AS found"),
  )
  return row.found
}
