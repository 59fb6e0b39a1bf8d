import { printSum } from '../../lib/bytes.ts'
import type { RowCountCheck } from '../../tables/checks.ts'
import type { Data, RecordBatch } from 'apache-arrow'
import type { MendedRow, TableFingerprint } from '../../tables/receipt.ts'
import type { Note, RejectedRow, WriteOptions } from '../../tables/plan.ts'
import { sameType, type Column, type ColumnType } from '../../tables/types.ts'
import { Fingerprinter } from './fingerprint/fingerprint.ts'
import { batchFromColumns } from '../arrow/batch.ts'
import type { Adaptation, EngineContext, FormatWriter, TableWriter } from '../formats/types.ts'
import type { CheckedColumn, PlannedColumn, PlannedTable } from './plan.ts'
import type { RejectedRows } from './rejected-rows.ts'
import { readTable, type Source } from './read-table.ts'
import { checkpoint } from '../../lib/yielding.ts'

interface AdaptedColumn {
  readonly column: Column
  readonly adaptation: Adaptation | null
  /** What to report regardless of the values. */
  readonly notes: readonly Note[]
}

/** A column as the output's writer gets it. */
export type CarriedColumn = Column &
  Pick<PlannedColumn, 'textOf' | 'textFormat'> &
  Partial<Pick<PlannedColumn, 'source'>>

/** Rows of an input on their way to the output. */
export interface PassedRows {
  readonly batch: RecordBatch
  /** The rows among these that didn't fit, in order. */
  readonly rejected: readonly RejectedRow[]
  /** Those of these rows that come after all others in the output. */
  readonly later?: readonly RejectedRow[]
  /** The numbers in the file of rows that come after all others. */
  readonly numbers?: Float64Array
}

/** A column of a combined table, for the rows of one input. */
export type PlacedColumn =
  /** The input's own column, by its index among those that are read. */
  | { readonly kind: 'own'; readonly index: number }
  | { readonly kind: 'missing'; readonly type: ColumnType }
  /** The same text in every row. */
  | { readonly kind: 'text'; readonly text: string }
  /** The row's number in its file, from 1, counting rejected rows. */
  | { readonly kind: 'row' }

/** Turns batches of one input into batches of the combined table. */
export interface Placement {
  readonly columns: readonly PlacedColumn[]
  /** Begins with the input's first row; batches and their rejected rows must come in order. */
  begin(): (passed: PassedRows) => RecordBatch
}

/** A file's table that goes into a table of the output. */
export interface TableInput {
  readonly file: File
  readonly source: Source
  /** What is read of it. */
  readonly planned: PlannedTable
  /** Places its columns in the combined table, if it's one of several. */
  readonly placement?: Placement
}

/** A table to be made, from one table or from several. */
export interface OutputTablePlan {
  readonly name: string
  readonly columns: readonly CarriedColumn[]
  /** Differences from its inputs that are known from the plan. */
  readonly changes: readonly Note[]
  readonly inputs: readonly TableInput[]
  /** What its values must satisfy. */
  readonly checks: readonly CheckedColumn[]
  /** What is made instead if rows are left out; absent if that makes no difference. */
  readonly fallback?: OutputTablePlan
  /** What its number of rows is compared with, and its name there. */
  readonly rowCount?: { readonly check: RowCountCheck; readonly table: string | null }
}

/** Adapts columns to a format. */
export type ColumnAdapter = Pick<FormatWriter, 'adapt' | 'describe'>

/** The columns as a format stores them. */
export function adapted(
  columns: readonly CarriedColumn[],
  writer: ColumnAdapter,
  options: WriteOptions,
): readonly AdaptedColumn[] {
  return columns.map(({ name, type, textOf = type, optional, members, within, nesting }) => {
    // The text of a number or date, such as -5, needs no further adaptation.
    const adaptation = sameType(textOf, type) ? writer.adapt({ name, type }, options) : null
    const described = writer.describe({ name, type }, options)
    return {
      column: {
        name,
        type: adaptation?.type ?? type,
        ...(optional ? { optional } : {}),
        ...(members ? { members } : {}),
        ...(within ? { within } : {}),
        ...(nesting ? { nesting } : {}),
      },
      adaptation,
      notes: described ? [described] : [],
    }
  })
}

/** What was transferred of one input. */
export interface Transferred {
  readonly rows: number
  readonly rejectedRows: number
  readonly rowChecksum: string
  /** The text checksum of each column of the source; null if unknown. */
  readonly checksums: readonly string[] | null
  /** Rejected rows that were fixed and put back. */
  readonly mended: readonly MendedRow[]
}

/** Transfers a table from the readers of its sources to the output's writer, and records what was transferred. */
export class TableTransfer {
  /** As written. */
  readonly columns: readonly Column[]
  rows = 0
  /** How many blank cells were filled. */
  private readonly filled: Note[] = []
  private readonly planned: readonly Note[]
  private readonly adaptedColumns: readonly AdaptedColumn[]
  private readonly changed: number[]
  private readonly fingerprinter: Fingerprinter
  private fingerprint: TableFingerprint | null = null

  constructor(
    { columns, changes }: { readonly columns: readonly CarriedColumn[]; readonly changes: readonly Note[] },
    writer: ColumnAdapter,
    options: WriteOptions,
  ) {
    this.planned = changes
    this.adaptedColumns = adapted(columns, writer, options)
    this.columns = this.adaptedColumns.map(({ column }) => column)
    this.changed = this.columns.map(() => 0)
    this.fingerprinter = new Fingerprinter(this.columns)
  }

  /** The fingerprint of what was transferred. Available when all rows were. */
  get expected(): TableFingerprint {
    return (this.fingerprint ??= this.fingerprinter.finish())
  }

  /** Differences between output and source that are known from the types or were counted. */
  get changes(): Note[] {
    const { rows, columns } = this.expected
    const byFormat = this.adaptedColumns.flatMap(({ adaptation, notes }, i) => {
      if (!adaptation || (adaptation.onlyIfChanged && this.changed[i] === 0)) return notes
      const count = adaptation.convert ? this.changed[i] : rows - columns[i].nulls
      return [...notes, { ...adaptation.note, count }]
    })
    return [...this.planned, ...this.filled, ...byFormat]
  }

  /** Transfers all rows of one of its inputs. */
  async run(
    { file, source, planned, placement }: TableInput,
    writer: Pick<TableWriter, 'write'>,
    rejects: RejectedRows,
    context: EngineContext,
    checker: { add(rows: PassedRows): void } | null,
  ): Promise<Transferred> {
    const { table, columns } = planned
    const { settings = source.settings } = planned
    const request = { ...source, settings, table: table.name, columns, checksums: true }
    const isWhole = columns.some(({ nesting }) => nesting)
    const place = placement?.begin()
    const mender = table.mends?.putBack ? new (await import('./mend.ts')).Mender(source, planned, table.mends) : null
    const reading = readTable(file, request, context)
    const { rows } = this
    const { rowChecksum } = this.fingerprinter
    let rejectedRows = 0
    /** Undefined before the first ones. */
    let sums: readonly bigint[] | null | undefined
    for await (const passed of mender ? mender.mend(reading, context.signal) : reading) {
      const { batch, rejected, bytes, checksums, filled } = passed
      if (isWhole && rejected.length > 0) throw new RowsLeftOut()
      rejectedRows += rejected.length
      if (sums === undefined || checksums === null) sums = checksums
      else if (checksums) sums = sums?.map((sum, i) => sum + checksums[i]) ?? null
      if (filled) (await import('./filling.ts')).addFilled(this.filled, columns, filled)
      await rejects.add({ file: file.name, table: table.name }, rejected)
      const placed = place ? place(passed) : batch
      checker?.add({ ...passed, batch: placed })
      await this.carry(placed, writer)
      context.progress({ rows: this.rows - rows, bytes })
      await checkpoint(context.signal)
    }
    return {
      rows: this.rows - rows,
      rejectedRows,
      rowChecksum: printSum(this.fingerprinter.rowChecksum - rowChecksum),
      checksums: sums?.map(printSum) ?? null,
      mended: mender?.mended ?? [],
    }
  }

  /** Transfers rows that don't come from an input. */
  async carry(batch: RecordBatch, writer: Pick<TableWriter, 'write'>): Promise<void> {
    await writer.write(await this.take(batch))
    this.rows += batch.numRows
  }

  /** Adds a batch to the fingerprint, and adapts it for writing. */
  private async take(batch: RecordBatch): Promise<RecordBatch> {
    const out = await this.adapt(batch)
    this.fingerprinter.add(out)
    return out
  }

  private async adapt(batch: RecordBatch): Promise<RecordBatch> {
    if (this.adaptedColumns.every(({ adaptation }) => !adaptation?.convert)) return batch
    const children: Data[] = [...batch.data.children]
    for (const [i, { adaptation }] of this.adaptedColumns.entries()) {
      if (!adaptation?.convert) continue
      const { data, changed } = await adaptation.convert(children[i])
      children[i] = data
      this.changed[i] += changed
    }
    return batchFromColumns(children, batch.numRows)
  }
}

/** Thrown if rows are to be reassembled into records, but some of them are left out. */
export class RowsLeftOut extends Error {}
