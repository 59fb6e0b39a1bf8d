/** Where ClickHouse is, and what it's given. */
export interface ClickHouseSettings {
  readonly url: string
  readonly user: string
  readonly password: string
  /** Who reads for statements: nothing but what the roles of their tables let. */
  readonly reader: { readonly user: string; readonly password: string }
  /** What its databases' names begin with. */
  readonly prefix: string
  /** Its tables are replicated there; null: they're on one server. */
  readonly cluster: string | null
  /** Bytes of a table's file from which statements about it go there. */
  readonly fromBytes: number
  /** Bytes of memory that a statement may take there. */
  readonly memoryBytes: number
}
