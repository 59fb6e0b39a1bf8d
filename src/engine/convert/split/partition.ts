import type { RecordBatch } from 'apache-arrow'
import { formatCount } from '../../../lib/counts.ts'
import type { ValueFormat } from '../../../tables/plan.ts'
import { MOST_PARTS, type PartKey, periodOf } from '../../../tables/reshape/split.ts'
import type { SplitPeriod } from '../../../tables/reshape/types.ts'
import type { Column, ColumnType } from '../../../tables/types.ts'
import { take } from '../../arrow/cast/take.ts'
import { concatenateBatches } from '../../arrow/concatenate.ts'
import { batchFromColumns } from '../../arrow/batch.ts'
import { packBatch, unpackBatch } from '../../arrow/pack.ts'
import { cellToString } from '../../arrow/text.ts'
import { EngineError } from '../../errors.ts'
import type { OutputTable } from '../../formats/types.ts'
import type { OutputStorage, PendingOutput } from '../../storage/output.ts'
import { readText } from '../read-text.ts'
import { Yielder } from '../../../lib/yielding.ts'

/** How rows are partitioned: by a column, given by its index among those written, or by a number of rows. */
export type PartRule =
  | {
      readonly by: 'column'
      readonly index: number
      /** The period by which dates are grouped; if absent, each value is a part. */
      readonly period?: SplitPeriod
      /** The type of its values, if they are passed on as the file's own text. */
      readonly textOf?: ColumnType
      readonly textFormat?: ValueFormat
    }
  | { readonly by: 'rows'; readonly rows: number }

/** The rows with one value, or a fixed number of rows. */
export interface Part {
  readonly key: PartKey
  readonly rows: number
  /** Including spilled rows. */
  readonly bytes: number
}

/** Some of a part's rows, or their position in the spill file. */
type Chunk = RecordBatch | { readonly from: number; readonly to: number }

interface GrowingPart extends Part {
  readonly index: number
  readonly chunks: Chunk[]
  rows: number
  bytes: number
}

/** Bytes of rows to partition at once. Larger tables spill all but the last of them to disk. */
const WINDOW = 32 * 1024 * 1024

/**
 * Partitions a table's rows, keeping their order within each part. Memory is bounded: rows beyond the window are
 * spilled to a file, from which each part can be read separately.
 */
export class Partition {
  private readonly rule: PartRule
  private readonly spill: SpillFile
  private readonly yielder: Yielder
  private readonly byKey = new Map<PartKey, GrowingPart>()
  private columns: readonly Column[] = []
  private readonly windowBytes: number
  private window: RecordBatch[] = []
  private bytes = 0
  private rows = 0

  /** @param window bytes of rows to partition at once and keep in memory; for tests */
  constructor(rule: PartRule, storage: OutputStorage, jobId: string, signal: AbortSignal, window = WINDOW) {
    this.rule = rule
    this.windowBytes = window
    this.spill = new SpillFile(storage, jobId)
    this.yielder = new Yielder(signal)
  }

  /** In order of their first rows. */
  get parts(): readonly Part[] {
    return [...this.byKey.values()]
  }

  begin({ columns }: OutputTable): Promise<void> {
    this.columns = columns
    return Promise.resolve()
  }

  async write(batch: RecordBatch): Promise<void> {
    if (batch.numRows === 0) return
    this.window.push(batch)
    this.bytes += bytesOf(batch)
    if (this.bytes < this.windowBytes) return
    for (const [part, rows] of await this.takeWindow()) {
      const chunk = await this.spill.put(rows)
      part.chunks.push(chunk)
      part.bytes += chunk.to - chunk.from
    }
  }

  /** Partitions the remaining rows, which stay in memory. */
  async finish(): Promise<void> {
    for (const [part, rows] of await this.takeWindow()) {
      part.chunks.push(rows)
      part.bytes += bytesOf(rows)
    }
    await this.spill.end()
  }

  /** A part's rows. Call after `finish`. */
  async *read(part: Part): AsyncGenerator<RecordBatch, void, undefined> {
    const { chunks = [] } = this.byKey.get(part.key) ?? {}
    for (const chunk of chunks) {
      yield 'from' in chunk ? unpackBatch(await this.spill.read(chunk), this.columns) : chunk
    }
  }

  /** Removes the spill file. */
  async discard(): Promise<void> {
    await this.spill.discard()
  }

  /** Partitions the rows of the window, and clears it. */
  private async takeWindow(): Promise<(readonly [GrowingPart, RecordBatch])[]> {
    const { window } = this
    if (window.length === 0) return []
    this.window = []
    this.bytes = 0
    const types = this.columns.map(({ type }) => type)
    const batch = window.length === 1 ? window[0] : concatenateBatches(window, types)
    const taken: (readonly [GrowingPart, RecordBatch])[] = []
    for (const [part, rows] of this.places(batch)) {
      const columns = batch.data.children.map((data) => take(data, rows))
      taken.push([part, batchFromColumns(columns, rows.length)])
      part.rows += rows.length
      if (this.yielder.due) await this.yielder.yield()
    }
    return taken
  }

  /** The batch's rows of each part. */
  private places(batch: RecordBatch): Map<GrowingPart, Int32Array> {
    const of = this.keysOf(batch)
    const parts = Array.from({ length: batch.numRows }, (_, row) => this.partOf(of(row)))
    const counts = new Int32Array(this.byKey.size)
    for (const { index } of parts) counts[index]++
    const places = new Map<GrowingPart, Int32Array>()
    const next = new Int32Array(this.byKey.size)
    for (const [row, part] of parts.entries()) {
      let rows = places.get(part)
      if (!rows) places.set(part, (rows = new Int32Array(counts[part.index])))
      rows[next[part.index]++] = row
    }
    this.rows += batch.numRows
    return places
  }

  private keysOf({ data }: RecordBatch): (row: number) => PartKey {
    const { rule, rows } = this
    if (rule.by === 'rows') return (row) => Math.floor((rows + row) / rule.rows)
    const { type } = this.columns[rule.index]
    const { period, textOf, textFormat } = rule
    const carried = data.children[rule.index]
    if (!period) return (row) => cellToString(type, carried, row)
    const dates = textOf ? readText(carried, type, textOf, textFormat) : carried
    return (row) => {
      const text = cellToString(textOf ?? type, dates, row)
      return text === null ? null : periodOf(text, period)
    }
  }

  private partOf(key: PartKey): GrowingPart {
    let part = this.byKey.get(key)
    if (!part) {
      if (this.byKey.size >= MOST_PARTS) throw this.tooMany()
      this.byKey.set(key, (part = { key, index: this.byKey.size, rows: 0, bytes: 0, chunks: [] }))
    }
    return part
  }

  private tooMany(): EngineError {
    const most = formatCount(MOST_PARTS)
    const { rule } = this
    return rule.by === 'rows'
      ? new EngineError('too-large', `The table would become more than ${most} files.`, {
          remedy: 'Put more rows in each file.',
        })
      : new EngineError(
          'too-large',
          `“${this.columns[rule.index].name}” has more than ${most} different ${rule.period ?? 'value'}s: each would become a file.`,
          { remedy: 'Split by a column of fewer values, or by a number of rows.' },
        )
  }
}

const bytesOf = ({ data }: RecordBatch): number => data.children.reduce((sum, child) => sum + child.byteLength, 0)

/** A file for rows that don't fit in memory. */
class SpillFile {
  private readonly storage: OutputStorage
  private readonly jobId: string
  private output: PendingOutput | null = null
  private file: File | null = null

  constructor(storage: OutputStorage, jobId: string) {
    this.storage = storage
    this.jobId = jobId
  }

  async put(batch: RecordBatch): Promise<{ readonly from: number; readonly to: number }> {
    const { sink } = (this.output ??= await this.storage.create(this.jobId))
    const from = sink.size
    const packed = packBatch(batch)
    await sink.write(packed)
    return { from, to: from + packed.length }
  }

  async end(): Promise<void> {
    this.file = (await this.output?.commit()) ?? null
  }

  async read({ from, to }: { readonly from: number; readonly to: number }): Promise<ArrayBuffer> {
    if (!this.file) throw new Error('nothing was spilled')
    return this.file.slice(from, to).arrayBuffer()
  }

  async discard(): Promise<void> {
    await this.output?.discard()
  }
}
