import type { Clock } from '../../service/ports.ts'
import type { Database } from './database.ts'

/**
 * The database's clock, which all servers over it go by. It's read with each request that is let in; in between, this
 * machine's goes on from there.
 */
export class DatabaseClock implements Clock {
  private ahead = 0

  now(): number {
    return Date.now() + this.ahead
  }

  /** @param now what the database said just now */
  set(now: number): void {
    this.ahead = now - Date.now()
  }

  async ask(database: Database): Promise<void> {
    const [row] = await database.use((connection) => connection.query<{ now: string }>('SELECT rowhouse.now() AS now'))
    this.set(Number(row.now))
  }
}
