import { mkdir, rm } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import { SettingsError } from '../options.ts'
import type { Database } from './database.ts'

/**
 * PostgreSQL in this process. It has one session, which is lent to one at a time.
 * @param folder where it keeps its files, for this process alone; in memory where it's left out
 * @throws {SettingsError} when it can't be opened there
 */
export async function openPglite(folder?: string): Promise<Database> {
  const lite = await (folder === undefined ? PGlite.create() : openIn(folder))
  let last: Promise<unknown> = Promise.resolve()
  const connection = {
    async query<Row>(sql: string, parameters: readonly unknown[] = []): Promise<readonly Row[]> {
      return (await lite.query<Row>(sql, [...parameters])).rows
    },
    async exec(sql: string): Promise<void> {
      await lite.exec(sql)
    },
  }
  return {
    use(work) {
      const mine = last.then(() => work(connection))
      last = mine.catch(() => undefined)
      return mine
    },
    async close() {
      await last
      await lite.close()
    },
  }
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
