import type { RecordBatch } from 'apache-arrow'
import type { Note, WriteOptions } from '../../../tables/plan.ts'
import type { ReceiptShape, TableFingerprint } from '../../../tables/receipt.ts'
import { shapeTables } from '../../../tables/reshape/shape.ts'
import type { Shape, ShapeTable } from '../../../tables/reshape/types.ts'
import type { Column } from '../../../tables/types.ts'
import type { FileEngine } from '../../formats/duckdb/attached.ts'
import { FileSystemOutputs } from '../../storage/file-outputs.ts'
import type { OutputStorage } from '../../storage/output.ts'
import { OUTPUT_FOLDER } from '../../storage/file-names.ts'
import { FileSystemTables, MemoryTables, type TableStorage } from '../../storage/tables.ts'
import { carryTable, type CarryContext, type Carrying, type ConvertContext, type OutputPlan } from '../carry.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { FOR_STATEMENT } from '../plan.ts'
import type { Carried } from '../receipt.ts'
import { ShapeStatement, type StatementTable } from './statement.ts'
import { giveEngine, TableFilling, takeEngine } from '../stored/stored-table.ts'
import { TableTransfer, type ColumnAdapter, type OutputTablePlan } from '../transfer.ts'
import { stemOf } from '../../../tables/file-names.ts'
import { tableColumns } from '../../../tables/names.ts'

/* Runs a statement between reading and writing: the tables read are loaded into DuckDB, and the result is written. */

/** DuckDB holds every type, so nothing is adapted. */
const AS_THEY_ARE: ColumnAdapter = { adapt: () => null, describe: () => null }

/** The columns of these statements depend on rows, so they are unknown until the rows are loaded. */
const PIVOTS = /\b(?:un)?pivot/i

interface Shaping extends Pick<Carrying, 'rejectedRows'> {
  readonly shape: Shape
  readonly jobId: string
}

/** An output made from a statement's result. */
interface ShapedOutput {
  readonly plan: OutputPlan
  /** Removes what was read. */
  discard(): Promise<void>
}

/**
 * Makes an output from a statement over the output's tables, and removes the tables afterwards.
 * @throws errors of `shapedOutput` or `make`
 */
export async function makeShaped<T>(
  output: OutputPlan,
  shaping: Shaping,
  context: ConvertContext,
  make: (plan: OutputPlan) => Promise<T>,
): Promise<T> {
  const made = await shapedOutput(output, shaping, context)
  try {
    return await make(made.plan)
  } finally {
    // Anything that can't be removed now is removed later.
    await made.discard().catch(() => undefined)
  }
}

/**
 * Reads the tables of an output into DuckDB, verifies them, and binds the statement over them.
 * @throws {EngineError} if the statement is invalid, before anything is read if possible; or errors of reading
 */
async function shapedOutput(
  { name, tables }: OutputPlan,
  shaping: Shaping,
  context: ConvertContext,
): Promise<ShapedOutput> {
  const { shape, jobId, rejectedRows } = shaping
  const named = namesOf(tables, shape.tables)
  const statement = await ShapeStatement.open(shape.sql, context.signal)
  const engine = await takeEngine()
  if (!PIVOTS.test(shape.sql)) {
    statement.use(await withoutRows(tables, named, engine, context.signal))
    await statement.bind()
  }
  const loading = new StatementTables(engine, storageBeside(context.storage), jobId, context.signal)
  try {
    const carried: Carried[] = []
    for (const [i, table] of tables.entries()) {
      const carrying = { writer: AS_THEY_ARE, output: loading, rejectedRows, done: i, total: tables.length }
      const each = await carryTable(table, carrying, FOR_STATEMENT, context)
      await loading.finish(named[i], each.transfer.expected)
      carried.push(each)
    }
    giveEngine(engine)
    statement.use(loading.tables)
    const { columns, notes } = await statement.bind()
    const source = {
      parts: carried.flatMap(({ parts }) => parts),
      checks: carried.flatMap(({ checks }) => checks),
      mended: carried.flatMap(({ mended }) => mended),
      shape: receiptShape(shape, loading),
    }
    const changes = [
      ...carried.flatMap((each) => each.changes),
      ...loading.tables.flatMap((table, i) => renamed(tables[i], table)),
      ...notes,
    ]
    const title = tables.length === 1 ? tables[0].name : stemOf(name)
    const table = { name: title, columns, changes, inputs: [], checks: [] }
    const carry = async (...to: CarryTo): Promise<Carried> => {
      const transfer = await carryRows(table, (take) => statement.run(columns, take), ...to)
      return { transfer, changes: transfer.changes, ...source }
    }
    return { plan: { name, tables: [{ ...table, carry }] }, discard: () => loading.discard() }
  } catch (error) {
    await loading.discard().catch(() => undefined)
    throw error
  }
}

type CarryTo = readonly [carrying: Carrying, options: WriteOptions, context: CarryContext]

/** Copies a statement's result to the output. @param read runs the statement, and awaits `take` for each batch */
async function carryRows(
  table: OutputTablePlan,
  read: (take: (batch: RecordBatch) => Promise<void>) => Promise<void>,
  ...[{ writer, output, done, total }, options, { progress }]: CarryTo
): Promise<TableTransfer> {
  const transfer = new TableTransfer(table, writer, options)
  await output.begin({ name: table.name, columns: transfer.columns })
  const report = (): void =>
    progress({ phase: 'shape', table: done, tables: total, rows: transfer.rows, bytes: 0, totalBytes: 0 })
  report()
  await read(async (batch) => {
    await transfer.carry(batch, output)
    report()
  })
  return transfer
}

/**
 * A statement's name for each of the tables.
 * @param known the names that are already known
 */
export function namesOf(tables: readonly OutputTablePlan[], known: readonly ShapeTable[]): ShapeTable[] {
  const [{ inputs, name }] = tables
  const combined = inputs[0].placement !== undefined
  return shapeTables(known, {
    name: combined ? name : inputs[0].file.name,
    combined,
    tables: tables.map((table) => (combined ? null : table.inputs[0].planned.table.name)),
  })
}

/** Empty tables with the same columns, to check the statement before anything is read. */
async function withoutRows(
  tables: readonly OutputTablePlan[],
  named: readonly ShapeTable[],
  engine: FileEngine,
  signal: AbortSignal,
): Promise<readonly StatementTable[]> {
  const loading = new StatementTables(engine, new MemoryTables(), 'look', signal)
  for (const [i, { columns }] of tables.entries()) {
    await loading.begin({ columns })
    await loading.finish(named[i], new Fingerprinter(columns).finish())
  }
  return loading.tables
}

/** In the job's folder, which is removed if the job fails, even if its worker is gone. */
const storageBeside = (storage: OutputStorage): TableStorage =>
  storage instanceof FileSystemOutputs ? new FileSystemTables(OUTPUT_FOLDER) : new MemoryTables()

/** Loads the tables that a statement reads, one after another. */
export class StatementTables {
  readonly tables: StatementTable[] = []
  /** The fingerprint of each table. */
  readonly read: TableFingerprint[] = []
  private readonly engine: FileEngine
  private readonly storage: TableStorage
  private readonly folder: string
  private readonly signal: AbortSignal
  private readonly kept: TableFilling[] = []
  private columns: readonly Column[] = []

  /** @param folder the storage's folder for them */
  constructor(engine: FileEngine, storage: TableStorage, folder: string, signal: AbortSignal) {
    this.engine = engine
    this.storage = storage
    this.folder = folder
    this.signal = signal
  }

  async begin({ columns }: { readonly columns: readonly Column[] }): Promise<void> {
    this.columns = tableColumns(columns)
    this.kept.push(await TableFilling.begin(this.engine, this.storage, this.folder, this.columns))
  }

  write(batch: RecordBatch): Promise<void> {
    this.filling.add(batch)
    return Promise.resolve()
  }

  /** @param expected what was written */
  async finish(named: ShapeTable, expected: TableFingerprint): Promise<void> {
    const { columns, filling } = this
    const read = { ...expected, columns: expected.columns.map((each, i) => ({ ...each, name: columns[i].name })) }
    try {
      const file = await filling.finish(read, this.signal)
      this.tables.push({ named, columns, fileId: filling.fileId, file })
      this.read.push(read)
    } catch (error) {
      throw filling.reason(error, this.signal)
    }
  }

  async discard(): Promise<void> {
    for (const each of this.kept) await each.discard()
  }

  private get filling(): TableFilling {
    return this.kept[this.kept.length - 1]
  }
}

function receiptShape({ sql }: Shape, { tables, read }: StatementTables): ReceiptShape {
  return { sql, tables: tables.map(({ named: { name } }, i) => ({ name, read: read[i] })) }
}

/** Columns that have another name in the statement, since names in SQL ignore case. */
function renamed({ columns }: OutputTablePlan, stored: StatementTable): Note[] {
  return columns.flatMap(({ name }, i) => {
    const now = stored.columns[i].name
    if (now === name) return []
    const message = `In the statement, “${name}” of ${stored.named.name} is called “${now}”: SQL doesn’t tell names apart by their case.`
    return [{ code: 'renamed', message }]
  })
}
