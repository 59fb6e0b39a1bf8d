import type { ColumnFlag, ValueFormat } from '../../../tables/plan.ts'
import type { ColumnType } from '../../../tables/types.ts'
import * as kinds from './kinds.ts'
import type { NumberFindings } from './numbers.ts'

export type Mark = '.' | ','

/** Numbers with thousands separators, units, percent signs or other decoration, such as `1.234,56 €`. */
export interface FormattedNumbers {
  readonly hits: number
  /** Texts that aren't formatted numbers. */
  readonly misses: number
  /** Decimal and thousands separators that were seen, as bit masks from `text-bytes.ts`. */
  readonly marks: number
  readonly groups: number
  /**
   * Values such as `1.234` and `1,234`, whose only separator may be the decimal mark or a thousands separator, and the
   * most digits before it.
   */
  readonly points: number
  readonly commas: number
  readonly eitherWhole: number
  /** Fewest and most digits before the first thousands separator. */
  readonly fewest: number
  readonly most: number
  /** Notations of negative numbers other than a leading minus, as a bit mask. */
  readonly negatives: number
  /** Numbers with a leading plus. */
  readonly plus: number
  /** Whole numbers with a plus that are short enough for a difference (`+12`), and the most digits of one. */
  readonly differences: number
  readonly differenceDigits: number
  /** Number of values by currency or measure. */
  readonly units: ReadonlyMap<string, number>
  /** Values that may be codes, such as `TL101` or `5Ft`: digits beside a unit of letters. */
  readonly codes: number
  readonly percents: number
  /** Values with a suffix for thousands, millions or billions: `k`, `M`, `bn`. */
  readonly scaled: number
  readonly sizes: Sizes
  readonly integers: number
  readonly decimals: number
  readonly exponents: number
  readonly numbers: NumberFindings
  readonly example: string
}

/**
 * Sizes such as `1.5G`: how many can't be thousands or millions, how many are no codes, and the most digits of a number
 * of bytes.
 */
interface Sizes {
  readonly hits: number
  readonly misses: number
  readonly sure: number
  readonly formed: number
  readonly whole: number
  readonly scale: number
  readonly example: string
}

/** Dates and times by a strptime pattern: neither ISO nor numeric with a four-digit year. */
export interface FormattedDates {
  readonly hits: number
  readonly misses: number
  /** The patterns that parse all of these values. */
  readonly patterns: readonly string[]
  /** Values with a leading zero (`09:30`), and with a single first digit (`9:30`). */
  readonly padded: number
  readonly short: number
  readonly example: string
  /** Values that our text output, and our JSON output, would write differently. */
  readonly text: Rewrites
  readonly json: Rewrites
  /** Values that don't match because they name another time zone. */
  readonly otherZones: Rewrites
}

/** Number of values by spelling, in a column whose texts are all words for true or false. */
export type Words = ReadonlyMap<string, number>

/** Months and quarters aren't a type, so such columns stay text. Durations in words are proposed. */
export type Period = 'month' | 'quarter' | 'duration'

/** Null unless all texts of the column are months, all are quarters, or all are durations. */
export type Periods = {
  readonly period: Period
  readonly count: number
  /** That of the clearest one. */
  readonly certainty: Certainty
  /** Durations of two numbers (`38:15`), of those the ones that can only be minutes and seconds (`1:23.4`), and others in words. */
  readonly pairs: number
  readonly minutes: number
  readonly words: number
} | null

/** How sure it is that a text is a duration: 0 it's likely something else, 1 it may be, 2 it is. */
export type Certainty = 0 | 1 | 2

/** By kind: the number of values that aren't in canonical form, and the first of them. */
export interface NonCanonical {
  readonly counts: Float64Array
  readonly texts: readonly string[]
}

/** How the values of a column are written. */
export interface Spellings {
  /** Values that aren't in the canonical text form of their kind; numbers are compared with that of a double. */
  readonly text: NonCanonical
  /** Timestamps that JSON output writes differently. */
  readonly json: NonCanonical
  /** Number of decimals without a zero before the point (`.5`), indexed by digits after it. */
  readonly pointFirst: readonly number[]
  readonly pointFirstText: string
  /** Fewest digits after the decimal point. */
  readonly leastScale: number
  readonly leastScaleText: string
}

/**
 * Statistics of a column's values. Arrays are indexed by kind. Plain data, so that it can be posted to other threads.
 */
export interface ColumnStats {
  readonly nulls: number
  readonly counts: Float64Array
  /** Row of the first value of each kind, from 1; 0 if there is none. */
  readonly firstRows: Float64Array
  readonly firstTexts: readonly string[]
  readonly numbers: NumberFindings
  /** Bit mask of the orders (`temporal.ts`) by which all numeric dates are valid. */
  readonly orders: number
  readonly separator: number
  readonly maxFraction: number
  readonly outsideNanos: boolean
  /** Whether a time of day is within the first hour, after 00:00:00, and whether one is later. */
  readonly inFirstHour: boolean
  readonly afterFirstHour: boolean
  /** Whether a duration exceeds 24:00:00, which may also be the end of a day. */
  readonly beyondDay: boolean
  readonly nullLike: ReadonlyMap<string, number>
  /** Sentinel values for missing measurements, such as -999, with their counts. */
  readonly sentinels: ReadonlyMap<string, number>
  readonly spellings: Spellings
  /**
   * Of texts only: formatted numbers, dates by pattern, words; and those with surrounding spaces, with the statistics
   * of the trimmed values.
   */
  readonly formattedNumbers: FormattedNumbers
  readonly formattedDates: FormattedDates
  readonly words: Words | null
  readonly periods: Periods
  /** The number of texts that are a JSON object or list. */
  readonly json: { readonly hits: number; readonly misses: number }
  /** Texts that are Excel formulas such as `="00123"`: their number and the first of them. */
  readonly formulas: { readonly count: number; readonly text: string }
  /** Texts with the apostrophe of spreadsheets before them, such as `'00123`. */
  readonly apostrophes: ColumnStats['formulas']
  readonly spaced: { readonly count: number; readonly text: string; readonly stats: ColumnStats } | null
}

/** Conventions of the whole file, inferred from all of its columns. */
export interface Conventions {
  /** Absent if no column shows it. */
  readonly mark?: Mark
  /** Whether a column has points between thousands beside a decimal comma (`1.234,56`), or the user set the mark. */
  readonly isGrouped?: boolean
  /** Order of day and month in dates such as 03/04/2025. */
  readonly order?: 'day' | 'month'
  /** Whether a column has numbers marked as debits: `5.00 Dr`. */
  readonly debits?: boolean
  /** Of one column: its name says that its values are durations, or minutes and seconds. */
  readonly lasting?: 'duration' | 'minutes'
  /** Field delimiter of the file. */
  readonly delimiter?: string
}

/** The number of values that would be written differently as values of their type, with an example. */
export interface Rewrites {
  readonly count: number
  readonly from: string
  /** The same for JSON output, if that differs. */
  readonly json?: { readonly count: number; readonly from: string }
}

export interface InferredType {
  readonly type: ColumnType
  readonly reason: string
  readonly flags?: readonly ColumnFlag[]
  readonly format?: ValueFormat
  /** Other types the values may have, the likeliest first. The user decides. */
  readonly choices?: readonly Choice[]
  /** Needed only for formatted values: other types derive it from the statistics. */
  readonly rewrites?: Rewrites
}

/** A type that the values may have. */
export interface Choice {
  readonly code: string
  readonly type: ColumnType
  readonly format: ValueFormat
  /** An example as written in the file. */
  readonly from: string
  /** Shows the parsed example; the value as text by default. */
  readonly words?: (value: string) => string
  /** The effect of the choice; by default a sentence that all values change type. */
  readonly message?: string
  /** Whether other choices are as likely. */
  readonly ambiguous?: boolean
}

/** Number of values that aren't null. */
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

/** Counts numbers and booleans as text, for values that the source says are text. */
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

/* Helpers for messages about columns. */

export const print = (count: number): string => count.toLocaleString('en-US')
export const quote = (text: string): string => `“${text}”`
export const all = (count: number, what: string, whatOne: string): string =>
  count === 1 ? `The one value is ${whatOne}` : `All ${print(count)} values are ${what}`
