import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { printType, type Column } from '../../../tables/types.ts'
import type { EngineContext, ReadBatch } from '../../formats/types.ts'
import type { HeldRows } from './held-rows.ts'
import { filtered } from './filters.ts'
import { marker } from './markers.ts'
import type { TableFile } from './table-file.ts'

/** A file that is queried where it lies: what it tells of itself without its rows, and how its rows are read. */
export class PlacedFile {
  readonly id = crypto.randomUUID().replaceAll('-', '')
  /** The view that stands for its table, a temporary one of each connection. */
  readonly view = `f_${this.id}`
  /** What plans call its rows. */
  readonly physical = `t_${this.id}`
  readonly columns: readonly Column[]
  readonly rows: number
  /** What can be read of it by itself. */
  readonly parts: TableFile['parts']
  /** All rows of some columns. */
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

  /** The columns that are there, by their positions. */
  chosen(columns: Iterable<number>): ReadonlyMap<number, Column> {
    return new Map(
      [...columns]
        .sort((a, b) => a - b)
        .flatMap((index) => (this.columns[index] ? [[index, this.columns[index]]] : [])),
    )
  }

  /** What stands for the table in a statement: its columns by their own names. */
  get named(): string {
    const names = this.columns.map(
      ({ name }, i) => `${quoteIdentifier(marker(this.id, i))} AS ${quoteIdentifier(name)}`,
    )
    return `(SELECT ${names.join(', ')} FROM temp.main.${this.view})`
  }

  /** The view over rows that are there; a column that isn't among them fails, and the error names it. */
  viewOver(held: HeldRows | null): string {
    const columns = this.columns.map(({ name, type }, i) => {
      const own = marker(this.id, i)
      const value = held?.columns.includes(i) ? quoteIdentifier(name) : `CAST(error('${own}') AS ${printType(type)})`
      return `${value} AS ${quoteIdentifier(own)}`
    })
    const from = held ? held.source : `range(${this.rows})`
    return `CREATE OR REPLACE TEMP VIEW ${this.view} AS SELECT ${columns.join(', ')} FROM ${from}`
  }

  /** Rows of some of its parts. */
  rowsOf(parts: ReadonlySet<number>): number {
    return this.parts.reduce((sum, { rows }, i) => sum + (parts.has(i) ? rows : 0), 0)
  }

  get withoutView(): string {
    return `DROP VIEW IF EXISTS temp.main.${this.view}`
  }

  /** The view by which plans tell what is asked of each column. */
  get viewOfFilters(): string {
    const columns = this.columns.map(
      ({ type }, i) => `${filtered(this.id, i, printType(type))} AS ${quoteIdentifier(marker(this.id, i))}`,
    )
    return `CREATE OR REPLACE TEMP VIEW ${this.view} AS SELECT ${columns.join(', ')} FROM range(${this.rows})`
  }

  /** @param limit rows that are enough; `parts` only these of the file */
  read(
    columns: ReadonlyMap<number, Column>,
    { limit, parts }: { readonly limit: number | null; readonly parts: ReadonlySet<number> | null },
    context: EngineContext,
  ): AsyncGenerator<ReadBatch> {
    return this.table.read(new Set(columns.keys()), limit, context, parts ?? undefined)
  }
}
