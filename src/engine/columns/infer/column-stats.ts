import type { ColumnFlag, ValueFormat } from '../../../tables/plan.ts'
import type { ColumnType } from '../../../tables/types.ts'
import * as kinds from './kinds.ts'
import type { NumberFindings } from './numbers.ts'

/** What stands before the fraction. */
export type Mark = '.' | ','

/** Numbers in another notation than the plain one, such as `1.234,56 €`. */
export interface FormattedNumbers {
  readonly hits: number
  /** Texts that are no such numbers. */
  readonly misses: number
  /** Separators before fractions, and between groups, as masks of `text-bytes.ts`. */
  readonly marks: number
  readonly groups: number
  /** Values that are whole or not by what their one separator is: `1.234`, `1,234`; and their most digits before it. */
  readonly points: number
  readonly commas: number
  readonly eitherWhole: number
  /** Digits before the first separator, of grouped numbers. */
  readonly fewest: number
  readonly most: number
  /** How values are negative other than by a minus before them, as a mask. */
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
  readonly numbers: NumberFindings
  readonly example: string
}

/** Dates and times that are neither ISO nor three numbers with a year of four digits. */
export interface FormattedDates {
  readonly hits: number
  readonly misses: number
  /** Those that read every value. */
  readonly patterns: readonly string[]
  /** Values that begin with a zero: `09:30`, and with one digit alone: `9:30`. */
  readonly padded: number
  readonly short: number
  readonly example: string
  /** Those that text, and JSON, have in another form. */
  readonly text: Rewrites
  readonly json: Rewrites
}

/** The words of a column that has no others, by how they're spelled, with how many values are each. */
export type Words = ReadonlyMap<string, number>

/** What all values of a column are: parts of years, which no type of ours holds. */
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
  /** Those not in the canonical text of their kind; numbers: of a double. */
  readonly text: NonCanonical
  /** Timestamps that aren't as JSON has them. */
  readonly json: NonCanonical
  /** Decimals that begin with the point, by their digits after it. */
  readonly pointFirst: readonly number[]
  readonly pointFirstText: string
  /** The fewest digits that a decimal has after the point. */
  readonly leastScale: number
  readonly leastScaleText: string
}

/** What a column's values came to; arrays are indexed by kind. Plain data, so that it can cross between threads. */
export interface ColumnStats {
  readonly nulls: number
  readonly counts: Float64Array
  /** From 1; 0 when there's none. */
  readonly firstRows: Float64Array
  readonly firstTexts: readonly string[]
  readonly numbers: NumberFindings
  /** Orders that make a date of every date that isn't ISO. */
  readonly orders: number
  readonly separator: number
  readonly maxFraction: number
  readonly outsideNanos: boolean
  readonly nullLike: ReadonlyMap<string, number>
  /** Numbers that may stand for a missing measurement, such as -999, with how many there are of each. */
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

/** What the columns of a file tell of each other. */
export interface Conventions {
  /** What stands before a fraction; absent where nothing tells. */
  readonly mark?: Mark
  /** Which comes first in dates such as 03/04/2025. */
  readonly order?: 'day' | 'month'
  /** What separates the file's fields. */
  readonly delimiter?: string
}

/** Values that are written otherwise than those of their type, and one of them. */
export interface Rewrites {
  readonly count: number
  readonly from: string
  /** The same, as JSON has values of the type; absent where it's no other. */
  readonly json?: { readonly count: number; readonly from: string }
}

/** A type that a column's values have, and why. */
export interface InferredType {
  readonly type: ColumnType
  readonly reason: string
  readonly flags?: readonly ColumnFlag[]
  readonly format?: ValueFormat
  /** What else the values may be, the likeliest first: for the person to say. */
  readonly choices?: readonly Choice[]
  /** Where the format doesn't tell. */
  readonly rewrites?: Rewrites
}

/** A reading of a column's values that isn't sure. */
export interface Choice {
  readonly code: string
  readonly type: ColumnType
  readonly format: ValueFormat
  /** A value, as it stands in the file. */
  readonly from: string
  /** How it's read, for people; by default the value as text. */
  readonly words?: (value: string) => string
  /** What it would change, where that isn't all values. */
  readonly message?: string
  /** Nothing tells it from the others. */
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

/** The stats of texts that are texts though they look like numbers or booleans, for their source says so. */
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

/* Parts of the sentences that say what was found. */

export const print = (count: number): string => count.toLocaleString('en-US')
export const quote = (text: string): string => `“${text}”`
export const all = (count: number, what: string, whatOne: string): string =>
  count === 1 ? `The one value is ${whatOne}` : `All ${print(count)} values are ${what}`
