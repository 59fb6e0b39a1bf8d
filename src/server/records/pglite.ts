import { mkdir } from 'node:fs/promises'
import { PGlite } from '@electric-sql/pglite'
import type { Database } from './database.ts'

/**
 * PostgreSQL in this process. It has one session, which is lent to one at a time.
 * @param folder where it keeps its files, for this process alone; in memory where it's left out
 */
export async function openPglite(folder?: string): Promise<Database> {
  if (folder !== undefined) await mkdir(folder, { recursive: true })
  const lite = await PGlite.create(folder === undefined ? {} : { dataDir: folder })
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
