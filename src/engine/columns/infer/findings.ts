import type { ColumnFlag, ValueFormat } from '../../../tables/plan.ts'
import type { ColumnType } from '../../../tables/types.ts'
import type { FormedDates } from './date-forms.ts'
import type { FormFindings } from './forms.ts'
import type { FormedNumbers, Mark } from './number-forms.ts'
import * as kinds from './kinds.ts'
import type { NumberFindings } from './numbers.ts'
import type { Periods } from './period-forms.ts'
import type { Words } from './word-forms.ts'

/** What a column's values came to; arrays are indexed by kind. Plain data, so that it can cross between threads. */
export interface Findings {
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
  readonly forms: FormFindings
  /** Of texts: numbers that aren't plain, dates and times by a pattern, words; those with spaces around them, and what they'd be without. */
  readonly formed: FormedNumbers
  readonly dated: FormedDates
  readonly words: Words | null
  readonly periods: Periods
  readonly spaced: { readonly count: number; readonly text: string; readonly findings: Findings } | null
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
export interface TypeFound {
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
  /** Nothing tells it from the others. */
  readonly ambiguous?: boolean
}

/** How many values there are. */
export const countOf = ({ counts }: Findings): number => counts.reduce((total, each) => total + each, 0)

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

/** The findings of texts that are texts though they look like numbers or booleans, for their source says so. */
export function asTexts(findings: Findings): Findings {
  const [counts, firstRows, firstTexts] = [
    findings.counts.slice(),
    findings.firstRows.slice(),
    [...findings.firstTexts],
  ]
  for (const kind of NOT_TEXTS) {
    if (counts[kind] === 0) continue
    if (counts[kinds.TEXT] === 0 || firstRows[kind] < firstRows[kinds.TEXT]) {
      firstRows[kinds.TEXT] = firstRows[kind]
      firstTexts[kinds.TEXT] = firstTexts[kind]
    }
    counts[kinds.TEXT] += counts[kind]
    counts[kind] = 0
  }
  return { ...findings, counts, firstRows, firstTexts }
}
