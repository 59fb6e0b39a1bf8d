import { formatCount, plural } from '../../../lib/counts.ts'
import type { Note, Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import { isTotalLabel, Sum, totalsIn } from './ends.ts'

/* Rows within a table that have the sums of those above them: `North Total`, `Zwischensumme`. */

/** A total's name stands after that of its group, as Excel writes it, or is of a subtotal alone. */
const LABEL =
  /(^|\s)(sub-?totals?|totals?|zwischensumme|teilsumme|summe|ergebnis|gesamt|sous-totale?|totale?s?|subtotale|subtotaal|totaal|delsumma|delsum|summa|suma|součet|toplam|итог)$|^(zwischensumme|teilsumme|sous-total|delsumma|delsum|mezisoučet|ara toplam|välisumma|részösszeg|промежуточный итог|小計|小计|소계)(?![\p{L}\d])/iu
const LONGEST = 100

/** Whether a row's text calls it the total of rows above. */
const isSubtotalLabel = (text: string): boolean =>
  text.length <= LONGEST && (isTotalLabel(text) || LABEL.test(text.trim()))

/** A row's first texts that may say what it is. */
export const LABEL_CELLS = 3

/** Rows that are looked at whatever they look like; after them those that have blank cells, as totals do. */
const FIRST = 40
const MOST = 20_000

/** Looks cheaply for rows that may be subtotals, so that few tables are added up. */
export class SubtotalScout {
  /** Whether some row calls itself a total. */
  found = false
  private seen = 0

  /** Whether more rows are wanted: asked before each, for most rows of large tables aren't. */
  get isLooking(): boolean {
    return !this.found && this.seen < MOST
  }

  /**
   * @param hasBlank whether the row has a blank cell
   * @param texts its first ones
   */
  take(hasBlank: () => boolean, texts: () => readonly string[]): void {
    this.seen++
    if (this.seen <= FIRST || hasBlank()) this.found = texts().some(isSubtotalLabel)
  }
}

/** A row that has the sums of rows above, by its number or its line. */
export interface Subtotal {
  readonly row: number
  readonly label: string
}

/** Of places that sums can begin at, as many are tried: groups within groups. */
const MAX_STARTS = 64

/** The rows that call themselves totals: those that are, and those that may be meant to be and aren't. */
export interface Subtotals {
  readonly right: readonly Subtotal[]
  readonly wrong: readonly Subtotal[]
}

export const NO_SUBTOTALS: Subtotals = { right: [], wrong: [] }

/** Which of several checks, each with a decimal mark, found most. */
export const mostOf = (checks: readonly SubtotalCheck[]): Subtotals => {
  const most = checks.reduce((best, each) => (each.right.length > best.right.length ? each : best))
  // A name alone makes no total: totals have blanks, or stand among others.
  const wrong = most.wrong.filter(({ hasBlank }) => hasBlank || most.right.length > 0)
  return { right: most.right, wrong }
}

/** Finds the rows that call themselves totals and are: in each the sums since another one, or since the first row. */
export class SubtotalCheck {
  readonly right: Subtotal[] = []
  readonly wrong: (Subtotal & { readonly hasBlank: boolean })[] = []
  private readonly sums = new Map<number, Sum>()
  /** The row before. */
  private above: { readonly row: number; readonly texts: readonly string[] } = { row: 0, texts: [] }
  /** What the columns came to at each place that sums can begin at. */
  private starts: readonly ReadonlyMap<number, number>[] = [new Map()]

  /**
   * @param row its number
   * @param texts its first ones
   * @param numbers by column
   * @param hasBlank whether it has a blank cell
   */
  take(
    row: number,
    texts: readonly string[],
    numbers: readonly (readonly [column: number, value: number])[],
    hasBlank: boolean,
  ): void {
    const at = texts.findIndex(isSubtotalLabel)
    const label = at < 0 ? undefined : texts[at].trim()
    // What row after row says is a value, such as “Population, total”.
    const { above } = this
    const isValue = at >= 0 && above.texts[at] === texts[at]
    this.above = { row, texts }
    const isTotal = label !== undefined && this.isTotal(numbers)
    if (isTotal) this.right.push({ row, label })
    else this.add(numbers)
    if (label === undefined) return
    if (!isTotal && isValue) {
      if (this.wrong.at(-1)?.row === above.row) this.wrong.pop()
    } else if (!isTotal && numbers.length > 0) this.wrong.push({ row, label, hasBlank })
    // Right or wrong, it ends its group.
    const now = new Map([...this.sums].map(([column, sum]) => [column, sum.value]))
    this.starts = [this.starts[0], ...this.starts.slice(1).slice(-MAX_STARTS), now]
  }

  private add(numbers: readonly (readonly [column: number, value: number])[]): void {
    for (const [column, value] of numbers) {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    }
  }

  private isTotal(numbers: readonly (readonly [column: number, value: number])[]): boolean {
    return this.starts.some((start) => {
      const pairs = numbers.map(
        ([column, value]) => [(this.sums.get(column)?.value ?? 0) - (start.get(column) ?? 0), value] as const,
      )
      return totalsIn(pairs, []) > 0
    })
  }
}

/** Rows whose numbers are listed. */
const SHOWN = 4

function shownIn(subtotals: readonly Subtotal[], what: 'row' | 'line'): string {
  const shown = subtotals.slice(0, SHOWN).map(({ row, label }) => `“${label}” in ${what} ${formatCount(row)}`)
  return `${shown.join(', ')}${subtotals.length > SHOWN ? ', …' : ''}`
}

/**
 * That rows call themselves totals and aren't the sums of others: nothing is left out for it.
 * @param last the table's last row, where that is reported as its total
 */
export function wrongSubtotalsNote(wrong: readonly Subtotal[], what: 'row' | 'line', last: number | undefined): Note[] {
  const listed = wrong.filter(({ row }) => row !== last)
  if (listed.length === 0) return []
  const says =
    listed.length === 1
      ? '1 row calls itself a total, but doesn’t have the sums of the rows above, and is read as a row'
      : `${formatCount(listed.length)} rows call themselves totals, but don’t have the sums of the rows above, and are read as rows`
  return [{ code: 'wrong-subtotals', message: `${says}: ${shownIn(listed, what)}.`, count: listed.length }]
}

/**
 * That rows which have the sums of others are left out.
 * @param what rows are called where they're counted
 */
export function subtotalsProposal(
  subtotals: readonly Subtotal[],
  what: 'row' | 'line',
  settings: Partial<ReadSettings>,
): Proposal {
  const count = subtotals.length
  return {
    code: 'subtotal-rows',
    label: `Apply: leave out ${plural(count, 'subtotal')}`,
    message: `${plural(count, 'row')} ${count === 1 ? 'has' : 'have'} the sums of rows above: ${shownIn(subtotals, what)}.`,
    count,
    change: { kind: 'reading', settings },
  }
}
