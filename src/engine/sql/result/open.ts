import type { ColumnType } from '../../../tables/types.ts'
import { Listeners } from '../../../lib/store.ts'
import { cellToString } from '../../arrow/text.ts'
import { EngineError } from '../../errors.ts'
import type { ResultColumn, ResultSet } from '../session-types.ts'
import { transferType, tableType } from '../../arrow/duckdb-types.ts'
import { TimeZone } from '../functions/zones/zone.ts'
import { Batches } from './batches.ts'
import { instantText } from './instants.ts'
import { arrowFile } from './file.ts'
import type { GrowingResult } from './types.ts'
import { isNull } from '../../arrow/scalars.ts'

/** The batches behind each result, for what reads columns rather than cells. */
const batchesBySet = new WeakMap<ResultSet, Batches>()

/** Null for a result that wasn't made here. */
export function batchesOf(set: ResultSet): Batches | null {
  return batchesBySet.get(set) ?? null
}

/**
 * A result without rows yet.
 * @param columns as the statement gives them; their rows come as `transferType(type)`
 */
export function createResultSet(columns: readonly ResultColumn[]): GrowingResult {
  const set = new ArrowResult(columns)
  return {
    set,
    add: (message) => {
      set.batches.add(message)
      set.changed()
    },
    end: (status) => {
      set.status = status
      set.changed()
    },
  }
}

class ArrowResult implements ResultSet {
  readonly columns: readonly ResultColumn[]
  readonly batches: Batches
  /** What values are, where they're carried as text. */
  private readonly types: readonly ColumnType[]
  private readonly zones: readonly (TimeZone | null)[]
  status: ResultSet['status'] = 'running'
  private readonly listeners = new Listeners()
  readonly subscribe = this.listeners.add
  private pending = false
  private disposed = false

  constructor(columns: readonly ResultColumn[]) {
    this.columns = columns
    this.types = columns.map(({ type }) => tableType(type).type)
    this.zones = columns.map(({ zone }) => (zone === undefined ? null : TimeZone.named(zone)))
    this.batches = new Batches(columns.map(({ type }) => transferType(type).type))
    batchesBySet.set(this, this.batches)
  }

  get rowCount(): number {
    return this.batches.rows
  }

  get bytes(): number {
    return this.batches.bytes
  }

  text(row: number, column: number, limit?: number): string | null {
    const { batches } = this
    if (!this.has(row, column)) return null
    const batch = batches.find(row)
    const data = batches.ready(batch, column)
    const at = row - batches.startOf(batch)
    const zone = this.zones[column]
    return zone && !isNull(data, at) ? instantText(data, at, zone) : cellToString(this.types[column], data, at, limit)
  }

  value(row: number, column: number): unknown {
    const { batches } = this
    if (!this.has(row, column)) return null
    const batch = batches.find(row)
    return batches.value(batch, column)(row - batches.startOf(batch))
  }

  private has(row: number, column: number): boolean {
    return row >= 0 && row < this.batches.rows && column >= 0 && column < this.columns.length
  }

  changed(): void {
    if (this.pending || this.listeners.size === 0) return
    this.pending = true
    nextFrame(() => {
      this.pending = false
      this.listeners.tell()
    })
  }

  async file(name: string, form: 'values' | 'text' = 'values'): Promise<File> {
    if (this.status === 'running' || this.disposed) {
      throw new EngineError('internal', this.disposed ? 'The result is gone.' : 'Rows of the result are still coming.')
    }
    const zones = form === 'text' ? this.zones : []
    return arrowFile(this.batches, this.columns, { name, zones })
  }

  dispose(): void {
    this.disposed = true
    this.batches.clear()
    this.changed()
  }
}

/** A page that isn't shown has no frames; those who wait for its result are called all the same. */
function nextFrame(run: () => void): void {
  let ran = false
  const once = (): void => {
    if (ran) return
    ran = true
    run()
  }
  if (typeof requestAnimationFrame === 'function') requestAnimationFrame(once)
  setTimeout(once, typeof requestAnimationFrame === 'function' ? 250 : 16)
}
