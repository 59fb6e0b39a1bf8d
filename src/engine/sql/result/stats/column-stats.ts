import type { Data } from 'apache-arrow'
import { isNested, type ColumnType } from '../../../../tables/types.ts'
import { cellToString } from '../../../arrow/text.ts'
import type { ResultSet } from '../../session-types.ts'
import type { Batches } from '../batches.ts'
import { batchesOf } from '../open.ts'
import { rowsResult } from '../rows.ts'
import type { ColumnStats } from '../types.ts'
import { addInteger, addNumber, DistinctCounter } from './distinct.ts'
import { numberReader, type NumberReader } from './numbers.ts'
import { TopCounter } from './top.ts'
import { checkpoint } from '../../../../lib/yielding.ts'
import { isNull } from '../../../arrow/scalars.ts'

const BINS = 20
const TOP = 5
/** Milliseconds of work between two pauses, and rows between two looks at the clock. */
const SLICE = 8
const STEP = 8192
/** Texts in a statistic are cut at so many characters. */
const SHOWN = 200

interface Place {
  readonly batch: number
  readonly row: number
}

/**
 * Looks at all of a column's values, in slices that leave the page free.
 * @throws the signal's reason
 */
export async function columnStats(set: ResultSet, column: number, signal: AbortSignal): Promise<ColumnStats> {
  const batches = batchesOf(set)
  if (!batches) {
    const values = Array.from({ length: set.rowCount }, (_, row) => ({ x: set.value(row, column) }))
    return columnStats(rowsResult([{ name: 'x', type: set.columns[column].type }], values), 0, signal)
  }
  const pass = new Pass(batches, column, signal)
  const type = batches.types[column]
  const name = set.columns[column].type
  if (isNested(type)) {
    const nulls = await pass.nulls()
    return { ...EMPTY, rows: pass.rows, nulls }
  }
  return isLine(type, name) ? numberStats(pass, type, name) : otherStats(pass, type)
}

const EMPTY = { distinct: null, min: null, max: null, mean: null, histogram: null, top: null }

const isLine = (type: ColumnType, name: string): boolean =>
  name === 'HUGEINT' ||
  type.kind === 'decimal' ||
  (type.kind === 'scalar' && !/^(BOOLEAN|VARCHAR|BLOB|UUID|INTERVAL|HUGEINT)$/.test(type.name))

/** Goes over a column's values, some of them at a time. */
class Pass {
  readonly batches: Batches
  readonly column: number
  private readonly signal: AbortSignal
  /** Those that were there when it began. */
  private readonly count: number
  readonly rows: number
  private started = performance.now()

  constructor(batches: Batches, column: number, signal: AbortSignal) {
    this.batches = batches
    this.column = column
    this.signal = signal
    this.count = batches.count
    this.rows = batches.rows
  }

  async each(open: (data: Data, batch: number) => (from: number, to: number) => void): Promise<void> {
    for (let batch = 0; batch < this.count; batch++) {
      // A result that is let go of has no batches any more.
      if (batch >= this.batches.count) throw new DOMException('The result is gone.', 'AbortError')
      const data = this.batches.column(batch, this.column)
      const run = open(data, batch)
      for (let from = 0; from < data.length; from += STEP) {
        run(from, Math.min(data.length, from + STEP))
        if (performance.now() - this.started < SLICE) continue
        await checkpoint(this.signal)
        this.started = performance.now()
      }
    }
    this.signal.throwIfAborted()
  }

  async nulls(): Promise<number> {
    let nulls = 0
    await this.each((data) => (from, to) => {
      for (let row = from; row < to; row++) if (isNull(data, row)) nulls++
    })
    return nulls
  }

  text(type: ColumnType, place: Place | null): string | null {
    if (!place || place.batch >= this.batches.count) return null
    return cellToString(type, this.batches.column(place.batch, this.column), place.row, SHOWN)
  }
}

/** The place of the least or the greatest value, exactly. */
class Extreme {
  value: number
  place: Place | null = null
  private exact: bigint | null = null
  private readonly sign: 1 | -1

  constructor(sign: 1 | -1) {
    this.sign = sign
    this.value = -sign * Infinity
  }

  see(value: number, reader: NumberReader, batch: number, row: number): void {
    const closer = (value - this.value) * this.sign
    if (closer < 0 && this.place) return
    const exact = Math.abs(value) >= reader.shared ? reader.exact(row) : null
    if (!(closer > 0) && this.place) {
      if (exact === null || this.exact === null) return
      if (this.sign > 0 ? exact <= this.exact : exact >= this.exact) return
    }
    this.value = value
    this.exact = exact
    this.place = { batch, row }
  }
}

async function numberStats(pass: Pass, type: ColumnType, name: string): Promise<ColumnStats> {
  const hugeint = name === 'HUGEINT'
  const [least, most] = [new Extreme(-1), new Extreme(1)]
  const distinct = new DistinctCounter()
  let [nulls, sum, summed] = [0, 0, 0]
  let [low, high] = [Infinity, -Infinity]
  await pass.each((data, batch) => {
    const reader = readerOf(type, data, hugeint)
    const maybeNull = data.nullCount !== 0
    return (from, to) => {
      for (let row = from; row < to; row++) {
        if (maybeNull && isNull(data, row)) {
          nulls++
          continue
        }
        const value = reader.at(row)
        if (Math.abs(value) >= reader.shared) addInteger(distinct, reader.exact(row))
        else addNumber(distinct, value)
        if (value <= least.value) least.see(value, reader, batch, row)
        if (value >= most.value) most.see(value, reader, batch, row)
        if (value - value !== 0) continue
        sum += value
        summed++
        if (value < low) low = value
        if (value > high) high = value
      }
    }
  })
  return {
    rows: pass.rows,
    nulls,
    distinct: distinct.get(pass.rows - nulls),
    min: pass.text(type, least.place),
    max: pass.text(type, most.place),
    mean: summed > 0 && !/^(DATE|TIME)/.test(name) ? sum / summed : null,
    histogram: summed > 0 ? await histogram(pass, type, hugeint, low, high) : null,
    top: null,
  }
}

function readerOf(type: ColumnType, data: Data, hugeint: boolean): NumberReader {
  const reader = numberReader(type, data, hugeint)
  if (!reader) throw new TypeError('not a type of numbers')
  return reader
}

async function histogram(
  pass: Pass,
  type: ColumnType,
  hugeint: boolean,
  low: number,
  high: number,
): Promise<readonly number[]> {
  const bins = new Float64Array(BINS)
  // Halves, for the whole range of doubles is twice what a double holds.
  const scale = high > low ? BINS / (high / 2 - low / 2) / 2 : 0
  await pass.each((data) => {
    const reader = readerOf(type, data, hugeint)
    const maybeNull = data.nullCount !== 0
    return (from, to) => {
      for (let row = from; row < to; row++) {
        if (maybeNull && isNull(data, row)) continue
        const value = reader.at(row)
        if (value - value !== 0) continue
        const bin = Math.floor((value / 2 - low / 2) * scale * 2)
        bins[bin < BINS ? bin : BINS - 1]++
      }
    }
  })
  return [...bins]
}

async function otherStats(pass: Pass, type: ColumnType): Promise<ColumnStats> {
  const counter = new TopCounter()
  let nulls = 0
  await pass.each((data, batch) => {
    const add = adderOf(counter, data, batch)
    return (from, to) => {
      for (let row = from; row < to; row++) {
        if (isNull(data, row)) nulls++
        else add(row)
      }
    }
  })
  const { values, exact } = counter.top(TOP)
  return {
    ...EMPTY,
    rows: pass.rows,
    nulls,
    distinct: counter.distinct.get(pass.rows - nulls),
    top: { exact, values: values.map((kept) => ({ text: pass.text(type, kept) ?? '', count: kept.count })) },
  }
}

function adderOf(counter: TopCounter, data: Data, batch: number): (row: number) => void {
  const { values, valueOffsets, offset } = data
  if (valueOffsets) return (row) => counter.add(values, valueOffsets[row], valueOffsets[row + 1], batch, row)
  // BOOLEAN: a bit each.
  return (row) => {
    const bit = (values[(offset + row) >> 3] >> ((offset + row) & 7)) & 1
    counter.count(bit ? 0x5bd1e995 : 0x1b873593, bit, batch, row)
  }
}
