import type { ReadColumn } from '../../columns/column-builder.ts'
import { LabelsAbove } from '../../columns/labels-above.ts'
import type { ReadBatch } from '../types.ts'
import { areEmpty } from './row-batch.ts'
import type { CsvRows } from './rows.ts'
import { ESCAPED, FINE, MISSING } from './tokenizer.ts'

const decoder = new TextDecoder()

/** The place of a label in the text, and its bytes if it's from an earlier batch. */
interface Label {
  readonly start: number
  readonly end: number
  readonly kind: number
  readonly bytes: Uint8Array | null
}

/**
 * Fills blank cells with the value above, before values are parsed: the label of a row that is rejected afterwards
 * counts, too.
 */
export class FilledRows {
  private readonly rows: CsvRows
  private readonly columns: readonly ReadColumn[]
  private readonly labels: LabelsAbove<Label>
  /** The first field of each of the batch's rows, by its number. */
  private readonly firstFields = new Map<number, number>()
  /** The record of the last row that was passed over. */
  private record = 0
  /** By column: the numbers of the rows whose cell was filled. */
  private readonly filled = new Map<number, Set<number>>()

  constructor(rows: CsvRows, columns: readonly ReadColumn[]) {
    this.rows = rows
    this.columns = columns
    this.labels = new LabelsAbove(columns)
  }

  /** Fills the cells of the batch. Call this once its text checksums are computed. */
  fill(): void {
    const { rows, labels } = this
    for (const column of labels.columns) this.filled.set(column, new Set())
    this.record = 0
    this.firstFields.clear()
    for (let row = 0; row < rows.count; row++) this.firstFields.set(rows.numbers[row], rows.first[row])
    this.placeLabels()
    const { rejected, numbers } = rows
    let next = 0
    for (let row = 0; row < rows.count; row++) {
      for (; next < rejected.length && rejected[next].row < numbers[row]; next++) this.passOver(next)
      if (!areEmpty(rows.tokenizer, rows.first[row], rows.width)) this.fillRow(rows.first[row], numbers[row])
    }
    for (; next < rejected.length; next++) this.passOver(next)
    const { bytes } = rows.tokenizer
    labels.replace((label) => ({ ...label, bytes: label.bytes ?? bytes.slice(label.start, label.end) }))
  }

  /**
   * Adds how many cells were filled in the rows that were read of the batch, and to rejected rows their cells: their text
   * lacks what was filled.
   */
  take<T extends Pick<ReadBatch, 'rejected'>>(read: T): T & Pick<ReadBatch, 'filled'> {
    const counts = this.columns.map(({ index }) => {
      const filled = this.filled.get(index)
      return filled ? filled.size - read.rejected.filter(({ row }) => filled.has(row)).length : 0
    })
    this.filled.clear()
    const rejected = read.rejected.map((row) => ({ ...row, cells: this.cellsOf(this.firstFields.get(row.row)) }))
    return { ...read, rejected, filled: counts }
  }

  private cellsOf(first = 0): (string | null)[] {
    const { rows } = this
    const isNull = (field: number): boolean => rows.tokenizer.kinds[field] >= MISSING
    return Array.from({ length: rows.width }, (_, i) => (isNull(first + i) ? null : rows.text(first + i)))
  }

  private fillRow(first: number, number: number): void {
    const { labels } = this
    const { starts, ends, kinds } = this.rows.tokenizer
    for (const column of labels.columns) {
      const field = first + column
      const own = this.labelIn(field)
      const above = own ? undefined : labels.above(column)
      if (own) labels.set(column, own)
      if (!above) continue
      starts[field] = above.start
      ends[field] = above.end
      kinds[field] = above.kind
      this.filled.get(column)?.add(number)
    }
  }

  private labelIn(field: number): Label | null {
    const { starts, ends, kinds } = this.rows.tokenizer
    const [start, end, kind] = [starts[field], ends[field], kinds[field]]
    return kind >= MISSING || start === end ? null : { start, end, kind, bytes: null }
  }

  /**
   * Takes the labels of a row with too few or too many fields, and says what is above it, for when it's mended. A single
   * text is a remark.
   */
  private passOver(index: number): void {
    const { labels, rows } = this
    const { line } = rows.rejected[index]
    rows.rejected[index] = { ...rows.rejected[index], above: this.textsAbove() }
    const { firstFields, problems, lines, records } = this.rows.tokenizer
    let { record } = this
    while (record < records && lines[record] !== line) record++
    this.record = record
    if (problems[record] !== FINE) {
      labels.forget()
      return
    }
    const [first, end] = [firstFields[record], firstFields[record + 1]]
    if (end - first < 2) return
    for (const column of labels.columns) {
      const label = first + column < end ? this.labelIn(first + column) : null
      if (label) labels.set(column, label)
    }
  }

  private textsAbove(): (string | null)[] {
    const { labels, rows } = this
    return Array.from({ length: rows.width }, (_, column) => {
      const label = labels.above(column)
      if (!label) return null
      if (label.kind !== ESCAPED) return rows.tokenizer.slice(label.start, label.end)
      const length = rows.unescape(label.start, label.end)
      return decoder.decode(rows.scratch.subarray(0, length))
    })
  }

  /** Puts the labels of earlier batches behind the text, which ends with a sentinel. */
  private placeLabels(): void {
    const { labels } = this
    const { cells, size } = this.rows.tokenizer
    let at = size + 1
    const place = (label: Label): Label => {
      const start = at
      at += label.bytes?.length ?? 0
      return { ...label, start, end: at }
    }
    labels.replace(place)
    cells.fitText(size + 1, at)
    labels.replace((label) => {
      if (label.bytes) cells.bytes.set(label.bytes, label.start)
      return label
    })
  }
}
