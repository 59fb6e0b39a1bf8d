import { formatCount } from '../../../lib/counts.ts'
import type { Note, SourceRow, SourceRows } from '../../../tables/plan.ts'
import { isTotalLabel } from './totals.ts'

/** Rows that are shown of a file's beginning, and of its end. */
const HEAD = 60
const TAIL = 20
const MAX_TEXT = 200

/** Keeps the first and the last rows of a file. */
export class Ends<T> {
  private readonly head: T[] = []
  private tail: T[] = []
  private count = 0

  /** @param make keeps a row that is gone after the next one */
  add(make: () => T): void {
    this.count++
    if (this.head.length < HEAD) {
      this.head.push(make())
      return
    }
    this.tail.push(make())
    if (this.tail.length > TAIL * 2) this.tail = this.tail.slice(-TAIL)
  }

  rows(print: (row: T) => SourceRow): SourceRows {
    const tail = this.tail.slice(-TAIL)
    return {
      rows: [...this.head, ...tail].map(print),
      hidden: this.count - this.head.length - tail.length,
      head: this.head.length,
    }
  }
}

/**
 * That the person left out rows at the end.
 * @param first the first text of the first of them
 */
export function lastRowsNote(count: number, first: string): Note {
  const rows = count === 1 ? 'row' : `${formatCount(count)} rows`
  const told = shortened(first.trim())
  const what = isTotalLabel(told) && count === 1 ? ': it was a total' : told === '' ? '' : `, from “${told}” on`
  return { code: 'last-rows-left-out', message: `You left out the last ${rows}${what}.`, count }
}

export const shortened = (text: string): string => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text)
