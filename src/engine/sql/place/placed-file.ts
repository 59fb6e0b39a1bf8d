import type { FormatId } from '../../../contract/formats.ts'
import { quoteIdentifier } from '../../../lib/duckdb-sql/names.ts'
import { planFrom } from '../../../tables/plan.ts'
import { printType, type Column } from '../../../tables/types.ts'
import { inspectTables } from '../../convert/inspect.ts'
import { plannedTable, tableColumns, type PlannedTable } from '../../convert/plan.ts'
import { readTable, type Source } from '../../convert/read-table.ts'
import { EngineError } from '../../errors.ts'
import type { EngineContext, ReadBatch } from '../../formats/types.ts'
import type { HeldRows } from './held-rows.ts'
import { marker } from './markers.ts'

/** A file that is queried where it lies: what it tells of itself without its rows, and how its rows are read. */
export class PlacedFile {
  readonly id = crypto.randomUUID().replaceAll('-', '')
  /** The view that stands for its table, a temporary one of each connection. */
  readonly view = `f_${this.id}`
  /** What plans call its rows. */
  readonly physical = `t_${this.id}`
  readonly columns: readonly Column[]
  readonly rows: number
  /** All rows of some columns. */
  held: HeldRows | null = null
  readonly file: File
  private readonly source: Source
  private readonly planned: PlannedTable

  private constructor(file: File, source: Source, planned: PlannedTable) {
    this.file = file
    this.source = source
    this.planned = planned
    this.columns = tableColumns(planned.columns)
    this.rows = planned.table.found?.rows ?? 0
  }

  /**
   * Looks at a file of a format that tells its columns and rows by itself.
   * @throws {EngineError} as `inspectTables`
   */
  static async open(file: File, format: FormatId, signal: AbortSignal): Promise<PlacedFile> {
    const inspection = await inspectTables(file, { format }, { signal, progress: () => undefined })
    const plan = planFrom(inspection)
    const [table] = plan.tables
    if (!table) throw new EngineError('empty-file', `“${file.name}” has no table in it.`)
    // As an import of it would carry its values.
    return new PlacedFile(file, plan, plannedTable(table, 'text'))
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

  /** @param limit rows that are enough */
  read(columns: ReadonlyMap<number, Column>, limit: number | null, context: EngineContext): AsyncGenerator<ReadBatch> {
    const wanted = this.planned.columns.filter((_, i) => columns.has(i))
    const request = { ...this.source, table: this.planned.table.name, columns: wanted }
    return readTable(this.file, limit === null ? request : { ...request, limit }, context)
  }
}
