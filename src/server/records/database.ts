/* What records need of a PostgreSQL, embedded or not. */

/** One session of a database. Statements run in the order that they were given in. */
export interface Connection {
  /** Runs one statement with its parameters, `$1`, `$2`, ... */
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<readonly Row[]>
  /** Runs statements that have no parameters, in one round trip. */
  exec(sql: string): Promise<void>
}

export interface Database {
  /** Lends a connection that nobody else uses until `work` has settled. */
  use<T>(work: (connection: Connection) => Promise<T>): Promise<T>
  /** Ends it, once what runs has ended. */
  close(): Promise<void>
}
