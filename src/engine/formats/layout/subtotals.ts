import { formatCount, plural } from '../../../lib/counts.ts'
import type { Note, Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import { isTotalLabel, Sum, totalsIn } from './ends.ts'

/* Finds rows within a table that are sums of those above them: `North Total`, `Zwischensumme`; or a total at its top. */

/** A label ends with a word for total after its group's name, as Excel writes it, or is a word for subtotal alone. */
const LABEL =
  /(^|\s)(sub-?totals?|totals?|zwischensumme|teilsumme|summe|ergebnis|gesamt|sous-totale?|totale?s?|subtotale|subtotaal|totaal|delsumma|delsum|summa|suma|součet|toplam|итог)$|^(zwischensumme|teilsumme|sous-total|delsumma|delsum|mezisoučet|ara toplam|välisumma|részösszeg|промежуточный итог|小計|小计|소계)(?![\p{L}\d])/iu
/** SAP's lists mark totals, and totals of totals. Elsewhere stars mark notes or significance. */
const STARS = /^\*{1,3}$/
const LONGEST = 100

/** Whether a text labels its row as the total of rows above. */
export const isSubtotalLabel = (text: string): boolean =>
  text.length <= LONGEST && (isTotalLabel(text) || LABEL.test(text.trim()) || STARS.test(text.trim()))

/** Number of a row's first cells that may have the label. */
export const LABEL_CELLS = 3

/**
 * These first rows are all checked; after them, up to the second number, only those with blank cells, as totals have
 * them.
 */
const FIRST = 40
const MOST = 20_000

/** A cheap check for rows that may be subtotals, so that few tables have to be added up. */
export class SubtotalScout {
  /** Whether some row has the label of a total. */
  found = false
  private seen = 0

  /** Whether more rows are wanted. Check this before each row, since most rows of large tables aren't. */
  get isLooking(): boolean {
    return !this.found && this.seen < MOST
  }

  /**
   * @param hasBlank whether the row has a blank cell
   * @param texts the row's first texts
   */
  take(hasBlank: () => boolean, texts: () => readonly string[]): void {
    this.seen++
    if (this.seen <= FIRST || hasBlank()) this.found = texts().some(isSubtotalLabel)
  }
}

/** A row that is the sum of rows above, by its row number or line. */
export interface Subtotal {
  readonly row: number
  readonly label: string
  /** Whether it's the table's first row, and the sum of the rows below. */
  readonly isTop?: true
}

/** Minimum number of rows below a total at the top. */
const FEWEST_BELOW = 2
/** Maximum number of places where sums may begin, for groups within groups. */
const MAX_STARTS = 64

/** Rows labeled as totals: those that are correct, and those that seem to be meant as totals but are wrong. */
export interface Subtotals {
  readonly right: readonly Subtotal[]
  readonly wrong: readonly Subtotal[]
}

export const NO_SUBTOTALS: Subtotals = { right: [], wrong: [] }

/** The result of the check, one per decimal mark, that found most. */
export const mostOf = (checks: readonly SubtotalCheck[]): Subtotals => {
  for (const check of checks) check.end()
  const most = checks.reduce((best, each) => (each.right.length > best.right.length ? each : best))
  // A label alone isn't enough: totals have blank cells, or are among other totals.
  const wrong = most.wrong.filter(({ hasBlank }) => hasBlank || most.right.length > 0)
  return { right: most.right, wrong }
}

/**
 * Finds the rows that are labeled as totals and are correct: each is the sum since an earlier total, or since the first
 * row.
 */
export class SubtotalCheck {
  readonly right: Subtotal[] = []
  readonly wrong: (Subtotal & { readonly hasBlank: boolean })[] = []
  /** Number of rows that aren't sums. */
  private rows = 0
  /** The first row, if it has the label of a total. */
  private top: { readonly row: number; readonly numbers: readonly (readonly [number, number])[] } | null = null
  private readonly sums = new Map<number, Sum>()
  /** The previous row. */
  private above: { readonly row: number; readonly texts: readonly string[] } = { row: 0, texts: [] }
  /** Running sums of the columns at each place where a sum may begin. */
  private starts: readonly ReadonlyMap<number, number>[] = [new Map()]

  /**
   * @param row its number
   * @param texts its first texts
   * @param numbers its numbers by column
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
    // A text repeated from row to row is a value, such as “Population, total”.
    const { above } = this
    const isValue = at >= 0 && above.texts[at] === texts[at]
    this.above = { row, texts }
    const isStarred = label !== undefined && STARS.test(label)
    const isTotal = label !== undefined && (!isStarred || this.rows > 1) && this.isTotal(numbers)
    if (isTotal) this.right.push({ row, label })
    else this.add(numbers)
    if (!isTotal) this.rows++
    if (label === undefined) return
    if (this.rows === 1 && !isTotal && !isStarred && numbers.length > 0) this.top = { row, numbers }
    if (!isTotal && isValue) {
      if (this.wrong.at(-1)?.row === above.row) this.wrong.pop()
    } else if (!isTotal && !isStarred && numbers.length > 0) this.wrong.push({ row, label, hasBlank })
    // Correct or not, it ends its group.
    const now = new Map([...this.sums].map(([column, sum]) => [column, sum.value]))
    this.starts = [this.starts[0], ...this.starts.slice(1).slice(-MAX_STARTS), now]
  }

  /** Call after the last row: tells whether the first one is the sum of the others. */
  end(): void {
    const { top, wrong, right, sums } = this
    const [first] = wrong
    if (top === null || first?.row !== top.row || this.rows <= FEWEST_BELOW) return
    const pairs = top.numbers.map(([column, value]) => [(sums.get(column)?.value ?? 0) - value, value] as const)
    if (totalsIn(pairs, []) === 0) return
    wrong.shift()
    right.unshift({ row: first.row, label: first.label, isTop: true })
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

/** Number of rows to list by number. */
const SHOWN = 4

function shownIn(subtotals: readonly Subtotal[], what: 'row' | 'line'): string {
  const shown = subtotals.slice(0, SHOWN).map(({ row, label }) => `“${label}” in ${what} ${formatCount(row)}`)
  return `${shown.join(', ')}${subtotals.length > SHOWN ? ', …' : ''}`
}

/**
 * Notes that rows labeled as totals aren't the sums of others, and so are kept.
 * @param last the table's last row, if it's reported as the table's total
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
 * Proposes to leave out rows that are sums of others.
 * @param what the word for counted rows
 */
export function subtotalsProposal(
  subtotals: readonly Subtotal[],
  what: 'row' | 'line',
  settings: Partial<ReadSettings>,
): Proposal {
  const count = subtotals.length
  const isTop = subtotals[0].isTop === true
  const has = count === 1 ? 'has' : 'have'
  return {
    code: 'subtotal-rows',
    label: `Apply: leave out ${isTop && count === 1 ? 'the total at the top' : plural(count, 'subtotal')}`,
    message: `${plural(count, 'row')} ${has} the sums of ${isTop ? 'other rows' : 'rows above'}: ${shownIn(subtotals, what)}.`,
    count,
    change: { kind: 'reading', settings },
  }
}
