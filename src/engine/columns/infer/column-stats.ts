import type { ColumnFlag, ValueFormat } from '../../../tables/plan.ts'
import type { ColumnType } from '../../../tables/types.ts'
import * as kinds from './kinds.ts'
import type { NumberFindings } from './numbers.ts'

/** The decimal mark. */
export type Mark = '.' | ','

/** Numbers that aren't written plainly, such as `1.234,56 €`. */
export interface FormattedNumbers {
  readonly hits: number
  /** Texts that aren't such numbers. */
  readonly misses: number
  /** Separators before fractions, and between groups, as masks of `text-bytes.ts`. */
  readonly marks: number
  readonly groups: number
  /** Values with one separator that may be a decimal mark or not: `1.234`, `1,234`; and their most digits before it. */
  readonly points: number
  readonly commas: number
  readonly eitherWhole: number
  /** Digits before the first separator, of grouped numbers. */
  readonly fewest: number
  readonly most: number
  /** The ways in which values are negative, other than a minus in front, as a mask. */
  readonly negatives: number
  /** Numbers with a plus before them. */
  readonly plus: number
  /** How many values have each currency. */
  readonly units: ReadonlyMap<string, number>
  readonly percents: number
  /** Values with k, M or bn. */
  readonly scaled: number
  readonly integers: number
  readonly decimals: number
  /** Values with an exponent: `1,5E+3`. */
  readonly exponents: number
  readonly numbers: NumberFindings
  readonly example: string
}

/** Dates and times that are neither ISO nor three numbers with a year of four digits. */
export interface FormattedDates {
  readonly hits: number
  readonly misses: number
  /** The patterns that read every value. */
  readonly patterns: readonly string[]
  /** Values that begin with a zero (`09:30`), and with a single digit (`9:30`). */
  readonly padded: number
  readonly short: number
  readonly example: string
  /** Values that are written differently as text, and as JSON. */
  readonly text: Rewrites
  readonly json: Rewrites
}

/** The words of a column that has no others, by how they're spelled, with how many values are each. */
export type Words = ReadonlyMap<string, number>

/** What all values of a column are: parts of years, for which there is no type. */
export type Period = 'month' | 'quarter'

/** How many values are so, and what they are; null where there are none, or others too. */
export type Periods = { readonly period: Period; readonly count: number } | null

/** By kind, how many values aren't in the canonical form, and the first of each. */
export interface NonCanonical {
  readonly counts: Float64Array
  readonly texts: readonly string[]
}

/** How values are written. */
export interface Spellings {
  /** Values not in the canonical text of their kind; for numbers, that of a double. */
  readonly text: NonCanonical
  /** Timestamps that JSON writes differently. */
  readonly json: NonCanonical
  /** Decimals that begin with the point, by their number of digits after it. */
  readonly pointFirst: readonly number[]
  readonly pointFirstText: string
  /** The fewest digits that a decimal has after the point. */
  readonly leastScale: number
  readonly leastScaleText: string
}

/** Statistics of a column's values; arrays are indexed by kind. Plain data, so that it can cross between threads. */
export interface ColumnStats {
  readonly nulls: number
  readonly counts: Float64Array
  /** From 1; 0 when there's none. */
  readonly firstRows: Float64Array
  readonly firstTexts: readonly string[]
  readonly numbers: NumberFindings
  /** The orders by which every date that isn't ISO is a date. */
  readonly orders: number
  readonly separator: number
  readonly maxFraction: number
  readonly outsideNanos: boolean
  readonly nullLike: ReadonlyMap<string, number>
  /** Numbers that may stand for a missing measurement, such as -999, with their counts. */
  readonly unmeasured: ReadonlyMap<string, number>
  readonly spellings: Spellings
  /** Of texts: numbers that aren't plain, dates and times by a pattern, words; those with spaces around them, and what they'd be without. */
  readonly formattedNumbers: FormattedNumbers
  readonly formattedDates: FormattedDates
  readonly words: Words | null
  readonly periods: Periods
  /** Texts such as `="00123"`, and the first of them. */
  readonly formulas: { readonly count: number; readonly text: string }
  readonly spaced: { readonly count: number; readonly text: string; readonly stats: ColumnStats } | null
}

/** What a file's columns reveal about each other. */
export interface Conventions {
  /** The decimal mark; absent if nothing reveals it. */
  readonly mark?: Mark
  /** Which comes first in dates such as 03/04/2025. */
  readonly order?: 'day' | 'month'
  /** What separates the file's fields. */
  readonly delimiter?: string
}

/** How many values would be written differently as values of their type, and one of them. */
export interface Rewrites {
  readonly count: number
  readonly from: string
  /** The same, as JSON has values of the type; absent where it's no other. */
  readonly json?: { readonly count: number; readonly from: string }
}

/** A column's type, and why. */
export interface InferredType {
  readonly type: ColumnType
  readonly reason: string
  readonly flags?: readonly ColumnFlag[]
  readonly format?: ValueFormat
  /** What else the values may be, the likeliest first; the person decides. */
  readonly choices?: readonly Choice[]
  /** Where the format doesn't tell. */
  readonly rewrites?: Rewrites
}

/** An uncertain reading of a column's values. */
export interface Choice {
  readonly code: string
  readonly type: ColumnType
  readonly format: ValueFormat
  /** A value as written in the file. */
  readonly from: string
  /** How it's read, for people; by default the value as text. */
  readonly words?: (value: string) => string
  /** What it would change, if that isn't all values. */
  readonly message?: string
  /** Nothing distinguishes it from the others. */
  readonly ambiguous?: boolean
}

/** How many values there are. */
export const valueCount = ({ counts }: ColumnStats): number => counts.reduce((total, each) => total + each, 0)

const NOT_TEXTS = [
  kinds.INTEGER,
  kinds.DECIMAL,
  kinds.EXPONENT,
  kinds.CODE,
  kinds.LEADING_ZEROS,
  kinds.PLUS,
  kinds.MINUS_ZERO,
  kinds.SPECIAL,
  kinds.BOOLEAN,
]

/** The statistics of values that are texts although they look like numbers or booleans, because their source says so. */
export function asTexts(stats: ColumnStats): ColumnStats {
  const [counts, firstRows, firstTexts] = [stats.counts.slice(), stats.firstRows.slice(), [...stats.firstTexts]]
  for (const kind of NOT_TEXTS) {
    if (counts[kind] === 0) continue
    if (counts[kinds.TEXT] === 0 || firstRows[kind] < firstRows[kinds.TEXT]) {
      firstRows[kinds.TEXT] = firstRows[kind]
      firstTexts[kinds.TEXT] = firstTexts[kind]
    }
    counts[kinds.TEXT] += counts[kind]
    counts[kind] = 0
  }
  return { ...stats, counts, firstRows, firstTexts }
}

/* Parts of the sentences about what was found. */

export const print = (count: number): string => count.toLocaleString('en-US')
export const quote = (text: string): string => `“${text}”`
export const all = (count: number, what: string, whatOne: string): string =>
  count === 1 ? `The one value is ${whatOne}` : `All ${print(count)} values are ${what}`
