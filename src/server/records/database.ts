/* What records need from PostgreSQL, embedded or not. */

/** A session. Statements run in the order in which they are given. */
export interface Connection {
  /** Runs one statement with parameters `$1`, `$2`, ... */
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>
  /** Runs statements without parameters in one round trip. */
  exec(sql: string): Promise<void>
}

export interface Database {
  /** Calls `work` with a connection that is its own until it settles. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Closes it after running work has ended. */
  close(): Promise<void>
}
