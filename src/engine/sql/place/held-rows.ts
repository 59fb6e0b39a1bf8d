import type { RecordBatch } from 'apache-arrow'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { Connection, Database } from '../../storage/database.ts'
import { Inserter } from '../../storage/inserter.ts'

/**
 * Rows of some columns in the engine's memory, in a catalog of their own: also a transaction that began before sees a
 * catalog that it hasn't used yet, and nothing of what changes in one that it has.
 */
export class HeldRows {
  /** Called as the attached files are: no statement can guess it, and no list of the engine's shows it. */
  readonly catalog = `f_${crypto.randomUUID().replaceAll('-', '')}`
  /** Positions among the table's columns, in order. */
  readonly columns: readonly number[]
  /** Where it is in SQL. */
  readonly source: string
  /** Of Arrow, which is about what the engine takes. */
  bytes = 0
  rows = 0
  private readonly loader: Connection
  private readonly inserter: Inserter

  /**
   * @param loader a connection that does nothing else
   * @param name the table's
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

  /** To be called after the last batch. */
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

  /** Gives the memory back, once no transaction uses it. */
  drop(): void {
    this.loader.query('USE memory')
    this.loader.query(`DETACH DATABASE IF EXISTS ${this.catalog}`)
  }
}
