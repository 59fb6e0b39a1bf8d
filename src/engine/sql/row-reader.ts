import type { RecordBatch } from 'apache-arrow'
import { printType, type ColumnType } from '../../tables/types.ts'
import { transferType } from '../arrow/duckdb-types.ts'
import { MessageReader } from '../arrow/ipc/rows.ts'
import type { Database } from '../storage/database.ts'
import type { Binder } from './binder.ts'
import { isDescribing } from './explain/explain.ts'
import { callsOwn, ENGINE_NAME } from './functions/own-names.ts'
import type { ZoneSetting } from './functions/zones/functions.ts'
import type { PlacedTables, Reading } from './place/placed-tables.ts'
import type { Need } from './place/provision.ts'
import type { Written } from './problems/problems.ts'
import type { ResultColumn } from './session-types.ts'
import type { Statement } from './statement.ts'
import { checkpoint } from '../../lib/yielding.ts'

/** Milliseconds of fetching rows before yielding to messages. */
const YIELD_AFTER_MS = 12

/** Rows of a statement. */
export interface Rows {
  readonly kind: 'rows'
  readonly columns: readonly ResultColumn[]
  /** The types in which values cross to the page. */
  readonly types: readonly ColumnType[]
  /**
   * Runs the statement, and yields batches in the physical form of `types`.
   * @param pause awaited after each yield to messages
   */
  read(pause?: () => Promise<void>): AsyncGenerator<RecordBatch, void, undefined>
}

interface Wanted {
  readonly columns: readonly ResultColumn[]
  /** Number of rows that suffice. */
  readonly limit: number | undefined
  /** Set if it can be answered while its file is being read. */
  readonly flow: Need['flow']
}

/** Runs admitted statements. */
export class RowReader {
  private readonly db: Database
  private readonly binder: Binder
  private readonly placed: PlacedTables

  private readonly zone: ZoneSetting

  constructor(db: Database, binder: Binder, placed: PlacedTables, zone: ZoneSetting) {
    this.db = db
    this.binder = binder
    this.placed = placed
    this.zone = zone
  }

  rows(written: Written, { columns, limit, flow }: Wanted, reading: Reading): Rows {
    const types = columns.map(({ type }) => transferType(type).type)
    const { db, binder, placed } = this
    const { signal } = reading
    const names = columns.map(({ name }) => name)
    const reader = new MessageReader(types, names)
    let yielded = performance.now()
    const run = async function* (most: number | undefined, rest: () => Promise<void>): AsyncGenerator<RecordBatch> {
      for (let begun = false; ;) {
        const { before, after } = framed(written.statement, columns, most)
        try {
          const sql = before + written.toEngine(written.statement.text) + after
          for await (const messages of db.guest.stream(sql, rest)) {
            begun = true
            yield* await reader.read(messages)
            if (performance.now() - yielded > YIELD_AFTER_MS) await rest()
          }
          return
        } catch (error) {
          signal.throwIfAborted()
          if (!begun && (await placed.loadMissing(error, reading))) {
            placed.show(db.guest)
            continue
          }
          throw binder.failure(error, written, before.length)
        }
      }
    }
    const read = async function* (pause?: () => Promise<void>): AsyncGenerator<RecordBatch, void, undefined> {
      yielded = performance.now()
      const rest = async (): Promise<void> => {
        await pause?.()
        // For a file that is read in parts, progress is that of the file.
        if (!flow) reading.progress(db.guest.progress())
        await checkpoint(signal)
        yielded = performance.now()
      }
      if (!flow) {
        yield* run(limit, rest)
        return
      }
      let left = Math.min(flow.limit ?? Infinity, limit ?? Infinity)
      const first = flow.plain && left < Infinity ? left : null
      for await (const _ of placed.parts(db.guest, flow, first, reading)) {
        for await (const batch of run(left === Infinity ? undefined : left, rest)) {
          left -= batch.numRows
          yield batch
        }
        if (left <= 0) return
        await rest()
      }
    }
    const { zone } = this.zone
    const shown = columns.map((column) =>
      zone.isUtc || column.type !== 'TIMESTAMP WITH TIME ZONE' ? column : { ...column, zone: zone.name },
    )
    return { kind: 'rows', columns: shown, types, read }
  }
}

/**
 * SQL to wrap around a statement: casts for types without an exact Arrow representation, and a limit. Empty if it needs
 * neither.
 */
function framed(
  statement: Statement,
  columns: readonly ResultColumn[],
  limit: number | undefined,
): { readonly before: string; readonly after: string } {
  const transfers = columns.map(({ type }) => transferType(type))
  if (limit === undefined && !isDescribing(statement) && transfers.every(({ cast }) => !cast)) {
    return { before: '', after: '' }
  }
  // The first column of DESCRIBE and SUMMARIZE has column names.
  const ofOwn = isDescribing(statement) && callsOwn(statement.text)
  const list = transfers.map(({ type, cast }, i) => {
    const value = cast ? `CAST(c${i} AS ${printType(type)})` : `c${i}`
    return `${ofOwn && i === 0 ? `${ENGINE_NAME.name}(${value})` : value} AS c${i}`
  })
  const names = transfers.map((_, i) => `c${i}`)
  const after = `\n) AS result(${names.join(', ')})${limit === undefined ? '' : ` LIMIT ${limit}`}`
  return { before: `SELECT ${list.join(', ')} FROM (\n`, after }
}
