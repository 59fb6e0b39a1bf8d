import { formatCount, plural } from '../../../lib/counts.ts'
import type { Note, SourceRow, SourceRows, Proposal } from '../../../tables/plan.ts'
import type { ReadSettings } from '../../../tables/settings.ts'
import { shortened } from '../../../lib/text.ts'
import { isTyped } from './cells.ts'

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
  const text = shownText(first.trim())
  const what = isTotalLabel(text) && count === 1 ? ': it was a total' : text === '' ? '' : `, from “${text}” on`
  return { code: 'last-rows-left-out', message: `You left out the last ${rows}${what}.`, count }
}

/** A cell as it's shown. */
export const shownText = (text: string): string => shortened(text, MAX_TEXT)

/** Remarks beside a table have no more rows. */
export const MAX_REMARKS = 10

const TOTAL =
  /^(grand |sub-?)?totals?\b|^(sum|summe|gesamt|gesamtsumme|endsumme|insgesamt|(gesamt)?ergebnis|somme|totale?s?|totaux|suma|soma|totaal|som|razem|suma|toplam|celkem|összesen|yhteensä|totalt|totalsumma|summa|i alt|hovedtotal|eindtotaal|genel toplam|celkový součet|végösszeg|kaikki yhteensä)(?![\p{L}\d])|^(итого|всего|общий итог|合計|合计|总计|總計|総計|합계|총합계|סך הכל|المجموع)/iu

/** Whether a row's first text calls it a total, in the languages that most tables are in. */
export const isTotalLabel = (text: string): boolean => TOTAL.test(text.trim())

/** A sum of numbers that keeps what doubles lose when they're added (Neumaier, 1974). */
export class Sum {
  /** Of the numbers without their signs. */
  size = 0
  /** Numbers that aren't 0. */
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

/** How far a total may be from the sum: half a cent, and what a double can't tell of large ones. */
const CENT = 0.005
const ULPS = 4 * Number.EPSILON

const isSumOf = (sum: number, total: number): boolean => Math.abs(sum - total) <= CENT + Math.abs(total) * ULPS

/**
 * Of how many columns a row has the total; 0 where it isn't one: at least half of its numbers are the sum, to the cent, of
 * those above. A number alone may be the sum of another column: a bank's list has it below the balances.
 * @param pairs of each number in the row: what is above it comes to, and the number
 * @param sums what each column comes to
 */
export function totalsIn(pairs: readonly (readonly [sum: number, total: number])[], sums: Iterable<number>): number {
  const right = pairs.filter(([sum, total]) => isSumOf(sum, total)).length
  const tells = pairs.some(([sum, total]) => total !== 0 && isSumOf(sum, total))
  if (tells) return right * 2 >= pairs.length ? right : 0
  const [[, alone] = [0, 0]] = pairs
  return pairs.length === 1 && alone !== 0 && [...sums].some((sum) => isSumOf(sum, alone)) ? 1 : 0
}

/** Decimal marks of amounts that are typed as text. */
export const MARKS = ['.', ','] as const
export type Mark = (typeof MARKS)[number]

/** Numbers of a row, each with its column. */
type Numbers = Iterable<readonly [column: number, value: number]>

/** Numbers other than 0 that a sum has at least where it tells by itself that it's one. */
const FEWEST_ADDENDS = 3

/** What a table's columns come to, to tell whether the row below has their totals. */
class ColumnSums {
  private readonly sums = new Map<number, Sum>()

  add(numbers: Numbers): void {
    for (const [column, value] of numbers) {
      let sum = this.sums.get(column)
      if (!sum) this.sums.set(column, (sum = new Sum()))
      sum.add(value)
    }
  }

  /** Of how many columns a row that calls itself a total has it, as `totalsIn`. */
  totalsIn(numbers: Numbers): number {
    const pairs = [...numbers].map(([column, value]) => [this.sums.get(column)?.value ?? 0, value] as const)
    return totalsIn(
      pairs,
      [...this.sums.values()].map(({ value }) => value),
    )
  }

  /**
   * Of how many columns a row without a name has the total; 0 where fewer than two tell that it's one: the exact sum of
   * several numbers. Rates and averages beside them may be anything.
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

/** Whether a table's last row has the sums of its columns, with either decimal mark. */
export class TotalSums {
  private readonly checks = MARKS.map((mark) => ({ mark, sums: new ColumnSums() }))

  /** Adds a row above. @param numbersIn its numbers, and its amounts with that mark */
  add(numbersIn: (mark: Mark) => Numbers): void {
    for (const { mark, sums } of this.checks) sums.add(numbersIn(mark))
  }

  /**
   * How many columns have their sum in the last row; 0 where it's no total.
   * @param numbersIn its numbers, and its amounts with that mark
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

/** Rows that a table has at least where the last one may be a total without a name. */
export const FEWEST_ROWS = 5

/** Whether a row's cells are those of a total without a name: nothing in the first one, and no word in the others. */
export const isUnnamed = ([first = '', ...others]: readonly string[]): boolean =>
  first.trim() === '' && others.every((text) => text.trim() === '' || isTyped(text))

/** @param columns how many have their sum there */
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
 * @param columns how many have their sum there: with none, only the person can tell whether it's a total
 * @param below rows that are after the total, and go with it
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

/**
 * That rows at the end are remarks: text in one column, below values of another kind, which only the person can tell; or
 * rows that have too few fields to be read.
 */
export function remarksProposal(
  text: string,
  count: number,
  settings: Partial<ReadSettings>,
  { fit }: { readonly fit: boolean },
): Proposal {
  const shown = shortened(text, 60)
  const what =
    count === 1 ? `The last row, “${shown}”, has` : `The last ${count} rows, of which the last one is “${shown}”, have`
  return {
    code: 'remarks-below',
    label: `Apply: leave out the last ${count === 1 ? 'row' : `${count} rows`}`,
    message: `${what} ${fit ? 'text in the first column alone, unlike' : 'fewer fields than'} the rows above: remarks look so.`,
    count,
    ...(fit ? { ambiguous: true } : {}),
    change: { kind: 'reading', settings },
  }
}

const AMOUNT: Readonly<Record<Mark, RegExp>> = {
  '.': /^[+-]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?-?$/,
  ',': /^[+-]?(\d{1,3}(\.\d{3})+|\d+)(,\d+)?-?$/,
}

/** A number as offices write it: grouped, with a currency, in brackets or with the minus after it; NaN for others. */
export function amountOf(text: string, mark: Mark): number {
  const plain = text
    .replaceAll(/[\s'’€$£¥￥]|EUR|USD|CHF|GBP/g, '')
    .replace(/^\((.*)\)$/, '-$1')
    .replace('−', '-')
  if (!AMOUNT[mark].test(plain)) return Number.NaN
  const digits = plain.replaceAll(mark === '.' ? ',' : '.', '').replace(',', '.')
  return digits.endsWith('-') ? -Number(digits.slice(0, -1)) : Number(digits)
}
