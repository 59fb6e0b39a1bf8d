import { formatCount } from '../../lib/counts.ts'

/** Invalid input of a form's fields, by label. */
export type Mistyped = Readonly<Record<string, { readonly text: string; readonly error: string }>>

export const NONE_MISTYPED: Mistyped = {}

/** The errors in a form, one sentence per field. */
export const mistakesIn = (mistyped: Mistyped): string[] =>
  Object.entries(mistyped).map(([label, { error }]) => `“${label}”: ${error}`)

/** Says what is wrong with a text that should be a whole number; null if it's one. */
export function numberProblem(text: string, least: number, most: number): string | null {
  const isNumber = /^\d{1,15}$/.test(text.trim()) && Number(text) >= least && Number(text) <= most
  return isNumber ? null : `Enter a whole number from ${formatCount(least)} to ${formatCount(most)}.`
}
