import type { Clock } from '../../service/ports.ts'
import type { Database } from './database.ts'

/**
 * The database's clock, which all of its servers use. It's read with each admitted request, and advanced with this
 * machine's clock in between.
 */
export class DatabaseClock implements Clock {
  private ahead = 0

  now(): number {
    return Date.now() + this.ahead
  }

  /** @param now the database's current time */
  set(now: number): void {
    this.ahead = now - Date.now()
  }

  async ask(database: Database): Promise<void> {
    const [row] = await database.use((connection) => connection.query<{ now: string }>('SELECT rowhouse.now() AS now'))
    this.set(Number(row.now))
  }
}
