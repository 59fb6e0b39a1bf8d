import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { EngineContext, ReadBatch } from '../../formats/types.ts'
import type { HeldRows } from './held-rows.ts'
import { filtered } from './filters.ts'
import { marker } from './markers.ts'
import type { TableFile } from './table-file.ts'

/** A file that is queried in place: its columns and row count, and how to read its rows. */
export class PlacedFile {
  readonly id = crypto.randomUUID().replaceAll('-', '')
  /** The view of its table, a temporary one in each connection. */
  readonly view = `f_${this.id}`
  /** The name of its rows in plans. */
  readonly physical = `t_${this.id}`
  readonly columns: readonly Column[]
  readonly rows: number
  /** Parts of the file that can be read separately. */
  readonly parts: TableFile['parts']
  /** The loaded columns, with all of their rows. */
  held: HeldRows | null = null
  readonly file: File
  private readonly table: TableFile

  constructor(file: File, table: TableFile) {
    this.file = file
    this.table = table
    this.columns = table.columns
    this.rows = table.rows
    this.parts = table.parts
  }

  /** The existing columns among these positions. */
  chosen(columns: Iterable<number>): ReadonlyMap<number, Column> {
    return new Map(
      [...columns]
        .sort((a, b) => a - b)
        .flatMap((index) => (this.columns[index] ? [[index, this.columns[index]]] : [])),
    )
  }

  /** A FROM item for the table in statements, with its columns' own names. */
  get named(): string {
    const names = this.columns.map(
      ({ name }, i) => `${quoteIdentifier(marker(this.id, i))} AS ${quoteIdentifier(name)}`,
    )
    return `(SELECT ${names.join(', ')} FROM temp.main.${this.view})`
  }

  /** The view's SQL over loaded rows. A column that isn't loaded fails with an error that has its marker. */
  viewOver(held: HeldRows | null): string {
    const columns = this.columns.map(({ name, type }, i) => {
      const own = marker(this.id, i)
      const value = held?.columns.includes(i) ? quoteIdentifier(name) : `CAST(error('${own}') AS ${printType(type)})`
      return `${value} AS ${quoteIdentifier(own)}`
    })
    const from = held ? held.source : `range(${this.rows})`
    return `CREATE OR REPLACE TEMP VIEW ${this.view} AS SELECT ${columns.join(', ')} FROM ${from}`
  }

  rowsOf(parts: ReadonlySet<number>): number {
    return this.parts.reduce((sum, { rows }, i) => sum + (parts.has(i) ? rows : 0), 0)
  }

  get withoutView(): string {
    return `DROP VIEW IF EXISTS temp.main.${this.view}`
  }

  /** The view from whose plans `filters.ts` reads the filters on each column. */
  get viewOfFilters(): string {
    const columns = this.columns.map(
      ({ type }, i) => `${filtered(this.id, i, printType(type))} AS ${quoteIdentifier(marker(this.id, i))}`,
    )
    return `CREATE OR REPLACE TEMP VIEW ${this.view} AS SELECT ${columns.join(', ')} FROM range(${this.rows})`
  }

  /**
   * @param limit number of rows that suffice
   * @param parts parts of the file to read; null for all
   */
  read(
    columns: ReadonlyMap<number, Column>,
    { limit, parts }: { readonly limit: number | null; readonly parts: ReadonlySet<number> | null },
    context: EngineContext,
  ): AsyncGenerator<ReadBatch> {
    return this.table.read(new Set(columns.keys()), limit, context, parts ?? undefined)
  }
}
