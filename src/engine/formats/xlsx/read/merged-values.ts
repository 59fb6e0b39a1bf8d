import type { Range } from '../../../../tables/range.ts'
import { EngineError } from '../../../errors.ts'
import type { Sheet, SheetFacts } from './book.ts'
import { type Row, SHARED } from './row.ts'

/** The value of a cell merged over several rows. */
interface MergedValue {
  readonly column: number
  readonly top: number
  readonly bottom: number
  readonly kind: number
  readonly style: number
  /** Index of a shared string, or else the text. */
  readonly value: number | Uint8Array
}

/** Repeats the value of a cell merged over several rows in each of these rows. */
export class MergedValues {
  /** Number of cells filled with a value. */
  count = 0
  private readonly merges: readonly Range[]
  private next = 0
  private values: MergedValue[] = []

  /** @param merges those whose values are to be repeated */
  constructor(merges: readonly Range[]) {
    this.merges = merges.toSorted((a, b) => a.top - b.top)
  }

  /** Remembers the values of merged cells that begin in a row. Call it in the sheet's order. */
  note(row: Row): void {
    const { merges } = this
    for (; this.next < merges.length && merges[this.next].top <= row.number; this.next++) {
      const { top, bottom, left } = merges[this.next]
      const slot = top === row.number ? row.column.subarray(0, row.count).indexOf(left) : -1
      if (slot < 0) continue
      const [kind, style, start, end] = [row.kind[slot], row.style[slot], row.start[slot], row.end[slot]]
      const value = kind === SHARED ? start : row.text.bytes.slice(start, end)
      this.values.push({ column: left, top, bottom, kind, style, value })
    }
  }

  /** Fills in the values of cells merged over a row; returns the row itself if there are none. */
  fill(row: Row): Row {
    if (this.values.length === 0) return row
    this.values = this.values.filter(({ bottom }) => bottom >= row.number)
    let filled: Row | null = null
    // Some programs write overlapping merged cells: the one that begins last counts.
    for (const { column, top, kind, style, value } of this.values.toReversed()) {
      const current = filled ?? row
      if (top >= row.number || current.column.subarray(0, current.count).includes(column)) continue
      // A parser may pass on the same row again, so don't change it.
      filled ??= row.copy()
      filled.bare = false
      this.count++
      if (typeof value === 'number') filled.insert(column, kind, style, value, 0)
      else {
        const start = filled.text.length
        filled.text.append(value)
        filled.insert(column, kind, style, start, filled.text.length)
      }
    }
    return filled ?? row
  }
}

/**
 * The merged cells of a sheet. Since most formats store them after the rows, the whole sheet is read.
 * @throws {EngineError} like `allMerges`
 */
export async function mergesOf(sheet: Sheet, signal: AbortSignal): Promise<readonly Range[]> {
  const stream = await sheet.open(() => undefined, signal)
  try {
    while (await stream.step());
  } finally {
    await stream.close()
  }
  return allMerges(sheet, stream.facts)
}

/** @throws {EngineError} `too-large` if there are more than were kept */
export function allMerges({ name }: Sheet, { merges, mergedRanges }: SheetFacts): readonly Range[] {
  if (merges.length === mergedRanges) return merges
  throw new EngineError('too-large', `Sheet “${name}” has too many merged cells to repeat their values.`, {
    remedy: 'Undo the repeating of merged values, or unmerge the cells in the program that made the file.',
  })
}
