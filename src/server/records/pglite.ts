import { mkdir, rm, statfs } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { SettingsError } from '../options.ts'
import type { Database } from './database.ts'

/**
 * Opens PostgreSQL in this process. It has only one session, so work runs one after the other.
 * @param folder has its files; no other process may use it
 * @throws {SettingsError} if it can't be opened
 */
export async function openPglite(folder: string): Promise<Database> {
  const lite = await openIn(folder)
  const log = new LogRoom(lite, folder)
  const refuse = (error: unknown): never => {
    throw log.meant(error)
  }
  let last: Promise<unknown> = Promise.resolve()
  const connection = {
    async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
      return (await lite.query<Row>(sql, [...parameters]).catch(refuse)).rows
    },
    async exec(sql: string): Promise<void> {
      await lite.exec(sql).catch(refuse)
    },
  }
  return {
    use(work) {
      const mine = last.then(() => log.keep()).then(() => work(connection))
      last = mine.catch(() => undefined)
      return mine
    },
    async close() {
      await last
      await lite.close()
    },
  }
}

/** Bytes per segment of the write-ahead log. */
const SEGMENT = 16 * 2 ** 20
/** If the disk has fewer free bytes than this, it may be full soon. */
const SCARCE = 8 * SEGMENT

/**
 * Ensures space for the write-ahead log, since on a full disk, the embedded database hangs forever when the log needs
 * another segment. If space is scarce, a checkpoint creates that segment in the last quarter of the one before. If
 * there's no space for it, the database is read-only until there is.
 */
class LogRoom {
  private readonly lite: PGlite
  private readonly folder: string
  /** The last segment for which the next one has been created. */
  private followed = -1
  private isShut = false

  constructor(lite: PGlite, folder: string) {
    this.lite = lite
    this.folder = folder
  }

  async keep(): Promise<void> {
    const { bavail, bsize } = await statfs(this.folder)
    if (bavail * bsize >= SCARCE && !this.isShut) return
    const { rows } = await this.lite.query<{ at: string }>(`SELECT pg_current_wal_insert_lsn() - '0/0' AS at`)
    const at = Number(rows[0].at)
    const segment = Math.floor(at / SEGMENT)
    const isFollowed = at % SEGMENT < SEGMENT * 0.75 || this.followed === segment || (await this.follow(segment))
    if (this.isShut === !isFollowed) return
    this.isShut = !isFollowed
    await this.lite.exec(`SET default_transaction_read_only = ${this.isShut}`)
  }

  private async follow(segment: number): Promise<boolean> {
    try {
      await this.lite.exec('CHECKPOINT')
      this.followed = segment
      return true
    } catch (error) {
      if (codeOf(error) === DISK_FULL) return false
      throw error
    }
  }

  /** Turns the error of a write while the database is read-only into that of a full disk. */
  meant(error: unknown): unknown {
    if (!this.isShut || codeOf(error) !== READ_ONLY) return error
    return Object.assign(new Error('There is no room for the log.', { cause: error }), { code: DISK_FULL })
  }
}

/* Codes of PostgreSQL's errors. */
const DISK_FULL = '53100'
const READ_ONLY = '25006'

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}

/** What to do about errors, by the numbers of the embedded database's file system. */
const ADVICE: Readonly<Record<number, string>> = {
  2: 'This server’s user may not read and write everything in it. Change its permissions.',
  51: 'The disk is full: make room, then start again.',
}
const OTHERWISE =
  'Make sure that this server’s user may read and write everything in it, that the disk has space, and that no other ' +
  'server uses the folder. If it’s damaged, restore a copy of it.'

async function openIn(folder: string): Promise<PGlite> {
  const made = await mkdir(folder, { recursive: true })
  try {
    return await PGlite.create({ dataDir: folder })
  } catch (cause) {
    // A database that was only partly created could never be opened.
    if (made !== undefined) await rm(folder, { recursive: true, force: true })
    const errno = (cause as { readonly errno?: unknown } | null)?.errno
    const advice = (typeof errno === 'number' ? ADVICE[errno] : undefined) ?? OTHERWISE
    throw new SettingsError(`The embedded database in ${folder} can’t be opened. ${advice}`, { cause })
  }
}
