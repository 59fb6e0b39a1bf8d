import { formatCount, plural } from '../../../lib/counts.ts'
import type { Note, SourceRow, SourceRows, Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import { shortened } from '../../../lib/text.ts'
import { isTyped } from './cells.ts'

/** Numbers of rows to show from a file's beginning and end. */
const HEAD = 60
const TAIL = 20
const MAX_TEXT = 200

/** Keeps the first and last rows of a file. */
export class Ends<T> {
  private readonly head: T[] = []
  private tail: T[] = []
  private count = 0

  /** @param make copies a row that is valid only until the next one */
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
 * Says that the person left out rows at the end.
 * @param first the first text in the first of these rows
 */
export function lastRowsNote(count: number, first: string): Note {
  const rows = count === 1 ? 'row' : `${formatCount(count)} rows`
  const text = shownText(first.trim())
  const what = isTotalLabel(text) && count === 1 ? ': it was a total' : text === '' ? '' : `, from “${text}” on`
  return { code: 'last-rows-left-out', message: `You left out the last ${rows}${what}.`, count }
}

/** A cell's text, shortened for display. */
export const shownText = (text: string): string => shortened(text, MAX_TEXT)

/** Maximum number of rows of remarks beside a table. */
export const MAX_REMARKS = 10

const TOTAL =
  /^(grand |sub-?)?totals?\b|^(sum|summe|gesamt|gesamtsumme|endsumme|insgesamt|(gesamt)?ergebnis|somme|totale?s?|totaux|suma|soma|totaal|som|razem|suma|toplam|celkem|összesen|yhteensä|totalt|totalsumma|summa|i alt|hovedtotal|eindtotaal|genel toplam|celkový součet|végösszeg|kaikki yhteensä)(?![\p{L}\d])|^(итого|всего|общий итог|合計|合计|总计|總計|総計|합계|총합계|סך הכל|المجموع)/iu

/** Whether a text is a usual label of a total, in the most common languages. */
export const isTotalLabel = (text: string): boolean => TOTAL.test(text.trim())

/** A compensated sum of doubles (Neumaier, 1974). */
export class Sum {
  /** Sum of the absolute values. */
  size = 0
  /** Number of addends other than 0. */
  addends = 0
  private sum = 0
  private lost = 0

  add(value: number): void {
    this.size += Math.abs(value)
    if (value !== 0) this.addends++
    const next = this.sum + value
    this.lost += Math.abs(this.sum) >= Math.abs(value) ? this.sum - next + value : value - next + this.sum
    this.sum = next
  }

  get value(): number {
    return this.sum + this.lost
  }
}

/** How far a total may be from the sum: half a cent, plus the rounding of large doubles. */
const CENT = 0.005
const ULPS = 4 * Number.EPSILON

const isSumOf = (sum: number, total: number): boolean => Math.abs(sum - total) <= CENT + Math.abs(total) * ULPS

/**
 * Number of columns with their total in a row; 0 if it isn't a total. At least half of its numbers must equal the sum
 * above, to the cent. A single number may be the sum of another column: some bank statements have it below the
 * balances.
 * @param pairs for each number in the row, the sum above it and the number
 * @param sums the sum of each column
 */
export function totalsIn(pairs: readonly (readonly [sum: number, total: number])[], sums: Iterable<number>): number {
  const right = pairs.filter(([sum, total]) => isSumOf(sum, total)).length
  const tells = pairs.some(([sum, total]) => total !== 0 && isSumOf(sum, total))
  if (tells) return right * 2 >= pairs.length ? right : 0
  const [[, alone] = [0, 0]] = pairs
  return pairs.length === 1 && alone !== 0 && [...sums].some((sum) => isSumOf(sum, alone)) ? 1 : 0
}

/** Decimal marks in amounts that are text. */
export const MARKS = ['.', ','] as const
export type Mark = (typeof MARKS)[number]

/** A row's numbers, with their columns. */
type Numbers = Iterable<readonly [column: number, value: number]>

/** Minimum number of addends other than 0 that make a sum convincing by itself. */
const FEWEST_ADDENDS = 3

/** Sums of a table's columns, to check whether the row below has their totals. */
class ColumnSums {
  private readonly sums = new Map<number, Sum>()

  add(numbers: Numbers): void {
    for (const [column, value] of numbers) {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    }
  }

  /** Number of columns with their total in a row that calls itself a total; see `totalsIn`. */
  totalsIn(numbers: Numbers): number {
    const pairs = [...numbers].map(([column, value]) => [this.sums.get(column)?.value ?? 0, value] as const)
    return totalsIn(
      pairs,
      [...this.sums.values()].map(({ value }) => value),
    )
  }

  /**
   * Number of columns with their total in a row without a name; 0 unless at least two are exact sums of several
   * numbers. Rates and averages beside them may have any value.
   */
  unnamedTotalsIn(numbers: Numbers): number {
    const right = [...numbers].filter(([column, total]) => {
      const sum = this.sums.get(column)
      if (total === 0 || !sum || sum.addends < FEWEST_ADDENDS) return false
      return Math.abs(sum.value - total) <= sum.size * ULPS
    }).length
    return right < 2 ? 0 : right
  }
}

/** Checks whether a table's last row has the sums of its columns, with either decimal mark. */
export class TotalSums {
  private readonly checks = MARKS.map((mark) => ({ mark, sums: new ColumnSums() }))

  /**
   * Adds a row above.
   * @param numbersIn its numbers, including amounts with the given mark
   */
  add(numbersIn: (mark: Mark) => Numbers): void {
    for (const { mark, sums } of this.checks) sums.add(numbersIn(mark))
  }

  /**
   * Number of columns whose sum is in the last row; 0 if it's no total.
   * @param numbersIn its numbers, including amounts with the given mark
   * @param isNamed whether it calls itself a total
   */
  columns(numbersIn: (mark: Mark) => Numbers, isNamed: boolean): number {
    return Math.max(
      ...this.checks.map(({ mark, sums }) =>
        isNamed ? sums.totalsIn(numbersIn(mark)) : sums.unnamedTotalsIn(numbersIn(mark)),
      ),
    )
  }
}

/** Minimum number of rows in a table whose last one may be a total without a name. */
export const FEWEST_ROWS = 5

/** Whether a row's cells look like a total without a name: the first is blank, and the others aren't words. */
export const isUnnamed = ([first = '', ...others]: readonly string[]): boolean =>
  first.trim() === '' && others.every((text) => text.trim() === '' || isTyped(text))

/** @param columns number of columns with their sum in it */
export function unnamedTotalProposal(columns: number, settings: Partial<ReadSettings>): Proposal {
  return {
    code: 'total-row',
    label: 'Apply: leave out the last row',
    message: `The last row has no name, but looks like a total of ${plural(columns, 'column')}: the sums are right.`,
    count: 1,
    change: { kind: 'reading', settings },
  }
}

/**
 * @param columns number of columns with their sum in it; if 0, only the person can decide whether it's a total
 * @param below number of rows after the total, which are left out, too
 */
export function totalProposal(label: string, columns: number, settings: Partial<ReadSettings>, below = 0): Proposal {
  const what =
    columns > 0
      ? `looks like a total of ${plural(columns, 'column')}: the sums are right`
      : 'looks like a total by its name, but isn’t the sum of the rows above'
  return {
    code: 'total-row',
    label: below > 0 ? `Apply: leave out the last ${below + 1} rows` : 'Apply: leave out the last row',
    message:
      below > 0
        ? `The row “${label}”, with ${plural(below, 'row')} below it, ${what}.`
        : `The last row, “${label}”, ${what}.`,
    count: below + 1,
    ...(columns > 0 ? {} : { ambiguous: true }),
    change: { kind: 'reading', settings },
  }
}

interface Remarks {
  readonly fit: boolean
  readonly isUnsure?: boolean
  /** Whether there are other values beside the text, as in a balance below bookings. */
  readonly beside?: boolean
}

/**
 * Proposes to leave out remarks at the end: text in one column, unlike the values above, which only the person can
 * decide; or rows that are rejected for having too few fields, or filled up, which only the person can decide, too.
 */
export function remarksProposal(
  text: string,
  count: number,
  settings: Partial<ReadSettings>,
  { fit, isUnsure = fit, beside = false }: Remarks,
): Proposal {
  const shown = shortened(text, 60)
  const what =
    count === 1 ? `The last row, “${shown}”, has` : `The last ${count} rows, of which the last one is “${shown}”, have`
  const how = beside
    ? 'text and blank cells beside it, unlike'
    : fit
      ? 'text in the first column alone, unlike'
      : 'fewer fields than'
  return {
    code: 'remarks-below',
    label: `Apply: leave out the last ${count === 1 ? 'row' : `${count} rows`}`,
    message: `${what} ${how} the rows above, as ${beside ? 'balances and averages' : 'remarks'} often do.`,
    count,
    ...(isUnsure ? { ambiguous: true } : {}),
    change: { kind: 'reading', settings },
  }
}

const AMOUNT: Readonly<Record<Mark, RegExp>> = {
  '.': /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?-?$/,
  ',': /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?-?$/,
}

/**
 * A number as written in offices: grouped, with a currency, in brackets or with a trailing minus. NaN if it isn't one.
 */
export function amountOf(text: string, mark: Mark): number {
  const plain = text
    .replaceAll(/[\s'’€$£¥￥]|EUR|USD|CHF|GBP/g, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace('−', '-')
  if (!AMOUNT[mark].test(plain)) return Number.NaN
  const digits = plain.replaceAll(mark === '.' ? ',' : '.', '').replace(',', '.')
  return digits.endsWith('-') ? -Number(digits.slice(0, -1)) : Number(digits)
}
