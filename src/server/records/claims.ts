import type { Database } from './database.ts'

/**
 * Claims work that only one of a database's servers needs to do. Within `everyMs` by the database's clock, only the
 * first to ask gets it. A claim that is at least that far in the future is ignored, since the clock was set back.
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
