import type { RecordBatch } from 'apache-arrow'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { Connection, Database } from '../../storage/database.ts'
import { Inserter } from '../../storage/inserter.ts'

/**
 * Rows of some columns in memory, in a catalog of their own. A transaction sees a catalog that it hasn't used yet, even
 * one created after it began, but no later changes in one that it has used.
 */
export class HeldRows {
  /** Named like attached files: unguessable, and hidden from the catalog functions. */
  readonly catalog = `f_${crypto.randomUUID().replaceAll('-', '')}`
  /** Positions of the columns in the table, in order. */
  readonly columns: readonly number[]
  /** The qualified name for SQL. */
  readonly source: string
  /** Size of the Arrow data, which is about what DuckDB needs. */
  bytes = 0
  rows = 0
  private readonly loader: Connection
  private readonly inserter: Inserter

  /**
   * @param loader a connection that is used for nothing else
   * @param name the table's name
   */
  constructor(db: Database, loader: Connection, name: string, columns: ReadonlyMap<number, Column>) {
    this.loader = loader
    this.columns = [...columns.keys()]
    this.source = `${this.catalog}.main.${name}`
    const definitions = Array.from(
      columns.values(),
      ({ name: own, type }) => `${quoteIdentifier(own)} ${printType(type)}`,
    )
    loader.query(`ATTACH ':memory:' AS ${this.catalog}`)
    loader.query(`CREATE TABLE ${this.source} (${definitions.join(', ')})`)
    this.inserter = new Inserter(db, name, loader)
  }

  add(batch: RecordBatch): void {
    this.bytes += batch.data.byteLength
    this.rows += batch.numRows
    this.loader.query(`USE ${this.catalog}`)
    this.inserter.add(batch)
  }

  /** Call after the last batch. */
  finish(): void {
    this.loader.query(`USE ${this.catalog}`)
    this.inserter.flush()
    this.loader.query('USE memory')
  }

  /** Appends rows of the same columns. */
  append({ source, rows, bytes }: HeldRows): void {
    this.loader.query(`INSERT INTO ${this.source} FROM ${source}`)
    this.rows += rows
    this.bytes += bytes
  }

  /** Frees the memory. No transaction may use it any more. */
  drop(): void {
    this.loader.query('USE memory')
    this.loader.query(`DETACH DATABASE IF EXISTS ${this.catalog}`)
  }
}
