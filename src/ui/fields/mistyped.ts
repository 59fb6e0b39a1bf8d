import { formatCount } from '../../lib/counts.ts'

/** What stands in fields and can't be taken over, by the fields' labels. */
export type Mistyped = Readonly<Record<string, { readonly text: string; readonly error: string }>>

export const NONE_MISTYPED: Mistyped = {}

/** What is wrong in a form, a sentence for each field. */
export const mistakesIn = (mistyped: Mistyped): string[] =>
  Object.entries(mistyped).map(([label, { error }]) => `“${label}”: ${error}`)

/** What is wrong with a text that should be a whole number; null where it's one. */
export function numberProblem(text: string, least: number, most: number): string | null {
  const isNumber = /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
  return isNumber ? null : `Give a whole number from ${formatCount(least)} to ${formatCount(most)}.`
}
