import type { Database } from './database.ts'

/**
 * Claims work that one of a database's servers does for all of them, by the database's clock: of those that ask within
 * `everyMs` only the first gets it. A claim that far ahead of the clock counts as old: the clock was set back.
 */
export async function claim(database: Database, job: string, everyMs: number): Promise<boolean> {
  const claimed = await database.use((connection) =>
    connection.query(
      `INSERT INTO rowhouse.claims AS c (job, claimed_at) VALUES ($1, rowhouse.now())
        ON CONFLICT (job) DO UPDATE SET claimed_at = excluded.claimed_at
        WHERE abs(excluded.claimed_at - c.claimed_at) >= $2
        RETURNING job`,
      [job, everyMs],
    ),
  )
  return claimed.length > 0
}
