import type { TableFingerprint } from '../../../tables/receipt.ts'
import { printType } from '../../../tables/types.ts'
import { MemoryTables } from '../../storage/tables.ts'
import { combinedTable } from '../combine.ts'
import { fileTables } from '../convert.ts'
import { Fingerprinter } from '../fingerprint/fingerprint.ts'
import { Mender } from '../mend.ts'
import { FOR_STATEMENT } from '../plan.ts'
import type { SampledTable, SampleRequest } from '../calls.ts'
import { readTable } from '../read-table.ts'
import { StatementTables, namesOf } from './shape.ts'
import { giveEngine, takeEngine } from '../stored/stored-table.ts'
import type { OutputTablePlan } from '../transfer.ts'
import { checkpoint } from '../../../lib/yielding.ts'

/** Limits for a sampled table, in rows and, for wide tables, in cells. */
const ROWS = 10_000
const CELLS = 1_000_000

/**
 * The first rows of the tables that a statement would read, as DuckDB tables.
 * @throws {EngineError}
 */
export async function sampleTables(
  files: readonly File[],
  { tables: known, what }: SampleRequest,
  signal: AbortSignal,
): Promise<SampledTable[]> {
  const tables =
    'plan' in what
      ? await fileTables(files[0], what.plan, FOR_STATEMENT)
      : [combinedTable(files, { ...what, ...FOR_STATEMENT })]
  const named = namesOf(tables, known)
  const engine = await takeEngine()
  const storage = new MemoryTables()
  const loading = new StatementTables(engine, storage, 'sample', signal)
  const sampled: SampledTable[] = []
  for (const [i, table] of tables.entries()) {
    await loading.begin(table)
    const total = totalOf(table)
    const { read, isWhole } = await firstRows(table, total, loading, signal)
    await loading.finish(named[i], read)
    const { fileId, file: stored, columns } = loading.tables[i]
    const schema = columns.map(({ name, type }) => ({ name, type: printType(type) }))
    sampled.push({ named: named[i], fileId, stored, columns: schema, rows: read.rows, total, isWhole })
  }
  giveEngine(engine)
  return sampled
}

function totalOf({ inputs }: OutputTablePlan): number | null {
  const found = inputs.map(({ planned }) => planned.table.found?.rows)
  return found.includes(undefined) ? null : found.reduce<number>((sum, rows) => sum + (rows ?? 0), 0)
}

async function firstRows(
  { columns, inputs }: OutputTablePlan,
  total: number | null,
  loading: StatementTables,
  signal: AbortSignal,
): Promise<{ readonly read: TableFingerprint; readonly isWhole: boolean }> {
  const most = Math.max(1, Math.min(ROWS, Math.floor(CELLS / columns.length)))
  const fingerprinter = new Fingerprinter(columns)
  let [rows, rejectedCount] = [0, 0]
  for (const { file, source, planned, placement } of inputs) {
    const { table } = planned
    const request = { ...source, table: table.name, columns: planned.columns, limit: most - rows }
    const place = placement?.begin()
    const mender = table.mends?.putBack ? new Mender(source, planned, table.mends) : null
    const reading = readTable(file, request, { signal, progress: () => undefined })
    for await (const passed of mender ? mender.mend(reading, signal) : reading) {
      rejectedCount += passed.rejected.length
      const placed = place ? place(passed) : passed.batch
      await loading.write(placed)
      fingerprinter.add(placed)
      rows += placed.numRows
      await checkpoint(signal)
      if (rows >= most) break
    }
    if (rows >= most) break
  }
  const isWhole = total === null ? rows < most : rows + rejectedCount >= total
  return { read: fingerprinter.finish(), isWhole }
}
