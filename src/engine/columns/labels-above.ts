import type { ReadColumn } from './column-builder.ts'

type FillableColumn = Pick<ReadColumn, 'index' | 'format'>

/**
 * The labels that hold for blank cells below them, by column. Of adjacent columns, a label in one ends those right of
 * it: the first row of a group doesn't belong to the last subgroup of the group before.
 */
export class LabelsAbove<T> {
  /** The file's columns that are filled, from left to right. */
  readonly columns: readonly number[]
  private readonly held = new Map<number, T>()

  constructor(columns: readonly FillableColumn[]) {
    const filled = columns.filter(({ format }) => format?.fillDown).map(({ index }) => index)
    this.columns = [...new Set(filled)].toSorted((a, b) => a - b)
  }

  /** The label that holds for a blank cell in the next row. */
  above(column: number): T | undefined {
    return this.held.get(column)
  }

  /** Sets a column's label. Call this for each of a row's labels, from left to right. */
  set(column: number, label: T): void {
    this.held.set(column, label)
    for (let right = column + 1; this.columns.includes(right); right++) this.held.delete(right)
  }

  /** Forgets all labels: those of a row are unknown. */
  forget(): void {
    this.held.clear()
  }

  /** Changes how the labels are kept. */
  replace(change: (label: T) => T): void {
    for (const [column, label] of this.held) this.held.set(column, change(label))
  }
}

/** A row's cells with its blank ones filled, given the values above it. */
export function filledFrom(
  cells: readonly (string | null)[],
  above: readonly (string | null)[],
  columns: readonly FillableColumn[],
): (string | null)[] {
  const labels = new LabelsAbove<string>(columns)
  const filled = [...cells]
  for (const column of labels.columns) if (above[column]) labels.set(column, above[column])
  for (const column of labels.columns) {
    const own = cells[column]
    if (own) labels.set(column, own)
    else filled[column] = labels.above(column) ?? own
  }
  return filled
}
