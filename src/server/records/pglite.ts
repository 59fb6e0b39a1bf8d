import { mkdir, rm, statfs } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { SettingsError } from '../options.ts'
import type { Database } from './database.ts'

/**
 * PostgreSQL in this process. It has one session, which is lent to one at a time.
 * @param folder where it keeps its files, for this process alone
 * @throws {SettingsError} when it can't be opened there
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

/** Bytes of a segment of the log, which is written ahead of tables. */
const SEGMENT = 16 * 2 ** 20
/** Free bytes of the disk, below which it may be full soon. */
const SCARCE = 8 * SEGMENT

/**
 * Room for the log. On a full disk, the embedded database hangs for ever once the log needs another segment. So where room
 * is scarce that segment is made ahead: in the last quarter of the one before, by a checkpoint. Where there is no room for
 * it, the database can only be read until there is.
 */
class LogRoom {
  private readonly lite: PGlite
  private readonly folder: string
  /** The segment after which there is another. */
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

  /** What an error means: to write while that can't be is to find the disk full. */
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

/** What the embedded database's file system throws, by its own numbers, and what to do. */
const ADVICE: Readonly<Record<number, string>> = {
  2: 'This server’s user may not read and write all that is in it: let it.',
  51: 'The disk is full: make room, then start again.',
}
const OTHERWISE =
  'Make sure that the disk has room and that no other server uses the folder. If it’s damaged, put back a copy of it.'

async function openIn(folder: string): Promise<PGlite> {
  const made = await mkdir(folder, { recursive: true })
  try {
    return await PGlite.create({ dataDir: folder })
  } catch (cause) {
    // One that was made by half can't be opened later.
    if (made !== undefined) await rm(folder, { recursive: true, force: true })
    const errno = (cause as { readonly errno?: unknown } | null)?.errno
    const advice = (typeof errno === 'number' ? ADVICE[errno] : undefined) ?? OTHERWISE
    throw new SettingsError(`The embedded database in ${folder} can’t be opened. ${advice}`, { cause })
  }
}
